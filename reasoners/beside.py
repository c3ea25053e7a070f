"""Do work of our own while a model thinks: begun once the request has left, so that it holds no request back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_waiting: ContextVar[tuple[Callable[[], None], ...]] = ContextVar("citewell_beside", default=())


class Beside(Generic[T]):
    """Work that begins with the first request that leaves, or when its outcome is asked for, whichever comes first."""

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._task: asyncio.Future[T] | None = None

    def begin(self) -> None:
        """Begin, where that was not done yet."""
        if self._task is None:
            self._task = asyncio.ensure_future(self._work())

    async def outcome(self) -> T:
        """Return what the work gives, or raise what it raises."""
        self.begin()
        assert self._task is not None
        return await self._task

    def drop(self) -> None:
        """End what nobody will ask for any more."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
        elif self._task is not None and not self._task.cancelled():
            self._task.exception()  # seen here, or asyncio warns that nobody did


@contextmanager
def beside(work: Callable[[], Awaitable[T]]) -> Iterator[Beside[T]]:
    """Have work done beside the calls that are made inside; what is unfinished at the end is dropped."""
    begun = Beside(work)
    token = _waiting.set((*_waiting.get(), begun.begin))
    try:
        yield begun
    finally:
        _waiting.reset(token)
        begun.drop()


async def begin_when_sent(request: httpx.Request) -> None:
    """Begin the waiting work when a request has left: a hook of the HTTP client."""
    waiting = _waiting.get()
    if not waiting:
        return

    async def trace(event: str, _: dict[str, Any]) -> None:
        if event.endswith(".send_request_body.complete"):
            for begin in waiting:
                begin()

    request.extensions = {**request.extensions, "trace": trace}
