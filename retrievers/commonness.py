"""How common an English word is, by its place in the vocabulary of the bundled embedding model."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

VOCABULARY = Path(__file__).with_name("data") / "minilm" / "vocab.txt"
# Whole words begin with `the` and follow each other by how often they were met; before it stand single characters.
_FIRST = "the"


def rarity(word: str) -> float:
    """Return how rare an English word is, in [0, 1]: 0.2 for `people`, 0.5 for `contract`, 1 for what is unknown.

    It is the square of the share of log ranks, so that the common half of a vocabulary lies below a half.
    """
    ranks = _ranks()
    rank = ranks.get(word.casefold())
    return 1.0 if rank is None else (math.log1p(rank) / math.log1p(len(ranks))) ** 2


@cache
def _ranks() -> dict[str, int]:
    entries = VOCABULARY.read_text(encoding="utf-8").splitlines()
    words = [entry for entry in entries[entries.index(_FIRST) :] if not entry.startswith("##")]
    return {word: rank for rank, word in enumerate(words)}
