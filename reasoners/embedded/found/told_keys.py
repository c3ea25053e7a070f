"""The figure that a question sets as a condition, `after 4,000 cycles`, and whether what was found is of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import regex

from ....text.numbers import find_numbers
from ....text.periods import find_periods, stands_in
from ....text.words import analyse
from ...tables.catalog import header_words, number_of
from ..asked.question import Question
from .candidates import Candidate
from .told_periods import is_about

# `What was the hardness after …` names no kind of answer.
_AMOUNTS = ("number", "entity")
_BEFORE = regex.compile(
    r"\b(?:at|after|with|under|beyond|until)\s+(?:about\s+|an?\s+[\w ]{3,30}?\s+of\s+)?-?$", regex.IGNORECASE
)
_UNIT = regex.compile(r"^\s?(?P<unit>°?[\p{L}%‰]+)")
_NO_UNIT_WORDS = "and or to in on of at the by from for after is was a an"
NO_UNIT = frozenset(_NO_UNIT_WORDS.split())
"""Words behind a figure that are no unit of it."""


@dataclass(frozen=True)
class Key:
    """A condition: its number, the index term of its unit, and the words of the question."""

    value: Decimal
    unit: str
    text: str


def key_asked(question: Question) -> Key | None:
    """Return the one figure with a unit that a question for an amount sets as a condition; None where there is none."""
    if question.answer_type not in _AMOUNTS:
        return None
    periods = find_periods(question.text)
    found = []
    for at, end, value, unit in _measured(question.text):
        inside = stands_in(at, periods)
        if not inside and _BEFORE.search(question.text[:at]):
            found.append(Key(value, unit, question.text[at:end]))
    return found[0] if len(found) == 1 else None


def lacks_key(question: Question, candidates: Sequence[Candidate]) -> Key | None:
    """Return the condition where all that tells of the thing asked for is of other figures of its unit."""
    key = key_asked(question)
    if key is None:
        return None
    about = [each for each in candidates if is_about(question, each)]
    told = [keys for each in about if (keys := _values(key, each))]
    if not told or any(key.value in keys for keys in told):
        return None
    near = {value for each in about for value in _of_unit(key, each.passage.chunk.text)}
    return None if key.value in near else key


def _values(key: Key, candidate: Candidate) -> set[Decimal]:
    found = _of_unit(key, candidate.text)
    if candidate.row is not None:
        for cell in candidate.row.cells:
            words = {*analyse(header_words(cell.header)), *header_words(cell.header).casefold().split()}
            value = number_of(cell.text)
            if value is not None and key.unit.strip("°") in words:
                found.add(value)
    return found


def _of_unit(key: Key, text: str) -> set[Decimal]:
    return {value for _, _, value, unit in _measured(text) if unit == key.unit}


def _measured(text: str) -> list[tuple[int, int, Decimal, str]]:
    """Return place, end, value and unit of the numbers of a text that have one word behind them as their unit."""
    found = []
    for number in find_numbers(text):
        if number.is_year or number.kind != "cardinal":
            continue
        start = number.start + len(number.text) - len(number.text.lstrip("-−"))
        match = regex.match(r"[-−]?[\d.,]*\d", number.text)
        rest = text[number.start + match.end() :] if match else ""
        unit = _UNIT.match(rest)
        if match is None or unit is None or unit["unit"].casefold() in NO_UNIT:
            continue
        term = next(iter(analyse(unit["unit"])), unit["unit"].casefold())
        found.append((start, number.start + match.end() + unit.end(), number.value, term))
    return found
