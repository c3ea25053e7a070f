"""Answer a question for yes or no from a sentence that says all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from textwrap import shorten

import regex

from ....state.records import Conflict
from ....text.words import analyse
from ...support.outcomes import Outcome, outcome_asked
from ...tables.catalog import header_words
from ..asked.bounds import bound_asked
from ..asked.compound import sides_of
from ..asked.leave import leave_asked, said_on_leave
from ..asked.question import Question, key_phrase
from ..found.candidates import Candidate, index_terms
from ..found.dating import dated, stated_on
from ..found.findings import Finding
from ..found.rows import STATES_OF_A_ROW
from ..found.weights import holds_all
from ..phrases import phrase
from .asserted import denies, is_of_a_case, is_wish, tells_of_all, turned_by_exception
from .confirming import confirmed, is_of_another
from .version_conflicts import value_of

_FIRST = 12
_VALUE_CHARS = 160
UNSURE = regex.compile(
    r"\b(?:(?<!\d\.? )(?<!(?:in|of|since|until) )may(?!\.? \d)|"
    r"might|could|would|should|if|whether|unless|risk|risks|intend\w*|plan to|seek|aim|expect\w*|potential\w*|"
    r"possible|possibly|likely|cannot assure|no assurance|when|(?:asked|requested|invited|urged) to)\b",
    regex.IGNORECASE,
)
# What was meant to be and may have come otherwise; a question that asks for the change itself holds the word.
_MEANT = regex.compile(
    r"\b(?:plan(?:s|ned)?|scheduled|will|(?:is|are|was|were) to be|moved|postponed|delayed|deferred|rescheduled|"
    r"cancel\w*|instead|proposed(?! by\b))\b",
    regex.IGNORECASE,
)
_SEVERAL = regex.compile(r"\b(?:both|same|either|all|each|any other)\b", regex.IGNORECASE)
_WORDS = regex.compile(r"\p{L}+")


@dataclass(frozen=True)
class Verdict:
    """What sentences say to a question for yes or no.

    Attributes:
        answer: `Yes` or `No`; empty where they contradict each other and no date tells which came last.
        finding: The sentence that says so.
        against: Sentences that say the opposite.
        aside: Sentences that belong to the answer and contradict nothing.
        is_later: Whether the sentence is later than those against it even though it says neither yes nor no.
    """

    answer: str
    finding: Finding
    against: tuple[Finding, ...] = ()
    aside: tuple[Finding, ...] = ()
    is_later: bool = False


def verdict_of(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return the answer and the finding that gives it; None where no sentence says all of it surely.

    The sentence must hold every word of the question that is no name or period, by itself or by a word of its family;
    one that is unsure settles nothing.  A denial in it, where the question has none, turns the answer, and so does the
    opposite of what is asked: what was refused was not granted.  Of sentences that contradict each other the later
    one counts.
    """
    if question.answer_type != "yes_no" or question.language != "en":
        return None
    if sides_of(question) or bound_asked(question.text):
        return None
    outcome = outcome_asked(question.text)
    if _SEVERAL.search(question.text) or (denies(question.text) and outcome is None):
        return None
    subject = [term for term in question.plain_terms if outcome is None or term not in outcome.spelled]
    if len(question.plain_terms) < 2 and not (outcome and question.name_terms):
        return None
    years = {str(period.end.year) for period in question.periods}
    found: list[tuple[tuple[int, int], str, Finding]] = []
    for place, finding in enumerate(findings[:_FIRST]):
        candidate = finding.candidate
        held = _held(candidate)
        if not holds_all(held, subject):
            continue
        if outcome is not None and not holds_all(held | candidate.context, question.name_terms):
            continue
        if is_of_another(question.text, candidate.text):
            continue
        answer = _answer(question, candidate, outcome, frozenset(subject) | question.name_terms)
        if answer and candidate.row is None:
            answer = turned_by_exception(candidate.text, question, confirmed(question, candidate, answer))
        if answer:
            found.append(((int(bool(years) and not years & candidate.terms), place), answer, finding))
    if not found:
        return None
    found.sort(key=lambda each: each[0])
    _, answer, finding = found[0]
    against = [(other, each) for _, other, each in found if other != answer] if outcome is not None else []
    if not against:
        return Verdict(answer, finding)
    return latest(found)


