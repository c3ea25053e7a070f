"""A value that another source calls wrong, replaces or gives anew later: the new one leads, the old one is told too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import regex

from ....state.records import Cell, Quote
from ....text.numbers import Number, find_numbers
from ....text.periods import Period, find_periods, same_period
from ....text.replaced import first_is_older
from ....text.words import analyse
from ...protocol import Passage
from ...support.exact import is_label
from ...support.tense import TO_COME
from ..asked.question import Question
from ..found.candidates import Candidate, candidates_of, index_terms
from ..found.dating import dated
from ..found.findings import Finding
from ..found.told_periods import periods_asked
from ..found.weights import holds

_LEADS = 2
_FIRST = 4
_FIGURES = frozenset({"number", "entity", "definition", "explanation"})
_DATES = frozenset({"day", "month", "quarter", "half"})
_VOID = regex.compile(
    r"^[^.;]{0,120}?\b(?:(?:is|are|was|were|has been|have been|had been)\s(?:(?:now|therefore|thus|already|since)\s)?"
    r"(?:superseded|wrong|incorrect|inaccurate|mistaken|obsolete|outdated|out of date|void|withdrawn|corrected|"
    r"overstated|understated|replaced|too (?:high|low)|an? (?:error|mistake|typo|misprint))|no longer\s\p{L}+|"
    r"(?:does|do) not (?:hold|stand|apply)|should (?:read|be|have (?:been|read))|must (?:read|be corrected)|"
    r"(?:ist|sind|war|wurde)\s(?:überholt|falsch|veraltet|nicht mehr|ein (?:Fehler|Irrtum)|berichtigt|korrigiert)|"
    r"(?:est|était|a été)\s(?:erronée?|faux|fausse|périmée?|caduque?|dépassée?|corrigée?|remplacée?)|n['’]est plus|"
    r"(?:es|era|fue)\s(?:erróne[oa]|incorrect[oa]|obsolet[oa]|corregid[oa])|ya no|"
    r"(?:è|era)\s(?:errat[oa]|superat[oa]))\b",
    regex.IGNORECASE,
)
_VOIDS = regex.compile(
    r"(?:\b(?:corrects?|correcting|correction (?:of|to)|supersed(?:es|ing)|replac(?:es|ing)|instead of|rather than|"
    r"no longer|berichtigt|ersetzt|statt|anstelle von|remplace|au lieu de|corrige|en lugar de|sustituye|sostituisce|"
    r"invece di)\b[^.;\d]{0,60}|,\s(?:and\s)?not\s)$",
    regex.IGNORECASE,
)
_NOW = regex.compile(
    r"\b(?:(?<!\bfrom )now(?!\sthat\b)|no longer|new (?:date|estimate|figure|forecast|price|quote|deadline|target)|"
    r"(?:latest|revised|updated) (?:date|estimate|figure|forecast|price|quote|deadline|plan|target)|re-?forecast|"
    r"(?:slip\w*|rises?|raised|increased?|lowered|reduced|cut|falls?|changed?|revised|moved|postponed|extended|"
    r"goes (?:up|down)) to(?!\s\p{L})|pass(?:e|era|ent) à|(?:steigt|sinkt) auf|"
    r"(?:put|pushed) (?:back|off) to|jetzt|nunmehr|inzwischen|neuer termin|désormais|maintenant|"
    r"dorénavant|ahora|ora|adesso)\b",
    regex.IGNORECASE,
)
_RANGE = regex.compile(r"^\s?(?:and|to|bis|und|à|et|y|a|–|-)\s?(?:\p{Sc}|\p{Lu}{3}\s)?$", regex.IGNORECASE)
_NUMBERED = regex.compile(
    r"\b(?:edition|version|revision|release|no|number|section|clause|article|page|phase|week|day|site|item|room|table|"
    r"figure|amendment|appendix|annex|ausgabe|auflage|fassung|nummer|woche|tag|seite|édition|semaine|jour)\.?\s*$",
    regex.IGNORECASE,
)
# `14 % against 7 % of the others` sets two things side by side.
_COMPARES = regex.compile(r"\b(?:against|compared|versus|gegenüber|contre|frente a)\b", regex.IGNORECASE)
_WAS = regex.compile(
    r"\b(?:was|were|had|did|been|wurden?|war|waren|hatten?|a été|était|étaient|fue|fueron|era|eran)\b", regex.IGNORECASE
)
_WITHOUT = regex.compile(
    r"\b(?:without|not|no|other|others|rest|ohne|nicht|andere\p{L}*|sans|autres?|sin|senza)\b", regex.IGNORECASE
)
_BY_THEN = regex.compile(
    r"\b(?:by|as (?:of|at)|until|up to|so far|to date|bis|jusqu['’]au|hasta|fino a)\b", regex.IGNORECASE
)
_WAS_DONE = regex.compile(
    r"^(?:\s\p{L}[\p{L}-]*){0,3}?\s(?:had been|have been|has been|were|was|are|had|have)\s(?:\p{L}+ly\s)?"
    r"(?P<done>\p{L}+)",
    regex.IGNORECASE,
)
_CLAUSE = regex.compile(r"^\W*(?:§\s*)?\d{1,3}(?:\.\d{1,3})+\.?\s")
_SPECIFIC = 3
_FURTHER = 2
_COMMON = 0.3
_MOST_RATIO = 4
_HELD = 0.6


@dataclass(frozen=True)
class Told:
    """A finding with a value that it gives.

    Attributes:
        value: As the source writes it.
        key: What tells it from others.
        says_so: Whether it says itself that it takes the place of the other one; else it is only later.
    """

    finding: Finding
    value: str
    key: str
    says_so: bool = False


_Pair = tuple[Told, Told]


@dataclass(frozen=True)
class _Value:
    """A figure or date of a text, with where it stands; a range is told whole."""

    text: str
    start: int
    end: int
    number: Number | None = None
    period: Period | None = None

    def is_like(self, other: _Value) -> bool:
        """Whether two values are of one kind: amounts of a unit, or dates."""
        if self.number is not None and other.number is not None:
            return self.number.unit == other.number.unit
        return self.period is not None and other.period is not None

    def equals(self, other: _Value) -> bool:
        if self.number is not None and other.number is not None:
            return self.number.unit == other.number.unit and self.number.value == other.number.value
        return self.period is not None and other.period is not None and same_period(self.period, other.period)

    @property
    def key(self) -> str:
        return (
            f"{self.number.value.normalize()}" if self.number is not None else str(self.period and self.period.label())
        )

    @property
    def is_specific(self) -> bool:
        """Whether hardly anything else has this very value."""
        digits = "".join(sign for sign in self.text if sign.isdigit()).strip("0")
        return self.period is not None or len(digits) >= _SPECIFIC


class _Sources:
    """The spans of passages, with how common each of their words is."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages

    @cached_property
    def spans(self) -> list[Candidate]:
        return [each for passage in self._passages for each in candidates_of(passage)]

    def is_rare(self, term: str) -> bool:
        held = sum(term in span.terms for span in self.spans)
        return held <= max(_FURTHER, _COMMON * len(self.spans))


