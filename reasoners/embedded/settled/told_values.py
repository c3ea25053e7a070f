"""A finding with a value that it tells, and what makes two statements tell of one thing, one before the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ....state.records import Cell, Quote
from ....text.periods import find_periods
from ....text.words import analyse
from ...protocol import Passage
from ..asked.question import Question
from ..found.candidates import Candidate, candidates_of, index_terms
from ..found.findings import Finding
from ..found.weights import holds
from .stated_values import StatedValue, in_full

_FEW = 2
_COMMON = 0.3


@dataclass(frozen=True)
class Told:
    """A finding with a value that it gives.

    Attributes:
        value: As the source writes it.
        key: What tells it from others.
        says_so: Whether it says itself that it takes the place of the other one; else it is only later.
    """

    finding: Finding
    value: str
    key: str
    says_so: bool = False


ToldPair = tuple[Told, Told]


class Spans:
    """The spans of passages, with how common each of their words is."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages

    @cached_property
    def spans(self) -> list[Candidate]:
        """The sentences and rows of all passages."""
        return [each for passage in self._passages for each in candidates_of(passage)]

    def is_rare(self, term: str) -> bool:
        """Whether few of the spans hold a term."""
        held = sum(term in span.terms for span in self.spans)
        return held <= max(_FEW, _COMMON * len(self.spans))


def told_in(
    lead: Finding, span: Candidate, value: StatedValue, end: int, cell: Cell | None = None, *, says_so: bool = False
) -> Told:
    """Return a span, up to the end of the sentence that gives the value, as a finding; of a row the cell that does."""
    chunk = span.passage.chunk
    text = chunk.text[span.start : end]
    statement = " ".join(text.split())
    if cell is not None and span.row is not None:
        known = lead.candidate.terms
        others = [each for each in span.row.cells if each is not cell and len(each.text.split()) > 1]
        named = max(others, key=lambda each: len(index_terms(each.text) & known), default=None)
        said = " ".join(cell.text.split())
        statement = f"{named.text.strip()}: {said}." if named is not None else f"{said}."
        shown = value.text
    else:
        shown = in_full(value, span.text) if end == span.end else value.text
    quote = Quote(chunk_id=chunk.chunk_id, start=span.start, end=end, text=text)
    scored = replace(lead.scored, candidate=span)
    return Told(Finding(statement, (quote,), scored, ()), shown, value.key, says_so)


def told_by(lead: Finding, value: StatedValue) -> Told:
    """Return a finding with a value of its own."""
    return Told(lead, in_full(value, lead.candidate.text), value.key)


def shared_terms(question: Question, span: Candidate, own: Candidate) -> set[str]:
    """Return the words that a statement shares with a finding or the question; figures and dates are none."""
    known = own.terms | frozenset(question.terms)
    dates = {term for period in find_periods(span.text) for term in analyse(period.text)}
    return {term for term in span.terms if holds(known, term) and not term.isdigit() and term not in dates}


def overlap(one: Candidate, other: Candidate) -> bool:
    """Whether two spans share characters of one source."""
    if one.uri != other.uri:
        return False
    base, at = one.passage.chunk.start, other.passage.chunk.start
    return base + one.start < at + other.end and at + other.start < base + one.end
