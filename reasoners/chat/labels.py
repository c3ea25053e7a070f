"""Hold a model's uncited words (titles, headings, limits) to what the question and the passages name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from ...text.words import analyse, content_words

_SENTENCE_END = re.compile(r"[.!。！]\s*$")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
SHORT_WORDS = 3
"""A heading of so many words may hold none of the question: `Details`, `Open points`."""


@dataclass(frozen=True)
class Known:
    """The words of a question and its passages.  Nobody checks a title or a heading, so it may add no fact to them."""

    texts: tuple[str, ...]
    _terms: frozenset[str] = field(init=False)
    _words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_terms", frozenset().union(*map(_terms, self.texts)))
        object.__setattr__(self, "_words", frozenset().union(*map(_words, self.texts)))

    def label(self, text: str) -> str:
        """Return a title or heading; "" where it is a sentence, holds an unknown figure or is mostly unknown words."""
        words = content_words(text)
        if _SENTENCE_END.search(text) or not self.holds_figures(text):
            return ""
        strange = sum(word not in self._words and not set(analyse(word)) & self._terms for word in words)
        return "" if len(words) > SHORT_WORDS and strange * 2 > len(words) else text

    def limit(self, text: str) -> str:
        """Return a note on limits; "" where it holds a figure or a name of neither question nor passages."""
        names = [word for word in _WORD.findall(text)[1:] if word != word.lower()]
        strange = [name for name in names if not set(content_words(name)) <= self._words]
        return "" if strange or not self.holds_figures(text) else text

    def holds_figures(self, text: str, *, years: bool = False) -> bool:
        """Whether every figure of a text is known.

        Args:
            years: Take a year for known: a plan may resolve `last year`.
        """
        figures = _figures(analyse(text))
        return all(figure in self._terms or (years and bool(_YEAR.match(figure))) for figure in figures)


@lru_cache(maxsize=1_024)
def _terms(text: str) -> frozenset[str]:
    return frozenset(analyse(text))


@lru_cache(maxsize=1_024)
def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _figures(terms: Iterable[str]) -> list[str]:
    return [term for term in terms if any(character.isdigit() for character in term)]
