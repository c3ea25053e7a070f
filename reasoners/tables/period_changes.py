"""How a figure moved between the first and the last period asked for, in amount and in percent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ...state.records import TableRow
from ...text.numerals import grouped_short
from ...text.periods import Period
from ...text.words import analyse
from .asking import GENERIC, Ask, Measure, fiscal_labels, kept_rows
from .catalog import Catalog, Column, Table, date_of, header_words, number_of
from .cells import less, rate_of_change, summed
from .computed import Computed
from .flows import is_flow, rows_in
from .joins import name_column
from .lookups import total_row
from .sums import MAX_TERMS
from .wording import header_and_value

_CHANGES = frozenset(
    analyse(
        "change changed growth grow grew increase increased decrease decreased decline declined rise rose fall fell"
    )
)


def change_between_rows(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the change between the first and the last period asked for, where each has exactly one row.

    Of what happened, each period may have several, which are added up.
    """
    table = measure.table
    if not table.dates:
        return []
    if is_flow(table, measure.column) and (found := _change_of_sums(ask, measure)):
        return found
    days = table.texts(table.dates[0].header)
    picked = [_row_in(table, days, period) for period in _first_and_last(ask.periods)]
    return _change_of_rows(measure, picked, [days[row] for row in picked if row is not None])


def _row_in(table: Table, days: Sequence[str], period: Period) -> int | None:
    """Return the one row of a period, of a year the last; None where there is none, or more than one."""
    inside = [row for row, day in enumerate(days) if (when := date_of(day)) and period.start <= when <= period.end]
    if period.kind == "year":
        inside = inside[-1:]
    elif len(inside) > 1:
        inside = total_row(table, inside) or inside
    return inside[0] if len(inside) == 1 else None


def _change_of_sums(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the change between what the first and the last period amount to; nothing where each is one row."""
    table = measure.table
    rows = table.with_figures(measure.column.header, kept_rows(replace(ask, periods=()), table))
    ends = _first_and_last(ask.periods)
    inside = [rows_in(table, rows, period) for period in ends]
    terms = [table.figures(measure.column.header, each) for each in inside]
    most = max(map(len, terms))
    if not all(terms) or not 1 < most <= MAX_TERMS or table.is_mixed([row for each in inside for row in each]):
        return []
    before, after = (sum(each, Decimal(0)) for each in terms)
    told = "; ".join(
        f"{period.label()}: {summed(each, grouped_short)}" for period, each in zip(ends, terms, strict=True)
    )
    header = measure.column.header
    used = tuple(table.rows[row] for each in inside for row in each)
    names = (ends[0].label(), ends[1].label())
    changed = _changed("it", names, before, after, used)
    return [replace(changed, text=f"{header}: {told}; {changed.text}", header=header)]


def fiscal_change(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the change between two periods of a company's year that label a row each."""
    ends = [fiscal_labels(period) for period in _first_and_last(ask.fiscal)]
    picked = [_row_labelled(measure.table, labels) for labels in ends]
    return _change_of_rows(measure, picked, [" ".join(labels) for labels in ends])


def _row_labelled(table: Table, labels: Sequence[str]) -> int | None:
    """Return the one row that has each of some labels in a cell; None where there is none, or more than one."""
    words = [table.texts(column.header) for column in table.columns if column.kind == "text"]
    inside = [
        row
        for row in range(len(table.rows))
        if all(any(values[row].casefold() == label.casefold() for values in words) for label in labels)
    ]
    return inside[0] if len(inside) == 1 else None


def _change_of_rows(measure: Measure, picked: Sequence[int | None], ends: Sequence[str]) -> list[Computed]:
    """Return the change from the first of two rows to the second; nothing where they are one, or lack a figure."""
    rows = [row for row in dict.fromkeys(picked) if row is not None]
    figures = measure.table.figures(measure.column.header, rows)
    if len(figures) != 2:
        return []
    used = tuple(measure.table.rows[row] for row in rows)
    return [_changed(measure.column.header, (ends[0], ends[1]), figures[0], figures[1], used)]


def change_across_columns(ask: Ask, catalog: Catalog, superseded: Sequence[str]) -> list[Computed]:
    """Return the change along the one row that is asked for, where each period has a column of its own."""
    for table in catalog.tables:
        label = name_column(table) or next((column for column in table.columns if column.kind == "text"), None)
        if not table.structured or label is None:
            continue
        names = table.texts(label.header)
        rows = [row for row, name in enumerate(names) if frozenset(analyse(name)) - GENERIC == ask.wanted - _CHANGES]
        columns = [_column_of(table, period, superseded) for period in _first_and_last(ask.fiscal)]
        if len(rows) != 1 or None in columns or columns[0] is columns[1]:
            continue
        before, after = (number_of(table.texts(column.header)[rows[0]]) for column in columns if column)
        if before is None or after is None:
            continue
        ends = tuple(
            header_and_value(cell, table.rows[rows[0]])[0]
            for column in columns
            if column
            for cell in [table.cell(rows[0], column.header)]
            if cell
        )
        return [_changed(names[rows[0]], (ends[0], ends[1]), before, after, (table.rows[rows[0]],))]
    return []


def _column_of(table: Table, period: Period, superseded: Sequence[str]) -> Column | None:
    """Return the one column of figures under a period's label that no other one has replaced."""
    labels = {word for label in fiscal_labels(period) for word in analyse(label)}
    found = [
        column
        for column in table.columns
        if column.kind == "number"
        and labels
        and labels <= column.words
        and not any(phrase in header_words(column.header).casefold() for phrase in superseded)
    ]
    return found[0] if len(found) == 1 else None


def _first_and_last(periods: Sequence[Period]) -> tuple[Period, Period]:
    ordered = sorted(set(periods), key=lambda each: (each.start, each.end))
    return ordered[0], ordered[-1]


def _changed(name: str, ends: tuple[str, str], before: Decimal, after: Decimal, rows: tuple[TableRow, ...]) -> Computed:
    text = f"{name} changed between {ends[0]} and {ends[1]}: {less(after, before, grouped_short)}"
    if before > 0:
        text += f"; {rate_of_change(before, after, grouped_short)}"
    return Computed(f"{text}.", rows, header=name)
