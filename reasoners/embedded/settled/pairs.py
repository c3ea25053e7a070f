"""Settle what is asked of two things at once: each is asked about by itself, or what they have is set side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from ....state.records import Quote
from ....text.numbers import find_numbers
from ....text.periods import find_periods
from ....text.words import analyse
from ...tables.catalog import header_words
from ..asked.pairs import Pair, pair_asked
from ..asked.question import Question, read_question
from ..found.candidates import Candidate
from ..found.findings import Finding
from ..found.weights import holds_all
from .comparing import IS_A, is_about
from .verdicts import verdict_of

_PLACED = regex.compile(r"\b(?:located|situated|based)\s+(?=in\b|at\b|on\b|near\b)", regex.IGNORECASE)
_ORIGIN = frozenset(analyse("nationality country nation citizenship"))
_NO_LONGER = regex.compile(r"\b(?:former|formerly|ex-|once|no longer|not|never|planned|proposed)\b", regex.IGNORECASE)
_NAME = r"\p{Lu}[\p{L}\p{M}'’&.-]*(?:\s+(?:(?:of|the|de|la|and)\s+)?\p{Lu}[\p{L}\p{M}'’&.-]*)*"
# Where what something is ends, and what else is told of it begins.
_GOES_ON = regex.compile(
    r"\b(?:that|which|who|whose|where|for|with|by|used|and (?:is|was|has|had|might|may|can|will))\b", regex.IGNORECASE
)
_NEAR = 24
_SUBJECT_CHARS = 160
_TIMES = ("year", "month", "day", "date")


@dataclass(frozen=True)
class PairVerdict:
    """`Yes` or `No` to what is asked of two things.

    Attributes:
        answer: The word.
        told: What bears it out, in words.
        quotes: Where these stand.
        aside: What is told of the thing that does not settle it.
    """

    answer: str
    told: str
    quotes: tuple[Quote, ...]
    aside: tuple[Finding, ...] = ()


def pair_verdict(question: Question, findings: Sequence[Finding]) -> PairVerdict | None:
    """Return what findings say of two things; None where it is not asked, or where one of them is not told of."""
    pair = pair_asked(question.text) if question.answer_type == "yes_no" and question.language == "en" else None
    if pair is None:
        return None
    left, right = ([each for each in findings if is_about(each, *terms)] for terms in _terms(pair))
    return _held_alike(pair, left, right) if pair.same else _asked_of_each(pair, left, right)


def _terms(pair: Pair) -> tuple[tuple[set[str], set[str]], tuple[set[str], set[str]]]:
    a, b = (set(analyse(side)) for side in pair.sides)
    return (a, b - a), (b, a - b)


def _asked_of_each(pair: Pair, left: Sequence[Finding], right: Sequence[Finding]) -> PairVerdict | None:
    """Return `Yes` where both are what is asked, and `No` where one is told not to be."""
    said = [
        _said(asked, side, pair.predicate, found)
        for asked, side, found in zip(pair.questions, pair.sides, (left, right), strict=True)
    ]
    denied = [each[1] for each in said if each is not None and each[0] == "No"]
    if denied:
        aside = tuple(each[1] for each in said if each is not None and each[0] == "Yes")
        return PairVerdict("No", denied[0].statement, denied[0].quotes, (*denied[1:], *aside))
    found = [each[1] for each in said if each is not None]
    if len(found) < len(said):
        return None
    told = dict.fromkeys(each.statement for each in found)
    return PairVerdict("Yes", " ".join(told), tuple(dict.fromkeys(quote for each in found for quote in each.quotes)))


def _said(asked: str, side: str, predicate: str, findings: Sequence[Finding]) -> tuple[str, Finding] | None:
    verdict = verdict_of(read_question(asked), findings)
    if verdict is not None and verdict.answer == "No":
        return "No", verdict.finding
    if predicate.istitle() and " " not in predicate:
        for each in findings:
            if origin := _origin(each.candidate):
                return "Yes" if predicate in regex.split(r"[\s–-]", origin) else "No", each
    bare = _PLACED.sub("", predicate)
    named = set(analyse(side))
    wanted = [term for term in analyse(bare) if term not in named]
    for each in findings:
        if wanted and _is_defined_so(each.candidate, side, wanted, is_place=bare != predicate):
            return "Yes", each
    return ("Yes", verdict.finding) if verdict is not None and verdict.answer else None


def _is_defined_so(candidate: Candidate, side: str, wanted: Sequence[str], *, is_place: bool) -> bool:
    """Whether a sentence says what its subject is with all of some words: `Silene is a genus`, `the genus Silene`."""
    named = regex.search(rf"(?P<kind>\w+)\s+{regex.escape(side)}\b", candidate.text)
    if named is not None and holds_all(frozenset(analyse(named["kind"])), wanted):
        return True
    found = IS_A.search(candidate.text)
    subject = candidate.text[: found.start()] if found else ""
    if (
        found is None
        or _NO_LONGER.search(candidate.text[: found.start("what") + _NEAR])
        or len(subject) > _SUBJECT_CHARS
    ):
        return False
    if not set(analyse(side)) <= set(analyse(f"{candidate.title} {subject}")):
        return False
    what = found["what"] if is_place else _GOES_ON.split(found["what"], maxsplit=1)[0]
    return holds_all(frozenset(analyse(what)), wanted)


def _held_alike(pair: Pair, left: Sequence[Finding], right: Sequence[Finding]) -> PairVerdict | None:
    """Return whether two things have something the same, with what each has."""
    one, other = (_first_value(pair, side, found) for side, found in zip(pair.sides, (left, right), strict=True))
    if one is None or other is None:
        return None
    (a, first), (b, second) = one, other
    alike = analyse(a) == analyse(b)
    return PairVerdict(
        "Yes" if alike else "No",
        f"{pair.sides[0]}: {a}; {pair.sides[1]}: {b}.",
        tuple(dict.fromkeys((*first.quotes, *second.quotes))),
        (first,) if first is second else (first, second),
    )


def _first_value(pair: Pair, side: str, findings: Sequence[Finding]) -> tuple[str, Finding] | None:
    for finding in findings:
        value = next(_values(pair, side, finding.candidate), "")
        if value:
            return value, finding
    return None


def _values(pair: Pair, side: str, candidate: Candidate) -> Iterator[str]:
    """Yield what one sentence or row gives for an attribute: a cell, a time, a name beside the word, who did it."""
    if candidate.row is not None:
        for cell in candidate.row.cells:
            headed = frozenset(analyse(header_words(cell.header)))
            if holds_all(headed, analyse(pair.same)):
                yield cell.text
        return
    if pair.same in _TIMES:
        yield from _times(pair, candidate)
        return
    own = set(analyse(side))
    for pattern in _patterns(pair.same, pair.deed):
        for match in pattern.finditer(candidate.text):
            if not set(analyse(match["value"])) <= own:
                yield match["value"].rstrip(".")
    numbers = find_numbers(candidate.text)
    if len(numbers) == 1 and numbers[0].unit and holds_all(candidate.terms, analyse(pair.same)):
        yield numbers[0].text
    if set(analyse(pair.same)) & _ORIGIN and (origin := _origin(candidate)):
        yield origin


def _times(pair: Pair, candidate: Candidate) -> Iterator[str]:
    """Yield the year, month or day at which a sentence tells the deed; more than one of them settles nothing."""
    deed = analyse(pair.deed)
    if not deed or not holds_all(candidate.terms, deed):
        return
    days = [period for period in find_periods(candidate.text) if pair.same != "day" or period.start == period.end]
    years = {str(period.start.year) for period in days}
    if pair.same == "year" and len(years) == 1:
        yield years.pop()
    elif pair.same != "year" and len(days) == 1 and days[0].start.month == days[0].end.month:
        yield days[0].text


def _origin(candidate: Candidate) -> str:
    """Return where somebody or something is from, as a definition says it: `is an Irish director`."""
    kind = IS_A.search(candidate.text)
    first = kind["what"].split()[0] if kind else ""
    return first if first[:1].isupper() else ""


@lru_cache(maxsize=256)
def _patterns(same: str, deed: str) -> tuple[regex.Pattern[str], ...]:
    word = same.split()[-1].casefold()
    spelled = regex.escape(word)
    role = regex.escape(word[:-2]) if word.endswith(("or", "er")) and len(word) > 5 else ""
    said = [
        rf"(?P<value>{_NAME})\s+{spelled}\b",
        rf"\b(?i:{spelled})s?\s*(?:of|is|are|was|:)\s+(?:the\s+)?(?P<value>{_NAME})",
        *([rf"\b{regex.escape(deed)}\s+by\s+(?:the\s+)?(?P<value>{_NAME})"] if deed else ()),
        *([rf"\b{role}\p{{Ll}}*\s+by\s+(?:the\s+)?(?P<value>{_NAME})"] if role else ()),
    ]
    return tuple(regex.compile(pattern) for pattern in said)
