"""Which paper changes or replaces which: an amendment the agreement of its date, a second edition the first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath

import regex

from ....text.periods import Period, find_periods
from ....text.sentences import sentences
from ....text.words import analyse
from ...protocol import Passage
from .candidates import Candidate, passage_terms
from .effective import effective_from

_HEAD_CHARS = 500
_OPENING_LINES = 3
_AMENDS = regex.compile(
    r"\b(?:amend(?:ment|ing)|addendum|supplement(?:ary|al)?|rider|variation|modification|nachtrag|zusatzvereinbarung|"
    r"änderungs\p{L}+|avenant|adenda|emendamento|(?:changes?|update|correction|corrections) (?:to|of)|änderung)\b",
    regex.IGNORECASE,
)
_EDITION = regex.compile(
    r"\b(?:version|revision|edition|issue|draft|rev|ausgabe|fassung|édition|versión|revisión|edición|v)\.?[ _-]?"
    r"(?P<mark>\d{1,3}(?:\.\d{1,3})*|[A-Z](?![\p{L}\d]))",
    regex.IGNORECASE,
)
# Papers of these kinds hold until the next one is issued; two reports of two years both stay true.
_STANDING = regex.compile(
    r"\b(?:price(?:s| list)?|tariffs?|rates?|fees?|terms|polic(?:y|ies)|rules?|guidelines?|handbook|manual|protocol|"
    r"instructions?|preisliste|tarife?|gebühren|richtlinien?|handbuch|tarifs?|prix|règlement|precios|tarifas|reglamento|"
    r"manuale|prezzi|listino)\b",
    regex.IGNORECASE,
)
_REPLACES = regex.compile(
    r"\b(?:this|the present)\b[^.\n]{0,60}\b(?:replac|supersed|cancels)|\b(?:replac|supersed)(?:es|ing)\b|"
    r"\bersetz(?:t|en)\b|\bremplace\b|\b(?:sustituye|reemplaza)\b|\bsostituisce\b",
    regex.IGNORECASE,
)
_ALL_BEFORE = regex.compile(
    r"\b(?:replaces?|supersedes?|cancels)\b[^.\n]{0,30}\b(?:all|any|the|every) "
    r"(?:previous|earlier|prior|former|older)\b",
    regex.IGNORECASE,
)
_YEAR = regex.compile(r"(?<!\d)(?:19|20)\d\d(?:[-_ ]?[01]\d(?:[-_ ]?[0-3]\d)?)?(?!\d)")
# A clause by its number, where it is amended and where it stands.
_NAMES_CLAUSE = regex.compile(
    r"(?:\b(?:clause|section|article|paragraph|point|rule|item|cl\.|sec\.|art\.|para\.|ziffer|klausel|artikel|"
    r"cláusula|artículo|clausola|articolo)|§)\s*(?P<number>\d{1,3}(?:\.\d{1,2})*)(?![\d])",
    regex.IGNORECASE,
)
_CLAUSE = regex.compile(
    r"^[ \t]*(?:#+\s*)?(?:(?:§|clause|section|article|rule|art\.)\s*)?(?P<number>\d{1,3}(?:\.\d{1,2})*)[.):]?\s+"
    r"(?P<text>\p{L}[^\n]*)",
    regex.IGNORECASE | regex.MULTILINE,
)
_IDENTIFIER = regex.compile(r"\b\p{Lu}{2,}[-/ ]?\d{3,}\b|\b\p{Lu}-\d{2,}-?\d*\b")
_SUBJECT = regex.compile(r"^(?:Subject|Re|Betreff|Objet|Asunto|Oggetto):\s*(?P<subject>\S.*)$", regex.IGNORECASE)
_PARTED = regex.compile(r"[_\-.]+")


@dataclass(frozen=True)
class Paper:
    """A source as far as it was found.

    Attributes:
        head: What it opens with: its name, title and first lines.
        terms: Index terms of all that was found of it.
        replacing: What of it says that it replaces something.
        text: All that was found of it.
    """

    uri: str
    head: str
    terms: frozenset[str]
    replacing: tuple[str, ...] = ()
    text: str = ""

    @cached_property
    def title(self) -> str:
        """The subject of a message, else its first line, else the name of its file."""
        lines = [line.strip("# ").strip() for line in self.head.split("\n")]
        if (subject := next(filter(None, map(_SUBJECT.match, lines[1:])), None)) is not None:
            return str(subject["subject"])
        return next((line for line in lines[1:] if line), lines[0])

    @property
    def opening(self) -> str:
        """Its first lines, in which it says of what day it is and from which day it holds."""
        lines = [line for line in self.head.split("\n")[1:] if line.strip()]
        return "\n".join(lines[:_OPENING_LINES])

    @cached_property
    def days(self) -> tuple[Period, ...]:
        """The days in its head."""
        return tuple(period for period in find_periods(self.head) if period.kind == "day")

    @cached_property
    def edition(self) -> tuple[tuple[int, ...], str] | None:
        """What number or letter it has among its editions, as something that sorts; None where it has none."""
        match = _EDITION.search(self.title) or _EDITION.search(_PARTED.sub(" ", self.head.split("\n")[0]))
        if match is None:
            return None
        mark = match["mark"]
        if mark[0].isdigit():
            return tuple(int(part) for part in mark.split(".")), ""
        return (), mark.upper()

    @cached_property
    def kind(self) -> frozenset[str]:
        """The words of its title without edition and dates: editions of one paper share them."""
        return frozenset(analyse(_undated(_EDITION.sub(" ", self.title))))

    @cached_property
    def stem(self) -> str:
        """The name of its file without edition and dates."""
        name = _YEAR.sub(" ", PurePosixPath(self.uri).stem)
        return " ".join(_EDITION.sub(" ", _PARTED.sub(" ", name)).split()).casefold()


class Papers:
    """The papers that passages come from."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._papers: dict[str, Paper] = {}
        by_uri: dict[str, list[Passage]] = {}
        for passage in passages:
            by_uri.setdefault(passage.chunk.uri, []).append(passage)
        for uri, found in sorted(by_uri.items()):
            first = min(found, key=lambda passage: passage.chunk.index)
            opening = first.chunk.text[:_HEAD_CHARS] if first.chunk.index == 0 else first.source.title
            terms = frozenset[str]().union(*map(passage_terms, found))
            said = tuple(line for each in found for line in _told(each.chunk.text) if _REPLACES.search(line))
            text = "\n".join(each.chunk.text for each in sorted(found, key=lambda each: each.chunk.index))
            self._papers[uri] = Paper(uri, f"{PurePosixPath(uri).stem}\n{opening}", terms, said, text)
        each = self._papers.values()
        self._amended = {
            paper.uri: [other for other in each if _amends(paper, other)]
            for paper in each
            if _AMENDS.search(paper.title)
        }

    def with_amended(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return candidates of which those of an amendment stand also below the title and clause that it amends."""
        titles = {uri: _title_terms(*papers) for uri, papers in self._amended.items() if papers}
        found: list[Candidate] = []
        for each in candidates:
            if (title := titles.get(each.uri)) is not None:
                clause = self._clause_terms(each)
                each = replace(each, context=each.context | title | clause, clause=clause)
            found.append(each)
        return found

    def _clause_terms(self, candidate: Candidate) -> frozenset[str]:
        """Return the index terms of the clause that a span of an amendment names, as the paper it amends has it."""
        text = candidate.passage.chunk.text
        line = text[text.rfind("\n", 0, candidate.start) + 1 : candidate.end]
        named = [match["number"] for match in _NAMES_CLAUSE.finditer(line)]
        if not named:
            return frozenset()
        found = (
            match["text"]
            for paper in self._amended[candidate.uri]
            for match in _CLAUSE.finditer(paper.text)
            if match["number"] == named[-1]
        )
        return frozenset[str]().union(*(analyse(each) for each in found))

    def begins(self, uri: str) -> date | None:
        """Return the day from which a paper says that it holds."""
        return effective_from(self._papers[uri].opening) if uri in self._papers else None

    def dated(self, uri: str) -> date | None:
        """Return the last day in a paper's first lines: an amendment names the day of what it amends before its own."""
        days = find_periods(self._papers[uri].opening) if uri in self._papers else ()
        return max((period.start for period in days if period.kind == "day"), default=None)

    def amending(self, uris: Collection[str]) -> set[str]:
        """Return the papers that amend one of some."""
        return {uri for uri, amended in self._amended.items() if any(paper.uri in uris for paper in amended)}

    def around(self, uri: str) -> frozenset[str]:
        """Return the index terms of a paper and of those that it amends: a clause is about what its agreement is."""
        paper = self._papers.get(uri)
        if paper is None:
            return frozenset()
        return paper.terms.union(*(other.terms for other in self._amended.get(uri, ())))

    def together(self, one: str, other: str) -> bool:
        """Whether two papers are one, one changes the other, or both amend the same."""
        amended = [{paper.uri for paper in self._amended.get(uri, ())} for uri in (one, other)]
        return one == other or self.changes(one, other) or self.changes(other, one) or bool(amended[0] & amended[1])

    def changes(self, later: str, earlier: str) -> bool:
        """Whether one paper amends another or is a later edition of it."""
        one, other = self._papers.get(later), self._papers.get(earlier)
        if one is None or other is None or one is other:
            return False
        return _amends(one, other) or _replaces(one, other)

    def replacements(self) -> list[tuple[Paper, Paper]]:
        """Return each paper that takes the place of another as a whole, with that one."""
        each = self._papers.values()
        return [(one, other) for one in each for other in each if one is not other and _replaces(one, other)]


def _amends(paper: Paper, other: Paper) -> bool:
    """Whether a paper calls itself an amendment and names the day, or the parties and kind, of another."""
    match = _AMENDS.search(paper.title)
    if match is None or _AMENDS.search(other.title) or paper.uri == other.uri:
        return False
    if set(_IDENTIFIER.findall(paper.title)) & set(_IDENTIFIER.findall(other.title)):
        return True  # `Change to your booking BX-5531`
    named = {period.start for period in find_periods(paper.title) if period.kind == "day"}
    if named:
        return bool(named & {period.start for period in other.days})
    kind = set(analyse(paper.title[match.end() :])) & set(analyse(other.title))
    return bool(kind) and len(_names(paper.head) & _names(other.head)) > 1


def _replaces(one: Paper, other: Paper) -> bool:
    """Whether a paper is a later edition of another, or says that it replaces the one of that day."""
    if _AMENDS.search(one.title):
        return False
    if _is_later_edition(one, other):
        return True
    if not one.kind & other.kind or _is_later_edition(other, one):
        return False
    days = {period.start for period in other.days}
    named = {period.start for line in one.replacing for period in find_periods(line) if period.kind == "day"}
    if named & days:
        return True
    same = one.kind == other.kind or (bool(one.stem) and one.stem == other.stem)
    earlier = bool(_day_of(one)) and bool(_day_of(other)) and _day_of(one) > _day_of(other)
    return same and earlier and any(_ALL_BEFORE.search(line) for line in one.replacing)


def _told(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def _is_later_edition(one: Paper, other: Paper) -> bool:
    same = bool(one.kind) and one.kind == other.kind
    if one.edition is not None and other.edition is not None:
        alike = same or (bool(one.stem) and one.stem == other.stem)
        return alike and bool(one.edition[1]) == bool(other.edition[1]) and one.edition > other.edition
    if one.edition is not None or other.edition is not None or one.stem != other.stem:
        return False
    if not _STANDING.search(_PARTED.sub(" ", one.stem)) and not (same and _STANDING.search(one.title)):
        return False
    return bool(_day_of(one)) and bool(_day_of(other)) and _day_of(one) > _day_of(other)


def _day_of(paper: Paper) -> str:
    """Return what tells by its name or title when a paper is of; empty where nothing does."""
    dated = _YEAR.search(PurePosixPath(paper.uri).stem)
    if dated is not None:
        return str(regex.sub(r"\D", "", dated.group()))
    told = find_periods(paper.title)
    return told[0].start.isoformat().replace("-", "") if told else ""


def _title_terms(*papers: Paper) -> frozenset[str]:
    names = (_PARTED.sub(" ", paper.head.split("\n", 1)[0]) for paper in papers)
    return frozenset(analyse(" ".join([*names, *(paper.title for paper in papers)])))


def _undated(text: str) -> str:
    for period in reversed(find_periods(text)):
        text = f"{text[: period.at]} {text[period.to :]}"
    return text


def _names(text: str) -> set[str]:
    return set(regex.findall(r"\b\p{Lu}\p{Ll}{2,} \p{Lu}\p{Ll}{2,}\b", text))
