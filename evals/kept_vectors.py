"""An embedder that remembers the vectors of texts in a file, so that a second measurement does not wait for them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from ..retrievers.embeddings import Embedder, Vectors

_BATCH = 64


class KeptVectors:
    """Gives what the embedder would give; computed once per text."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self.name, self._embedder = embedder.name, embedder
        file.parent.mkdir(parents=True, exist_ok=True)
        self._sql = sqlite3.connect(file, check_same_thread=False)
        self._sql.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    @property
    def dim(self) -> int:
        """Length of each vector."""
        return self._embedder.dim

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text."""
        keys = [sha256(f"{self.name}\n{text}".encode()).digest() for text in texts]
        known = {key: vector for key in keys if (vector := self._known(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for at in range(0, len(missing), _BATCH):
            batch = list(missing.items())[at : at + _BATCH]
            vectors = self._embedder.embed([text for _, text in batch])
            rows = {key: vector for (key, _), vector in zip(batch, vectors, strict=True)}
            self.keep(rows)
            known |= rows
        return np.vstack([known[key] for key in keys]) if keys else self._embedder.embed([])

    def keep(self, rows: dict[bytes, Vectors]) -> None:
        """Remember vectors by key."""
        with self._sql:
            self._sql.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)", ((key, row.tobytes()) for key, row in rows.items())
            )

    def close(self) -> None:
        """Let the file go."""
        self._sql.close()

    def _known(self, key: bytes) -> Vectors | None:
        found = self._sql.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return None if found is None else np.frombuffer(found[0], dtype=np.float32)
