"""Routes stay plain functions of the state and run where the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig


class Route(Runnable[Any, Any]):
    """A route, called as it is: LangGraph hands a plain function to another thread, and reports it as a run of its own.

    The edge that takes it names its targets, which LangGraph reads from plain functions only.
    """

    def __init__(self, route: Callable[[Any], Any]) -> None:
        self.name = route.__name__
        self._route = route

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:
        """Return where to go from a state."""
        return self._route(input)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:
        """Return where to go from a state."""
        return self._route(input)


def in_loop(route: Callable[[Any], Any]) -> Route:
    """Return a route that runs in the thread of its graph."""
    return Route(route)
