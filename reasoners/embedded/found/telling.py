"""Keep to what tells a value of the kind asked for: a row without a date says nothing about when."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import regex

from ....text.numbers import Number, find_numbers
from ....text.periods import find_periods, stands_in
from ....text.words import analyse
from ...tables.catalog import date_of, header_words
from ...tables.wording import is_date_header
from ..asked.answer_types import asks_for_measure, asks_for_money, money_terms, type_evidence
from ..asked.question import Question
from .afterwards import happened_after
from .candidates import index_terms
from .findings import Finding
from .measured import measures
from .people import gives_contact, names_office
from .replies import of_the_reply, of_the_speaker, replies_to
from .rolls import asks_who_was_there, is_roll
from .scoring import focus_match
from .weights import holds, holds_all, holds_any

_HOW_MANY = regex.compile(r"\bhow many\b", regex.IGNORECASE)
_OPEN = regex.compile(r"\b(?:open|pending|unresolved|outstanding|ongoing|active)\b", regex.IGNORECASE)
_CLOSED = regex.compile(
    r"^(?:closed|settled|resolved|done|completed?|delivered|paid|dismissed|withdrawn|expired|terminated|cancell?ed|"
    r"answered|erledigt|geschlossen|abgeschlossen)\b",
    regex.IGNORECASE,
)
_STATUS = frozenset({"status", "state", "stage", "result", "outcome"})
_LASTS = frozenset(analyse("last lasted take took taken stay stayed"))
# Points stand below `Total` or `Score`.
_POINTS = frozenset(analyse("points marks"))
_SCORES = _POINTS | frozenset(analyse("total score result"))
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}.,%'’-]+")
_NEAR = 5
_NEAR_MEANING = 0.5
# Of a question with a date, a sentence that shares the date alone comes near by that.
_NEAR_MEANING_DATED = 0.6


def telling(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings without the rows that tell no value of the kind asked for, where any finding tells one.

    A sentence without a value may still lead to one; a row does not.  Of a question for a count nothing is left where
    findings name the thing and none counts it; of one for what is open, no record whose status says that it is closed.
    """
    after = happened_after(question, [each.candidate for each in findings])
    if after:
        return sorted(findings, key=lambda each: each.candidate not in after)
    kept = [
        each
        for each in findings
        if not _is_closed(question, each) and _has_a_word(question, each) and measures(question, each.candidate)
    ]
    kept = _of_the_office(question, _of_the_contact(question, of_the_reply(question, _without_rolls(question, kept))))
    kept = of_the_speaker(question, kept)
    replies = [each for each in kept if replies_to(question, each.candidate)]
    if replies:
        return [*replies, *(each for each in kept if each not in replies)]
    if counts(question):
        numbered = [finding for finding in kept if _plain_numbers(finding)]
        counted = [finding for finding in numbered if _counts_what_is_asked(question, finding)]
        if counted or any(_counted(question) <= finding.candidate.terms for finding in kept):
            return counted
        return numbered  # The sources have another word for it: `a population of` for people.
    if question.answer_type == "number":
        best = max((focus_match(question, finding.candidate) for finding in kept), default=0.0)
        kept = [
            finding
            for finding in kept
            if finding.candidate.row is None or focus_match(question, finding.candidate) >= best
        ]
    if not any(tells(question, finding) for finding in kept):
        return kept
    return [finding for finding in kept if finding.candidate.row is None or tells(question, finding)]


