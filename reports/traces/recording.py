"""Record a run: OpenInference's LangChain spans, our own for retrieval and work on files, one file per thread."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from opentelemetry import context as otel_context
from opentelemetry import trace as otel
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode

from ...settings import Environment, Settings
from .exporter import JsonlExporter, QuietProcessor, RedactingExporter
from .lines import TraceContext
from .redaction import Redaction

_PLAIN = re.compile(r"[a-z0-9_-]{1,64}")
_current: ContextVar[Recorder | None] = ContextVar("citewell_recorder", default=None)


@dataclass
class Recorder:
    """A running record.

    Attributes:
        path: The trace file.
        callbacks: Hand them to LangChain or LangGraph as `config["callbacks"]`.
        later: Takes work on the trace that is to hold nobody up.
    """

    path: Path
    tracer: otel.Tracer
    callbacks: list[BaseCallbackHandler]
    later: Callable[[Callable[[], None]], None]
    _queries: dict[tuple[str, int], tuple[int, Context]] = field(default_factory=dict)

    @contextmanager
    def span(self, kind: str, type_: str, name: str, **attributes: Any) -> Iterator[Span]:
        """Record a piece of work; spans begun inside it become its children."""
        with self.tracer.start_as_current_span(
            name, attributes=_plain({"openinference.span.kind": kind, "sdk.span.type": type_, "sdk.span.name": name})
        ) as span:
            span.set_attributes(_plain(attributes))
            yield span

    def on_event(self, event: Mapping[str, Any]) -> None:
        """Record retrievals from the events of a run: a query begins a span, its hits end it."""
        if event.get("type") not in ("query", "hits"):
            return
        key = (str(event.get("query")), int(event.get("iteration") or 0))
        if event["type"] == "query":
            self._queries[key] = time.time_ns(), otel_context.get_current()
        elif began := self._queries.pop(key, None):
            self.later(partial(self._retrieved, key, began, time.time_ns(), event.get("hits")))

    def finish(self) -> None:
        """End what is still open: a query whose hits never came has failed."""
        for key, began in self._queries.items():
            self.later(partial(self._retrieved, key, began, time.time_ns(), None))
        self._queries.clear()

    def _retrieved(self, key: tuple[str, int], began: tuple[int, Context], ended_ns: int, hits: Any) -> None:
        """Record one retrieval; one without hits, be they none, has failed."""
        began_ns, context = began
        span = self.tracer.start_span("corpus", context, start_time=began_ns)
        told = {"openinference.span.kind": "RETRIEVER", "input.value": key[0], "sdk.data.iteration": key[1]}
        if hits is not None:
            told["output.value"] = json.dumps(hits, ensure_ascii=False)
        span.set_attributes(_plain(told))
        span.set_status(Status(StatusCode.ERROR, "no result") if hits is None else Status(StatusCode.OK))
        span.end(ended_ns)


@contextmanager
def recording(
    environment: Environment,
    settings: Settings,
    *,
    thread_id: str,
    workflow: str = "research",
    question: str = "",
    resource: Mapping[str, str] | None = None,
    metadata: Mapping[str, str] | None = None,
) -> Iterator[Recorder | None]:
    """Record what happens inside, under one AGENT span; yields None where tracing is switched off.

    Args:
        environment: Holds the home folder, the secrets to mask, and the OTLP endpoint where there is one.
        settings: `trace` switches recording, `trace_texts` keeps inputs and outputs, `offline` keeps OTLP still.
        thread_id: Names the file and groups the runs of a conversation.
        resource: More attributes of the resource, e.g. the harness version.
        metadata: Written as `agent.trace_metadata.*`.
    """
    if not settings.trace:
        yield None
        return
    from openinference.instrumentation import OITracer, TraceConfig

    from .late import LateTracer

    told = {
        "service.name": "citewell",
        "service.version": _own_version(),
        "deployment.environment": "local",
        **(resource or {}),
    }
    context = TraceContext(
        workflow=workflow,
        session_id=thread_id,
        agent_name=workflow,
        resource=told,
        metadata=dict(metadata or {}),
        redaction=Redaction.of(secrets_of(environment), texts=settings.trace_texts),
    )
    path = trace_path(environment.home, thread_id)
    beside = QuietProcessor(JsonlExporter(path, context))
    provider = _provider(told, beside, "" if settings.offline else environment.otlp_endpoint, context.redaction)
    tracer = provider.get_tracer("citewell", _own_version())
    handler = LateTracer(OITracer(tracer, config=TraceConfig()), beside.thread.do)  # type: ignore[arg-type]
    recorder = Recorder(path=path, tracer=tracer, callbacks=[handler], later=beside.thread.do)
    token = otel_context.attach(otel_context.Context())
    ours = _current.set(recorder)
    try:
        with recorder.span(
            "AGENT",
            "agent",
            workflow,
            **{"agent.name": workflow, "input.value": question, "agent.output_type": "Report"},
        ) as root:
            try:
                yield recorder
            finally:
                recorder.finish()
            root.set_status(Status(StatusCode.OK))
    finally:
        _current.reset(ours)
        otel_context.detach(token)
        provider.shutdown()


def _provider(
    told: Mapping[str, str], beside: QuietProcessor, endpoint: str | None, redaction: Redaction
) -> TracerProvider:
    """Return what takes the spans of a run: its file, and an OTLP endpoint where one is named."""
    provider = TracerProvider(resource=Resource(told), shutdown_on_exit=False)
    provider.add_span_processor(beside)
    if endpoint:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter(endpoint=endpoint)
        provider.add_span_processor(BatchSpanProcessor(RedactingExporter(exporter, redaction)))
    return provider


@contextmanager
def work(name: str, **attributes: Any) -> Iterator[None]:
    """Record a piece of work of the run that is being recorded; without one, nothing."""
    recorder = _current.get()
    if recorder is None:
        yield
        return
    with recorder.span("SPAN", "custom", name, **{f"sdk.data.{key}": value for key, value in attributes.items()}):
        yield


def trace_path(home: Path, thread_id: str) -> Path:
    """Return the trace file of a thread: of its name where that is plain, else `=` and its hash.

    Plain is what no file system takes for another name: small letters and digits of ASCII, `-` and `_`, at most 64.
    """
    plain = thread_id if _PLAIN.fullmatch(thread_id) else ""
    hashed = sha256(thread_id.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return home / "traces" / f"{plain or f'={hashed}'}.jsonl"


@cache
def _own_version() -> str:
    return version("citewell")


def secrets_of(environment: Environment) -> list[str | None]:
    """Return the values of the environment that must stand in no trace."""
    return [
        environment.openai_api_key,
        environment.tavily_api_key,
        environment.token,
        environment.postgres_url,
        environment.chroma_url,
    ]


def _plain(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes that OpenTelemetry takes: no None, everything odd as JSON."""
    return {
        key: value
        if isinstance(value, str | bool | int | float)
        else json.dumps(value, ensure_ascii=False, default=str)
        for key, value in attributes.items()
        if value is not None
    }
