"""An embedder of words without a model: texts that share words are near each other."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from citewell.errors import ProviderError
from citewell.retrievers.embeddings import Vectors, unit_rows
from citewell.text.words import analyse


class HashedEmbedder:
    """Each term adds a direction of its own; counts how many texts it was asked for."""

    def __init__(self, name: str = "hashed", dim: int = 48) -> None:
        self.name, self.dim = name, dim
        self.asked = 0
        self.broken = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise ProviderError(self.name, "down for a test")
        self.asked += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in analyse(text) or ["nothing"]:
                seed = int.from_bytes(sha256(term.encode()).digest()[:8], "big")
                row += np.random.default_rng(seed).normal(size=self.dim).astype(np.float32)
        return unit_rows(rows)