def _without_rolls(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Leave out who was present, or spoke with whom, where that is not asked and something else was found."""
    if asks_who_was_there(question):
        return list(findings)
    return [each for each in findings if not is_roll(each.candidate)] or list(findings)


def _of_the_office(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Keep what is told of the office that a question names for a person: another officer is no answer."""
    return [each for each in findings if names_office(question, each.candidate)]


def _of_the_contact(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Keep, of a question for a phone number or an e-mail address, one that stands by whose it is."""
    return [each for each in findings if gives_contact(question, each.candidate)]


def amounts_of(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return, of a question for money or a measure, the findings that state one and are about what it is asked of.

    They need not have its word for it: what something costs is its `price`, `fee` or `rent`.  What has a name of the
    question comes before what has its other words; none is left where only others have words of it themselves.
    """
    if not (asks_for_money(question) or asks_for_measure(question)):
        return []
    subject = [term for term in subject_terms(question) if term not in money_terms(question) | _LASTS]
    stated = [each for each in findings if each.scored.kind >= 1]

    def held(finding: Finding) -> tuple[int, int]:
        known = [term for term in subject if holds(finding.candidate.known, term)]
        return sum(term in question.name_terms for term in known), len(known)

    def own(finding: Finding) -> int:
        return sum(holds(finding.candidate.terms, term) for term in subject)

    most = max(map(held, stated), default=(0, 0))
    if not any(map(own, stated)) and max(map(own, findings), default=0) > 1:
        return []
    return [each for each in stated if held(each) == most] if most[1] or not subject else []


def counts(question: Question) -> bool:
    """Whether a question asks how many there are; how many tonnes or hours is a measure."""
    if question.answer_type != "number" or not question.focus or not _HOW_MANY.search(question.text):
        return False
    return not any(number.unit for number in find_numbers(f"2 {question.focus}"))


def subject_terms(question: Question) -> list[str]:
    """Return the terms that are no part of a date; all where a question has none but those."""
    undated = [term for term in question.terms if not term.isdigit() and term not in question.period_terms]
    return undated or list(question.terms)


def is_near(question: Question, finding: Finding) -> bool:
    """Whether a finding has a word of the question, in its own words or heading, or means nearly the same."""
    scored = finding.scored
    candidate = scored.candidate
    asked = subject_terms(question)
    near = _NEAR_MEANING_DATED if question.periods else _NEAR_MEANING
    if scored.dense >= near or holds_any(candidate.terms, asked):
        return True
    if candidate.row is not None:
        return True
    if holds_all(candidate.context, asked):
        return True  # Its whole source is about what is asked.
    text = candidate.passage.chunk.text
    heads = [text[slice(*place)] for place in (candidate.heading, candidate.section) if place]
    return any(holds(analyse(head), term) for head in heads for term in asked)


def tells(question: Question, finding: Finding) -> bool:
    """Whether a finding holds a value of the kind asked for; always, where a kind has no values to look for."""
    candidate = finding.candidate
    if question.answer_type == "date" and candidate.row is not None:
        dated = [cell for cell in candidate.row.cells if not is_date_header(cell.header)]
        return any(date_of(cell.text.strip()) or type_evidence(question, cell.text) for cell in dated)
    if question.answer_type in ("number", "date"):
        return finding.scored.kind > 0
    return True


def _counted(question: Question) -> set[str]:
    """Return the index term of the thing to be counted."""
    return set(analyse(question.focus)[-1:])


def _plain_numbers(finding: Finding) -> list[Number]:
    """Return the numbers that may be a count: no date, no share, no money, no name."""
    text = finding.candidate.text
    dates = [period for period in find_periods(text) if period.kind == "day"]
    return [
        number
        for number in find_numbers(text)
        if not number.is_year
        and not number.unit
        and number.kind in ("cardinal", "fraction", "word")
        and not stands_in(number.start, dates)
    ]


def _counts_what_is_asked(question: Question, finding: Finding) -> bool:
    """Whether a number stands by the thing counted: in its column, or a few words from it."""
    wanted = _counted(question)
    candidate = finding.candidate
    if candidate.row is not None:
        cells = [cell for cell in candidate.row.cells if find_numbers(cell.text) and not date_of(cell.text.strip())]
        named = " ".join([candidate.row.label, candidate.row.caption])
        heads = [set(analyse(header_words(cell.header))) for cell in cells]
        return bool(wanted & set(analyse(named))) or any(
            wanted & head or (wanted <= _POINTS and head & _SCORES) for head in heads
        )
    text = candidate.text
    words = [(match.start(), match.group()) for match in _WORD.finditer(text)]
    things = [place for place, (_, word) in enumerate(words) if wanted & set(analyse(word))]
    numbers = [
        place
        for number in _plain_numbers(finding)
        for place, (start, word) in enumerate(words)
        if start <= number.start < start + len(word)
    ]
    return any(abs(thing - number) <= _NEAR for thing in things for number in numbers)


def _has_a_word(question: Question, finding: Finding) -> bool:
    """Whether a row, or the name of its source, has a word of the question; the page around it is no sign."""
    candidate = finding.candidate
    if candidate.row is None:
        return True
    own = candidate.terms | index_terms(header_words(PurePosixPath(candidate.uri).stem))
    return holds_any(own, question.terms)


def _is_closed(question: Question, finding: Finding) -> bool:
    row = finding.candidate.row
    if row is None or question.answer_type != "list" or not _OPEN.search(question.text):
        return False
    return any(
        _CLOSED.match(cell.text.strip())
        for cell in row.cells
        if _STATUS & set(header_words(cell.header).casefold().split())
    )
