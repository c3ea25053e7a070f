"""Read the bound that a question for yes or no sets: `before 2022`, `by the end of April`, `more than 300`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.numbers import Number, find_numbers
from ....text.periods import Period, find_periods, stands_in
from ....text.words import analyse

_END = r"(?:\s+(?:the\s+)?(?:end|close)\s+of)?(?:\s+the)?\s*$"
_UP_TO_TIME = regex.compile(
    rf"\b(?:(?P<within>by|no later than|not later than|at the latest by)|before|prior to|earlier than){_END}",
    regex.IGNORECASE,
)
_FROM_TIME = regex.compile(rf"\b(?:(?P<within>since)|after|later than){_END}", regex.IGNORECASE)
_AT_LEAST = r"(?P<within>at least|no(?:t)? (?:less|fewer|lower|shorter) than|a minimum of)"
_AT_MOST = r"(?P<within>at most|no(?:t)? (?:more|higher|greater|longer|larger) than|up to|a maximum of|within)"
# What a comparative measures, in the words that may tell it; `more`, `larger` and the like measure anything.
_MEASURES = {
    "higher|taller|lower": "high height tall low",
    "longer|shorter": "long length last short",
    "deeper|shallower": "deep depth",
    "wider|narrower": "wide width broad",
    "heavier|lighter": "heavy weigh weight",
    "older|younger": "old age aged",
    "faster|slower": "fast speed slow",
    "cheaper": "cost price",
}
_MORE = r"(?:more|greater|larger|bigger|higher|longer|taller|deeper|wider|heavier|older|faster)"
_LESS = r"(?:less|fewer|smaller|lower|shorter|lighter|younger|slower|cheaper|narrower|shallower)"
_ABOUT = r"\s+(?:about\s+|some\s+|an?\s+)?$"
_FROM = regex.compile(
    rf"\b(?:{_AT_LEAST}|{_MORE} than|over|above|exceed(?:s|ed|ing)?|beyond){_ABOUT}", regex.IGNORECASE
)
_UP_TO = regex.compile(rf"\b(?:{_AT_MOST}|{_LESS} than|under|below){_ABOUT}", regex.IGNORECASE)
# A target is held against what came elsewhere, and what is not to pass a bound is asked of a whole series.
_OF_ANOTHER_KIND = regex.compile(
    r"\b(?:targets?|goals?|aims?|objectives?|never|"
    r"not(?! (?:less|fewer|lower|shorter|more|higher|greater|longer|larger) than))\b|n['’]t\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Bound:
    """A day or a figure that something is asked to lie on one side of.

    Attributes:
        limit: The period or the number.
        is_upper: Whether what is asked of lies before or below it.
        is_within: Whether the limit itself still counts.
        rest: The question without the bound.
        measured: Index terms of which a text that tells the figure holds one: `high` or `height` where it is asked to
            be higher; empty where the question does not say what is measured.
    """

    limit: Period | Number
    is_upper: bool
    is_within: bool
    rest: str
    measured: frozenset[str] = frozenset()


@lru_cache(maxsize=4_096)
def bound_asked(question: str) -> Bound | None:
    """Return the bound of an English question; None where it sets none, or more than one."""
    if _OF_ANOTHER_KIND.search(question):
        return None
    found = [*_of_time(question), *_of_number(question)]
    return found[0] if len(found) == 1 else None


def _of_time(question: str) -> list[Bound]:
    return [
        bound
        for period in find_periods(question)
        if (bound := _before(question, period, period.at, period.to, _UP_TO_TIME, _FROM_TIME)) is not None
    ]


def _of_number(question: str) -> list[Bound]:
    dated = find_periods(question)
    return [
        bound
        for number in find_numbers(question)
        if not stands_in(number.start, dated)
        and (bound := _before(question, number, number.start, number.end, _UP_TO, _FROM)) is not None
    ]


def _before(
    question: str, limit: Period | Number, at: int, to: int, upper: regex.Pattern[str], lower: regex.Pattern[str]
) -> Bound | None:
    """Return the bound whose words stand right before a limit."""
    for pattern, is_upper in ((upper, True), (lower, False)):
        words = pattern.search(question[:at])
        if words is not None:
            rest = " ".join(f"{question[: words.start()]} {question[to:]}".split()).replace(" ?", "?")
            return Bound(limit, is_upper, words["within"] is not None, rest, _measured(words.group()))
    return None


def _measured(words: str) -> frozenset[str]:
    told = (terms for each, terms in _MEASURES.items() if regex.search(rf"\b(?:{each})\b", words, regex.IGNORECASE))
    return frozenset(term for terms in told for term in analyse(terms))
