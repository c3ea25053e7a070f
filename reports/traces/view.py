"""Read trace files and draw them as trees with times, tokens and cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import UsageError


@dataclass
class Node:
    """A span with the spans that it contains, in the order they began."""

    span: Mapping[str, Any]
    children: list[Node] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (_time(self.span["end_time"]) - _time(self.span["start_time"])).total_seconds()


@dataclass(frozen=True)
class TraceSummary:
    """One trace in numbers.  `cost_usd` is None where no span names a cost."""

    trace_id: str
    name: str
    start_time: str
    seconds: float
    spans: int
    errors: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


def read_trace(path: Path) -> list[dict[str, Any]]:
    """Return the spans of a file in order; a last line that a crash cut off is left out.

    Raises: UsageError where the file cannot be read or a line before the last is damaged.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    spans = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            spans.append(json.loads(line))
        except ValueError as error:
            if number < len(lines):
                raise UsageError(f"{path}: line {number} is no span") from error
    return spans


def list_traces(home: Path) -> list[Path]:
    """Return the trace files of a home, the last written first."""
    found = list((home / "traces").glob("*.jsonl"))
    return sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def trees(spans: Sequence[Mapping[str, Any]]) -> list[Node]:
    """Return the roots of a file, in the order they began; a span whose parent is missing is a root."""
    nodes = {(span["trace_id"], span["span_id"]): Node(span) for span in spans}
    roots: list[Node] = []
    for (trace_id, _), node in nodes.items():
        parent = nodes.get((trace_id, node.span["parent_span_id"]))
        (parent.children if parent else roots).append(node)
    for node in nodes.values():
        node.children.sort(key=lambda child: (child.span["start_time"], child.span["span_id"]))
    return sorted(roots, key=lambda node: (node.span["start_time"], node.span["span_id"]))


def summaries(spans: Sequence[Mapping[str, Any]]) -> list[TraceSummary]:
    """Return each trace of a file in numbers, in the order they began."""
    found = []
    for root in trees(spans):
        inside = list(_walk(root))
        costs = [span["attributes"].get("inference.llm.cost.total") for span in inside]
        known = [cost for cost in costs if cost is not None]
        found.append(
            TraceSummary(
                trace_id=root.span["trace_id"],
                name=root.span["name"],
                start_time=root.span["start_time"],
                seconds=root.seconds,
                spans=len(inside),
                errors=sum(span["status"]["code"] == "STATUS_CODE_ERROR" for span in inside),
                prompt_tokens=sum(_count(span, "input") for span in inside),
                completion_tokens=sum(_count(span, "output") for span in inside),
                cost_usd=sum(known) if known else None,
            )
        )
    return found


def draw(spans: Sequence[Mapping[str, Any]]) -> str:
    """Return the traces of a file as trees, one span a line."""
    lines: list[str] = []
    for root, summary in zip(trees(spans), summaries(spans), strict=True):
        cost = "" if summary.cost_usd is None else f", {summary.cost_usd:.4f} USD"
        tokens = f"{summary.prompt_tokens}+{summary.completion_tokens} tokens"
        lines.append(f"{summary.start_time[:19]}Z  {summary.spans} spans, {summary.errors} errors, {tokens}{cost}")
        lines += _drawn(root, "", "")
    return "\n".join(lines)


def _drawn(node: Node, head: str, pad: str) -> Iterator[str]:
    span = node.span
    failed = span["status"]["code"] == "STATUS_CODE_ERROR"
    prompt, completion = _count(span, "input"), _count(span, "output")
    tokens = f"  {prompt}+{completion} tokens" if prompt or completion else ""
    cost = span["attributes"].get("inference.llm.cost.total")
    price = f"  {cost:.4f} USD" if isinstance(cost, int | float) else ""
    triggered = "  triggered" if span["attributes"].get("guardrail.triggered") is True else ""
    problem = f"  failed: {span['status']['message'][:120]}" if failed else ""
    yield f"{head}{span['name']}  {node.seconds:.3f} s{tokens}{price}{triggered}{problem}"
    for place, child in enumerate(node.children):
        last = place == len(node.children) - 1
        yield from _drawn(child, pad + ("└─ " if last else "├─ "), pad + ("   " if last else "│  "))


def _walk(node: Node) -> Iterator[Mapping[str, Any]]:
    yield node.span
    for child in node.children:
        yield from _walk(child)


def _count(span: Mapping[str, Any], side: str) -> int:
    value = span["attributes"].get(f"inference.llm.{side}_tokens")
    return value if isinstance(value, int) else 0


def _time(text: str) -> datetime:
    # datetime knows microseconds; the last three of nine digits are finer than any sleep.
    return datetime.fromisoformat(f"{text[:26]}+00:00")
