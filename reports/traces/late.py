"""OpenInference's LangChain spans, made in the thread of the trace: a step only notes that it began or ended."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.tracers.schemas import Run
from openinference.instrumentation.langchain._tracer import OpenInferenceTracer
from opentelemetry.trace import Tracer
from pydantic import BaseModel

from .lines import CHAIN_CHARS, is_guardrail


class LateTracer(OpenInferenceTracer):
    """A LangChain callback handler.

    Its base is private by its name and public by its use: the instrumentor only offers to patch every callback manager
    there is.

    Args:
        later: Takes pieces of work and does them in order, in another thread.
    """

    def __init__(self, tracer: Tracer, later: Callable[[Callable[[], None]], None]) -> None:
        super().__init__(tracer, False)
        self._later = later
        # Its work is a fraction of a millisecond: a hop to a thread and back for each of some hundred calls takes
        # longer.
        self.run_inline = True

    def _start_trace(self, run: Run) -> None:  # type: ignore[override]
        self.run_map[str(run.id)] = run
        # The span that is current here is its parent, where no run of LangChain is.
        self._later(partial(copy_context().run, super()._start_trace, run))

    def _end_trace(self, run: Run) -> None:  # type: ignore[override]
        self.run_map.pop(str(run.id), None)
        self._later(partial(self._end_now, run))

    def _end_now(self, run: Run) -> None:
        if run.run_type == "chain":
            run.inputs = _shown(run.inputs)
            if not is_guardrail(run.name):  # a guardrail's whole output tells whether it was triggered
                run.outputs = _shown(run.outputs)
        super()._end_trace(run)
        self.run_map.pop(str(run.id), None)  # the base put it there once more when it began the span


def _shown(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return so much of a chain's values, as JSON, as a trace shows; a step is handed the whole state of its graph."""
    if not values:
        return {}
    only = next(iter(values.values())) if len(values) == 1 else None
    if isinstance(only, str):
        return {"value": only}
    shown = only if len(values) == 1 and next(iter(values)) in ("input", "output") else values
    text = ""
    for piece in _Shallow(ensure_ascii=False, skipkeys=True).iterencode(shown):
        text += piece
        if len(text) > CHAIN_CHARS:
            return {"value": f"{text[:CHAIN_CHARS]}… [more]"}
    return {"value": text}


class _Shallow(json.JSONEncoder):
    """Opens values one level at a time, so that what is not shown is not read either."""

    def default(self, o: Any) -> Any:
        if isinstance(o, BaseMessage):
            return {"type": o.type, "content": o.content}
        if isinstance(o, BaseModel):
            return dict(o)
        if dataclasses.is_dataclass(o) and not isinstance(o, type):
            return {each.name: getattr(o, each.name) for each in dataclasses.fields(o)}
        if isinstance(o, set | frozenset):
            return sorted(o, key=str)
        return str(o)
