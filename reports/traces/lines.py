"""Turn a finished OpenTelemetry span into one line of a trace file, with exactly the fields that readers expect."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import StatusCode

from .redaction import Redaction

SCHEMA_VERSION = 1
SPAN_TYPES = {
    "AGENT": "agent",
    "LLM": "generation",
    "TOOL": "function",
    "CHAIN": "chain",
    "RETRIEVER": "retriever",
    "GUARDRAIL": "guardrail",
}
"""First part of a span's name, by kind."""
_KEPT = frozenset(
    {
        "openinference.span.kind",
        "llm.provider",
        "llm.model_name",
        "llm.invocation_parameters",
        "llm.response.id",
        "llm.token_count.prompt",
        "llm.token_count.completion",
        "llm.token_count.total",
        "tool.name",
        "input.value",
        "output.value",
        "agent.name",
        "agent.tools",
        "agent.handoffs",
        "agent.output_type",
        "agent.handoff.from",
        "agent.handoff.to",
        "guardrail.name",
        "guardrail.triggered",
        "mcp.server",
        "mcp.tools.listed",
        "mcp.data",
        "sdk.span.type",
        "sdk.span.name",
        "inference.llm.cost.total",
    }
)
_MESSAGE = re.compile(r"^llm\.(?P<side>input|output)_messages\.(?P<index>\d+)\.message\.(?P<rest>.+)$")
_CALL = re.compile(r"^tool_calls\.(?P<index>\d+)\.tool_call\.(?P<rest>.+)$")
CHAIN_CHARS = 4_000
"""A step of a graph hands over its whole state; more of it than this tells a reader nothing."""


@dataclass(frozen=True)
class TraceContext:
    """What holds for every span of a run.

    Attributes:
        resource: Attributes of the resource, `service.name` among them.
        metadata: Written as `agent.trace_metadata.*`.
    """

    project_id: str = "citewell"
    workflow: str = "research"
    session_id: str = ""
    user_id: str = ""
    agent_name: str = "citewell"
    resource: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    redaction: Redaction = field(default_factory=Redaction)


def line_of(span: ReadableSpan, context: TraceContext) -> dict[str, Any]:
    """Return a finished span as a JSON value; absent attributes are left out, absent ids are empty strings."""
    found = dict(span.attributes or {})
    kind = _kind(span, found)
    attributes = _attributes(found, kind, span.name)
    attributes |= _projection(attributes, kind, context)
    kept = {key: value for key, value in attributes.items() if value is not None}
    scope = span.instrumentation_scope
    ids, parent = span.context, span.parent
    failed = span.status.status_code is StatusCode.ERROR
    return {
        "trace_id": f"{ids.trace_id:032x}" if ids else "",
        "span_id": f"{ids.span_id:016x}" if ids else "",
        "parent_span_id": f"{parent.span_id:016x}" if parent else "",
        "trace_state": ids.trace_state.to_header() if ids else "",
        "name": context.redaction.text(_name(kind, span.name, found)),
        "kind": "SPAN_KIND_CLIENT" if kind == "LLM" else "SPAN_KIND_INTERNAL",
        "start_time": timestamp(span.start_time or 0),
        "end_time": timestamp(span.end_time or span.start_time or 0),
        "status": {
            "code": "STATUS_CODE_ERROR" if failed else "STATUS_CODE_OK",
            "message": context.redaction.text(span.status.description or "") if failed else "",
        },
        "resource": {"attributes": dict(context.resource)},
        "scope": {"name": scope.name if scope else "citewell", "version": (scope.version if scope else "") or ""},
        "attributes": context.redaction.attributes(kept),
    }


