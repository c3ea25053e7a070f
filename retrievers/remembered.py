"""What is asked for again and again in a run: each thing is made once, in whatever step asks first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np

from .embeddings import Vectors

REMEMBERED = 4_096


class RememberedVectors:
    """Embeds through a function and keeps the vectors of the last texts; safe to call from several threads.

    A text has the same vector whenever it is asked for, so what is remembered changes nothing but the time it takes.

    Args:
        embed: Texts to float32 of shape (n, dim), rows of unit length.
        limit: How many vectors are kept.
    """

    def __init__(self, embed: Callable[[Sequence[str]], Vectors], limit: int = REMEMBERED) -> None:
        self._embed, self._limit = embed, limit
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, in order."""
        with self._lock:
            rows = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in rows]
        if missing or not texts:
            fresh = self._embed(missing)
            if not texts:
                return fresh
            rows |= dict(zip(missing, fresh, strict=True))
        with self._lock:
            for text in dict.fromkeys(texts):
                self._known[text] = rows[text]
                self._known.move_to_end(text)
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
        return np.stack([rows[text] for text in texts])


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
