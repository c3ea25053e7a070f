"""Say whether what is told lies within the bound that a question sets: before a day, above a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ....text.numbers import Number, find_numbers, in_one_unit, same_unit
from ....text.periods import Period, find_periods, stands_in
from ....text.sentences import sentences
from ....text.words import analyse
from ..asked.bounds import Bound, bound_asked
from ..asked.question import Question, read_question
from ..found.candidates import Candidate, index_terms
from ..found.findings import Finding
from ..found.fragments import has_verb
from ..found.rows import row_statement
from ..found.weights import holds, holds_all, holds_any
from .confirming import is_of_another
from .verdicts import UNSURE, Verdict, is_only_meant

_IS = regex.compile(r"\W*(?:is|are|was|were)\b", regex.IGNORECASE)
_DENIES = regex.compile(r"\b(?:not|no|never|neither|nor)\b|n['’]t\b", regex.IGNORECASE)
_PART = regex.compile(
    r"[,;]\s+|\s+(?:and|but|compared (?:to|with)|against|after|up from|down from)\s+", regex.IGNORECASE
)


def bounded_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return `Yes` or `No` by the day or figure that findings tell, those against it beside; None where none does.

    Where they tell it differently an export counts for more than what somebody wrote.
    """
    told = [(finding, said) for finding in findings if (said := said_of_bound(question, finding.candidate))]
    if not told:
        return None
    exported = [each for each in told if each[0].candidate.row is not None]
    answers = {said for _, said in exported or told}
    if len(answers) > 1:
        return Verdict("", told[0][0], tuple(finding for finding, said in told[1:] if said != told[0][1]))
    first, answer = (exported or told)[0]
    return Verdict(answer, first, tuple(finding for finding, said in told if said != answer))


def said_of_bound(question: Question, candidate: Candidate) -> str:
    """Return `Yes` or `No` where a text tells the one day or figure that a question sets a bound to; else nothing.

    A sentence, or the row of a whole, holds all else that is asked, by itself or by the title it stands under.
    """
    if question.answer_type != "yes_no" or question.language != "en":
        return ""
    bound = bound_asked(question.text)
    if bound is None:
        return ""
    base = read_question(bound.rest)
    if len(base.terms) + len(base.periods) < 2 and not bound.measured and isinstance(bound.limit, Number):
        return ""
    for text in _texts(base, candidate):
        if _tells(bound, base, candidate, text) and (said := _one_said(bound, base, text)) is not None:
            return _lies(bound, said)
    return ""


def answer_by(question: Question, text: str) -> str:
    """Return `Yes` or `No` by the one figure that a text tells of the amount asked about; nothing without a bound."""
    bound = bound_asked(question.text) if question.answer_type == "yes_no" and question.language == "en" else None
    said = _one_said(bound, read_question(bound.rest), text) if bound else None
    return _lies(bound, said) if bound and said else ""


def _texts(base: Question, candidate: Candidate) -> Iterator[str]:
    """Yield each whole sentence of a candidate; of a row, what it tells, where it is of nothing else than is asked."""
    if candidate.row is None:
        # Of what something is, a label alone (`Retention of 112%`) does not say that it is so.
        whole = (candidate.text[at:to] for at, to in sentences(candidate.text))
        yield from (text for text in whole if has_verb(text) or not _IS.match(base.text))
        return
    told, _ = row_statement(base, candidate.row, candidate.passage.rows)
    if told and holds_all(frozenset(base.terms), analyse(candidate.row.label)):
        yield told


def _tells(bound: Bound, base: Question, candidate: Candidate, text: str) -> bool:
    if UNSURE.search(text) or _DENIES.search(text) or is_only_meant(text, base) or is_of_another(base.text, text):
        return False
    said = index_terms(text)
    if bound.measured and not holds_any(said, bound.measured):
        return False
    around = said | candidate.context | index_terms(candidate.title)
    held = sum(holds(said, term) for term in base.terms)
    return bool(base.terms) and 2 * held >= len(base.terms) and holds_all(around, base.terms)


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
        dates = stands_in(number.start, dated)
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
