"""What is asked for again and again in a run: each thing is made once, in whatever step asks first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

import numpy as np

from .embeddings import Vectors

REMEMBERED = 4_096


class RememberedVectors:
    """Embeds through a function and keeps the vectors of the last texts; safe to call from several threads.

    A text has the same vector whenever it is asked for, so what is remembered changes nothing but the time it takes.
    Of threads that want one text at the same time the first one embeds it and the others wait.

    Args:
        embed: Texts to float32 of shape (n, dim), rows of unit length.
        limit: How many vectors are kept.
    """

    def __init__(self, embed: Callable[[Sequence[str]], Vectors], limit: int = REMEMBERED) -> None:
        self._embed, self._limit = embed, limit
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._coming: dict[str, Future[Vectors]] = {}
        self._lock = threading.Lock()

    def __call__(
        self, texts: Sequence[str], kept: Callable[[Sequence[str]], Mapping[str, Vectors]] = lambda texts: {}
    ) -> Vectors:
        """Return one vector per text, in order.

        Args:
            kept: Gives the vectors that lie elsewhere already, of texts that are not remembered.
        """
        if not texts:
            return self._embed(texts)
        rows: dict[str, Vectors] = {}
        awaited: dict[str, Future[Vectors]] = {}
        mine: dict[str, Future[Vectors]] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if text in self._known:
                    rows[text] = self._known[text]
                elif text in self._coming:
                    awaited[text] = self._coming[text]
                else:
                    mine[text] = self._coming[text] = Future()
        if mine:
            rows |= self._made(mine, kept)
        rows |= {text: future.result() for text, future in awaited.items()}
        with self._lock:
            for text in dict.fromkeys(texts):
                self._known[text] = rows[text]
                self._known.move_to_end(text)
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
        return np.stack([rows[text] for text in texts])

    def _made(
        self, mine: Mapping[str, Future[Vectors]], kept: Callable[[Sequence[str]], Mapping[str, Vectors]]
    ) -> dict[str, Vectors]:
        """Take or embed the texts that this thread has to, and hand them to those who wait."""
        try:
            made = dict(kept(list(mine)))
            missing = [text for text in mine if text not in made]
            if missing:
                made |= dict(zip(missing, self._embed(missing), strict=True))
        except BaseException as error:
            with self._lock:
                for text in mine:
                    del self._coming[text]
            for future in mine.values():
                future.set_exception(error)
            raise
        with self._lock:
            for text in mine:
                self._known[text] = made[text]
                del self._coming[text]
        for text, future in mine.items():
            future.set_result(made[text])
        return made


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RememberedOfState(Generic[K, V]):
    """Keeps what was read of one state of a store; safe to call from several threads.

    Args:
        limit: How many values are kept; beyond, all are let go.
    """

    def __init__(self, limit: int = REMEMBERED) -> None:
        self._limit = limit
        self._state: int | None = None
        self._known: dict[K, V] = {}
        self._lock = threading.Lock()

    def of(self, state: int, keys: Collection[K], read: Callable[[list[K]], dict[K, V]]) -> dict[K, V]:
        """Return the values of keys, in their order; one that is not there or empty is read again each time.

        Args:
            state: Of the store, read before anything else of it.
            read: Reads values by their keys.
        """
        with self._lock:
            known = self._known if self._state == state else {}
            found = {key: known[key] for key in keys if key in known}
        missing = [key for key in keys if key not in found]
        if missing:
            fresh = read(missing)
            found |= fresh
            with self._lock:
                if self._state != state or len(self._known) + len(fresh) > self._limit:
                    self._state, self._known = state, {}
                self._known |= {key: value for key, value in fresh.items() if value}
        return {key: found[key] for key in keys if key in found}
