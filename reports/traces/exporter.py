"""Append finished spans to a trace file under a lock, so that runs side by side never mix their lines."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from filelock import FileLock
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status

from .lines import TraceContext, line_of
from .quiet import QuietThread
from .redaction import Redaction

logger = logging.getLogger(__name__)
LOCK_TIMEOUT_S = 30


class RedactingExporter(SpanExporter):
    """Hands spans on without secrets, to an exporter that writes what it gets."""

    def __init__(self, inner: SpanExporter, redaction: Redaction) -> None:
        self.inner, self.redaction = inner, redaction

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self.inner.export([self._clean(span) for span in spans])

    def shutdown(self) -> None:
        self.inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self.inner.force_flush(timeout_millis)

    def _clean(self, span: ReadableSpan) -> ReadableSpan:
        # Events hold stack traces with the values of the moment; the status tells the error.
        return ReadableSpan(
            name=self.redaction.text(span.name),
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=self.redaction.attributes(span.attributes or {}),
            kind=span.kind,
            status=Status(span.status.status_code, self.redaction.text(span.status.description or "") or None),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )


class QuietProcessor(SpanProcessor):
    """Hands finished spans to an exporter in a thread of its own, so that no step waits for its trace.

    Spans that end in one burst go together in one write.  Shutting down writes what is left.

    Attributes:
        thread: Does the writing, after what else it was given before.
    """

    def __init__(self, exporter: SpanExporter) -> None:
        self.thread = QuietThread(self._write)
        self._exporter = exporter
        self._ended: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        """Take a finished span; one of a step that ends after its run was broken off is written at once."""
        self.thread.do(partial(self._ended.append, span))

    def shutdown(self) -> None:
        """Write what is left and let the exporter go."""
        self.thread.close()
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Write all spans that ended."""
        self.thread.catch_up()
        return True

    def _write(self) -> None:
        spans, self._ended[:] = list(self._ended), []
        if spans:
            self._exporter.export(spans)


class JsonlExporter(SpanExporter):
    """Writes each span as one line.  A disk that refuses costs the trace, never the run."""

    def __init__(self, path: Path, context: TraceContext) -> None:
        self.path, self.context = path, context
        self._thread_lock = threading.Lock()
        self._file_lock = FileLock(path.with_suffix(".lock"), timeout=LOCK_TIMEOUT_S, thread_local=False)
        self._broken = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Append the spans in one write each batch, so that a reader sees whole lines."""
        if self._broken:
            return SpanExportResult.FAILURE
        lines = [json.dumps(line_of(span, self.context), ensure_ascii=False, default=str) for span in spans]
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            with self._thread_lock:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self._file_lock:
                    handle = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
                    try:
                        os.write(handle, data)
                    finally:
                        os.close(handle)
        except (OSError, TimeoutError) as error:
            self._broken = True
            logger.warning("no trace is written: %s", error)
            return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Nothing is held back."""
        return True
