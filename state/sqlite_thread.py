"""One SQLite connection in a thread of its own: what waits while it commits is committed together, once."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

from .forks import begin_anew_in_forks

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

PATIENCE_S = 0.005
"""How long work waits at most for what follows it, to be committed with it."""


@dataclass(frozen=True, eq=False)
class _Asked:
    """Work that waits, and who waits for it: a coroutine or a thread."""

    work: Work[Any]
    future: asyncio.Future[Any] | Future[Any]


class SqliteThread:
    """Does work on a connection, in order, in as few commits as it can.

    The thread takes all that waits for it, does it and commits once; only then does anybody hear of it.  Many runs in
    one process so share their commits, and a run alone pays one hand-over for what it writes.  Work whose batch fails
    is done again on its own, so that it must be such as may be done twice, and only what is at fault fails.

    Args:
        connect: Opens the connection, in the thread, when first asked and again after it failed.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self.begin_anew()
        begin_anew_in_forks(self)

    def begin_anew(self) -> None:
        """Forget the thread and what it was asked for; who asks next starts another, with a connection of its own."""
        self._asked: SimpleQueue[Sequence[_Asked] | None] = SimpleQueue()
        self._held: list[_Asked] = []
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    async def run(self, work: Work[T]) -> T:
        """Do work and return what it gives, once that is committed."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._ask(_Asked(work, future))
        return await future

    async def run_with_next(self, work: Work[T]) -> T:
        """Do work together with what is asked for next, without a hand-over of its own; soon where nothing is."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        asked = _Asked(work, future)
        with self._lock:
            self._held.append(asked)
        loop.call_later(PATIENCE_S, self._hand_over, asked)
        return await future

    def call(self, work: Work[T]) -> T:
        """Do work for a thread that waits."""
        future: Future[T] = Future()
        self._ask(_Asked(work, future))
        return future.result()

    def close(self) -> None:
        """Finish what waits, close the connection and end the thread; whoever asks again starts another one."""
        self._ask()
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._asked.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _hand_over(self, asked: _Asked) -> None:
        if asked in self._held:
            self._ask()

    def _ask(self, *asked: _Asked) -> None:
        """Hand over what was held back and what is asked for, in this order."""
        with self._lock:
            asked, self._held = (*self._held, *asked), []
            if not asked:
                return
            if self._thread is None:
                self._thread = threading.Thread(
                    target=_serve, args=(self._connect, self._asked), name="sqlite", daemon=True
                )
                self._thread.start()
            self._asked.put(asked)


def _serve(connect: Callable[[], sqlite3.Connection], asked: SimpleQueue[Sequence[_Asked] | None]) -> None:
    """Work until the end is asked for."""
    connection: sqlite3.Connection | None = None
    going_on = True
    while going_on:
        batch, going_on = _waiting(asked)
        try:
            connection = connection or connect()
        except Exception as error:
            _answer([(each.future, error, None) for each in batch])
            continue
        _do(connection, batch)
    if connection is not None:
        connection.close()


def _waiting(asked: SimpleQueue[Sequence[_Asked] | None]) -> tuple[list[_Asked], bool]:
    """Return all that waits, at least one, and whether there may be more."""
    first = asked.get()
    if first is None:
        return [], False
    batch = [*first]
    with suppress(Empty):
        while True:
            following = asked.get_nowait()
            if following is None:
                return batch, False
            batch += following
    return batch, True


def _do(connection: sqlite3.Connection, batch: Sequence[_Asked]) -> None:
    try:
        with connection:
            results = [each.work(connection) for each in batch]
    except Exception as error:
        if len(batch) == 1:
            _answer([(batch[0].future, error, None)])
        else:
            for each in batch:
                _do(connection, [each])
    else:
        _answer([(each.future, None, result) for each, result in zip(batch, results, strict=True)])


_Answer = tuple[asyncio.Future[Any] | Future[Any], Exception | None, Any]


def _answer(answers: Sequence[_Answer]) -> None:
    """Tell those who wait: the threads at once, the coroutines by one call to each of their loops."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Answer]] = {}
    for answer in answers:
        future = answer[0]
        if isinstance(future, Future):
            _settle([answer])
        else:
            by_loop.setdefault(future.get_loop(), []).append(answer)
    for loop, told in by_loop.items():
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, told)


def _settle(answers: Sequence[_Answer]) -> None:
    for future, error, result in answers:
        if future.done():  # cancelled meanwhile
            continue
        if error is not None:
            future.set_exception(error)
        else:
            cast("Future[Any]", future).set_result(result)
