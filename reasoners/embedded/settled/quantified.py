"""Answer whether all of some did: `One of the 12 cells failed` says that not all survived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.words import analyse
from ...support.outcomes import Outcome, outcome_asked
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.findings import Finding
from ..found.weights import holds_all
from .verdicts import Verdict

_ASKED = regex.compile(
    r"^\W*(?:did|do|does|were|was|are|is|have|has|had)\s+(?:all|every|each)\s+(?:of\s+)?(?:the\s+|our\s+|its\s+|their\s+)?"
    r"(?:\d+\s+)?(?P<rest>.+?)\s*\?*$",
    regex.IGNORECASE,
)
_NUMBER = (
    r"(?:\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|some|many|most|half|a few|"
    r"the (?:first|last|other)s?)"
)
_PART = regex.compile(
    rf"\b(?P<part>{_NUMBER})\s+of\s+(?:the\s+|our\s+|its\s+|their\s+)?(?:(?P<whole>\d[\d,]*|\w+)\s+)?(?P<things>\p{{L}}+)",
    regex.IGNORECASE,
)
_NOT_ALL = regex.compile(r"\bnot (?:all|every)\b|\b(?:all|every\w*)\b[^.;]{0,80}\bexcept\b", regex.IGNORECASE)
_ALL = regex.compile(r"\b(?:all|every|each)\b|\bnone\b|\bno\b", regex.IGNORECASE)
_NONE = regex.compile(r"\b(?:none|no)\b", regex.IGNORECASE)
_DENIES = regex.compile(r"\b(?:not|never)\b|n['’]t\b", regex.IGNORECASE)
# The occasion on which something was so is not always named where it is told.
_OCCASION = frozenset(analyse("test trial study experiment run process period year season winter journey trip event"))


@dataclass(frozen=True)
class Whole:
    """What is asked of all: index terms of the things, and of what they did or were."""

    things: frozenset[str]
    deed: frozenset[str]


@lru_cache(maxsize=4_096)
def whole_asked(question: str) -> Whole | None:
    """Return what a question asks of all of some things; None where it asks of none."""
    match = _ASKED.match(question)
    if match is None:
        return None
    terms = list(dict.fromkeys(analyse(match["rest"])))
    if len(terms) < 2:
        return None
    return Whole(frozenset(terms[:1]), frozenset(terms[1:]) - _OCCASION)


def whole_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return whether all did, and the sentence that tells; None where no sentence tells of all or of a part."""
    said = [(finding, answer) for finding in findings if (answer := said_of_all(question, finding.candidate))]
    if len({answer for _, answer in said}) != 1:
        return None
    return Verdict(said[0][1], said[0][0])


def said_of_all(question: Question, candidate: Candidate) -> str:
    """Return `Yes` or `No` where one sentence tells whether all of the things did what is asked; else nothing."""
    whole = whole_asked(question.text) if question.language == "en" and candidate.row is None else None
    if whole is None or not whole.deed or not holds_all(candidate.terms, whole.things):
        return ""
    deeds = _deed_said(question, whole, candidate)
    if deeds is None:
        return ""
    same, opposite = deeds
    text = candidate.text
    if _NOT_ALL.search(text):
        return "No" if same else ""
    part = next((match for match in _PART.finditer(text) if set(analyse(match["things"])) & whole.things), None)
    if part is not None:
        # Of a part it is told either that it did, and then not the rest, or that it did not.
        return "No" if same != opposite else ""
    if not _ALL.search(text) or same == opposite:
        return ""
    return "Yes" if same is not bool(_NONE.search(text)) else "No"


def _deed_said(question: Question, whole: Whole, candidate: Candidate) -> tuple[bool, bool] | None:
    """Return whether a sentence tells the deed, and whether its opposite or a denial of it; None where neither."""
    outcome: Outcome | None = outcome_asked(question.text)
    around = candidate.known
    rest = whole.deed - ({outcome.term} if outcome else set())
    if not holds_all(around, rest):
        return None
    if outcome is not None and outcome.term in whole.deed:
        same, opposite = outcome.said_in(candidate.text, whole.things)
    else:
        same, opposite = holds_all(candidate.terms, whole.deed), False
    if same == opposite:
        return None
    denied = bool(_DENIES.search(candidate.text)) and not _NOT_ALL.search(candidate.text)
    return (opposite, same) if denied else (same, opposite)
