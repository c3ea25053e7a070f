"""A value that a later statement gives anew: what is so now, or a higher count of the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ....state.records import Cell
from ....text.periods import find_periods
from ....text.words import analyse
from ...support.tense import TO_COME
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.dating import is_later
from ..found.findings import Finding
from ..found.told_periods import periods_asked
from ..found.weights import holds, holds_all, holds_any
from .stated_values import StatedValue, is_far, values_in
from .told_values import Spans, Told, ToldPair, overlap, shared_terms, told_by, told_in

_NOW = regex.compile(
    r"\b(?:(?<!\bfrom )now(?!\sthat\b)|no longer|new (?:date|estimate|figure|forecast|price|quote|deadline|target)|"
    r"(?:latest|revised|updated) (?:date|estimate|figure|forecast|price|quote|deadline|plan|target)|re-?forecast|"
    r"(?:slip\w*|rises?|raised|increased?|lowered|reduced|cut|falls?|changed?|revised|moved|postponed|extended|"
    r"goes (?:up|down)) to(?!\s\p{L})|pass(?:e|era|ent) à|(?:steigt|sinkt) auf|"
    r"(?:put|pushed) (?:back|off) to|jetzt|nunmehr|inzwischen|neuer termin|désormais|maintenant|"
    r"dorénavant|ahora|ora|adesso)\b",
    regex.IGNORECASE,
)
_WAS = regex.compile(
    r"\b(?:was|were|had|did|been|wurden?|war|waren|hatten?|a été|était|étaient|fue|fueron|era|eran)\b", regex.IGNORECASE
)
_LEAST_SHARED = 2
_BY_THEN = regex.compile(
    r"\b(?:by|as (?:of|at)|until|up to|so far|to date|bis|jusqu['’]au|hasta|fino a)\b", regex.IGNORECASE
)
_WAS_DONE = regex.compile(
    r"^(?:\s\p{L}[\p{L}-]*){0,3}?\s(?:had been|have been|has been|were|was|are|had|have)\s(?:\p{L}+ly\s)?"
    r"(?P<done>\p{L}+)",
    regex.IGNORECASE,
)


def given_anew(question: Question, lead: Finding, values: Sequence[StatedValue], sources: Spans) -> ToldPair | None:
    """Return what a later statement says is so now, where a finding tells what was expected or is."""
    own = lead.candidate
    ahead = TO_COME.search(own.text)
    if (not ahead and (own.row is not None or _WAS.search(own.text))) or _WAS.search(question.text):
        return None

    def several(value: StatedValue) -> bool:
        """Whether the finding has other figures of the unit, each of which may be of another thing."""
        return value.number is not None and sum(each.is_like(value) for each in values) > 1

    named = {term for term in question.name_terms if holds(own.terms, term)}
    best: tuple[int, Told, StatedValue] | None = None
    asked = periods_asked(question)
    for span in sources.spans:
        if overlap(span, own) or not is_later(span, own):
            continue
        for cell, text in _parts(span):
            now = _NOW.search(text)
            if now is None:
                continue
            after = [
                each for each in values_in(text, periods=question.answer_type == "date") if each.start >= now.end()
            ]
            if asked and not any(
                period.start <= one.end and one.start <= period.end for period in asked for one in find_periods(text)
            ):
                continue
            for value in values:
                new = next((each for each in after if each.is_like(value)), None)
                if new is None or new.equals(value) or is_far(new, value):
                    continue
                shared = {term for term in shared_terms(question, span, own) if sources.is_rare(term)}
                known = span.known
                if not holds_all(known, named):
                    continue
                whole = holds_all(known, question.terms)
                if not whole and (
                    several(value) or len(shared) < _LEAST_SHARED or not holds_any(span.terms, question.terms)
                ):
                    continue
                told = told_in(lead, span, new, span.end, cell)
                if best is None or len(shared) > best[0]:
                    best = (len(shared), told, value)
    if best is None:
        return None
    return best[1], told_by(lead, best[2])


def _parts(span: Candidate) -> Iterator[tuple[Cell | None, str]]:
    """Yield what a span says: a sentence as it is, each cell of a row by itself."""
    if span.row is None:
        yield None, span.text
        return
    yield from ((cell, cell.text) for cell in span.row.cells)


def counted_on(question: Question, lead: Finding, values: Sequence[StatedValue], sources: Spans) -> ToldPair | None:
    """Return the higher count of a later statement, where a finding counts up to a day that is not asked for."""
    own = lead.candidate
    if question.answer_type != "number" or question.periods or not _BY_THEN.search(own.text) or own.row is not None:
        return None
    for value in values:
        verbs = _done(own.text, value) & set(question.terms)
        if value.number is None or value.number.unit or not verbs:
            continue
        for span in sources.spans:
            if span.row is not None or not is_later(span, own) or TO_COME.search(span.text):
                continue
            for each in values_in(span.text, small=True):
                if (
                    each.number is not None
                    and not each.number.unit
                    and each.number.value > value.number.value
                    and verbs & _done(span.text, each)
                    and not _BY_THEN.search(span.text)
                ):
                    return told_in(lead, span, each, span.end), Told(lead, value.text, value.key)
    return None


def _done(text: str, value: StatedValue) -> set[str]:
    """Return the index terms of what was done to so many: `214 participants had been randomised`."""
    clause = regex.split(r"[,.;:]", text[value.end :], maxsplit=1)[0]
    match = _WAS_DONE.match(clause)
    return set(analyse(match["done"])) if match else set()
