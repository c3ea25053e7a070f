"""Compare two things by two quoted dates or figures; the conclusion is an inference and cites both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import regex

from ....state.records import Quote
from ....text.numbers import Number, same_unit
from ....text.periods import Period, find_periods
from ....text.words import analyse
from ..asked.answer_types import answering_numbers
from ..asked.compound import sides_of
from ..asked.pairs import common_asked, pair_asked
from ..asked.question import Question
from ..found.findings import Finding
from ..found.weights import holds
from ..phrases import Key, phrase

_EARLIER = r"\b(?:first|earlier|older|oldest|earliest|before|zuerst|früher|älter)\b"
_LATER = r"\b(?:later|younger|youngest|newer|newest|latest|last|recently|zuletzt|später|jünger)\b"
_MORE = (
    r"\b(?:more|most|larger|largest|bigger|biggest|higher|highest|taller|tallest|longer|longest|greater|"
    r"mehr|größer|höher)\b"
)
_LESS = r"\b(?:fewer|fewest|less|least|smaller|smallest|lower|lowest|shorter|shortest|weniger|kleiner|niedriger)\b"
_BIRTH = regex.compile(r"\(\s*(?:born|née?|b\.|geboren|\*)?[^()]*\d{4}|\bborn\b|\bgeboren\b", regex.IGNORECASE)
_YOUNG_OR_OLD = regex.compile(r"\b(?:born|older|younger|oldest|youngest)\b", regex.IGNORECASE)

IS_A = regex.compile(r"\b(?:is|are|was|were)\s+(?:an?|the|one of the)\s+(?P<what>[^.;:]+)", regex.IGNORECASE)


@dataclass(frozen=True)
class Comparison:
    """Two findings set side by side, and what follows from them.

    Attributes:
        left: Finding for the first side, or for the one chosen; right: for the other.
        conclusion: The inference in words, empty where none follows.
        quotes: What it rests on.
    """

    left: Finding | None
    right: Finding | None
    conclusion: str = ""
    quotes: tuple[Quote, ...] = ()


def compare_sides(question: Question, findings: Sequence[Finding]) -> Comparison | None:
    """Return the comparison a question asks for; None where it names no two sides or neither was found."""
    sides = sides_of(question)
    if len(sides) != 2:
        return None
    left, right = (_best_for(question, side, other, findings) for side, other in (sides, sides[::-1]))
    if left is None and right is None:
        return None
    if left is None or right is None:
        return Comparison(left, right)
    key, a, b = _outcome(question, left, right)
    if key is None:
        return _told_of_one(question, left, right) or Comparison(left, right)
    winner = sides[0] if key[1] == "left" else sides[1]
    conclusion = phrase(key[0], question.language, winner=winner, a=a, b=b, left=sides[0], right=sides[1])
    return Comparison(left, right, conclusion, tuple(dict.fromkeys([*left.quotes, *right.quotes])))


def _told_of_one(question: Question, left: Finding, right: Finding) -> Comparison | None:
    """Return the side of which more that is asked is told, alone where all is; None where as much is told of both."""
    named = {term for side in sides_of(question) for term in analyse(side)}
    wanted = [term for term in question.terms if term not in named]
    told = [sum(holds(each.candidate.terms, term) for term in wanted) for each in (left, right)]
    if told[0] == told[1]:
        return None
    first, second = (left, right) if told[0] > told[1] else (right, left)
    return Comparison(first, None if max(told) == len(wanted) else second)


def _best_for(question: Question, side: str, other: str, findings: Sequence[Finding]) -> Finding | None:
    """Return the best finding about one side that states a date or figure of the kind compared."""
    wanted, unwanted = set(analyse(side)), set(analyse(other)) - set(analyse(side))
    about = [finding for finding in findings if is_about(finding, wanted, unwanted)]
    if common_asked(question.text) or pair_asked(question.text):
        return next((finding for finding in about if IS_A.search(finding.candidate.text)), next(iter(about), None))
    timed = _asks_for_time(question)
    for finding in about:
        if (timed and _dates(question, finding)) or (not timed and _numbers(question, finding)):
            return finding
    return about[0] if about else None


def is_about(finding: Finding, wanted: set[str], unwanted: set[str]) -> bool:
    """Whether a finding tells of one side: its source is named so, or it names that side and is not the other's."""
    candidate, said = finding.candidate, set(analyse(finding.statement))
    if candidate.row is not None:
        return wanted <= said
    title = set(analyse(regex.sub(r"\(.*?\)", "", candidate.title)))
    return wanted <= title or (wanted <= said and not (unwanted and unwanted <= title))


def _asks_for_time(question: Question) -> bool:
    text = question.text.casefold()
    return bool(regex.search(_EARLIER, text) or regex.search(_LATER, text))


def _outcome(question: Question, left: Finding, right: Finding) -> tuple[tuple[Key, str] | None, str, str]:
    text = question.text.casefold()
    if _asks_for_time(question):
        a, b = _dates(question, left), _dates(question, right)
        if not a or not b or a[0].start == b[0].start:
            return None, "", ""
        first_is_left = a[0].start < b[0].start
        # Who is younger was born later: a later date wins.
        wants_first = not regex.search(_LATER, text)
        key: Key = "inference_first" if wants_first else "inference_last"
        return (key, "left" if first_is_left == wants_first else "right"), a[0].text, b[0].text
    wants_more, wants_less = regex.search(_MORE, text), regex.search(_LESS, text)
    m, n = _numbers(question, left), _numbers(question, right)
    if not (wants_more or wants_less) or len(m) != 1 or len(n) != 1 or not same_unit(m[0], n[0]):
        return None, "", ""
    if m[0].value == n[0].value:
        return ("inference_equal", "left"), m[0].text, n[0].text
    left_is_more = m[0].value > n[0].value
    wants = bool(wants_more)
    key = "inference_more" if wants else "inference_less"
    return (key, "left" if left_is_more == wants else "right"), m[0].text, n[0].text


def _dates(question: Question, finding: Finding) -> list[Period]:
    """Return the dates of a finding that may be compared; of births only sentences that tell one."""
    statement = finding.statement
    if _YOUNG_OR_OLD.search(question.text) and not _BIRTH.search(statement):
        return []
    asked = {period.label() for period in question.periods}
    # A day without a year cannot be compared.
    named = [period for period in find_periods(statement) if period.start > date(5, 1, 1)]
    return [period for period in named if period.label() not in asked]


def _numbers(question: Question, finding: Finding) -> list[Number]:
    found = answering_numbers(question, finding.statement)
    distinct: dict[tuple[Decimal, str], Number] = {}
    for number in found:
        distinct.setdefault((number.value, number.unit), number)
    return list(distinct.values())