def latest(found: Sequence[tuple[tuple[int, int], str, Finding]]) -> Verdict:
    """Return the verdict of the last sentence by date; without dates none of the two."""
    by_day = [(stated_on(finding.candidate), answer, finding) for _, answer, finding in found]
    known = [(day.start, answer, finding) for day, answer, finding in by_day if day is not None]
    last = max((start for start, _, _ in known), default=None)
    latest = [(answer, finding) for start, answer, finding in known if start == last]
    settled = len(known) == len(by_day) and len({answer for answer, _ in latest}) == 1
    answer, finding = latest[0] if settled else (found[0][1], found[0][2])
    against = tuple(each for _, other, each in found if other != answer)
    return Verdict(answer if settled else "", finding, against)


def _answer(question: Question, candidate: Candidate, outcome: Outcome | None, subject: frozenset[str]) -> str:
    """Return what one sentence says, or the status of one row; nothing where it is unsure or says both."""
    text = candidate.text
    if candidate.row is not None:
        headed = ((header_words(cell.header).casefold().split(), cell.text) for cell in candidate.row.cells)
        states = [value for header, value in headed if STATES_OF_A_ROW & set(header)]
        if outcome is None or len(states) != 1:
            return ""
        text, subject = states[0], frozenset()
    if UNSURE.search(text) or is_wish(text, question) or is_of_a_case(text, question):
        return ""
    if outcome is None:
        if is_only_meant(text, question) or not _says_all(candidate, question):
            return ""
        return "No" if denies(text) else "Yes"
    same, other = outcome.said_in(text, subject)
    if same == other or is_only_meant(text, question, outcome):
        return ""
    if candidate.row is None and tells_of_all(text, outcome.same | outcome.other):
        return ""
    denied = denies(text, outcome.same | outcome.other)
    if denied and other:
        return ""
    return "No" if other or denied else "Yes"


def _held(candidate: Candidate) -> frozenset[str]:
    """Return the index terms of a sentence; of a row those of its cells, their headers and its file's name."""
    if candidate.row is None:
        return candidate.terms
    words = " ".join(header_words(f"{cell.header} {cell.text}") for cell in candidate.row.cells)
    return candidate.terms | index_terms(f"{words} {header_words(PurePosixPath(candidate.row.uri).stem)}")


def _says_all(candidate: Candidate, question: Question) -> bool:
    """Whether a sentence holds every word of a question that is no name or number."""
    return holds_all(candidate.terms, question.plain_terms)


def is_only_meant(text: str, question: Question, outcome: Outcome | None = None) -> bool:
    """Whether a text tells what was planned, or is still to come, which may have come otherwise."""
    known = set(question.terms) | (outcome.same | outcome.other if outcome else frozenset())
    return any(not set(analyse(word)) & known for word in _MEANT.findall(text))


def verdict_conflict(question: Question, verdict: Verdict, language: str) -> Conflict:
    """Return the sentences that contradict each other as a conflict that prefers the later one."""
    against = verdict.against[0]
    findings = (verdict.finding, *verdict.against)
    said = [_said(question, finding) for finding in findings]
    if len({each.casefold() for each in said}) < len(said):
        # One word on both sides tells no reader what is in conflict.
        said = [shorten(finding.statement, _VALUE_CHARS, placeholder=" …") for finding in findings]
    values = [value_of(finding, word) for finding, word in zip(findings, said, strict=True)]
    later, earlier = (dated(finding.candidate) for finding in (verdict.finding, against))
    reason = phrase("equal", language)
    if verdict.answer or verdict.is_later:
        days = {"later": later, "earlier": earlier}
        dated_both = bool(later and earlier)
        reason = phrase("later", language, **days) if dated_both else phrase("changes", language, value=values[1].value)
    return Conflict(
        subject=key_phrase(question.text, question.language),
        attribute="",
        values=tuple(values),
        preferred=values[0].value if verdict.answer or verdict.is_later else "",
        reason=reason,
    )


def _said(question: Question, finding: Finding) -> str:
    """Return the word by which a sentence says how it came out."""
    if leave_asked(question.text) is not None and (word := said_on_leave(finding.candidate.text)[1]):
        return word
    outcome = outcome_asked(question.text)
    words = _WORDS.findall(finding.candidate.text)
    terms = outcome.same | outcome.other if outcome else frozenset[str]()
    subject = {term for term in question.terms if outcome and term not in outcome.spelled}
    return next((word for word in words if set(analyse(word)) & (terms - subject)), finding.statement)
