"""Figures of a sentence as a formula writes them, and the pairs that a sentence lays side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import regex

from ....text.numbers import Number, find_numbers
from ....text.replaced import first_is_older
from ..asked.question import Question
from ..found.told_keys import NO_UNIT

_IN_POINTS = regex.compile(r"\bpercentage points?\b", regex.IGNORECASE)
_PLAIN = regex.compile(r"\d[\d,]*(?:\.\d+)?")
_UNIT_BEHIND = regex.compile(r"^\s?([^\s\d,;:.()]+(?:/[^\s\d,;:.()]+)*)")


@dataclass(frozen=True)
class ToldFigure:
    """A number of a sentence as a formula writes it, and its unit as the sentence does."""

    number: Number
    digits: str
    unit: str

    @property
    def value(self) -> Decimal:
        return Decimal(self.digits.replace(",", ""))


def figures_of(text: str) -> list[ToldFigure]:
    """Return the figures of a text in order: no years, no names."""
    found = []
    for number in find_numbers(text):
        match = _PLAIN.search(number.text)
        if number.is_year or number.kind != "cardinal" or match is None:
            continue
        rest = f"{number.text[: match.start()]} {number.text[match.end() :]}".split()
        behind = _UNIT_BEHIND.match(text[number.end :])
        if not rest and behind and behind[1].casefold() not in NO_UNIT:
            rest = [behind[1]]
        found.append(ToldFigure(number, match.group(), " ".join(rest)))
    return found


def money_in(text: str) -> list[ToldFigure]:
    """Return the figures of a text that are amounts of money."""
    return [each for each in figures_of(text) if len(each.number.unit) == 3 and each.number.unit.isupper()]


def same_unit(one: ToldFigure, other: ToldFigure) -> bool:
    """Whether two figures may be set against each other: one scale and one unit, which one of them may leave out."""
    scales = [each.number.value / each.value if each.value else Decimal(1) for each in (one, other)]
    if scales[0] != scales[1] and "" not in (one.unit, other.unit):
        return False
    return one.unit == other.unit or "" in (one.unit, other.unit)


def pairs_of(question: Question, text: str) -> Iterator[tuple[ToldFigure, ToldFigure]]:
    """Yield the pairs of figures that a sentence lays side by side, each the earlier and the later one."""
    figures = figures_of(text)
    wanted = [each for each in figures if each.unit == "%"] if _IN_POINTS.search(question.text) else []
    for one, other in pairwise(wanted or figures):
        older = first_is_older(text, one.number.start, one.number.end, other.number.start)
        if older is not None and same_unit(one, other):
            yield (one, other) if older else (other, one)


def keyed_pair(question: Question, text: str) -> tuple[ToldFigure, ToldFigure] | None:
    """Return the figures that stand by two others which the question names: `between 1,000 and 3,000 cycles`."""
    asked = [number.value for number in find_numbers(question.text) if not number.is_year]
    if len(asked) != 2:
        return None
    found: dict[Decimal, ToldFigure] = {}
    for clause in regex.split(r"[;.]\s|,\s(?=(?:after|at|in|for|with)\b)|\sand\s(?=(?:after|at|in|for)\b)", text):
        figures = figures_of(clause)
        if len(figures) == 2:
            for key, value in (figures, figures[::-1]):
                if key.number.value in asked:
                    found.setdefault(key.number.value, value)
    if len(found) != 2:
        return None
    earlier, later = (found[value] for value in asked)
    return (earlier, later) if same_unit(earlier, later) else None
