"""Read a text once into what support checking needs: words with weights, numbers, periods, names, sentences."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import NamedTuple

import regex

from ...text.numbers import Number, find_numbers
from ...text.numerals import trimmed
from ...text.periods import Period, find_periods
from ...text.sentences import sentences
from ...text.words import STOP_WORDS, stem, strip_accents
from .lexicon import NEGATIONS

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}"
_TOKEN = regex.compile(
    rf"(?V1)[{_UNSPACED}]+|\p{{N}}+(?:[.,]\p{{N}}+)*(?![\p{{L}}--[{_UNSPACED}]])"
    rf"|[\p{{L}}\p{{N}}--[{_UNSPACED}]][\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}]]*(?:[’'](?:s|t|re|ve|ll|d|m)\b)?"
)
# Text taken from pages often parts a formula from its index: `CO 2`.
_FORMULA = regex.compile(r"\b(?P<symbol>CO|CH|SO|NO|NH)[ \u00a0\u2009](?P<index>[2-4])(?![\w.,%])(?!\s?[%°])")
_INDICES = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_CJK = regex.compile(f"[{_UNSPACED}]")
_POSSESSIVE = regex.compile(r"[’'](?:s|re|ve|ll|d|m)$")
_KEPT_STOP_WORDS = NEGATIONS | {
    "more",
    "most",
    "less",
    "few",
    "only",
    "all",
    "both",
    "before",
    "after",
    "over",
    "under",
    "above",
    "below",
    "up",
    "down",
}
MAX_WEIGHT = 1.1
# `Type I` is not `Type II`: after these words a numeral is a status of its own.
STATUS_NOUNS = frozenset(
    """
    type phase stage class grade tier level series category part version form schedule
""".split()
)
_ROMAN = {
    "I": "1",
    "II": "2",
    "III": "3",
    "IV": "4",
    "V": "5",
    "VI": "6",
    "VII": "7",
    "VIII": "8",
    "IX": "9",
    "X": "10",
}


class Word(NamedTuple):
    """A word with its place in the text."""

    text: str
    folded: str
    stem: str
    start: int
    end: int
    weight: float
    is_name: bool


@dataclass(frozen=True)
class Reading:
    """One sentence or clause, read; offsets count the characters of `text`.

    Attributes:
        at: Where `text` begins in the passage it was cut from.
    """

    text: str
    at: int = 0

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All words, in order: a number with its unit is one word known by its value, a year by its digits."""
        return _words(self.text, self.numbers, self.periods)

    @cached_property
    def content(self) -> tuple[Word, ...]:
        """Words that carry content."""
        return tuple(word for word in self.words if word.weight > 0)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def folded(self) -> frozenset[str]:
        """All words in small letters."""
        return frozenset(word.folded for word in self.words)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each stem stands among the words, in order."""
        places: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            places.setdefault(word.stem, []).append(index)
        return places

    @cached_property
    def openings(self) -> dict[str, list[int]]:
        """Where the words of five letters and more stand among the words, by their first four letters."""
        openings: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            if len(word.folded) >= 5:
                openings.setdefault(word.folded[:4], []).append(index)
        return openings

    @cached_property
    def names(self) -> tuple[Word, ...]:
        """The words that are part of a name."""
        return tuple(word for word in self.words if word.is_name)

    @cached_property
    def periods(self) -> tuple[Period, ...]:
        """Dates and periods."""
        return tuple(find_periods(self.text))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Numbers that are not part of a date or period."""
        taken = [(period.at, period.to) for period in self.periods]
        taken += [match.span() for match in _FORMULA.finditer(self.text)]
        return tuple(
            number
            for number in find_numbers(self.text)
            if not any(start < number.end and number.start < end for start, end in taken)
        )

    @cached_property
    def weight(self) -> float:
        """What its content words weigh together."""
        return sum(word.weight for word in self.content)


@lru_cache(maxsize=4096)
def read(text: str, at: int = 0) -> Reading:
    """Return the reading of one sentence; the same text is read once."""
    return Reading(text, at)


@lru_cache(maxsize=512)
def read_sentences(text: str) -> tuple[Reading, ...]:
    """Return the readings of a passage's sentences, in order."""
    return tuple(Reading(text[start:end], start) for start, end in sentences(text))


@lru_cache(maxsize=65_536)
def word_weight(folded: str) -> float:
    """Return how much a word tells, in [0, 1.1]: 0 for stop words, more for rarer ones.

    Source: the vocabulary of MiniLM is ordered by frequency, so the place of a word in it stands for its rarity.
    """
    if folded in STOP_WORDS and folded not in _KEPT_STOP_WORDS:
        return 0.0
    rank = _ranks().get(folded)
    if rank is None:
        return MAX_WEIGHT if len(folded) > 2 else 0.8
    return min(1.0, max(0.15, math.log1p(rank / 60) / math.log1p(28_000 / 60)))


