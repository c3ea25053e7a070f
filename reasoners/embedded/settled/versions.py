"""Two versions of one fact, a date that was moved or a price that was changed: the later one holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

import regex

from ....state.records import Conflict, ConflictValue
from ....text.numbers import Number
from ....text.periods import Period, find_periods
from ....text.words import analyse
from ...protocol import Passage
from ..asked.answer_types import answering_numbers, money_terms
from ..asked.question import Question, focus_terms, key_phrase
from ..found.candidates import Candidate
from ..found.dating import PLANNED, dated, stated_on
from ..found.effective import effective_from
from ..found.findings import Finding
from ..found.papers import Papers
from ..found.telling import subject_terms
from ..found.told_periods import periods_asked
from ..found.weights import holds
from ..phrases import Key, phrase
from .overtaken import overtaken
from .row_versions import same_but_later

_FIRST = 12
_ABOUT = 0.6
_OWN = 0.3
_OF_THE_CLAUSE = 0.8
# What holds now is asked for by these; no source repeats them.
_NOW = frozenset(analyse("today now currently still present nowadays"))
_MOST_ROWS = 3
_MOVED = regex.compile(
    r"\b(?:moved|postponed|delayed|rescheduled|deferred|pushed|put (?:off|back)|brought forward|advanced|shifted|"
    r"extended|prolonged|changed|revised|amended|verschoben|verlegt|verlängert|reporté|déplacé|aplazad[oa]|rinviat[oa]|"
    r"spostat[oa])\b",
    regex.IGNORECASE,
)
_TO_DATE = regex.compile(
    r"\b(?:to|until|till|for|auf|bis|au|à|al|hasta)\s+(?:the\s+|den\s+|dem\s+|el\s+|le\s+)?$", regex.IGNORECASE
)
_RUNS = regex.compile(
    r"\b(?:runs?|valid|lasts?|continues?|in (?:force|effect)|ends?|expires?|terminates?|fixed|läuft|gilt|"
    r"endet|valable|vigente|valido)\b[^.;]{0,40}\b(?:until|till|to|on|up to|bis|au|hasta|al)\s+(?:the\s+|zum\s+|el\s+)?"
    r"(?=\d|\p{Lu}|$)",
    regex.IGNORECASE,
)
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
_EDITION_ASKED = regex.compile(r"\b(?:version|revision|edition|rev|draft)\b", regex.IGNORECASE)
_FORMER = regex.compile(
    r"\b(?:old|original|former|previous|earlier|initial)(?:ly)?\b|\bbefore\b|\bused to\b|\b(?:at first|firstly)\b|"
    # The first shop is no former one.
    r"\bfirst (?:price|date|day|figure|estimate|version|edition|draft|amount|value|rent|fee|deadline|plan|term|limit|"
    r"planned|set|stated|given|reported|quoted|announced|named|agreed|offered|published)\b",
    regex.IGNORECASE,
)
_PART_OF_PRICE = regex.compile(
    r"\b(?:compensation|minimum|"
    r"deposit|down payment|instal+ments?|discount|deduct\w*|penalt\w+|surcharge|refund\w*|credit\w*|anzahlung|"
    r"rabatt|acompte|remise|descuento|acconto)\b",
    regex.IGNORECASE,
)


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
        return self.finding.scored.candidate.passage.chunk.uri


def versions_of(
    question: Question, findings: Sequence[Finding], passages: Sequence[Passage] = ()
) -> tuple[Version, ...]:
    """Return the version that holds and then the ones before it; nothing where there are not two.

    Where none of the findings say it, any statement of the passages may call the value of the first one wrong, or give
    it anew.

    Args:
        passages: What was found, which tells which paper changes which.
    """
    told = _told_versions(question, findings, passages)
    if told:
        return told
    return tuple(
        Version(each.finding, each.value, each.key, not at, by_paper=not each.says_so)
        for at, each in enumerate(overtaken(question, findings, passages))
    )


def _told_versions(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> tuple[Version, ...]:
    """Return the version that holds and then the ones before it, of those that findings give.

    One of them must say that it changes something, or stand in a paper that amends or replaces the other's: two dates
    of one thing may be those of two events.

    Args:
        passages: What was found, which tells which paper changes which.
    """
    if question.answer_type not in ("date", "number"):
        return ()
    periods = periods_asked(question) if question.answer_type == "number" else ()
    if not periods and (rows := same_but_later(question, findings)):
        kept = [Version(finding, cell.text, cell.text, True, by_paper=True) for finding, cell in rows]
        return tuple({version.key: version for version in reversed(kept)}.values())[::-1][:_MOST_ROWS]
    read = _date_in if question.answer_type == "date" else _amount_in
    papers = Papers(passages)
    first = [finding for at, finding in enumerate(findings) if at < _FIRST or finding.scored.candidate.clause]
    near = {id(finding): _nearness(question, finding, papers) for finding in first}
    about = [finding for finding in first if near[id(finding)]]
    found = [version for finding in about if (version := read(question, finding)) is not None]
    if not _EDITION_ASKED.search(question.text):
        found = _by_paper(found, papers)
    if periods:
        return _held_at(max(period.end for period in periods), found, papers)
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
            and all(version.changes or version.place != other.place for other in older.values())
            and (near[id(version.finding)] > 1 or papers.together(version.place, current.place))
        ):
            older.setdefault(version.key, version)
    if not older:
        # `In clause 3 the sum of EUR 60 is replaced by EUR 75` tells both.
        return (current,) if current.finding.scored.candidate.clause and current.by_paper else ()
    return (current, *sorted(older.values(), key=_order, reverse=True))


def _held_at(day: date, found: Sequence[Version], papers: Papers) -> tuple[Version, ...]:
    """Return the version that held on a day and then the ones before it, of papers that change one another.

    Each holds from the day that it gives, else from that of its paper.  Nothing where no paper changes another's.
    """
    chain = [
        version
        for version in found
        if any(
            version.unit == other.unit
            and (papers.changes(version.place, other.place) or papers.changes(other.place, version.place))
            for other in found
        )
    ]
    chain = list({version.place: version for version in reversed(chain)}.values())
    begun = sorted(
        ((begins, version) for version in chain if (begins := _begins(version, papers)) is not None and begins <= day),
        key=lambda each: each[0],
        reverse=True,
    )
    return tuple({version.key: version for _, version in reversed(begun)}.values())[::-1]


def _begins(version: Version, papers: Papers) -> date | None:
    candidate = version.finding.scored.candidate
    own = effective_from(candidate.text) or papers.begins(version.place)
    stated = stated_on(candidate)
    return own or (stated.start if stated else None)


def amends_what_is_asked(question: Question, candidate: Candidate) -> bool:
    """Whether a span amends a clause that has most of what is asked for, without repeating it."""
    named = {term for name in question.names for term in analyse(name)}
    plain = [term for term in subject_terms(question) if term not in named]
    return bool(candidate.clause) and _share_held(candidate.clause, plain) >= _ABOUT


def amendment_of(lead: Finding, findings: Sequence[Finding], papers: Papers) -> Finding | None:
    """Return the finding that amends, by its number, the clause that another one is of; None where none does."""
    said = analyse(lead.scored.candidate.text)
    place = lead.scored.candidate.passage.chunk.uri
    for finding in findings:
        candidate = finding.scored.candidate
        if (
            candidate.clause
            and not _UNCHANGED.search(candidate.text)
            and papers.changes(candidate.passage.chunk.uri, place)
            and _share_held(candidate.clause, said) >= _OF_THE_CLAUSE
        ):
            return finding
    return None


def asks_for_former(question: Question) -> bool:
    """Whether a question wants what held before: both are told, the older first, and nothing is in conflict."""
    return bool(_FORMER.search(question.text))


def conflict_of(question: Question, versions: Sequence[Version], language: str) -> Conflict:
    """Return versions as a conflict that prefers the first, with the days of both."""
    current, older = versions[0], versions[1]
    later, earlier = dated(current.finding.scored.candidate), dated(older.finding.scored.candidate)
    reason = phrase("changes", language, value=older.value)
    if later and earlier and later != earlier:
        key: Key = "later" if current.by_paper else "changes_dated"
        reason = phrase(key, language, value=older.value, later=later, earlier=earlier)
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


def _nearness(question: Question, finding: Finding, papers: Papers) -> int:
    """Return 2 for a sentence that says by itself or its title what is asked, 1 where its paper must help, else 0."""
    candidate = finding.scored.candidate
    asked = _beside_the_end(question, candidate)
    if candidate.row is not None or _only_part(question, candidate.text):
        return 0
    if _share_held(candidate.terms, asked) >= _ABOUT:
        return 2
    if amends_what_is_asked(question, candidate):
        return 1
    known = candidate.terms | candidate.context
    priced = money_terms(question)
    if priced:
        # What something costs is its price, its fee or what is offered for it.
        subject = [term for term in asked if term not in priced and term not in _NOW]
        if finding.scored.kind < 1 or not subject:
            return 0
        if all(holds(known, term) for term in subject):
            return 2
        around = known | papers.around(candidate.passage.chunk.uri)
        named = {term for name in question.names for term in analyse(name)}
        plain = [term for term in subject if term not in named]
        share = _share_held(candidate.terms | candidate.clause, plain)
        return int(share >= _OWN and all(holds(around, term) for term in subject))
    asked = [term for term in asked if term not in _NOW]
    around = known | papers.around(candidate.passage.chunk.uri)
    if not all(holds(around, term) for term in asked):
        return 0
    focus = focus_terms(question)
    named = {term for name in question.names for term in analyse(name)}
    plain = [term for term in asked if term not in named]
    own = candidate.terms | candidate.clause
    if not plain and asked != subject_terms(question) and _OF_A_TERM.search(candidate.text):
        return 1  # It tells until when the paper runs that is asked for.
    if (focus and all(holds(own, term) for term in focus)) or _share_held(own, plain) >= _ABOUT:
        return 2 if all(holds(known, term) for term in asked) else 1
    return 0


def _beside_the_end(question: Question, candidate: Candidate) -> list[str]:
    """Return the subject of a question, without its word for the end where a sentence tells until when it runs."""
    asked = subject_terms(question)
    told = _RUNS.search(candidate.text) or _MOVED.search(candidate.text)
    if question.answer_type != "date" or not told:
        return asked
    deed = bool((candidate.terms | candidate.context) & _DEEDS)
    return [term for term in asked if term not in _ENDING and not (deed and term in _DEEDS)]


def _share_held(terms: Collection[str], asked: Sequence[str]) -> float:
    return sum(holds(terms, term) for term in asked) / len(asked) if asked else 0.0


def _only_part(question: Question, text: str) -> bool:
    """Whether a sentence tells of an amount that is only a part of a price, which the question does not ask for."""
    asked = question.text.casefold()
    return any(word.casefold() not in asked for word in _PART_OF_PRICE.findall(text))


def _by_paper(found: Sequence[Version], papers: Papers) -> list[Version]:
    """Return versions of which those in a paper that changes the paper of another one are said to change it."""

    def changed_by(version: Version, other: Version) -> bool:
        return other.key != version.key and other.unit == version.unit and papers.changes(other.place, version.place)

    return [
        replace(version, changes=True, by_paper=True)
        if any(changed_by(other, version) for other in found) and not any(changed_by(version, other) for other in found)
        else version
        for version in found
    ]


def _date_in(question: Question, finding: Finding) -> Version | None:
    text = finding.scored.candidate.text
    stated = stated_on(finding.scored.candidate)
    told = [period for period in find_periods(text) if period.kind in _DATES]
    moved = _MOVED.search(text)
    if moved is not None:
        after = [period for period in told if period.at > moved.end() and _TO_DATE.search(text[: period.at])]
        return _dated_version(finding, after[0], changes=True) if after else None
    ends = [period for period in told if _RUNS.search(text[: period.at + 1], max(0, period.at - 60))]
    if len(ends) == 1 and moved is None:
        return _dated_version(finding, ends[0], changes=False)
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


def _in_period(number: Number, text: str) -> bool:
    return any(period.at <= number.start < period.to for period in find_periods(text))


def _order(version: Version) -> tuple[str, bool]:
    stated = stated_on(version.finding.scored.candidate)
    return stated.start.isoformat() if stated else "", version.changes
