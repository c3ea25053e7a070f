"""The members that a ranking compares: rows of a table brought together by name, each with its value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...state.records import TableRow
from .asking import Ask, latest
from .catalog import Column, Table, date_of, header_words, number_of
from .cells import never_adds
from .ranked import asks_for_years
from .row_periods import row_periods
from .wording import is_date_header

_MAX_TERMS = 40
# Figures that rows of several dates or parts do not add up to.
_NO_SUM = re.compile(
    r"\b(?:rate|ratio|percent\w*|pct|share|margin|average|avg|mean|median|price|temperature|index|score|rating|age|"
    r"balance|outstanding|arr|mrr|stock|inventory|headcount|employees|staff|population|level|quote|preis|bestand|"
    r"durchschnitt|prix|taux|precio|prezzo)\b",
    re.IGNORECASE,
)
_QUARTERLY = re.compile(
    r"(?<!\w)(?:which|what|welche\w*|quel|qué|quale) (?:quarter|quartal|trimestre)(?!\w)", re.IGNORECASE
)
_QUARTER_MONTHS = 3


@dataclass(frozen=True)
class Entry:
    """One member of what is ranked: its name, its value and the rows that give it."""

    name: str
    values: tuple[Decimal, ...]
    rows: tuple[TableRow, ...]

    @property
    def value(self) -> Decimal:
        return sum(self.values, Decimal(0))


def entries_of(
    ask: Ask, table: Table, column: Column, dimension: Column, rows: Sequence[int]
) -> tuple[list[Entry], bool]:
    """Return the members of one table, and whether their values are sums of rows."""
    names = table.texts(dimension.header)
    yearly = dimension.kind == "date" and asks_for_years(ask)
    quarterly = is_quarterly(ask, dimension)

    def name_of(row: int) -> str:
        day = date_of(names[row]) if yearly or quarterly else None
        if day and quarterly:
            return f"Q{(day.month + 2) // 3} {day.year}"
        return str(day.year) if day else " ".join(names[row].split())

    used = [row for row in table.with_figures(column.header, rows) if names[row].strip()]
    groups: dict[str, list[int]] = {}
    for row in used:
        groups.setdefault(name_of(row), []).append(row)
    if quarterly:
        if never_adds(column, over_time=True, table=table):
            return [], False
        # A quarter of which months are missing would seem small.
        groups = {name: each for name, each in groups.items() if len({names[row] for row in each}) >= _QUARTER_MONTHS}
    repeated = any(len(members) > 1 for members in groups.values())
    if repeated and _NO_SUM.search(header_words(column.header)):
        # The last state of each counts; where it has several parts they are compared one by one.
        used = latest(table, used)
        groups = {}
        for row in used:
            groups.setdefault(name_of(row), []).append(row)
        if any(len(members) > 1 for members in groups.values()):
            groups = {f"{name_of(row)} ({_apart(table, row, dimension, column)})": [row] for row in used}
        repeated = False
    if any(len(members) > _MAX_TERMS for members in groups.values()):
        return [], False
    entries = [
        Entry(
            name,
            tuple(table.figures(column.header, members)),
            tuple(table.rows[row] for row in members),
        )
        for name, members in groups.items()
    ]
    return entries, repeated


def is_quarterly(ask: Ask, dimension: Column) -> bool:
    """Whether rows of single months are to be brought together by quarter."""
    return dimension.kind == "date" and bool(_QUARTERLY.search(ask.question))


def _apart(table: Table, row: int, dimension: Column, column: Column) -> str:
    """Return the other words of a row, which tell it from others of its name."""
    texts = (table.texts(each.header)[row] for each in table.columns if each not in (dimension, column))
    return ", ".join(text for text in texts if text and number_of(text) is None)


def filters_of(ask: Ask, table: Table, dimension: Column, rows: Sequence[int]) -> list[str]:
    """Return the values, in words or dates, that the compared rows have in common because the question names them."""
    asked = ask.question.casefold()
    found = []
    for column in table.columns:
        if column is dimension or column.kind != "text" or column is table.currency:
            continue
        kept = {table.texts(column.header)[row] for row in rows}
        if (
            len(kept) == 1
            and len(set(table.texts(column.header))) > 1
            and (value := next(iter(kept))).casefold() in asked
        ):
            found.append(value)
    dates = [column for column in table.dates if is_date_header(column.header)]
    if dates and dates[0] is not dimension and rows and ask.periods:
        days = sorted({table.texts(dates[0].header)[row] for row in rows})
        found.append(days[0] if len(days) == 1 else f"{days[0]} – {days[-1]}")
    elif rows and ask.periods and not dates and dimension.kind != "date" and not is_date_header(dimension.header):
        told = {period.text.strip() for row in rows for period in row_periods(table.rows[row])}
        found += told if len(told) == 1 else ()
    return found
