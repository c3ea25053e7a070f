"""Answer whether a target was reached: the figure that was aimed at beside the one that came, where both are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import regex

from ....text.numbers import Number, find_numbers, same_unit
from ....text.periods import Period, find_periods, stands_in
from ....text.words import analyse
from ...support.tense import TO_COME
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.findings import Finding
from ..found.weights import holds_all
from .verdicts import Verdict

_GOAL = regex.compile(
    r"\b(?:targets?|targeted|goals?|aim(?:s|ed)?|objectives?|priorit(?:y|ies)|ambitions?|planned to|plan to|"
    r"(?:to|will) (?:raise|increase|cut|reduce|reach|sell))\b",
    regex.IGNORECASE,
)
_ASKED_WORDS = """
    target goal aim objective plan ambition reach meet met achieve hit miss attain fulfil fulfill exceed less fewer more
    least most below under above over"""
_ASKED = frozenset(analyse(_ASKED_WORDS)) | frozenset(_ASKED_WORDS.split())
_OUTCOME = regex.compile(r"\b(?:reached|met|achieved|hit|missed|attained|fulfill?ed|exceeded)\b", regex.IGNORECASE)
_MISSED = regex.compile(r"\bmissed\b", regex.IGNORECASE)
_DOWN = regex.compile(
    r"\b(?:cut(?:ting)?|reduc\w+|lower\w*|below|under|at most|no more than|less than|fewer than|limit)\b",
    regex.IGNORECASE,
)
_ROUGHLY = regex.compile(
    r"\b(?:almost|nearly|about|around|some|roughly|approximately|close to|over|more than)\W+$", regex.IGNORECASE
)
_AT_THE_END = regex.compile(
    r"\b(?:year[- ]end|end of (?:the )?year|at the end of|december|final\w*|full[- ]year)\b", regex.IGNORECASE
)
_JOINT = regex.compile(r"[.;,:]\s|\band\b", regex.IGNORECASE)
_BEHIND, _BEFORE = 40, 60


@dataclass(frozen=True)
class _Stated:
    """A figure of the thing that the target is of, with the sentence that gives it."""

    finding: Finding
    value: Decimal
    at_the_end: bool


def goal_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return whether a target was reached, what came, and the sentence that set the target.

    None where the sources give no one figure of what came: a rough one, or one of an earlier day, is none.
    """
    if not asks_of_goal(question):
        return None
    subject = subject_of_goal(question)
    years = {str(period.end.year) for period in question.periods}
    target = _target(question, findings, subject)
    if target is None:
        return None
    number, setting = target
    came = [
        stated
        for finding in findings
        if finding is not setting and (stated := _stated(finding, subject, number, years)) is not None
    ]
    came = [each for each in came if each.at_the_end]
    if len({each.value for each in came}) != 1:
        return None
    set_in = setting.candidate.text if setting else question.text
    aimed_down = _DOWN.search(_clause(set_in, number)) is not None
    reached = came[0].value <= number.value if aimed_down else came[0].value >= number.value
    answer = "Yes" if reached is not bool(_MISSED.search(question.text)) else "No"
    return Verdict(answer, came[0].finding, aside=(setting,) if setting else ())


def _target(
    question: Question, findings: Sequence[Finding], subject: Sequence[str]
) -> tuple[Number, Finding | None] | None:
    """Return the figure aimed at and the sentence that sets it; the question may name the figure itself."""
    asked = _numbers(question.text)
    for finding in findings:
        candidate = finding.candidate
        if candidate.row is not None or not (_GOAL.search(candidate.text) or TO_COME.search(candidate.text)):
            continue
        near = [number for number in _numbers(candidate.text) if _of_subject(candidate.text, number, subject)]
        if asked:
            near = [number for number in near if number.value == asked[0].value]
        if len(near) == 1:
            return near[0], finding
    return (asked[0], None) if len(asked) == 1 else None


def _stated(finding: Finding, subject: Sequence[str], target: Number, years: set[str]) -> _Stated | None:
    """Return the figure that a sentence tells as come, of the thing and the time of the target."""
    candidate = finding.candidate
    text = candidate.text
    if candidate.row is not None or _GOAL.search(text) or TO_COME.search(text):
        return None
    if not _of_years(candidate, years):
        return None
    found = [
        number
        for number in _numbers(text)
        if same_unit(number, target)
        and _of_subject(text, number, subject)
        and not _ROUGHLY.search(text[: number.start])
    ]
    if len(found) != 1:
        return None
    told: list[Period] = [period for period in find_periods(text) if period.kind in ("day", "month", "quarter")]
    ends = bool(_AT_THE_END.search(text)) or not told
    return _Stated(finding, found[0].value, ends)


def tells_of_goal(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence gives a figure, aimed at or come, of the thing whose target a question is about."""
    if not asks_of_goal(question) or candidate.row is not None:
        return False
    subject = subject_of_goal(question)
    return any(_of_subject(candidate.text, number, subject) for number in _numbers(candidate.text))


def asks_of_goal(question: Question) -> bool:
    """Whether a question asks if a target was reached, and names what it is a target of."""
    return (
        question.answer_type == "yes_no"
        and question.language == "en"
        and bool(_GOAL.search(question.text) and _OUTCOME.search(question.text))
        and bool(subject_of_goal(question))
    )


def subject_of_goal(question: Question) -> list[str]:
    """Return the index terms of what a target is of."""
    years = {str(period.end.year) for period in question.periods}
    return [term for term in question.terms if term not in _ASKED | years and not term[0].isdigit()]


def _clause(text: str, number: Number) -> str:
    """Return the part of a sentence that a number stands in."""
    start = max((match.end() for match in _JOINT.finditer(text, 0, number.start)), default=0)
    end = next((match.start() for match in _JOINT.finditer(text, number.end)), len(text))
    return text[start:end]


def _of_years(candidate: Candidate, years: set[str]) -> bool:
    known = candidate.known
    return not years or bool(years & known)


def _numbers(text: str) -> list[Number]:
    return [
        number
        for number in find_numbers(text)
        if not number.is_year and not stands_in(number.start, find_periods(text))
    ]


def _of_subject(text: str, number: Number, subject: Sequence[str]) -> bool:
    """Whether the words of a thing stand right by a number: `386,000 fibre connections`, `connections rose to …`."""
    behind = text[number.start : number.end + _BEHIND]
    behind = regex.split(r"[.;,]\s", behind)[0]
    before = text[max(0, number.start - _BEFORE) : number.start]
    before = regex.split(r"[.;,]\s|\band\b", before)[-1]
    return any(holds_all(frozenset(analyse(side)), subject) for side in (behind, before))
