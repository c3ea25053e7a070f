"""Definitions of financial items and measures: how a question names them, how a statement labels them, the formula."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Statement:
    """One of the primary statements.

    Attributes:
        title: What is written over it; asked: words of a question that point to it.
        queries: Searches that find its pages: the words of its usual lines.
    """

    name: str
    title: re.Pattern[str]
    asked: re.Pattern[str]
    queries: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """A line of a statement.

    Attributes:
        labels: What it may be called there, the most exact first.
        outflow: Whether a statement may write it as a negative number where its size is meant.
    """

    key: str
    name: str
    statement: str
    asked: re.Pattern[str]
    labels: tuple[re.Pattern[str], ...]
    outflow: bool = False

    def rank(self, label: str) -> int | None:
        """Return the place of the first pattern that is the whole label, None where none is."""
        return next((place for place, pattern in enumerate(self.labels) if pattern.fullmatch(label)), None)


@dataclass(frozen=True)
class Measure:
    """A figure computed from items.

    Attributes:
        unit: `%`, `x` (a plain ratio), `days`, or empty for an amount.
        forms: Formulas over item keys, `avg(item)` and `delta(item)` over two years; the first that can be filled in.
        stated: Labels of rows that state it outright.
        average: Forms where the question asks for an average of the balance.
        along: Other measures that are told with it.
    """

    name: str
    asked: re.Pattern[str]
    unit: str
    forms: tuple[str, ...]
    stated: tuple[re.Pattern[str], ...] = ()
    average: tuple[str, ...] = ()
    along: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """Keys of the items of all forms, in order."""
        found = [key for form in (*self.average, *self.forms) for key in re.findall(r"[a-z_]{3,}", form)]
        return tuple(key for key in dict.fromkeys(found) if key not in ("avg", "delta"))


@dataclass(frozen=True)
class Place:
    """What a question may be about that reports tell at a usual place, and searches for that place."""

    asked: re.Pattern[str]
    queries: tuple[str, ...]


@dataclass(frozen=True)
class Definitions:
    """All of them, in the order of the file."""

    statements: Mapping[str, Statement]
    items: Mapping[str, Item]
    measures: Mapping[str, Measure]
    topics: Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]
    places: Mapping[str, Place]

    def measures_in(self, question: str) -> tuple[Measure, ...]:
        """Return the measures that a question asks for by name, or by a topic such as liquidity."""
        matches = [(match, each) for each in self.measures.values() if (match := each.asked.search(question))]
        matches.sort(key=lambda pair: pair[0].start() - pair[0].end())
        placed: list[tuple[int, Measure]] = []
        spans: list[tuple[int, int]] = []
        for match, measure in matches:
            if not any(start <= match.start() and match.end() <= end for start, end in spans):
                spans.append(match.span())
                placed.append((match.start(), measure))
        found = [measure for _, measure in sorted(placed, key=lambda pair: pair[0])]
        topics = [name for pattern, names in self.topics.values() if pattern.search(question) for name in names]
        found = found or [self.measures[name] for name in topics]
        along = [self.measures[name] for measure in found for name in measure.along]
        return tuple({measure.name: measure for measure in (*found, *along)}.values())

    def items_in(self, question: str) -> tuple[Item, ...]:
        """Return the items that a question names, the longest names first; none inside a longer one's name."""
        matches = [(match, item) for item in self.items.values() for match in item.asked.finditer(question)]
        matches.sort(key=lambda pair: (pair[0].start() - pair[0].end(), pair[0].start()))
        spans: list[tuple[int, int]] = []
        found: dict[str, Item] = {}
        for match, item in matches:
            if not any(start < match.end() and match.start() < end for start, end in spans):
                spans.append(match.span())
                found.setdefault(item.key, item)
        return tuple(found.values())

    def places_in(self, question: str) -> tuple[Place, ...]:
        """Return the usual places of what a question is about, in the order of the file."""
        return tuple(place for place in self.places.values() if place.asked.search(question))

    def statements_in(self, question: str) -> tuple[Statement, ...]:
        """Return the statements that a question names."""
        return tuple(statement for statement in self.statements.values() if statement.asked.search(question))


@cache
def definitions() -> Definitions:
    """Return the definitions of `data/financial_measures.json`."""
    data = json.loads((files(__package__) / "data" / "financial_measures.json").read_text(encoding="utf-8"))
    return Definitions(
        {
            name: Statement(name, _pattern(each["title"]), _asked(each["asked"]), tuple(each["queries"]))
            for name, each in data["statements"].items()
        },
        {
            key: Item(
                key,
                each["name"],
                each["statement"],
                _asked(each["asked"]),
                tuple(_pattern(label) for label in each["labels"]),
                each.get("outflow", False),
            )
            for key, each in data["items"].items()
        },
        {
            name: Measure(
                name,
                _asked(each["asked"]),
                each["unit"],
                tuple(each["forms"]),
                tuple(_pattern(label) for label in each.get("stated", ())),
                tuple(each.get("average", ())),
                tuple(each.get("with", ())),
            )
            for name, each in data["measures"].items()
        },
        {name: (_asked(each["asked"]), tuple(each["measures"])) for name, each in data["topics"].items()},
        {name: Place(_asked(each["asked"]), tuple(each["queries"])) for name, each in data["places"].items()},
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _asked(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w&])(?:{text})(?!\w)", re.IGNORECASE)
