"""What a sentence gives as the fact, a date or an amount, and whether it says that it replaces another one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import regex

from ....text.numbers import Number
from ....text.periods import Period, find_periods, stands_in
from ....text.words import analyse
from ..asked.answer_types import answering_numbers
from ..asked.question import Question
from ..found.dating import PLANNED, stated_on
from ..found.findings import Finding

MOVED = regex.compile(
    r"\b(?:moved|postponed|delayed|rescheduled|deferred|pushed|put (?:off|back)|brought forward|advanced|shifted|"
    r"extended|prolonged|changed|revised|amended|verschoben|verlegt|verlängert|reporté|déplacé|aplazad[oa]|rinviat[oa]|"
    r"spostat[oa])\b",
    regex.IGNORECASE,
)
_TO_DATE = regex.compile(
    r"\b(?:to|until|till|for|auf|bis|au|à|al|hasta)\s+(?:the\s+|den\s+|dem\s+|el\s+|le\s+)?$", regex.IGNORECASE
)
RUNS = regex.compile(
    r"\b(?:runs?|valid|lasts?|continues?|in (?:force|effect)|ends?|expires?|terminates?|fixed|läuft|gilt|"
    r"endet|valable|vigente|valido)\b[^.;]{0,40}\b(?:until|till|to|on|up to|bis|au|hasta|al)\s+(?:the\s+|zum\s+|el\s+)?"
    r"(?=\d|\p{Lu}|$)",
    regex.IGNORECASE,
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
_REPLACED_BY = regex.compile(
    r"^[^.;]{0,30}\b(?:(?:is|are|was|were) (?:replaced|substituted|superseded) (?:by|with)|becomes?|"
    r"wird (?:durch|ersetzt)|durch|est remplacée? par|se sustituye por|"
    r"è sostituit[oa] (?:da|con))\s*(?:the (?:sum|amount|figure) of\s+)?$",
    regex.IGNORECASE,
)
_INSTEAD_OF = regex.compile(
    r"^[^.;]{0,30}\b(?:instead of|in place of|rather than|anstelle von|statt|au lieu de|en lugar de|invece di)\s*$",
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
        by_paper: Whether it changes another one by the paper that it stands in, an amendment or a later edition.
    """

    finding: Finding
    value: str
    key: str
    changes: bool
    unit: str = ""
    by_paper: bool = False

    @property
    def place(self) -> str:
        """The source that gives it."""
        return self.finding.candidate.uri


def date_in(question: Question, finding: Finding) -> Version | None:
    text = finding.candidate.text
    stated = stated_on(finding.candidate)
    told = [period for period in find_periods(text) if period.kind in _DATES]
    moved = MOVED.search(text)
    if moved is not None:
        after = [period for period in told if period.at > moved.end() and _TO_DATE.search(text[: period.at])]
        return _dated_version(finding, after[0], changes=True) if after else None
    ends = [period for period in told if RUNS.search(text[: period.at + 1], max(0, period.at - 60))]
    if len(ends) == 1 and moved is None:
        return _dated_version(finding, ends[0], changes=False)
    rest = [period for period in told if stated is None or period.at != stated.at or period.text != stated.text]
    if not rest or not PLANNED.search(text):
        return None
    return _dated_version(finding, rest[-1], changes=False)


def _dated_version(finding: Finding, period: Period, *, changes: bool) -> Version:
    return Version(finding, period.text, period.label(), changes)


def amount_in(question: Question, finding: Finding) -> Version | None:
    text = finding.candidate.text
    dated = find_periods(text)
    numbers = [
        number for number in answering_numbers(question, text) if number.unit and not stands_in(number.start, dated)
    ]
    changed = _CHANGED.search(text)
    if changed is not None and not _is_asked(question, changed.group()):
        after = [
            number for number in numbers if number.start > changed.end() and _TO_AMOUNT.search(text[: number.start])
        ]
        return _amount_version(finding, after[0], changes=True) if after else None
    if len(numbers) == 2 and _REPLACED_BY.search(text[numbers[0].end : numbers[1].start]):
        return replace(_amount_version(finding, numbers[1], changes=True), by_paper=True)
    if len(numbers) == 2 and _INSTEAD_OF.search(text[numbers[0].end : numbers[1].start]):
        return _amount_version(finding, numbers[0], changes=True)
    if len(numbers) != 1:
        return None
    replaces = _REPLACES.search(text)
    changes = replaces is not None and not _is_asked(question, replaces.group())
    return _amount_version(finding, numbers[0], changes=changes)


def _is_asked(question: Question, word: str) -> bool:
    """Whether a word of change is what the question is about: how often a seal is `replaced`."""
    return bool(set(analyse(word)) & set(question.terms))


def _amount_version(finding: Finding, number: Number, *, changes: bool) -> Version:
    return Version(finding, number.text, f"{number.value.normalize()}", changes, number.unit)
