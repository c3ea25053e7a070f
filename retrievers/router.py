"""Tell which sources a question names: by company, product or person, by period, by kind of document."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import regex

from ..text.period_patterns import ORDINALS
from ..text.words import STOP_WORDS, stem

HEAD_CHARS = 2_000
MAX_ROUTES = 10
# First pages are read for names in a corpus of so many sources at most; in a larger one names and titles must do,
# and in one of very many sources nothing is routed.
HEADS_UP_TO = 5_000
ROUTED_UP_TO = 20_000
# A source counts as named when so much of its name, weighted by rarity, stands in the question.
NAMED_SHARE = 0.5
# Of the sources named, those go along that score at least so much of the best one.
KEPT_SHARE = 0.5
# What a named source's chunks gain on a scale where the best chunk has 1: the best match in full, others by score.
BOOST = 0.5
# A short source is found by its words, its title among them: only in one of so many characters is the right passage
# preferred for the sake of its source.
BOOSTED_FROM_CHARS = 8_000
# Within a text of so many characters its own name says nothing.
LONG_CHARS = 40_000

_TOKEN = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+")
_WORD = regex.compile(r"[\p{L}\p{N}]+")
_JOINED_UP_TO = 4
_SHORT = regex.compile(r"\p{Lu}{3,6}")

# Words of a company's legal form, which nobody asks for.
_LEGAL_FORM_WORDS = "inc corp corporation co company ltd limited llc llp plc gmbh ag sa se nv"
_LEGAL_FORMS = frozenset(_LEGAL_FORM_WORDS.split())

_FORMS = {
    "annual": r"10-?\s?k\b|20-?f\b|annual report|geschäftsbericht|rapport annuel",
    "quarterly": r"10-?\s?q\b|quarterly report|quartalsbericht",
    "current": r"8-?\s?k\b",
    "earnings": r"earnings (?:release|call|report)|\bearnings\b",
    "proxy": r"proxy statement|def ?14a",
}
_FORM_PATTERNS = {form: re.compile(pattern, re.IGNORECASE) for form, pattern in _FORMS.items()}
_YEAR = re.compile(r"(?<!\d)(?:FY\s?'?|CY\s?'?)?((?:19|20)\d\d)(?!\d)|\bFY\s?'?(\d\d)(?!\d)", re.IGNORECASE)
_QUARTER = re.compile(
    r"(?<![a-z])Q\s?([1-4])(?!\d{1,3}(?!\d))|(?<![a-z0-9])([1-4])Q(?![a-z])|\b(first|second|third|fourth) quarter\b",
    re.IGNORECASE,
)
_QUARTER_THEN_YEAR = re.compile(r"\bQ([1-4])\s?'?((?:19|20)\d\d|\d\d)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Period:
    """Years and quarters that a text speaks of."""

    years: frozenset[int] = frozenset()
    quarters: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str) -> Period:
        """Read `FY2022`, `FY20`, `2022`, `Q2 of FY2024`, `Q22023`, `2023Q2` and `second quarter`."""
        years, quarters = set(), set()
        for quarter, year in _QUARTER_THEN_YEAR.findall(text):
            quarters.add(int(quarter))
            years.add(_full_year(year))
        for full, short in _YEAR.findall(text):
            years.add(_full_year(full or short))
        for before, after, word in _QUARTER.findall(text):
            quarters.add(int(before or after) if before or after else ORDINALS[word.lower()])
        return cls(frozenset(years), frozenset(quarters))


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def forms_of(text: str) -> frozenset[str]:
    """Return the kinds of document that a text names, e.g. `annual` for a 10-K."""
    return frozenset(form for form, pattern in _FORM_PATTERNS.items() if pattern.search(text))


@dataclass(frozen=True)
class Name:
    """What a source is called by.

    Attributes:
        calls: What it may be called, as stems: its file's name, its whole path, its title; periods, kinds of document
            and legal forms left out.
        period: That its name states, else the latest year of its first page.
        forms: That its name states, else its first page.
        head: Stems of the words that begin with a capital on its first page.
        chars: Length of its text.
        parts: The words that its names are made of, in order: those of `AMERICANEXPRESS` as its first page parts them.
    """

    uri: str
    calls: tuple[frozenset[str], ...]
    period: Period
    forms: frozenset[str]
    head: frozenset[str]
    chars: int
    parts: tuple[tuple[str, ...], ...] = ()

    @property
    def terms(self) -> frozenset[str]:
        """All stems that it may be called by."""
        return frozenset().union(*self.calls)

    @classmethod
    def of(cls, uri: str, title: str, head: str, chars: int) -> Name:
        """Read what a source may be called by from its path, its title and the beginning of its text."""
        path = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", uri).replace("_", " ")
        whole, file = path.replace("/", " "), path.rpartition("/")[2]
        stated = Period.of(f"{whole} {title}")
        years = stated.years or frozenset(sorted(Period.of(head[:1000]).years)[-1:])
        calls = dict.fromkeys(frozenset(_name_words(text)) for text in (file, whole, title))
        return cls(
            uri,
            tuple(call for call in calls if call),
            Period(years, stated.quarters),
            forms_of(f"{whole} {title}") or forms_of(head[:600]),
            frozenset(stem(word) for word in _capitalised(head)),
            chars,
            tuple(dict.fromkeys(parts for text in (file, title) if len(parts := _parted(text, head)) > 1)),
        )

    def is_short_for(self, word: str) -> bool:
        """Whether a word in capitals is made of the beginnings of a name's words: `AMEX` of American Express."""
        return any(_begins_all(word.casefold(), parts) for parts in self.parts)


