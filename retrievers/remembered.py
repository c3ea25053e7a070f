"""Vectors of texts asked for again and again in a run: each text is embedded once, in whatever step asks first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

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
