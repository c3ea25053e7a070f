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

_waiting: ContextVar[tuple[Beside[Any], ...]] = ContextVar("citewell_beside", default=())


class Beside(Generic[T]):
    """Work that begins with the first request that leaves, or when its outcome is asked for, whichever comes first.

    Attributes:
        meanwhile: Whether nobody waits for its outcome, so that it ends where the reply comes first.
    """

    def __init__(self, work: Callable[[], Awaitable[T]], *, meanwhile: bool = False) -> None:
        self._work, self.meanwhile = work, meanwhile
        self._task: asyncio.Future[T] | None = None

    def begin(self) -> None:
        """Begin, where that was not done yet."""
        if self._task is None:
            self._task = asyncio.ensure_future(self._work())

    async def outcome(self) -> T:
        """Return what the work gives, or raise what it raises."""
        self.begin()
        assert self._task is not None
        return await asyncio.shield(self._task)  # one of those who ask may be ended, and the others not

    def drop(self) -> None:
        """End what nobody will ask for any more."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
        elif self._task is not None and not self._task.cancelled():
            self._task.exception()  # seen here, or asyncio warns that nobody did


@contextmanager
def beside(work: Callable[[], Awaitable[T]], *, meanwhile: bool = False) -> Iterator[Beside[T]]:
    """Have work done beside the calls that are made inside; what is unfinished at the end is dropped.

    Args:
        meanwhile: Drop it once a reply begins to come: it only gets ready what would be done later anyway.
    """
    begun = Beside(work, meanwhile=meanwhile)
    token = _waiting.set((*_waiting.get(), begun))
    try:
        yield begun
    finally:
        _waiting.reset(token)
        begun.drop()


async def begin_when_sent(request: httpx.Request) -> None:
    """Begin the waiting work when a request has left, and end what is for the meantime: a hook of the HTTP client."""
    waiting = _waiting.get()
    if not waiting:
        return

    async def trace(event: str, _: dict[str, Any]) -> None:
        if event.endswith(".send_request_body.complete"):
            for each in waiting:
                each.begin()
        elif event.endswith(".receive_response_headers.complete"):
            for each in waiting:
                if each.meanwhile:
                    each.drop()

    request.extensions = {**request.extensions, "trace": trace}
