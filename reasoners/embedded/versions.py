"""Two versions of one fact, a date that was moved or a price that was changed: the later one holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ...state.records import Conflict, ConflictValue
from ...text.numbers import Number
from ...text.periods import Period, find_periods
from .answer_types import answering_numbers
from .dating import PLANNED, dated, stated_on
from .findings import Finding
from .phrases import phrase
from .question import Question, key_phrase
from .telling import subject_terms
from .told_periods import periods_asked
from .weights import holds

_FIRST = 12
_ABOUT = 0.6
_MOVED = regex.compile(
    r"\b(?:moved|postponed|delayed|rescheduled|deferred|pushed|put (?:off|back)|brought forward|advanced|shifted|"
    r"extended|prolonged|changed|revised|amended|verschoben|verlegt|verlängert|reporté|déplacé|aplazad[oa]|rinviat[oa]|"
    r"spostat[oa])\b",
    regex.IGNORECASE,
)
_TO_DATE = regex.compile(
    r"\b(?:to|until|till|for|auf|bis|au|à|al|hasta)\s+(?:the\s+|den\s+|dem\s+|el\s+|le\s+)?$", regex.IGNORECASE
)
_CHANGED = regex.compile(
    r"\b(?:raised|increased|reduced|lowered|cut|changed|amended|revised|renegotiated|adjusted|dropped|rose|risen|fell|"
    r"went (?:up|down)|erhöht|gesenkt|gestiegen|geändert|augmenté|réduit|aumentad[oa]|reducid[oa]|aumentat[oa]|"
    r"ridott[oa])\b",
    regex.IGNORECASE,
)
# Such a sentence gives the value that holds now, wherever it stands in it.
_REPLACES = regex.compile(
    r"\b(?:replac(?:e|es|ed|ing)|supersed(?:e|es|ed|ing)|corrected|new(?=\s\p{Ll}+\s(?:is|are|will))|ersetzt|berichtigt|"
    r"remplac(?:e|é|ée|ent)|corrigé|sustituye|corregid[oa]|sostituisce)\b",
    regex.IGNORECASE,
)
_TO_AMOUNT = regex.compile(r"\b(?:to|auf|à|a)\s+(?:\p{Sc}|[A-Z]{3}\s?)?$", regex.IGNORECASE)
_DATES = frozenset({"day", "month", "quarter"})


@dataclass(frozen=True)
class Version:
    """What one statement gives as the fact.

    Attributes:
        value: As the source writes it.
        key: Equal for equal values.
        changes: Whether it says that it replaces another one.
        unit: Of an amount.
    """

    finding: Finding
    value: str
    key: str
    changes: bool
    unit: str = ""


def versions_of(question: Question, findings: Sequence[Finding]) -> tuple[Version, ...]:
    """Return the version that holds and then the ones before it; nothing where there are not two.

    One of them must say that it changes something: two dates of one thing may be those of two events.
    """
    if question.answer_type not in ("date", "number") or (question.answer_type == "number" and periods_asked(question)):
        return ()
    read = _date_in if question.answer_type == "date" else _amount_in
    about = [finding for finding in findings[:_FIRST] if _is_about(question, finding)]
    found = [version for finding in about if (version := read(question, finding)) is not None]
    changes = [version for version in found if version.changes]
    if not changes:
        return ()
    current = max(changes, key=_order)
    older: dict[str, Version] = {}
    for version in found:
        if (
            version.key != current.key
            and version.unit == current.unit
            and (version.changes or _order(version) <= _order(current))
        ):
            older.setdefault(version.key, version)
    return (current, *sorted(older.values(), key=_order, reverse=True)) if older else ()


def conflict_of(question: Question, versions: Sequence[Version], language: str) -> Conflict:
    """Return versions as a conflict that prefers the first, with the days of both."""
    current, older = versions[0], versions[1]
    later, earlier = dated(current.finding.scored.candidate), dated(older.finding.scored.candidate)
    reason = phrase("changes", language, value=older.value)
    if later and earlier and later != earlier:
        reason = phrase("changes_dated", language, value=older.value, later=later, earlier=earlier)
    return Conflict(
        subject=question.focus or key_phrase(question.text, question.language),
        attribute="",
        values=tuple(value_of(version.finding, version.value) for version in versions),
        preferred=current.value,
        reason=reason,
    )


def value_of(finding: Finding, value: str) -> ConflictValue:
    """Return a value as one side of a conflict, with the words that give it and their day."""
    passage = finding.scored.candidate.passage
    return ConflictValue(
        value=value,
        chunk_id=finding.scored.candidate.chunk_id,
        quote=next(
            (quote for quote in finding.quotes if quote.start == finding.scored.candidate.start), finding.quotes[-1]
        ),
        uri=passage.chunk.uri,
        tier=passage.source.tier,
        dated=dated(finding.scored.candidate),
    )


def _is_about(question: Question, finding: Finding) -> bool:
    asked = subject_terms(question)
    candidate = finding.scored.candidate
    held = sum(holds(candidate.terms, term) for term in asked)
    return candidate.row is None and held >= _ABOUT * len(asked)


def _date_in(question: Question, finding: Finding) -> Version | None:
    text = finding.scored.candidate.text
    stated = stated_on(finding.scored.candidate)
    told = [period for period in find_periods(text) if period.kind in _DATES]
    moved = _MOVED.search(text)
    if moved is not None:
        after = [period for period in told if period.at > moved.end() and _TO_DATE.search(text[: period.at])]
        return _dated_version(finding, after[0], changes=True) if after else None
    rest = [period for period in told if stated is None or period.at != stated.at or period.text != stated.text]
    if not rest or not PLANNED.search(text):
        return None
    return _dated_version(finding, rest[-1], changes=False)


def _dated_version(finding: Finding, period: Period, *, changes: bool) -> Version:
    return Version(finding, period.text, period.label(), changes)


def _amount_in(question: Question, finding: Finding) -> Version | None:
    text = finding.scored.candidate.text
    numbers = [number for number in answering_numbers(question, text) if number.unit and not _in_period(number, text)]
    changed = _CHANGED.search(text)
    if changed is not None:
        after = [
            number for number in numbers if number.start > changed.end() and _TO_AMOUNT.search(text[: number.start])
        ]
        return _amount_version(finding, after[0], changes=True) if after else None
    if len(numbers) != 1:
        return None
    return _amount_version(finding, numbers[0], changes=bool(_REPLACES.search(text)))


def _amount_version(finding: Finding, number: Number, *, changes: bool) -> Version:
    return Version(finding, number.text, f"{number.value.normalize()}", changes, number.unit)


def _in_period(number: Number, text: str) -> bool:
    return any(period.at <= number.start < period.to for period in find_periods(text))


def _order(version: Version) -> tuple[str, bool]:
    stated = stated_on(version.finding.scored.candidate)
    return stated.start.isoformat() if stated else "", version.changes
