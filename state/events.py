"""Events of a running graph: plain dicts with a version, sent through the custom stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

EVENT_VERSION = 1

EventType = Literal[
    "thread",
    "source",
    "progress",
    "plan",
    "query",
    "hits",
    "fact",
    "gap",
    "budget",
    "issue",
    "repair",
    "fallback",
    "answer",
    "stop",
    "recall",
    "tool_call",
    "tool_result",
]
Emit = Callable[[dict[str, Any]], None]


def event(type_: EventType, **fields: Any) -> dict[str, Any]:
    """Return an event: `{"v": 1, "type": …}` and its fields, all of them JSON values."""
    return {"v": EVENT_VERSION, "type": type_, **fields}
