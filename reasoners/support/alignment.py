"""Lay a claim's words against a sentence of evidence: which are carried, in what order, how far apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .lexicon import SYNONYMS
from .reading import Reading, Word


@dataclass(frozen=True)
class Alignment:
    """A claim against one text.

    Attributes:
        pairs: (word of the claim, word of the text or None, how alike in [0, 1]) for each content word of the claim.
        coverage: Share of the claim's weight that the text carries.
        order: Share of carried neighbours that stand in the same order and close together.
    """

    pairs: tuple[tuple[Word, Word | None, float], ...]
    coverage: float
    order: float

    @property
    def missing(self) -> tuple[Word, ...]:
        return tuple(word for word, found, _ in self.pairs if found is None)


@lru_cache(maxsize=8192)
def align(claim: Reading, text: Reading) -> Alignment:
    """Match each content word of a claim to its best word in a text, of equal ones the nearest to the match before."""
    pairs: list[tuple[Word, Word | None, float]] = []
    last = -1
    carried = total = 0.0
    joined = links = 0
    for word in claim.content:
        total += word.weight
        place, likeness = _best(word, text, last)
        if place is None:
            pairs.append((word, None, 0.0))
            continue
        carried += word.weight * likeness
        pairs.append((word, text.words[place], likeness))
        if last >= 0:
            links += 1
            joined += 0 < place - last <= 4
        last = place
    return Alignment(tuple(pairs), carried / total if total else 0.0, joined / links if links else 1.0)


def _best(word: Word, text: Reading, last: int) -> tuple[int | None, float]:
    places = text.places
    found = places.get(word.stem)
    if found:
        nearest = found[0] if len(found) == 1 else min(found, key=lambda index: (abs(index - last - 1), index))
        return nearest, 1.0
    synonyms = [index for other in SYNONYMS.get(word.stem, ()) for index in places.get(other, ())]
    if synonyms:
        return min(synonyms), 0.75
    best: int | None = None
    likeness = 0.0
    if len(word.folded) >= 5:
        for index in text.openings.get(word.folded[:4], ()):
            alike = likeness_of(word.folded, text.words[index].folded)
            if alike > likeness:
                best, likeness = index, alike
    return best, likeness


@lru_cache(maxsize=200_000)
def likeness_of(a: str, b: str) -> float:
    """Return how alike two different words are by their common beginning: 0.7 for one family, else 0."""
    shorter = min(len(a), len(b))
    if shorter < 5 or a[:4] != b[:4]:
        return 0.0
    common = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        common += 1
    return 0.7 if common >= max(5, 0.7 * shorter) else 0.0
