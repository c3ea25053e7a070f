"""Routes stay plain functions of the state and run where the graph runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar

S = TypeVar("S")


def in_loop(route: Callable[[S], Any]) -> Callable[[S], Awaitable[Any]]:
    """Return a route as a coroutine: LangGraph hands a plain function to another thread, and waits for it."""

    @wraps(route)
    async def routed(state: S) -> Any:
        return route(state)

    return routed
