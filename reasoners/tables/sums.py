"""What figures of a table add up to, where they add up: in a stretch of time, by a column, by currency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from ...text.numerals import grouped_short
from ...text.periods import contains
from .asking import Ask, Measure, kept_rows, latest
from .catalog import Column, Table, header_words, number_of
from .cells import never_adds, summed
from .computed import Computed
from .flows import dimension_of, is_flow
from .scope import header_periods

# A day on which something of the record ends or begins is no time of its figures.
_OF_LATER = re.compile(
    r"\b(?:(?:contract|lease|loan|term|licen[cs]e) (?:end|start)|expir\w+|maturity|matures|due|renewal|review|birth)\b",
    re.IGNORECASE,
)
MAX_TERMS = 40
"""A formula longer than this is not readable; the computation is then left out."""
NAMES_SHOWN = 8


def total_of_time(ask: Ask, measure: Measure) -> list[Computed]:
    """Return what the rows in the period asked for amount to, where a column holds what happened in it."""
    table = measure.table
    rows = table.with_figures(measure.column.header, kept_rows(ask, table))
    if not is_flow(table, measure.column) or table.is_mixed(rows) or not 1 < len(rows) <= MAX_TERMS:
        return []
    total = summed(table.figures(measure.column.header, rows), grouped_short)
    used = tuple(table.rows[row] for row in rows)
    return [
        Computed(f"Sum of {measure.column.header}: {total}{days_of(table, rows)}.", used, header=measure.column.header)
    ]


def sums_by_dimension(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the sums of what happened by the column that the question groups by, the largest or smallest first."""
    table = measure.table
    dimension = dimension_of(ask, table)
    rows = kept_rows(ask, table)
    if dimension is None or table.is_mixed(rows) or not 1 < len(rows) <= MAX_TERMS:
        return []
    names, texts = table.texts(dimension.header), table.texts(measure.column.header)
    groups: dict[str, list[Decimal]] = {}
    for row in rows:
        value = number_of(texts[row])
        if value is not None and names[row]:
            groups.setdefault(names[row], []).append(value)
    ordered = sorted(groups.items(), key=lambda each: (-sum(each[1]), each[0]))
    if ask.ascending:
        ordered.reverse()
    if len(ordered) < 2:
        return []
    kind = "smallest" if ask.ascending else "largest"
    sums = [f"{name}: {summed(values, grouped_short)}" for name, values in ordered[:NAMES_SHOWN]]
    first, rest = sums[0], "; ".join(sums[1:])
    by = header_words(dimension.header)
    text = f"By {by}, the {kind} sum of {measure.column.header} is that of {first}; {rest}"
    used = tuple(table.rows[row] for row in rows)
    return [Computed(f"{text}{days_of(table, rows)}.", used, header=measure.column.header)]


def _is_of_time(ask: Ask, column: Column) -> bool:
    """Whether a column whose header names a period names one that is asked for, where one is."""
    named = header_periods(column)
    return not (named and ask.periods) or any(contains(asked, each) for asked in ask.periods for each in named)


def sums_of(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the sum of the rows that a question keeps, one for each currency; of states those of the latest day."""
    table = measure.table
    rows = kept_rows(ask, table)
    if never_adds(measure.column, over_time=False) or not _is_of_time(ask, measure.column):
        return []
    if len(rows) == len(table.rows):
        rows = latest(table, rows)
    days = {table.texts(table.dates[0].header)[row] for row in rows} if table.dates else set()
    if len(days) > 1 and never_adds(measure.column, over_time=True, table=table):
        return []
    units = table.texts(table.currency.header) if table.currency else [""] * len(table.rows)
    found = []
    for unit in dict.fromkeys(units[row] for row in rows):
        inside = table.with_figures(measure.column.header, (row for row in rows if units[row] == unit))
        if not 2 <= len(inside) <= MAX_TERMS:
            continue
        formula = summed(table.figures(measure.column.header, inside), grouped_short)
        name = f"{unit} " if unit else ""
        found.append(
            Computed(
                f"Sum of {measure.column.header}: {name}{formula}{days_of(table, inside)}.",
                tuple(table.rows[row] for row in inside),
                header=measure.column.header,
            )
        )
    return found


def days_of(table: Table, rows: Sequence[int]) -> str:
    """Return the day of rows, or the first and the last one: ` at 2025-03-31`; empty where no column holds dates."""
    dates = [column for column in table.dates if not _OF_LATER.search(header_words(column.header))]
    if not dates:
        return ""
    days = sorted({table.texts(dates[0].header)[row] for row in rows})
    return f" at {days[0]}" if len(days) == 1 else f" from {days[0]} to {days[-1]}"
