"""Say whether what is told lies within the bound that a question sets: before a day, above a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ....text.numbers import Number, find_numbers, in_one_unit, same_unit
from ....text.periods import Period, find_periods
from ....text.sentences import sentences
from ..asked.bounds import Bound, bound_asked
from ..asked.question import Question, read_question
from ..found.candidates import Candidate, index_terms
from ..found.findings import Finding
from ..found.weights import holds
from .confirming import is_of_another
from .verdicts import UNSURE, Verdict, is_only_meant

_FIRST = 6
_DENIES = regex.compile(r"\b(?:not|no|never|neither|nor)\b|n['’]t\b", regex.IGNORECASE)
_PART = regex.compile(
    r"[,;]\s+|\s+(?:and|but|compared (?:to|with)|against|after|up from|down from)\s+", regex.IGNORECASE
)


def bounded_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return `Yes` or `No` by the day or figure of the first sentence that tells of it; None where none does."""
    for finding in findings[:_FIRST]:
        if answer := said_of_bound(question, finding.scored.candidate):
            return Verdict(answer, finding)
    return None


def said_of_bound(question: Question, candidate: Candidate) -> str:
    """Return `Yes` or `No` where a sentence tells the one day or figure that a question sets a bound to; else nothing.

    The sentence holds all else that is asked, by itself or by the title it stands under.
    """
    if question.answer_type != "yes_no" or question.language != "en" or candidate.row is not None:
        return ""
    bound = bound_asked(question.text)
    if bound is None:
        return ""
    base = read_question(bound.rest)
    for start, end in sentences(candidate.text):
        text = candidate.text[start:end]
        if _tells(base, candidate, text) and (said := _one_said(bound, base, text)) is not None:
            return _lies(bound, said)
    return ""


def _tells(base: Question, candidate: Candidate, text: str) -> bool:
    if UNSURE.search(text) or _DENIES.search(text) or is_only_meant(text, base) or is_of_another(base.text, text):
        return False
    said = index_terms(text)
    around = said | candidate.context | index_terms(candidate.title)
    held = sum(holds(said, term) for term in base.terms)
    return bool(base.terms) and 2 * held >= len(base.terms) and all(holds(around, term) for term in base.terms)


def _one_said(bound: Bound, base: Question, text: str) -> Period | Number | None:
    """Return the only day, or the only figure of the unit, in a sentence; of several that of the time asked for."""
    if isinstance(bound.limit, Period):
        asked = {period.label() for period in base.periods}
        days = [period for period in find_periods(text) if period.label() not in asked and period.start.year > 1000]
        return days[0] if len(days) == 1 else None
    found = list(_figures(bound.limit, text))
    if len(found) > 1 and base.periods:
        asked = {period.label() for period in base.periods}
        parts = [part for part in _PART.split(text) if asked & {period.label() for period in find_periods(part)}]
        found = [number for part in parts for number in _figures(bound.limit, part)]
    return found[0] if len(found) == 1 else None


def _figures(limit: Number, text: str) -> Iterator[Number]:
    dated = find_periods(text)
    for number in find_numbers(text):
        dates = any(period.at <= number.start < period.to for period in dated)
        alike = number.unit == limit.unit or (number.unit and same_unit(number, limit))
        if alike and not dates and not number.bound:
            yield number


def _lies(bound: Bound, said: Period | Number) -> str:
    """Return whether what is said lies within a bound; nothing where a period lies on both sides of it."""
    if isinstance(bound.limit, Number):
        assert isinstance(said, Number)
        value, limit = in_one_unit(said, bound.limit)
        inside = value < limit if bound.is_upper else value > limit
        return "Yes" if inside or (bound.is_within and value == limit) else "No"
    assert isinstance(said, Period)
    limit_day = bound.limit
    if bound.is_upper:
        last = limit_day.end if bound.is_within else limit_day.start
        inside = said.end <= last if bound.is_within else said.end < last
        outside = said.start > last if bound.is_within else said.start >= last
    else:
        first = limit_day.start if bound.is_within else limit_day.end
        inside = said.start >= first if bound.is_within else said.start > first
        outside = said.end < first if bound.is_within else said.end <= first
    return "Yes" if inside else "No" if outside else ""
