"""What sentences must be about for figures of theirs to be worked with, and how what follows is told."""

from __future__ import annotations

from collections.abc import Sequence

from ....text.words import analyse
from ...tables.inference import Inference
from ...tables.scope import DOWN, FRAME, UP
from ..asked.question import Question
from ..found.candidates import passage_terms
from ..found.findings import Finding
from ..found.telling import subject_terms
from ..found.weights import holds

_LOOSE_WORDS = """
    lost lose loses gained gain cost costs pay paid price fee charge year before last long fall rise went go goes
    compared between per person each head
    journey trip ride travel take takes took"""
LOOSE = FRAME | UP | DOWN | frozenset(analyse(_LOOSE_WORDS)) | frozenset(_LOOSE_WORDS.split())


def words_needed(question: Question) -> list[str]:
    """Return the terms of the thing whose figures are asked for, without words for moving and costing."""
    return [term for term in subject_terms(question) if term not in LOOSE]


def is_about(question: Question, finding: Finding) -> bool:
    """Whether a finding, or what it stands below, has all words of the thing asked for."""
    candidate = finding.scored.candidate
    known = candidate.terms | candidate.context
    named = {term for name in question.names for term in analyse(name)}
    # Who wrote or was written to stands elsewhere in the passage.
    needed = [
        term
        for term in words_needed(question)
        if term not in named or not holds(passage_terms(candidate.passage), term) or holds(known, term)
    ]
    # Its file and title may name the thing; the words themselves must say something of it, or be all there is.
    return all(holds(known, term) for term in needed) and bool(needed)


def inference_of(worked: str, findings: Sequence[Finding], subject: str) -> Inference:
    """Return what was worked out, with the sentences that it follows from."""
    told = [each.statement.rstrip() for each in findings]
    told = [each if each.endswith((".", "!", "?")) else f"{each}." for each in told]
    quotes = [quote for each in findings for quote in each.quotes]
    return Inference(" ".join([worked, *told]), tuple(dict.fromkeys(quotes)), subject)
