"""Whether a span gives the holder of the office that is asked for, or where the one asked about can be reached."""

from __future__ import annotations

from collections.abc import Sequence

from ....text.words import analyse
from ..asked.answer_types import type_evidence
from ..asked.contacts import contact_asked, states_contact, without_kind
from ..asked.offices import offices_in
from ..asked.question import Question
from .candidates import Candidate
from .weights import holds_all


def names_office(question: Question, candidate: Candidate) -> bool:
    """Whether a span is about every office that a question names for a person; true where it names none."""
    return _offices_asked(question) <= candidate.terms


def gives_contact(question: Question, candidate: Candidate) -> bool:
    """Whether a span has the kind of contact that is asked for, of whom it is asked; true where none is asked for.

    A passage with but one such line may say by its title whose it is.
    """
    kind = contact_asked(question.text)
    if not kind:
        return True
    whose = _whose(question)
    if not states_contact(kind, candidate.text):
        return False
    if holds_all(candidate.terms, whose):
        return True
    stated = [line for line in candidate.passage.chunk.text.split("\n") if states_contact(kind, line)]
    known = candidate.known
    return len(stated) == 1 and holds_all(known, whose)


def is_reached(question: Question, spans: Sequence[Candidate]) -> bool:
    """Whether a span says all that is asked of an office or a contact, however little it means the same otherwise."""
    if contact_asked(question.text):
        return bool(_whose(question)) and any(gives_contact(question, span) for span in spans)
    if not _offices_asked(question):
        return False
    return any(holds_all(span.terms, question.terms) and type_evidence(question, span.text) >= 1 for span in spans)


def _offices_asked(question: Question) -> set[str]:
    offices = offices_in(question.text) if question.answer_type == "person" else frozenset()
    return {term for office in offices for term in analyse(office)} & set(question.terms)


def _whose(question: Question) -> list[str]:
    own = analyse(without_kind(question.text))
    return [term for term in question.terms if term in own]
