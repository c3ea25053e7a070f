"""Which time a row or sentence tells of, and whether that is the time a question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from ....text.period_patterns import YEARLESS
from ....text.periods import Period, contains, find_periods, months_alone, months_before, overlaps
from ...tables.row_periods import row_periods
from ..asked.answer_types import answering_numbers
from ..asked.question import Question
from .candidates import Candidate
from .effective import effective_from
from .telling import subject_terms
from .weights import holds_any

# Within this a state at the end of a period stands for a day of it.
_ONE_STATE_DAYS = 31
_MOST_YEARS = 12
_HOLDS = regex.compile(
    r"\b(?:is|are|amounts?|costs?|appl(?:y|ies)|beträgt|kostet|gilt|est|coûte|es|cuesta|è)\b", regex.IGNORECASE
)
_ENDS = regex.compile(r"\b(?:was|were|until|till|to \d|bis|war|jusqu|hasta|fino)\b|\d\s?[–-]\s?\d", regex.IGNORECASE)
_SHORT = frozenset({"day", "month", "quarter", "half", "month_day"})


@lru_cache(maxsize=4_096)
def periods_asked(question: Question) -> tuple[Period, ...]:
    """Return the periods that a question names, months without a year of their own among them."""
    if not question.periods:
        return tuple(months_alone(question.text))
    shared = [month for period in question.periods for month in months_before(question.text, period)]
    return (*shared, *question.periods)


def uncovered(question: Question, candidates: Sequence[Candidate]) -> tuple[Period, ...]:
    """Return the periods asked for of which none of the candidates that tell of the thing asked for tells.

    None where a candidate tells of no time at all: it may be meant for any.  A question for a count or an amount is
    held to whatever period it names by rows, by sentences to a quarter or less; other questions to a single day.
    """
    asked = periods_asked(question)
    counted = question.answer_type == "number"
    if not asked or not (counted or (len(asked) == 1 and asked[0].kind == "day")):
        return ()
    about = [each for each in candidates if is_about(question, each)]
    if years := _unheld_years(asked, about):
        return years
    told = [(each, told_by(each)) for each in about]
    if not told or not told[0][1]:
        return ()
    if any(not periods and each.row is not None for each, periods in told[:1]):
        return ()
    rows = any(each.row is not None and each.row.page is None for each, _ in told)
    held = [period for period in asked if period.kind in _SHORT or (rows and period.kind != "range")]
    return tuple(
        period
        for period in held
        if not any(_is_of(period, each, other) for each, periods in told for other in periods)
        and not any(_holds_since(each, period) for each, _ in told)
    )


def _holds_since(candidate: Candidate, asked: Period) -> bool:
    """Whether a sentence says what is from a day on that lies before the end of a period, and tells of no end."""
    if candidate.row is not None or not _HOLDS.search(candidate.text) or _ENDS.search(candidate.text):
        return False
    since = effective_from(candidate.text)
    return since is not None and since <= asked.end


def _unheld_years(asked: Sequence[Period], about: Sequence[Candidate]) -> tuple[Period, ...]:
    """Return the years asked for that stand nowhere near what was found, where other years do.

    Near means the passage, its title and headings, the name and day of its source: a report need not repeat its year.
    """
    years = [period for period in asked if period.kind in ("year", "fiscal_year")]
    if not about or not years or len(years) < len(asked):
        return ()
    near = [_years_near(each) for each in about]
    if not all(near):
        return ()
    held = frozenset[int]().union(*near)
    return tuple(period for period in years if period.end.year not in held)


def _years_near(candidate: Candidate) -> frozenset[int]:
    chunk, source = candidate.passage.chunk, candidate.passage.source
    texts = (chunk.text, candidate.title, source.title, " ".join(chunk.headings), source.uri.replace("_", " "))
    found = {year for text in texts for year in _years_in(text)}
    return frozenset(found | ({source.published_at.year} if source.published_at else set()))


@lru_cache(maxsize=4_096)
def _years_in(text: str) -> frozenset[int]:
    return frozenset(
        year
        for period in find_periods(text)
        if period.start.year != YEARLESS and period.end.year - period.start.year <= _MOST_YEARS
        for year in range(period.start.year, period.end.year + 1)
    )


def is_about(question: Question, candidate: Candidate) -> bool:
    """Whether a candidate has a word of what is asked for, and a number where one is wanted."""
    if not holds_any(candidate.terms, subject_terms(question)):
        return False
    return (
        question.answer_type != "number"
        or candidate.row is not None
        or bool(answering_numbers(question, candidate.text))
    )


def tells_of(question: Question, candidate: Candidate) -> bool | None:
    """Return whether a candidate is of a period asked for; None where it names none or none is asked for."""
    asked, told = periods_asked(question), told_by(candidate)
    return any(_is_of(period, candidate, other) for period in asked for other in told) if asked and told else None


def distance(period: Period, candidate: Candidate) -> int:
    """Return how many days lie between a period and what a candidate tells of."""
    gaps = []
    for other in told_by(candidate):
        start, end = other.start, other.end
        if YEARLESS in (start.year, period.start.year):
            start, end = start.replace(year=period.start.year, day=1), end.replace(year=period.start.year, day=28)
        gaps.append(max((period.start - end).days, (start - period.end).days, 0))
    return min(gaps, default=10**6)


def told_by(candidate: Candidate) -> tuple[Period, ...]:
    """Return the periods that a candidate tells of: a row those of its dates, a sentence those in it."""
    if candidate.row is None:
        return tuple(find_periods(candidate.text))
    return row_periods(candidate.row) if candidate.row.page is None else ()


def _is_of(asked: Period, candidate: Candidate, told: Period) -> bool:
    if asked.is_fiscal != told.is_fiscal and asked.start.year == told.start.year:
        return True  # A company's own year is known by its number only.
    if "month_day" in (asked.kind, told.kind):
        return overlaps(asked, told)
    if YEARLESS in (asked.start.year, told.start.year):
        return asked.start.month <= told.end.month and told.start.month <= asked.end.month
    if candidate.row is None:
        return overlaps(asked, told)
    if contains(asked, told):
        return True
    return contains(told, asked) and (told.end - told.start).days <= _ONE_STATE_DAYS


def is_row_of(question: Question, candidate: Candidate) -> bool:
    """Whether a candidate is a row of an export that is of a period asked for."""
    return candidate.row is not None and candidate.row.page is None and tells_of(question, candidate) is True
