"""What words a sentence must have for its figures to be those asked for."""

from __future__ import annotations

from ....text.words import analyse
from ...tables.scope import DOWN, FRAME, UP
from ..asked.question import Question
from .candidates import passage_terms
from .findings import Finding
from .telling import subject_terms
from .weights import holds, holds_all

_LOOSE_WORDS = """
    lost lose loses gained gain cost costs pay paid price fee charge year before last long fall rise went go goes
    compared between per person each head
    journey trip ride travel take takes took future second third fourth occur occurred
    usd eur gbp chf dollar dollars euro euros million millions billion billions thousand thousands"""
LOOSE = FRAME | UP | DOWN | frozenset(analyse(_LOOSE_WORDS)) | frozenset(_LOOSE_WORDS.split())


def words_needed(question: Question) -> list[str]:
    """Return the terms of the thing whose figures are asked for, without words for moving and costing."""
    return [term for term in subject_terms(question) if term not in LOOSE]


def is_about(question: Question, finding: Finding) -> bool:
    """Whether a finding, or what it stands below, has all words of the thing asked for."""
    candidate = finding.candidate
    known = candidate.known
    # Who wrote or was written to stands elsewhere in the passage.
    needed = [
        term
        for term in words_needed(question)
        if term not in question.name_terms or not holds(passage_terms(candidate.passage), term) or holds(known, term)
    ]
    # Its file and title may name the thing; the words themselves must say something of it, or be all there is.
    return holds_all(known, needed) and bool(needed)
