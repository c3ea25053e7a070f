"""Answer whether something is allowed by a sentence that grants it, forbids it, or asks for consent first."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.words import analyse
from ..asked.implied import implied_terms
from ..asked.leave import Leave, leave_asked, said_on_leave
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.dating import dated
from ..found.findings import Finding
from ..found.papers import Papers
from ..found.weights import holds, holds_all
from .verdicts import Verdict

# What is allowed here stands in the sentence before.
_DO_SO = regex.compile(r"\b(?:may|can|shall|must)(?: not| only)? do (?:so|this|that|it)\b", regex.IGNORECASE)

# A paper that names a day somewhere does not speak of it everywhere.
_DAYS = frozenset(analyse("Monday Tuesday Wednesday Thursday Friday Saturday Sunday weekend weekday holiday night"))


def permission_of(question: Question, findings: Sequence[Finding], papers: Papers) -> Verdict | None:
    """Return whether what is asked leave for is allowed, and the sentence that says so; None where none does.

    What is said of the very thing (`one cat`) goes before what is said of its kind (`pets`), a sentence that names the
    place itself before one whose paper does, and an amendment before what it amends.  A sentence that asks for consent
    first leads without a yes or a no.
    """
    leave = leave_asked(question.text) if question.language == "en" else None
    if leave is None:
        return None
    found = [
        (finding, said)
        for finding in findings
        if finding.candidate.row is None and (said := leave_in(leave, finding.candidate, papers))
    ]
    found = [each for each in found if leave.what <= each[0].candidate.terms] or found
    found = [each for each in found if holds_all(each[0].candidate.terms, leave.where)] or found
    if not found:
        return None
    latest = [each for each in found if not any(_comes_after(other[0], each[0], papers) for other in found)]
    answers = {_answer(leave, said) for _, said in latest}
    against = tuple(finding for finding, said in found if (finding, said) not in latest)
    if len(answers) != 1:
        return Verdict("", latest[0][0], tuple(finding for finding, _ in latest[1:]))
    differing = tuple(each for each in against if _answer(leave, _said_of(each, found)) not in answers)
    return Verdict(answers.pop(), latest[0][0], differing)


def leave_in(leave: Leave, candidate: Candidate, papers: Papers) -> str:
    """Return `granted`, `forbidden` or `on consent` where a sentence says so of what is asked leave for."""
    if _DO_SO.search(candidate.text):
        return ""
    # What is implied does not count: leave for a cat is none for pets.
    own = frozenset(analyse(candidate.text))
    if not all(holds(own, term) or _of_kind(term, own) or holds(candidate.context, term) for term in leave.what):
        return ""
    if not any(holds(own, term) or _of_kind(term, own) for term in leave.what):
        return ""
    around = own | candidate.context | papers.around(candidate.uri)
    exact = [term for term in leave.where if term[0].isdigit() or term in _DAYS]
    if not all(term in own for term in exact) or not holds_all(around, leave.where):
        return ""
    said, _ = said_on_leave(candidate.text)
    return said


def asks_settled_leave(question: Question, spans: Sequence[Candidate]) -> bool:
    """Whether a span says of what is asked leave for that it is allowed or not, in whatever words."""
    leave = leave_asked(question.text) if question.language == "en" else None
    if leave is None:
        return False
    papers = Papers([span.passage for span in spans])
    return any(span.row is None and leave_in(leave, span, papers) for span in spans)


def _answer(leave: Leave, said: str) -> str:
    if said == "on consent":
        return ("Yes" if leave.denied else "No") if leave.unasked else ""
    granted = said == "granted"
    return "Yes" if granted is not leave.denied else "No"


def _said_of(finding: Finding, found: Sequence[tuple[Finding, str]]) -> str:
    return next(said for each, said in found if each is finding)


def _of_kind(term: str, own: frozenset[str]) -> bool:
    """Whether a sentence is about the kind that a thing is of: `pets`, where a cat is asked about."""
    return bool((implied_terms(term) - set(analyse(term))) & own)


def _comes_after(one: Finding, other: Finding, papers: Papers) -> bool:
    places = [each.candidate.uri for each in (one, other)]
    if papers.changes(*places):
        return True
    days = [dated(each.candidate) for each in (one, other)]
    return all(days) and places[0] != places[1] and days[0] > days[1] and not papers.changes(*places[::-1])
