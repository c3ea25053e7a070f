"""What the sentences of some passages hold together: gathered once for all claims that are laid over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from .reading import Reading

_LETTERS = 4


@dataclass(frozen=True)
class Body:
    """The sentences that a claim is laid over, in any order."""

    sentences: tuple[Reading, ...]

    @cached_property
    def frequency(self) -> Counter[str]:
        """In how many sentences each stem stands."""
        return Counter(chain.from_iterable(sentence.stems for sentence in self.sentences))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all sentences."""
        return frozenset().union(*(sentence.stems for sentence in self.sentences))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Stems that follow one another in a sentence."""
        return frozenset(chain.from_iterable(pairwise(_stems_of(sentence)) for sentence in self.sentences))

    @cached_property
    def triples(self) -> frozenset[tuple[str, str, str]]:
        """Three stems that follow one another in a sentence."""
        each = (_stems_of(sentence) for sentence in self.sentences)
        return frozenset(chain.from_iterable(zip(row, row[1:], row[2:], strict=False) for row in each))

    @cached_property
    def letters(self) -> frozenset[str]:
        """The runs of four letters."""
        return frozenset().union(*(letter_runs(sentence.text) for sentence in self.sentences))

    @cached_property
    def words(self) -> int:
        """How many words there are."""
        return sum(len(sentence.words) for sentence in self.sentences)


def body_of(sentences: Sequence[Reading]) -> Body:
    """Return what sentences hold together; the same ones in the same order are gathered once."""
    return _gathered(tuple(sentences))


@lru_cache(maxsize=128)
def _gathered(sentences: tuple[Reading, ...]) -> Body:
    return Body(sentences)


@lru_cache(maxsize=2_048)
def letter_runs(text: str) -> frozenset[str]:
    """Return the runs of four characters of a text, case folded, white space as one space."""
    folded = " ".join(text.casefold().split())
    return frozenset(folded[place : place + _LETTERS] for place in range(len(folded) - _LETTERS + 1))


def _stems_of(sentence: Reading) -> list[str]:
    return [word.stem for word in sentence.words]
