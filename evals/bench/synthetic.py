"""A corpus of any size that needs no download: texts over a Zipf vocabulary, and vectors that stand in clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...retrievers.embeddings import Vectors
from ...retrievers.minilm import MINILM_DIM, MiniLM
from ...state.records import Document

WORDS_PER_CHUNK = 128
CHUNKS_PER_DOCUMENT = 10
VOCABULARY = 200_000
ZIPF_EXPONENT = 1.05
CLUSTERS = 2_000
BLOCK = 1_000
_SEED = 20_250_331
_SYLLABLES = [onset + vowel for onset in "bcdfghjklmnprstvw" for vowel in ("a", "e", "i", "o", "u", "ar", "en", "is")]
_NUMBERED = re.compile(r"passage (\d+)\b")


def passages(first: int, count: int) -> list[str]:
    """Return passages of 128 words, each with its number at the head; the same in every process."""
    found: list[str] = []
    while len(found) < count:
        number = first + len(found)
        found += _texts(number // BLOCK)[number % BLOCK :]
    return found[:count]


def documents(first: int, count: int) -> Iterator[Document]:
    """Give documents of ten passages each, parted by blank lines, until `count` passages are given."""
    for at in range(first, first + count, CHUNKS_PER_DOCUMENT):
        size = min(CHUNKS_PER_DOCUMENT, first + count - at)
        yield Document(uri=f"synthetic/{at // CHUNKS_PER_DOCUMENT}", text="\n\n".join(passages(at, size)))


def vectors(numbers: Sequence[int]) -> Vectors:
    """Return the vectors of passages: the centre of a cluster and what is a passage's own.  Rows of unit length."""
    rows = np.empty((len(numbers), MINILM_DIM), dtype=np.float32)
    for place, number in enumerate(numbers):
        rows[place] = _own(number // BLOCK)[number % BLOCK]
    return _unit(rows + _centres()[np.asarray(numbers, dtype=np.int64) % CLUSTERS])


def questions(count: int, *, corpus: int) -> list[tuple[str, int]]:
    """Return queries of six words of one passage each, with its number; frequent words come as often as they stand."""
    rng = np.random.default_rng([_SEED, 3])
    found = []
    # Of a few blocks, since a passage is made with all of its block.
    blocks = rng.integers(0, -(-corpus // BLOCK), 8)
    numbers = np.minimum(rng.choice(blocks, count) * BLOCK + rng.integers(0, BLOCK, count), corpus - 1)
    for number in sorted(numbers.tolist()):
        words = passages(int(number), 1)[0].rstrip(".").split()[2:]
        found.append((" ".join(str(word) for word in rng.choice(words, 6, replace=False)), int(number)))
    return found


class GivenVectors:
    """An embedder whose vectors are given: a passage's by its number.

    Args:
        asked: Vectors of queries by text.  A query is embedded by MiniLM all the same, for its time; then the given
            vector stands for it, since MiniLM's space holds no passage that is near.
    """

    name = "given"
    dim = MINILM_DIM

    def __init__(self, asked: dict[str, Vectors] | None = None) -> None:
        self._asked, self._model = asked or {}, MiniLM()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text."""
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        if all(text in self._asked for text in texts):
            self._model.embed(texts)
            return np.stack([self._asked[text] for text in texts])
        return vectors([int(found[1]) for text in texts if (found := _NUMBERED.search(text))])


@lru_cache(maxsize=4)
def _texts(block: int) -> list[str]:
    words, steps = _vocabulary()
    drawn = np.random.default_rng([_SEED, 1, block]).random((BLOCK, WORDS_PER_CHUNK))
    chosen = words[np.searchsorted(steps, drawn)]
    return [f"passage {BLOCK * block + place} {' '.join(row)}." for place, row in enumerate(chosen.tolist())]


@lru_cache(maxsize=4)
def _own(block: int) -> Vectors:
    drawn = np.random.default_rng([_SEED, 2, block]).standard_normal((BLOCK, MINILM_DIM), dtype=np.float32)
    scaled: Vectors = 0.8 * drawn / np.float32(np.sqrt(MINILM_DIM))
    return scaled


@lru_cache(maxsize=1)
def _centres() -> Vectors:
    return _unit(np.random.default_rng([_SEED, 0]).standard_normal((CLUSTERS, MINILM_DIM), dtype=np.float32))


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """Return the words, most frequent first, and the sums of their chances."""
    words = list(dict.fromkeys(_word(number) for number in range(2 * VOCABULARY)))[:VOCABULARY]
    weights = 1 / np.arange(1, len(words) + 1) ** ZIPF_EXPONENT
    return np.array(words), np.cumsum(weights / weights.sum())


def _word(number: int) -> str:
    scrambled = (number * 2_654_435_761 + 12_345) % 2**32
    parts = []
    for _ in range(2 + scrambled % 3):
        scrambled, part = divmod(scrambled, len(_SYLLABLES))
        parts.append(_SYLLABLES[part])
    return "".join(parts)


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