def overtaken(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> tuple[Told, ...]:
    """Return the value that holds and the one that it overtakes; nothing where nothing says that one does.

    The value of one of the first findings is overtaken where another statement, no older by its date, calls it wrong
    or names it as the one before (`lowered to 7 (before: 12)`); where a later one gives what is so now (`now expected
    in June`); and, of a count up to a day, where a later one gives more.
    """
    if not findings or question.answer_type not in _FIGURES | {"date"}:
        return ()
    sources = _Sources(passages)
    valued = [
        (each, values) for each in findings[:_FIRST] if (values := list(_values_of(question, each.scored.candidate)))
    ]
    for lead, values in valued[:_LEADS]:
        for rule in (_voided, _anew, _counted_on):
            found = rule(question, lead, values, sources)
            # Where the second one is overtaken, the first one must be what overtakes it.
            first = valued[0][0]
            if found is not None and (lead is first or _meets(_span(found[0].finding), _span(first))):
                return found
    return ()


def _span(finding: Finding) -> Candidate:
    return finding.scored.candidate


def _voided(question: Question, lead: Finding, values: Sequence[_Value], sources: _Sources) -> _Pair | None:
    """Return what another statement gives for a value of a finding that it calls wrong, or names as the one before."""
    own = lead.scored.candidate
    for span in sources.spans:
        if span.row is not None or _meets(span, own) or _is_older(span, own):
            continue
        told = list(_values(span.text))
        for value in values:
            gone = next((each for each in told if each.equals(value)), None)
            if gone is None:
                continue
            shared = _shared(question, span, own)
            before, behind = span.text[: gone.start], span.text[gone.end :]
            if _VOID.match(behind) or _VOIDS.search(before):
                if not shared and not value.is_specific:
                    continue
                if (found := _in_its_place(span, gone, told, sources)) is not None:
                    new, end = found
                    return _told(lead, span, new, end, says_so=True), Told(lead, _in_full(value, own.text), value.key)
            holds_now = next((each for each in told if _is_newer(span.text, each, gone)), None)
            if holds_now is not None and len(shared) > 1:
                return _told(lead, span, holds_now, span.end, says_so=True), Told(
                    lead, _in_full(value, own.text), value.key
                )
    return None


def _in_its_place(
    span: Candidate, gone: _Value, told: Sequence[_Value], sources: _Sources
) -> tuple[_Value, int] | None:
    """Return the value that holds, and the end of the sentence that gives it: the same one or one of the next."""
    own = [each for each in told if each.is_like(gone) and not each.equals(gone)]
    if own:
        return min(own, key=lambda each: (each.start < gone.start, abs(each.start - gone.start))), span.end
    text = span.passage.chunk.text
    behind = sorted(
        (each for each in sources.spans if each.chunk_id == span.chunk_id and each.start >= span.end and not each.row),
        key=lambda each: each.start,
    )
    for each in behind[:_FURTHER]:
        if "\n\n" in text[span.end : each.start]:
            return None
        like = [value for value in _values(each.text) if value.is_like(gone) and not value.equals(gone)]
        if len(like) == 1:
            return like[0], each.end
    return None


def _anew(question: Question, lead: Finding, values: Sequence[_Value], sources: _Sources) -> _Pair | None:
    """Return what a later statement says is so now, where a finding tells what was expected or is."""
    own = lead.scored.candidate
    ahead = TO_COME.search(own.text)
    if (not ahead and (own.row is not None or _WAS.search(own.text))) or _WAS.search(question.text):
        return None

    def several(value: _Value) -> bool:
        """Whether the finding has other figures of the unit, each of which may be of another thing."""
        return value.number is not None and sum(each.is_like(value) for each in values) > 1

    named = {term for name in question.names for term in analyse(name) if holds(own.terms, term)}
    best: tuple[int, Told, _Value] | None = None
    asked = periods_asked(question)
    for span in sources.spans:
        if _meets(span, own) or not _is_later(span, own):
            continue
        for cell, text in _parts(span):
            now = _NOW.search(text)
            if now is None:
                continue
            after = [each for each in _values(text, periods=question.answer_type == "date") if each.start >= now.end()]
            if asked and not any(
                period.start <= one.end and one.start <= period.end for period in asked for one in find_periods(text)
            ):
                continue
            for value in values:
                new = next((each for each in after if each.is_like(value)), None)
                if new is None or new.equals(value) or _is_far(new, value):
                    continue
                shared = {term for term in _shared(question, span, own) if sources.is_rare(term)}
                known = span.terms | span.context
                if not all(holds(known, term) for term in named):
                    continue
                whole = all(holds(known, term) for term in question.terms)
                if not whole and (
                    several(value)
                    or len(shared) < _FURTHER
                    or not any(holds(span.terms, term) for term in question.terms)
                ):
                    continue
                told = _told(lead, span, new, span.end, cell)
                if best is None or len(shared) > best[0]:
                    best = (len(shared), told, value)
    if best is None:
        return None
    return best[1], Told(lead, _in_full(best[2], own.text), best[2].key)


def _counted_on(question: Question, lead: Finding, values: Sequence[_Value], sources: _Sources) -> _Pair | None:
    """Return the higher count of a later statement, where a finding counts up to a day that is not asked for."""
    own = lead.scored.candidate
    if question.answer_type != "number" or question.periods or not _BY_THEN.search(own.text) or own.row is not None:
        return None
    for value in values:
        verbs = _done(own.text, value) & set(question.terms)
        if value.number is None or value.number.unit or not verbs:
            continue
        for span in sources.spans:
            if span.row is not None or not _is_later(span, own) or TO_COME.search(span.text):
                continue
            for each in _values(span.text, small=True):
                if (
                    each.number is not None
                    and not each.number.unit
                    and each.number.value > value.number.value
                    and verbs & _done(span.text, each)
                    and not _BY_THEN.search(span.text)
                ):
                    return _told(lead, span, each, span.end), Told(lead, value.text, value.key)
    return None


def _done(text: str, value: _Value) -> set[str]:
    """Return the index terms of what was done to so many: `214 participants had been randomised`."""
    clause = regex.split(r"[,.;:]", text[value.end :], maxsplit=1)[0]
    match = _WAS_DONE.match(clause)
    return set(analyse(match["done"])) if match else set()


def _values_of(question: Question, candidate: Candidate) -> Iterator[_Value]:
    """Yield the values of a finding that may be what is asked for.

    Of several figures of one unit none is, where the question asks for the ones that are not so.
    """
    text = candidate.text
    every = [value.number.unit for value in _values(text) if value.number is not None and value.number.unit]
    if len(set(every)) < len(every) and _WITHOUT.search(question.text):
        return
    asked = {number.value for number in find_numbers(question.text)}
    for value in _values(text, periods=question.answer_type == "date", small=True):
        if value.number is not None and (question.answer_type == "date" or value.number.value in asked):
            continue
        yield value


def _values(text: str, *, periods: bool = True, small: bool = False) -> Iterator[_Value]:
    """Yield the figures and dates of a text, in order.

    Args:
        periods: Whether dates are wanted.
        small: Whether bare figures count too, which have no unit.
    """
    told = find_periods(text)
    mark = _CLAUSE.match(text)
    numbers = [
        number
        for number in find_numbers(text)
        if number.start >= (mark.end() if mark else 0)
        and not number.is_year
        and number.kind not in ("identifier", "ordinal", "date")
        and (number.unit or small or number.value > _SPECIFIC)
        and not any(period.at <= number.start < period.to for period in told)
        and not (not number.unit and (is_label(number, text) or _NUMBERED.search(text[: number.start])))
    ]
    found = [_Value(number.text.rstrip(".,"), number.start, number.end, number) for number in numbers]
    if periods:
        found += [_Value(each.text, each.at, each.to, None, each) for each in told if each.kind in _DATES]
    yield from sorted(found, key=lambda each: each.start)


def _in_full(value: _Value, text: str) -> str:
    """Return a value as its text writes it, a range with both of its ends."""
    like = [each for each in _values(text) if each.is_like(value) and each.number is not None]
    for one, other in pairwise(like):
        joined = _RANGE.match(text[one.end : other.start]) and value.start in (one.start, other.start)
        # `from 3 to 4` are two values.
        if joined and first_is_older(text, one.start, one.end, other.start) is None:
            return " ".join(text[one.start : other.end].split()).rstrip(".,")
    return value.text


def _is_newer(text: str, value: _Value, gone: _Value) -> bool:
    """Whether a text says of two values that one has come in the place of the other."""
    if value.number is None or gone.number is None or not value.is_like(gone) or value.equals(gone):
        return False
    first, second = sorted((value, gone), key=lambda each: each.start)
    if _COMPARES.search(text[first.end : second.start]):
        return False
    older = first_is_older(text, first.start, first.end, second.start)
    return older is not None and older is (first is gone)


def _is_far(new: _Value, value: _Value) -> bool:
    if new.number is None or value.number is None or not value.number.value:
        return False
    ratio = abs(new.number.value / value.number.value)
    return not 1 <= ratio * _MOST_RATIO <= _MOST_RATIO * _MOST_RATIO


def _parts(span: Candidate) -> Iterator[tuple[Cell | None, str]]:
    """Yield what a span says: a sentence as it is, each cell of a row by itself."""
    if span.row is None:
        yield None, span.text
        return
    yield from ((cell, cell.text) for cell in span.row.cells)


def _told(
    lead: Finding, span: Candidate, value: _Value, end: int, cell: Cell | None = None, *, says_so: bool = False
) -> Told:
    """Return a span, up to the end of the sentence that gives the value, as a finding; of a row the cell that does."""
    chunk = span.passage.chunk
    text = chunk.text[span.start : end]
    statement = " ".join(text.split())
    if cell is not None and span.row is not None:
        known = lead.scored.candidate.terms
        others = [each for each in span.row.cells if each is not cell and len(each.text.split()) > 1]
        named = max(others, key=lambda each: len(index_terms(each.text) & known), default=None)
        said = " ".join(cell.text.split())
        statement = f"{named.text.strip()}: {said}." if named is not None else f"{said}."
        shown = value.text
    else:
        shown = _in_full(value, span.text) if end == span.end else value.text
    quote = Quote(chunk_id=chunk.chunk_id, start=span.start, end=end, text=text)
    scored = replace(lead.scored, candidate=span)
    return Told(Finding(statement, (quote,), scored, ()), shown, value.key, says_so)


def _shared(question: Question, span: Candidate, own: Candidate) -> set[str]:
    """Return the words that a statement shares with a finding or the question; figures and dates are none."""
    known = own.terms | frozenset(question.terms)
    dates = {term for period in find_periods(span.text) for term in analyse(period.text)}
    return {term for term in span.terms if holds(known, term) and not term.isdigit() and term not in dates}


def _meets(one: Candidate, other: Candidate) -> bool:
    if one.passage.chunk.uri != other.passage.chunk.uri:
        return False
    base, at = one.passage.chunk.start, other.passage.chunk.start
    return base + one.start < at + other.end and at + other.start < base + one.end


def _is_older(one: Candidate, other: Candidate) -> bool:
    mine, theirs = _days(one, other)
    return bool(mine and theirs) and mine < theirs


def _is_later(one: Candidate, other: Candidate) -> bool:
    mine, theirs = _days(one, other)
    return bool(mine and theirs) and mine > theirs


def _days(one: Candidate, other: Candidate) -> tuple[str, str]:
    """Return the days of two statements: those of their sources where both have one, else those that they tell."""
    days = [each.passage.source.published_at for each in (one, other)]
    if all(days):
        return days[0].date().isoformat(), days[1].date().isoformat()  # type: ignore[union-attr]
    return dated(one), dated(other)