@lru_cache(maxsize=1)
def _ranks() -> dict[str, int]:
    path = resources.files("citewell.retrievers") / "data" / "minilm" / "vocab.txt"
    return {word: max(1, rank - 1995) for rank, word in enumerate(path.read_text(encoding="utf-8").splitlines())}


@lru_cache(maxsize=65_536)
def _folded_and_stem(surface: str) -> tuple[str, str]:
    folded = strip_accents(_POSSESSIVE.sub("", surface.casefold())).translate(_INDICES)
    if folded[:1].isdigit():
        return folded, folded.replace(",", "")
    return folded, stem(folded)


def _words(text: str, numbers: tuple[Number, ...], periods: tuple[Period, ...]) -> tuple[Word, ...]:
    """Return the words; a number with its unit is one word known by its value, a year one known by its digits."""
    found: list[Word] = []
    opening = True
    last_end = 0
    exact = [(n.start, n.end, _key(n), 0.9) for n in numbers if n.kind != "identifier"]
    exact += [(p.at, p.to, f"#{p.start.year}", 0.7) for p in periods if p.kind in ("year", "fiscal_year")]
    exact += [
        (*match.span(), (match["symbol"] + match["index"]).casefold(), MAX_WEIGHT) for match in _FORMULA.finditer(text)
    ]
    exact.sort()
    upcoming = 0
    for match in _TOKEN.finditer(text):
        surface = match.group()
        while upcoming < len(exact) and exact[upcoming][1] <= match.start():
            upcoming += 1
        if upcoming < len(exact) and exact[upcoming][0] < match.end() and match.start() < exact[upcoming][1]:
            start, end, key, weight = exact[upcoming]
            if not found or found[-1].start != start:
                if not _keeps_status(found, text[last_end:start], surface):
                    found.append(Word(text[start:end], text[start:end].casefold(), key, start, end, weight, False))
                    last_end = end
                    continue
            else:
                continue
        if not surface.isascii() and _CJK.search(surface):
            found.extend(_bigrams(surface, match.start()))
            continue
        folded, root = _folded_and_stem(surface)
        between = text[last_end : match.start()]
        opening = (opening and not found) or any(mark in between for mark in '.!?:\n"“•')
        last_end = match.end()
        capital = surface[0].isupper()
        mixed = any(char.isdigit() for char in surface) and any(char.isalpha() for char in surface)
        acronym = len(surface) > 1 and surface.isupper() and surface.isalpha()
        weight = word_weight(folded)
        is_name = (capital and not opening and weight > 0 and len(surface) > 1) or mixed or acronym
        if (
            is_name
            and len(found) == 1
            and between == " "
            and found[0].text[0].isupper()
            and found[0].folded not in STOP_WORDS
        ):
            # The first word of a sentence has a capital anyway; beside a name it belongs to it.
            found[0] = found[0]._replace(is_name=True)
        before = found[-1] if found and between == " " else None
        if before is not None and before.folded in STATUS_NOUNS and (value := _ROMAN.get(surface) or _status(surface)):
            found.append(Word(surface, folded, f"{before.stem}:{value}", match.start(), match.end(), 0.9, True))
            continue
        found.append(Word(surface, folded, root, match.start(), match.end(), weight, is_name and not surface.isdigit()))
    return tuple(found)


def _key(number: Number) -> str:
    value = abs(number.value)
    return f"#{trimmed(value)}" if abs(value.adjusted()) < 40 else f"#{value}"


def _keeps_status(found: list[Word], between: str, surface: str) -> bool:
    """Whether a numeral belongs to a status noun before it: `Type 2`."""
    return bool(found and between == " " and found[-1].folded in STATUS_NOUNS and _status(surface))


def _status(surface: str) -> str:
    """Return the value in `Type 2` or `Class B`: one or two digits, or one capital."""
    if len(surface) <= 2 and surface.isdigit():
        return surface
    return surface if len(surface) == 1 and surface.isupper() and surface != "A" else ""


def _bigrams(run: str, start: int) -> list[Word]:
    if len(run) == 1:
        return [Word(run, run, run, start, start + 1, 0.5, False)]
    return [
        Word(
            run[index : index + 2],
            run[index : index + 2],
            run[index : index + 2],
            start + index,
            start + index + 2,
            0.5,
            False,
        )
        for index in range(len(run) - 1)
    ]
