"""Ask, for each company, what held or happened in windows, some in which nothing is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from .gold import Gold
from .story import CHIEF_EXECUTIVE, COMPANIES, Company


@dataclass(frozen=True)
class Question:
    """What is asked of the graph.

    Attributes:
        entity: Subject or object.
        start, end: First and last day of the window.
        gives: Field of the statements that answers: `subject`, `object` or `value`.
        value: What the statements must have as value; empty for any.
    """

    predicate: str
    entity: str
    start: date
    end: date
    gives: str
    value: str = ""


def answered_questions(gold: Sequence[Gold]) -> list[dict[str, Any]]:
    """Return all questions, each with the expected answers and the places of the statements they rest on."""
    return [_answered(question, gold) for question in _questions()]


def _questions() -> Iterator[Question]:
    for co in COMPANIES:
        yield from _of_what_is_told(co)
    for co in COMPANIES:
        yield Question("LAUNCHED", co.name, date(2015, 1, 1), date(2016, 12, 31), "object")


def _of_what_is_told(co: Company) -> Iterator[Question]:
    name = co.name
    yield Question("HOLDS_ROLE", name, date(2020, 12, 1), date(2020, 12, 31), "subject", CHIEF_EXECUTIVE)
    yield Question("LOCATED_IN", name, date(2020, 1, 1), date(2020, 12, 31), "object", "headquarters")
    yield Question("LAUNCHED", name, date(2021, 1, 1), date(2021, 12, 31), "object")
    yield Question("HAS_REVENUE", name, date(2020, 1, 1), date(2020, 12, 31), "value")
    yield Question("SUPPLIES", name, date(2023, 6, 1), date(2023, 12, 31), "subject", co.good)
    yield Question("TARGETS", name, date(2023, 1, 1), date(2023, 12, 31), "object", "research focus")
    yield Question("PART_OF", name, date(2021, 12, 30), date(2021, 12, 31), "subject")


def _answered(question: Question, gold: Sequence[Gold]) -> dict[str, Any]:
    rests_on = [place for place, each in enumerate(gold) if _bears_on(question, each)]
    expected = sorted({getattr(gold[place], question.gives) for place in rests_on})
    return asdict(question) | {"expected": expected, "rests_on": rests_on}


def _bears_on(question: Question, gold: Gold) -> bool:
    return (
        gold.predicate == question.predicate
        and question.entity in (gold.subject, gold.object)
        and question.value in ("", gold.value)
        and gold.temporal != "ATEMPORAL"
        and _reaches_into(gold, question.start, question.end)
    )


def _reaches_into(gold: Gold, start: date, end: date) -> bool:
    """Return whether a statement held in the window; of one whose beginning is unknown, the last day alone counts."""
    if gold.invalid_at is None:
        return gold.valid_at is not None and gold.valid_at <= end
    first = gold.valid_at or gold.invalid_at - timedelta(days=1)
    return first <= end and gold.invalid_at > start
