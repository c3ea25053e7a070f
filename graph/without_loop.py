"""Programs without an event loop: the steps of a graph run on one loop of this process, in a thread of its own."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from langgraph.graph import StateGraph

from ..errors import UsageError

T = TypeVar("T")
Builder = TypeVar("Builder", bound=StateGraph[Any, Any, Any, Any])


def with_invoke(graph: Builder) -> Builder:
    """Let a graph of coroutines take `invoke` and `stream` too; `ainvoke` and `astream` go on as they did.

    LangGraph then calls its steps in threads.  Each of them hands its coroutine to one loop that all share, as the
    connections and pauses of a host are shared, and waits for it.
    """
    for spec in graph.nodes.values():
        step: Any = spec.runnable
        if getattr(step, "func", step) is None:  # a graph inside a node can be called already
            step.func = _waiting(step.afunc)
    for branches in graph.branches.values():
        for branch in branches.values():
            route: Any = branch.path
            if getattr(route, "func", route) is None:
                route.func = inspect.unwrap(route.afunc)
    return graph


def run(work: Coroutine[Any, Any, T], *, lasting: bool = False) -> T:
    """Do work for a caller that is no coroutine, also where a loop runs in its thread, as in a notebook.

    Args:
        lasting: On the loop that outlasts the work: what is used again keeps connections, which belong to their loop.
    """
    if lasting:
        return _wait_for(work)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _wait_for(work)


def _waiting(step: Callable[..., Coroutine[Any, Any, T]]) -> Callable[..., T]:
    def waited(*given: Any, **more: Any) -> T:
        return _wait_for(step(*given, **more))

    return waited


def _wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Do work on the shared loop, in the context of the caller, and wait; who is stopped meanwhile stops it.

    Raises: what the work raises; UsageError in the thread of that loop, which would wait for itself.
    """
    shared = _shared()
    if threading.current_thread() is shared.thread:
        work.close()
        raise UsageError("a coroutine that a graph runs cannot call `invoke` or `stream`: use `ainvoke` or `astream`")
    future = asyncio.run_coroutine_threadsafe(work, shared.loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


@dataclass(frozen=True)
class _Shared:
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread


_SHARED: list[_Shared] = []
_LOCK = threading.Lock()


def _shared() -> _Shared:
    with _LOCK:
        if not _SHARED or not _SHARED[-1].thread.is_alive():  # a forked process has the loop and not its thread
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="citewell-steps", daemon=True)
            thread.start()
            _SHARED[:] = [_Shared(loop, thread)]
        return _SHARED[0]
