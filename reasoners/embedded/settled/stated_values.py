"""The figures and dates that a text gives, each as it writes them, and which of two is the newer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex

from ....text.numbers import Number, find_numbers
from ....text.periods import Period, find_periods, same_period, stands_in
from ....text.replaced import first_is_older
from ...support.exact import is_label

_DATES = frozenset({"day", "month", "quarter", "half"})
_RANGE = regex.compile(r"^\s?(?:and|to|bis|und|à|et|y|a|–|-)\s?(?:\p{Sc}|\p{Lu}{3}\s)?$", regex.IGNORECASE)
_NUMBERED = regex.compile(
    r"\b(?:edition|version|revision|release|no|number|section|clause|article|page|phase|week|day|site|item|room|table|"
    r"figure|amendment|appendix|annex|ausgabe|auflage|fassung|nummer|woche|tag|seite|édition|semaine|jour)\.?\s*$",
    regex.IGNORECASE,
)
# `14 % against 7 % of the others` sets two things side by side.
_COMPARES = regex.compile(r"\b(?:against|compared|versus|gegenüber|contre|frente a)\b", regex.IGNORECASE)
_CLAUSE = regex.compile(r"^\W*(?:§\s*)?\d{1,3}(?:\.\d{1,3})+\.?\s")
# A value of so many digits is hardly told of anything else.
_SPECIFIC = 3
_SMALL = 3
_MOST_RATIO = 4


@dataclass(frozen=True)
class StatedValue:
    """A figure or date of a text, with where it stands; a range is told whole."""

    text: str
    start: int
    end: int
    number: Number | None = None
    period: Period | None = None

    def is_like(self, other: StatedValue) -> bool:
        """Whether two values are of one kind: amounts of a unit, or dates."""
        if self.number is not None and other.number is not None:
            return self.number.unit == other.number.unit
        return self.period is not None and other.period is not None

    def equals(self, other: StatedValue) -> bool:
        """Whether two values are the same amount or the same time."""
        if self.number is not None and other.number is not None:
            return self.number.unit == other.number.unit and self.number.value == other.number.value
        return self.period is not None and other.period is not None and same_period(self.period, other.period)

    @property
    def key(self) -> str:
        """What tells the value from others."""
        return (
            f"{self.number.value.normalize()}" if self.number is not None else str(self.period and self.period.label())
        )

    @property
    def is_specific(self) -> bool:
        """Whether hardly anything else has this very value."""
        digits = "".join(sign for sign in self.text if sign.isdigit()).strip("0")
        return self.period is not None or len(digits) >= _SPECIFIC


def values_in(text: str, *, periods: bool = True, small: bool = False) -> Iterator[StatedValue]:
    """Yield the figures and dates of a text, in order.

    Args:
        periods: Whether dates are wanted.
        small: Whether bare figures count too, which have no unit.
    """
    told = find_periods(text)
    mark = _CLAUSE.match(text)
    numbers = [
        number
        for number in find_numbers(text)
        if number.start >= (mark.end() if mark else 0)
        and not number.is_year
        and number.kind not in ("identifier", "ordinal", "date")
        and (number.unit or small or number.value > _SMALL)
        and not stands_in(number.start, told)
        and not (not number.unit and (is_label(number, text) or _NUMBERED.search(text[: number.start])))
    ]
    found = [StatedValue(number.text.rstrip(".,"), number.start, number.end, number) for number in numbers]
    if periods:
        found += [StatedValue(each.text, each.at, each.to, None, each) for each in told if each.kind in _DATES]
    yield from sorted(found, key=lambda each: each.start)


def in_full(value: StatedValue, text: str) -> str:
    """Return a value as its text writes it, a range with both of its ends."""
    like = [each for each in values_in(text) if each.is_like(value) and each.number is not None]
    for one, other in pairwise(like):
        joined = _RANGE.match(text[one.end : other.start]) and value.start in (one.start, other.start)
        # `from 3 to 4` are two values.
        if joined and first_is_older(text, one.start, one.end, other.start) is None:
            return " ".join(text[one.start : other.end].split()).rstrip(".,")
    return value.text


def is_newer(text: str, value: StatedValue, gone: StatedValue) -> bool:
    """Whether a text says of two values that one has come in the place of the other."""
    if value.number is None or gone.number is None or not value.is_like(gone) or value.equals(gone):
        return False
    first, second = sorted((value, gone), key=lambda each: each.start)
    if _COMPARES.search(text[first.end : second.start]):
        return False
    older = first_is_older(text, first.start, first.end, second.start)
    return older is not None and older is (first is gone)


def is_far(new: StatedValue, value: StatedValue) -> bool:
    """Whether two figures differ so much that they are hardly of one thing."""
    if new.number is None or value.number is None or not value.number.value:
        return False
    ratio = abs(new.number.value / value.number.value)
    return not 1 <= ratio * _MOST_RATIO <= _MOST_RATIO**2