def _name_words(text: str) -> list[str]:
    """Return the stems of a name's words, without years, quarters, kinds of document and stop words."""
    return [stem(word) for word in _name_tokens(text)]


def _name_tokens(text: str) -> list[str]:
    plain = _QUARTER_THEN_YEAR.sub(" ", text)
    for pattern in (*_FORM_PATTERNS.values(), _YEAR, _QUARTER):
        plain = pattern.sub(" ", plain)
    words = [word.casefold() for word in _TOKEN.findall(plain)]
    dropped = STOP_WORDS | _LEGAL_FORMS
    return [word for word in words if len(word) > 1 and not word.isdigit() and word not in dropped]


def _parted(name: str, head: str) -> tuple[str, ...]:
    """Return the words of a name in order, one that is written together parted as the first page writes it."""
    words = [word.casefold() for word in _name_tokens(name)]
    if len(words) != 1:
        return tuple(words)
    page = [word.casefold() for word in _WORD.findall(head)]
    for at in range(len(page)):
        for size in range(2, _JOINED_UP_TO + 1):
            if "".join(page[at : at + size]) == words[0]:
                return tuple(page[at : at + size])
    return tuple(words)


def _begins_all(word: str, parts: Sequence[str]) -> bool:
    """Whether a word is put together of beginnings of all parts, in order."""
    if not parts:
        return not word
    return any(
        _begins_all(word[size:], parts[1:]) for size in range(1, len(word) + 1) if parts[0].startswith(word[:size])
    )


def _capitalised(text: str) -> list[str]:
    return [
        word.casefold()
        for word in _WORD.findall(text)
        if len(word) > 1 and not word[0].islower() and not word.isdigit() and word.casefold() not in STOP_WORDS
    ]


@dataclass(frozen=True)
class Question:
    """What of a question may name a source.

    Attributes:
        terms: Stems of its words and of up to four neighbouring words written together (`americanexpress`); only
            those that begin with a capital, where any does.
        shorts: Its words in capitals that may be short for a name.
    """

    terms: frozenset[str]
    period: Period
    forms: frozenset[str]
    shorts: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> Question:
        """Read what a question says of the source that it asks."""
        plain = regex.sub(r"['’]s\b", "", text)
        words = _WORD.findall(plain)
        proper = [word if _is_proper(word) else "" for word in words]
        if not any(proper):
            proper = ["" if word.casefold() in STOP_WORDS else word for word in words]
        terms = {stem(word.casefold()) for word in proper if word and not word.isdigit()}
        for at in range(len(words)):
            for size in range(2, _JOINED_UP_TO + 1):
                run = words[at : at + size]
                if len(run) == size and proper[at] and proper[at + size - 1]:
                    terms.add(stem("".join(run).casefold()))
        shorts = tuple(dict.fromkeys(word for word in words if _SHORT.fullmatch(word)))
        return cls(frozenset(terms), Period.of(text), forms_of(text), shorts)


