"""Rows of figures with a column for each period, as financial statements have them, found inside passages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from ...state.records import Cell, Quote, TableRow
from ...text.numbers import find_numbers
from ...text.numerals import grouped
from ...text.words import analyse
from ..protocol import Passage
from .measures import Item, definitions
from .periods import Calendar, Target, When, calendar_of, cell_place, header_rest, newest, when_of

_HEAD_CHARS = 500
_INTRO_CHARS = 400
_NOTE = re.compile(
    r"\s*\((?:note|see|including|includes|net of|less)[^()]*\)|\s*\([\da-z]{1,2}\)(?=\s|$)", re.IGNORECASE
)
_DASHES = re.compile(r"\s*[–—]+\s*|\s+-\s+")
_PART = re.compile(r"\bparent\b|\bcondensed\b.*\bparent\b|\bpro forma\b|\bsegments?\b|\bnon-?gaap\b", re.IGNORECASE)
_SCALE = re.compile(r"\b(thousands|millions|billions)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Figure:
    """One number of a line under one period."""

    line: Line
    place: int
    value: Decimal

    @property
    def cell(self) -> Cell:
        """The cell that it stands in."""
        return self.line.row.cells[self.place]

    @property
    def when(self) -> When | None:
        """The time that its column names, None where it names none."""
        return self.line.whens[self.place]

    @property
    def shown(self) -> str:
        """The number as a formula has it: without sign, currency and brackets, its percent sign kept apart."""
        return grouped(abs(self.value))

    @property
    def period(self) -> str:
        """The header of its column in one line."""
        return " ".join(re.sub(r"\(.*?\)", " ", self.cell.header).split())

    @property
    def is_percent(self) -> bool:
        """Whether it is written as a percentage."""
        return "%" in self.cell.text


@dataclass(frozen=True)
class Line:
    """A table row that lies wholly in a passage.

    Attributes:
        page_rows: How many rows stand on its page; a statement has many.
        head: The beginning of its page.
        intro: The words before the first row of its table, as far as its passage has them.
    """

    row: TableRow
    quote: Quote
    calendar: Calendar
    page_rows: int
    head: str
    intro: str = ""

    @cached_property
    def whens(self) -> tuple[When | None, ...]:
        """What each cell's header says of time, captions such as `December 31` left out."""
        return tuple(when_of(cell.header) for cell in self.row.cells)

    @cached_property
    def label(self) -> str:
        """The name of the row without its parents, notes and dashes."""
        parts = [part for part in self.row.label.split(": ") if re.match(r"[^\W\d_]|\(", part)]
        leaf = parts[-1] if parts else self.row.label
        return " ".join(_DASHES.sub(" – ", _NOTE.sub("", leaf)).split()).strip(" :–")

    @cached_property
    def parents(self) -> str:
        """The names of the rows that it stands under."""
        return self.row.label[: -len(self.row.label.rsplit(": ", 1)[-1])].strip(": ")

    @cached_property
    def folded(self) -> str:
        """The label for comparison with a definition's patterns."""
        return self.label.replace(" – ", " ").replace("’", "'").casefold().strip(" .")

    @cached_property
    def words(self) -> frozenset[str]:
        """Index terms of the whole label."""
        return frozenset(analyse(self.row.label))

    @cached_property
    def caption_words(self) -> frozenset[str]:
        """Index terms of its table's title."""
        return frozenset(analyse(self.row.caption))

    @cached_property
    def head_words(self) -> frozenset[str]:
        """Index terms of what stands over the row."""
        return frozenset(analyse(f"{self.head} {self.row.caption}"))

    @property
    def scale(self) -> str:
        """`millions` where the caption says so, or the page of a statement; else empty."""
        found = _SCALE.search(self.row.caption)
        if not found and any(each.title.search(self.head) for each in definitions().statements.values()):
            found = _SCALE.search(self.head)
        return found.group(1).lower() if found else ""

    @property
    def is_part(self) -> bool:
        """Whether it belongs to a view of a part: the parent company alone, a segment, an adjusted measure."""
        return bool(_PART.search(f"{self.row.caption} {self.row.label}"))

    def of_kind(self, kind: str) -> Line:
        """Return the line with only those columns whose headers say the same beside their periods."""
        cells = tuple(cell for cell in self.row.cells if header_rest(cell.header) == kind)
        return replace(self, row=self.row.model_copy(update={"cells": cells}))

    def figure(self, place: int | None) -> Figure | None:
        """Return the number in a column, None where the cell holds none."""
        if place is None:
            return None
        value = value_of(self.row.cells[place].text)
        return None if value is None else Figure(self, place, value)

    def at(self, target: Target) -> Figure | None:
        """Return its number for a period."""
        return self.figure(cell_place(self.whens, target, self.calendar))

    def latest(self) -> Figure | None:
        """Return its number in the latest column."""
        return self.figure(newest(self.whens))

    def earlier(self, figure: Figure) -> Figure | None:
        """Return the number of the same kind of column one year before; of points in time the next older one."""
        when = figure.when
        if when is None:
            return None
        kind = header_rest(figure.cell.header)
        fits = [
            (other, place)
            for place, other in enumerate(self.whens)
            if other and other.months == when.months and header_rest(self.row.cells[place].header) == kind
        ]
        place = next((place for other, place in fits if other.year == when.year - 1), None)
        return self.figure(place)