def timestamp(nanoseconds: int) -> str:
    """Return a time in UTC with nine fractional digits and Z."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def is_guardrail(name: str) -> bool:
    """Whether a chain is a guardrail: to LangChain each step of a graph is a chain; one of them checks claims."""
    return name == "validator"


def _kind(span: ReadableSpan, found: Mapping[str, Any]) -> str:
    if is_guardrail(span.name) and found.get("openinference.span.kind") == "CHAIN":
        return "GUARDRAIL"
    kind = str(found.get("openinference.span.kind") or "SPAN")
    return kind if kind in SPAN_TYPES else "SPAN"


def _name(kind: str, name: str, found: Mapping[str, Any]) -> str:
    type_ = str(found.get("sdk.span.type") or SPAN_TYPES.get(kind, "custom"))
    own = found.get("llm.model_name") if kind == "LLM" else found.get("sdk.span.name") or found.get("tool.name") or name
    return f"{type_}.{own}" if own else type_


def _attributes(found: Mapping[str, Any], kind: str, name: str) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    messages: dict[str, dict[int, dict[str, Any]]] = {"input": {}, "output": {}}
    for key, value in found.items():
        match = _MESSAGE.match(key)
        if match:
            attributes |= _message(messages[match["side"]], match, value)
        elif key in _KEPT or key.startswith(("sdk.data.", "agent.trace_metadata.")):
            attributes[key] = value
        elif not key.startswith("llm.tools"):
            attributes[f"sdk.data.{key}"] = value
    for side, rows in messages.items():
        if rows:
            listed = [rows[index] for index in sorted(rows)]
            attributes[f"llm.{side}_messages"] = json.dumps(listed, ensure_ascii=False)
    attributes["openinference.span.kind"] = kind if kind != "SPAN" else None
    attributes.setdefault("sdk.span.type", SPAN_TYPES.get(kind, "custom"))
    attributes.setdefault("sdk.span.name", name)
    if kind == "LLM":
        attributes.setdefault("llm.response.id", _response_id(found.get("output.value")))
        attributes.setdefault("llm.provider", found.get("llm.system"))
    elif kind == "TOOL":
        attributes.setdefault("tool.name", name)
    elif kind == "GUARDRAIL":
        attributes.setdefault("guardrail.name", name)
        attributes.setdefault("guardrail.triggered", _triggered(found.get("output.value")))
    if kind in ("CHAIN", "GUARDRAIL"):
        attributes |= {key: _cut(attributes.get(key)) for key in ("input.value", "output.value")}
    return attributes


def _message(rows: dict[int, dict[str, Any]], match: re.Match[str], value: Any) -> dict[str, Any]:
    """Note one field of a message and return the flattened attribute."""
    row = rows.setdefault(int(match["index"]), {})
    prefix = f"llm.{match['side']}_messages.{match['index']}.message"
    call = _CALL.match(match["rest"])
    if call is None:
        if match["rest"] in ("role", "content", "tool_call_id", "name"):
            row[match["rest"]] = value
            return {f"{prefix}.{match['rest']}": value}
        return {f"sdk.data.{match[0]}": value}
    calls = row.setdefault("tool_calls", [])
    while len(calls) <= int(call["index"]):
        calls.append({"type": "function", "function": {}})
    entry = calls[int(call["index"])]
    head = f"{prefix}.tool_calls.{call['index']}"
    if call["rest"] == "id":
        entry["id"] = value
        return {f"{head}.tool_call.id": value}
    field_name = call["rest"].removeprefix("function.")
    entry["function"][field_name] = value
    return {f"{head}.function.{field_name}": value}


def _projection(attributes: Mapping[str, Any], kind: str, context: TraceContext) -> dict[str, Any]:
    return {
        "inference.export.schema_version": SCHEMA_VERSION,
        "inference.project_id": context.project_id,
        "inference.observation_kind": kind,
        "inference.llm.provider": attributes.get("llm.provider"),
        "inference.llm.model_name": attributes.get("llm.model_name"),
        "inference.llm.input_tokens": attributes.get("llm.token_count.prompt"),
        "inference.llm.output_tokens": attributes.get("llm.token_count.completion"),
        "inference.llm.cost.total": attributes.get("inference.llm.cost.total"),
        "inference.user_id": context.user_id or None,
        "inference.session_id": context.session_id or None,
        "inference.agent_name": attributes.get("agent.name") or context.agent_name,
        "agent.workflow.name": context.workflow,
        "agent.workflow.group_id": context.session_id or None,
        **{f"agent.trace_metadata.{key}": value for key, value in context.metadata.items()},
    }


def _response_id(output: Any) -> str | None:
    """Find the provider's id of a reply in what LangChain says the model returned."""
    match = (
        re.search(r'"id":\s*"((?:chatcmpl|resp|msg|gen|run)[-_][^"]+)"', output) if isinstance(output, str) else None
    )
    return match[1] if match else None


def _triggered(output: Any) -> bool | None:
    """Whether the validator named an issue of a claim."""
    try:
        content = json.loads(output) if isinstance(output, str) else None
    except ValueError:
        return bool(re.search(r'"issues":\s*\[\s*[^\]\s]', str(output)))
    return bool(content.get("issues")) if isinstance(content, dict) else None


def _cut(value: Any) -> Any:
    if not isinstance(value, str) or len(value) <= CHAIN_CHARS:
        return value
    return f"{value[:CHAIN_CHARS]}… [{len(value) - CHAIN_CHARS} more characters]"
