"""A value that another source calls wrong, replaces or gives anew later: the new one leads, the old one is told too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ....text.numbers import find_numbers
from ...protocol import Passage
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.findings import Finding
from .given_anew import counted_on, given_anew
from .stated_values import StatedValue, values_in
from .told_values import Spans, Told, overlap
from .voided import voided

_LEADS = 2
_FIRST = 4
_FIGURES = frozenset({"number", "entity", "definition", "explanation"})
_WITHOUT = regex.compile(
    r"\b(?:without|not|no|other|others|rest|ohne|nicht|andere\p{L}*|sans|autres?|sin|senza)\b", regex.IGNORECASE
)


def overtaken(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> tuple[Told, ...]:
    """Return the value that holds and the one that it overtakes; nothing where nothing says that one does.

    The value of one of the first findings is overtaken where another statement, no older by its date, calls it wrong
    or names it as the one before (`lowered to 7 (before: 12)`); where a later one gives what is so now (`now expected
    in June`); and, of a count up to a day, where a later one gives more.
    """
    if not findings or question.answer_type not in _FIGURES | {"date"}:
        return ()
    sources = Spans(passages)
    valued = [(each, values) for each in findings[:_FIRST] if (values := list(_values_of(question, each.candidate)))]
    for lead, values in valued[:_LEADS]:
        for rule in (voided, given_anew, counted_on):
            found = rule(question, lead, values, sources)
            # Where the second one is overtaken, the first one must be what overtakes it.
            first = valued[0][0]
            if found is not None and (lead is first or overlap(found[0].finding.candidate, first.candidate)):
                return found
    return ()


def _values_of(question: Question, candidate: Candidate) -> Iterator[StatedValue]:
    """Yield the values of a finding that may be what is asked for.

    Of several figures of one unit none is, where the question asks for the ones that are not so.
    """
    text = candidate.text
    every = [value.number.unit for value in values_in(text) if value.number is not None and value.number.unit]
    if len(set(every)) < len(every) and _WITHOUT.search(question.text):
        return
    asked = {number.value for number in find_numbers(question.text)}
    for value in values_in(text, periods=question.answer_type == "date", small=True):
        if value.number is not None and (question.answer_type == "date" or value.number.value in asked):
            continue
        yield value