@dataclass(frozen=True)
class Statements:
    """The lines of all passages of a run that name periods in their columns."""

    lines: tuple[Line, ...]

    def find(self, item: Item) -> list[Line]:
        """Return the lines that an item may be, best first: by its statement, then the label, then the fuller page."""
        found: list[tuple[tuple[int, ...], int, Line]] = []
        for order, line in enumerate(self.lines):
            rank = item.rank(line.folded)
            if rank is None or not any(line.whens):
                continue
            title = definitions().statements[item.statement].title
            own = bool(title.search(line.row.caption))
            near = own or bool(title.search(line.head))
            key = (line.is_part, not near, not own and rank, rank, -line.page_rows, line.row.page or 0)
            found.append((tuple(int(part) for part in key), order, line))
        return [line for _, _, line in sorted(found, key=lambda each: each[:2])]


def statements_of(passages: Sequence[Passage]) -> Statements:
    """Return the lines inside passages of narrative documents; those that two passages share count once."""
    rows: dict[tuple[str, int, int], tuple[TableRow, Passage]] = {}
    pages: dict[tuple[str, int], set[int]] = {}
    heads: dict[tuple[str, int], tuple[int, str]] = {}
    for passage in passages:
        chunk = passage.chunk
        if passage.source.tier == "structured":
            continue
        if chunk.page is not None:
            start, head = chunk.start, chunk.text[:_HEAD_CHARS]
            known = heads.get((chunk.uri, chunk.page))
            if known is None or start < known[0]:
                heads[chunk.uri, chunk.page] = (start, head)
        for row in passage.rows:
            pages.setdefault((row.uri, row.page or 0), set()).add(row.start)
            if chunk.start <= row.start and row.end <= chunk.end:
                rows.setdefault((row.uri, row.start, row.end), (row, passage))
    headers: dict[str, list[str]] = {}
    for row, _ in rows.values():
        headers.setdefault(row.uri, []).extend(cell.header for cell in row.cells)
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.chunk.uri, []).append(passage.chunk.text)
    calendars = {uri: calendar_of(uri, names, texts.get(uri, ())) for uri, names in sorted(headers.items())}
    lines = []
    intros: dict[tuple[object, ...], str] = {}
    for key in sorted(rows):
        row, passage = rows[key]
        base = passage.chunk.start
        start, end = row.start - base, row.end - base
        quote = Quote(chunk_id=passage.chunk.chunk_id, start=start, end=end, text=passage.chunk.text[start:end])
        head = heads.get((row.uri, row.page or 0), (0, ""))[1]
        table = (row.uri, row.page, row.caption, len(row.cells))
        intro = intros.setdefault(table, passage.chunk.text[max(0, start - _INTRO_CHARS) : start])
        lines.append(Line(row, quote, calendars[row.uri], len(pages[row.uri, row.page or 0]), head, intro))
    return Statements(tuple(lines))


def value_of(text: str) -> Decimal | None:
    """Return the number that a cell is, brackets as a sign; None where it holds none or several."""
    found = find_numbers(text)
    if len(found) != 1:
        return None
    value = found[0].value
    return -abs(value) if re.search(r"\([^()]*\d", text) else value
