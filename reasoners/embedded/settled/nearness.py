"""How near a statement is to what is asked: it says so itself, its paper helps, or it amends the clause that does."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.words import analyse
from ..asked.answer_types import money_terms
from ..asked.question import Question, focus_terms
from ..found.candidates import Candidate
from ..found.findings import Finding
from ..found.papers import Papers
from ..found.telling import subject_terms
from ..found.weights import holds_all, share_held
from .version_values import MOVED, RUNS

_ABOUT = 0.6
_OWN = 0.3
_OF_THE_CLAUSE = 0.8
# What holds now is asked for by these; no source repeats them.
_NOW = frozenset(analyse("today now currently still present nowadays"))
_OF_A_TERM = regex.compile(
    r"\b(?:term|duration|agreement|contract|lease|deal|it) \b[^.;]{0,30}\b(?:extended|prolonged|runs?|ends?|expires?|"
    r"lasts?|continues?|valid|in force)\b",
    regex.IGNORECASE,
)
_UNCHANGED = regex.compile(
    r"\b(?:remains?|unchanged|stays?|not (?:be |been )?(?:changed|amended|affected))\b", regex.IGNORECASE
)
# One word for such a paper stands for another.
_DEEDS = frozenset(analyse("contract agreement deal lease"))
_ENDING = frozenset(analyse("end ends expire expires expiry expiration terminate lapse run out stop last valid term"))
_PART_OF_PRICE = regex.compile(
    r"\b(?:compensation|minimum|"
    r"deposit|down payment|instal+ments?|discount|deduct\w*|penalt\w+|surcharge|refund\w*|credit\w*|anzahlung|"
    r"rabatt|acompte|remise|descuento|acconto)\b",
    regex.IGNORECASE,
)


def nearness(question: Question, finding: Finding, papers: Papers) -> int:
    """Return 2 for a sentence that says by itself or its title what is asked, 1 where its paper must help, else 0."""
    candidate = finding.candidate
    asked = _beside_the_end(question, candidate)
    if candidate.row is not None or _only_part(question, candidate.text):
        return 0
    if share_held(candidate.terms, asked) >= _ABOUT:
        return 2
    if amends_what_is_asked(question, candidate):
        return 1
    known, own = candidate.known, candidate.terms | candidate.clause
    around = known | papers.around(candidate.uri)
    priced = money_terms(question)
    if priced:
        # What something costs is its price, its fee or what is offered for it.
        subject = [term for term in asked if term not in priced and term not in _NOW]
        if finding.scored.kind < 1 or not subject:
            return 0
        if holds_all(known, subject):
            return 2
        plain = [term for term in subject if term not in question.name_terms]
        return int(share_held(own, plain) >= _OWN and holds_all(around, subject))
    asked = [term for term in asked if term not in _NOW]
    if not holds_all(around, asked):
        return 0
    focus = focus_terms(question)
    plain = [term for term in asked if term not in question.name_terms]
    if not plain and asked != subject_terms(question) and _OF_A_TERM.search(candidate.text):
        return 1  # It tells until when the paper runs that is asked for.
    if (focus and holds_all(own, focus)) or share_held(own, plain) >= _ABOUT:
        return 2 if holds_all(known, asked) else 1
    return 0


def amends_what_is_asked(question: Question, candidate: Candidate) -> bool:
    """Whether a span amends a clause that has most of what is asked for, without repeating it."""
    plain = [term for term in subject_terms(question) if term not in question.name_terms]
    return bool(candidate.clause) and share_held(candidate.clause, plain) >= _ABOUT


def amendment_of(lead: Finding, findings: Sequence[Finding], papers: Papers) -> Finding | None:
    """Return the finding that amends, by its number, the clause that another one is of; None where none does."""
    said = analyse(lead.candidate.text)
    place = lead.candidate.uri
    for finding in findings:
        candidate = finding.candidate
        if (
            candidate.clause
            and not _UNCHANGED.search(candidate.text)
            and papers.changes(candidate.uri, place)
            and share_held(candidate.clause, said) >= _OF_THE_CLAUSE
        ):
            return finding
    return None


def _beside_the_end(question: Question, candidate: Candidate) -> list[str]:
    """Return the subject of a question, without its word for the end where a sentence tells until when it runs."""
    asked = subject_terms(question)
    told = RUNS.search(candidate.text) or MOVED.search(candidate.text)
    if question.answer_type != "date" or not told:
        return asked
    deed = bool(candidate.known & _DEEDS)
    return [term for term in asked if term not in _ENDING and not (deed and term in _DEEDS)]


def _only_part(question: Question, text: str) -> bool:
    """Whether a sentence tells of an amount that is only a part of a price, which the question does not ask for."""
    asked = question.text.casefold()
    return any(word.casefold() not in asked for word in _PART_OF_PRICE.findall(text))
