"""How a figure moved between the first and the last period asked for, in amount and in percent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal

from ...state.records import TableRow
from ...text.numerals import grouped_short
from ...text.periods import Period
from ...text.words import analyse
from .asking import GENERIC, Ask, Measure, fiscal_labels, kept_rows
from .catalog import Catalog, Column, Table, date_of, header_words, number_of
from .cells import less, summed
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
    texts, days = table.texts(measure.column.header), table.texts(table.dates[0].header)
    picked = []
    for period in _first_and_last(ask.periods):
        inside = [row for row, day in enumerate(days) if (when := date_of(day)) and period.start <= when <= period.end]
        if period.kind == "year":
            inside = inside[-1:]
        elif len(inside) > 1:
            inside = total_row(table, inside) or inside
        if len(inside) != 1 or number_of(texts[inside[0]]) is None:
            return []
        picked.append(inside[0])
    if len(picked) != 2 or picked[0] == picked[1]:
        return []
    before, after = (number_of(texts[row]) or Decimal(0) for row in picked)
    ends = (days[picked[0]], days[picked[1]])
    rows = tuple(table.rows[row] for row in picked)
    return [_changed(measure.column.header, ends, before, after, rows)]


def _change_of_sums(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the change between what the first and the last period amount to; nothing where each is one row."""
    table = measure.table
    texts = table.texts(measure.column.header)
    rows = [row for row in kept_rows(replace(ask, periods=()), table) if number_of(texts[row]) is not None]
    ends = _first_and_last(ask.periods)
    inside = [rows_in(table, rows, period) for period in ends]
    terms = [[number_of(texts[row]) or Decimal(0) for row in each] for each in inside]
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
    table = measure.table
    texts = table.texts(measure.column.header)
    words = [(column.header, table.texts(column.header)) for column in table.columns if column.kind == "text"]
    picked: list[int] = []
    ends: list[str] = []
    for period in _first_and_last(ask.fiscal):
        labels = fiscal_labels(period)
        inside = [
            row
            for row in range(len(table.rows))
            if all(any(values[row].casefold() == label.casefold() for _, values in words) for label in labels)
        ]
        if len(inside) != 1 or number_of(texts[inside[0]]) is None:
            return []
        picked += inside
        ends.append(" ".join(labels))
    if picked[0] == picked[1]:
        return []
    before, after = (number_of(texts[row]) or Decimal(0) for row in picked)
    rows = tuple(table.rows[row] for row in picked)
    return [_changed(measure.column.header, (ends[0], ends[1]), before, after, rows)]


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
    first, last = grouped_short(before), grouped_short(after)
    text = f"{name} changed between {ends[0]} and {ends[1]}: {less(after, before, grouped_short)}"
    if before > 0:
        rate = ((after - before) / before * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        text += f"; ({last} - {first}) / {first} = {rate}%"
    return Computed(f"{text}.", rows, header=name)