def _is_proper(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word.casefold() not in STOP_WORDS


@dataclass(frozen=True)
class Router:
    """Names of the sources of a corpus, weighted by how few share a word."""

    names: tuple[Name, ...]
    rarity: Mapping[str, float]
    head_rarity: Mapping[str, float]
    by_term: Mapping[str, tuple[int, ...]] = field(repr=False)

    @classmethod
    def over(cls, sources: Iterable[tuple[str, str, str, int]]) -> Router:
        """Build a router over sources as (uri, title, beginning of the text, characters of the text)."""
        names = tuple(Name.of(*source) for source in sources)
        by_term: dict[str, list[int]] = {}
        for index, name in enumerate(names):
            for term in name.terms | name.head:
                by_term.setdefault(term, []).append(index)
        return cls(
            names,
            _rarity([name.terms for name in names]),
            _rarity([name.terms | name.head for name in names]),
            {term: tuple(held) for term, held in by_term.items()},
        )

    def route(self, question: str) -> list[tuple[str, float]]:
        """Return (uri, score) of the sources that a question names, best first, equal scores by uri."""
        asked = Question.of(question)
        candidates = sorted({index for term in asked.terms for index in self.by_term.get(term, ())})
        entity = {index: self._entity(self.names[index], asked) for index in candidates}
        named = {index: score for index, score in entity.items() if score > 0}
        if not named:
            named = {
                index: 1.0
                for index, name in enumerate(self.names)
                if any(name.is_short_for(word) for word in asked.shorts)
            }
        if not named:
            named = self._by_period(asked)
        if not named:
            return []
        scores = {self.names[index].uri: score * _fit(self.names[index], asked) for index, score in named.items()}
        top = max(scores.values())
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(uri, score / top) for uri, score in ranked if score >= KEPT_SHARE * top][:MAX_ROUTES]

    def boosts(self, question: str) -> tuple[str, dict[str, float]]:
        """Return what to search for, and what the chunks of each named source gain that is not short.

        Where all named sources are long, what is searched for is the question without the words that name them:
        nearly every chunk of a filing bears its company's name, so that name only hides what tells chunks apart.
        """
        routes = dict(self.route(question))
        if not routes:
            return question, {}
        named = [name for name in self.names if name.uri in routes and name.chars >= BOOSTED_FROM_CHARS]
        rest = question
        if named and all(name.chars >= LONG_CHARS for name in named):
            rest = _without(question, frozenset().union(*(name.terms for name in named)))
        return rest, {name.uri: BOOST * routes[name.uri] for name in named}

    def _entity(self, name: Name, asked: Question) -> float:
        """Return how surely a question names this source by its own words, 0 where it does not."""
        best = 0.0
        for call in name.calls:
            whole = sum(self.rarity[term] for term in sorted(call))
            held = sum(self.rarity[term] for term in sorted(call & asked.terms))
            if held and held >= NAMED_SHARE * whole:
                best = max(best, held)
        if best:
            return best
        head = sum(self.head_rarity[term] for term in sorted(name.head & asked.terms))
        asked_for = sum(self.head_rarity.get(term, 0.0) for term in sorted(asked.terms))
        return 0.5 * head if head and head >= NAMED_SHARE * asked_for and name.terms & asked.terms else 0.0

    def _by_period(self, asked: Question) -> dict[int, float]:
        """Return the sources of exactly the quarter asked for, where no name was given."""
        if not asked.period.quarters or not asked.period.years:
            return {}
        return {
            index: 1.0
            for index, name in enumerate(self.names)
            if name.period.quarters & asked.period.quarters and name.period.years & asked.period.years
        }


def _without(question: str, terms: frozenset[str]) -> str:
    """Return a question without the words, or the neighbouring words written together, that have one of the stems."""
    words = list(_WORD.finditer(question))
    left: set[int] = set()
    for at in range(len(words)):
        for size in range(1, _JOINED_UP_TO + 1):
            run = words[at : at + size]
            if len(run) == size and _is_proper(run[0].group()) and stem("".join(w.group() for w in run)) in terms:
                left.update(range(at, at + size))
    kept, position = [], 0
    for index in sorted(left):
        kept.append(question[position : words[index].start()])
        position = words[index].end()
    rest = "".join([*kept, question[position:]])
    return rest if any(word.casefold() not in STOP_WORDS for word in _WORD.findall(rest)) else question


def _fit(name: Name, asked: Question) -> float:
    """Return a factor above 0 for how well period and kind of document fit what is asked."""
    fit = 1.0
    if asked.period.years and name.period.years:
        if max(asked.period.years) in name.period.years:
            fit *= 2.0
        elif asked.period.years & name.period.years:
            fit *= 1.4
    if asked.period.quarters:
        fit *= 1.5 if name.period.quarters & asked.period.quarters else 0.8
    elif asked.period.years and name.period.quarters:
        fit *= 0.75  # a year is asked for, this is about a quarter
    if asked.forms:
        fit *= 1.5 if name.forms & asked.forms else 0.8
    return fit


def _rarity(terms_of: Sequence[frozenset[str]]) -> dict[str, float]:
    held: dict[str, int] = {}
    for terms in terms_of:
        for term in sorted(terms):
            held[term] = held.get(term, 0) + 1
    return {term: math.log(1 + (len(terms_of) - count + 0.5) / (count + 0.5)) for term, count in held.items()}
