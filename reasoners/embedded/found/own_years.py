"""What a source calls its own years, where fiscal 2022 ended in 2023, and a question read as such a source means it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from ....text.periods import Period
from ...protocol import Passage
from ...statements.lines import statements_of
from ...statements.periods import Calendar, Target
from ..asked.question import Question
from .candidates import Candidate


def own_years(question: Question, passages: Sequence[Passage]) -> Mapping[str, Calendar]:
    """Return the calendars of sources that name their years otherwise than by their end, where a question asks for one.

    Returns: uri to calendar; empty where the question names no company's own year.
    """
    if not any(period.kind == "fiscal_year" for period in question.periods):
        return {}
    lines = statements_of(passages).lines
    return {line.row.uri: line.calendar for line in lines if line.calendar.ahead}


def as_meant(question: Question, candidate: Candidate, years: Mapping[str, Calendar]) -> Question:
    """Return a question with its fiscal years as the columns of a row's source date them."""
    calendar = years.get(candidate.row.uri) if candidate.row is not None else None
    own = [period for period in question.periods if period.kind == "fiscal_year"]
    if calendar is None or len(own) < len(question.periods):
        return question
    targets = calendar.meant([Target(period.end.year, 0, fiscal=True) for period in own])
    moved = {period.end.year: target.year for period, target in zip(own, targets, strict=True)}
    return replace(
        question,
        periods=tuple(_moved(period, moved[period.end.year]) for period in own),
        terms=tuple(
            str(moved[int(term)]) if term.isdigit() and int(term) in moved else term for term in question.terms
        ),
    )


def _moved(period: Period, year: int) -> Period:
    return replace(period, start=date(year, 1, 1), end=date(year, 12, 31))
