"""Verdicts that runs share: a claim that was checked, or is being checked, is not checked again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from ..state.records import Chunk, Source, TableRow, Verdict
from .protocol import Passage

KEPT = 4_096
"""Verdicts that are kept; the first ones are forgotten first."""

Key = tuple[str, tuple[tuple[Chunk, Source, tuple[TableRow, ...]], ...]]
"""A claim, and all that a check reads of the passages it cites, in order."""


@dataclass(frozen=True)
class Verdicts:
    """What was decided by runs whose texts are embedded by one model.  Threads may share it."""

    _held: dict[Key, Future[Verdict]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def found(self, text: str, cited: Sequence[Passage]) -> Verdict | None:
        """Return the verdict on a text that was checked against these passages, None where it was not yet."""
        held = self._held.get(_key(text, cited))
        return held.result() if held is not None and held.done() else None

    def once(self, text: str, cited: Sequence[Passage], check: Callable[[], Verdict]) -> Verdict:
        """Return the verdict on a text, waiting for another thread that is at it; a check that raises is made again."""
        key = _key(text, cited)
        with self._lock:
            held = self._held.get(key)
            mine = Future[Verdict]() if held is None else None
            if mine is not None:
                self._held[key] = mine
                if len(self._held) > KEPT:
                    del self._held[next(iter(self._held))]
        if held is not None:
            return held.result()
        assert mine is not None
        try:
            verdict = check()
        except BaseException as error:
            with self._lock:
                self._held.pop(key, None)
            mine.set_exception(error)
            raise
        mine.set_result(verdict)
        return verdict


def _key(text: str, cited: Sequence[Passage]) -> Key:
    return text, tuple((passage.chunk, passage.source, passage.rows) for passage in cited)
