"""What a measure sums to by whom its rows belong to, over joins: the largest, the smallest, and their shares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...state.records import TableRow
from ...text.numerals import grouped_short, percent
from .asking import COUNTERPARTY, Ask, Measure, kept_rows, latest
from .catalog import Catalog, Table, header_words, number_of
from .cells import summed
from .computed import Computed
from .joins import Join, key_column, name_column, paths_from
from .sums import MAX_TERMS, NAMES_SHOWN, days_of

_LEAST_NAME = 3


@dataclass(frozen=True)
class _Group:
    name: str
    rolled: bool
    value: Decimal
    places: tuple[int, ...]
    """Rows of the measured table."""
    others: tuple[TableRow, ...]
    """Rows of the joined tables."""
    members: tuple[str, ...]


@dataclass(frozen=True)
class _Whole:
    """What all rows amount to: the sum as it is written out, and the rows that state or add up to it."""

    value: Decimal
    formula: str
    rows: tuple[TableRow, ...]


def owned_first(measures: Sequence[Measure], joins: Sequence[Join]) -> list[Measure]:
    """Prefer, among equal fits, a table whose rows belong to somebody."""

    def owned(measure: Measure) -> bool:
        key = key_column(measure.table)
        return key is not None and any(join.left is measure.table for join in joins)

    return sorted(measures, key=lambda measure: -round(measure.fit, 3) - (1 if owned(measure) else 0))


def rank_groups(ask: Ask, measure: Measure, catalog: Catalog, joins: Sequence[Join]) -> list[Computed]:
    """Return the groups that a question names or ranks, by the table at the end of the joins and by the part itself."""
    table = measure.table
    kept = kept_rows(ask, table)
    # What sums up the others is none of them.
    rows = latest(table, [row for row in kept if not table.is_total(row)])
    key = key_column(table)
    if key is None or len(rows) < 2 or table.is_mixed(rows):
        return []
    paths = list(paths_from(table, joins))
    if ask.counterparty and not paths and not COUNTERPARTY.search(header_words(_label(table))):
        return []
    roll_up = next((path for path in paths if path[-1].rolls_up), ())
    named = next((path for path in paths if path[-1].column == key.header and name_column(path[-1].right)), ())
    whole = _whole(measure, rows, catalog)
    found: list[Computed] = []
    for path in dict.fromkeys((roll_up, named[:1] or ())):
        groups = _groups(catalog, measure, rows, path)
        chosen = _chosen(ask, groups)
        if whole is None and table.is_partial and any(_is_named(group, ask) for group in chosen):
            return []  # What share of the whole somebody has, a list of the largest cannot tell.
        if roll_up and path != roll_up:
            # Beside the view by parent, the one by part is told as such and never stands for it.
            chosen = chosen[:1]
        chosen = [group for group in chosen if len(group.places) <= MAX_TERMS]
        found += [_told(ask, measure, rows, group, whole, path, roll_up) for group in chosen]
    return found


def _groups(catalog: Catalog, measure: Measure, rows: Sequence[int], path: Sequence[Join]) -> list[_Group]:
    """Sum a measure by the table at the end of a path of joins, the part itself where it leads nowhere."""
    table = measure.table
    tables = [table, *(join.right for join in path)]
    names = [_label(each) for each in tables]
    ons = " ".join(
        f"LEFT JOIN {join.right.name} AS a{place + 1} "
        f"ON a{place}.c{join.left.place(join.column)} = a{place + 1}.c{join.right.place(join.key)}"
        for place, join in enumerate(path)
    )
    labels = ", ".join(f"a{place}.c{tables[place].place(name)}" for place, name in reversed(list(enumerate(names))))
    lists = ", ".join(f"list(a{place}._row ORDER BY a0._row)" for place in range(len(tables)))
    member = ", ".join(f"a{place}.c{tables[place].place(names[place])}" for place in reversed(range(len(tables) - 1)))
    members = f"list(coalesce({member}) ORDER BY a0._row)" if member else "NULL"
    value = f"a0.c{table.place(measure.column.header)}"
    query = (  # Every name in it is one of ours: tables t0 and on, columns c0 and on.
        f"SELECT coalesce({labels}) AS name, bool_or(a{len(path)}._row IS NOT NULL), {members}, {lists} "
        f"FROM {table.name} AS a0 {ons} WHERE list_contains($rows, a0._row) AND {value} IS NOT NULL "
        f"GROUP BY name ORDER BY sum({value}) DESC, name"
    )
    groups = []
    for name, rolled, inside, places, *joined in catalog.connection.execute(query, {"rows": list(rows)}).fetchall():
        numbers = [number_of(table.texts(measure.column.header)[place]) for place in places]
        others = [tables[at + 1].rows[row] for at, listed in enumerate(joined) for row in listed if row is not None]
        groups.append(
            _Group(
                name=str(name),
                rolled=bool(rolled) and len(path) > 0,
                value=sum((number for number in numbers if number is not None), Decimal(0)),
                places=tuple(places),
                others=tuple(dict.fromkeys(others)),
                members=tuple(str(each) for each in inside or ()),
            )
        )
    return groups


def _chosen(ask: Ask, groups: Sequence[_Group]) -> list[_Group]:
    """Return the groups that the question names, else as many from the top (or the bottom) as it asks for."""
    named = [group for group in groups if _is_named(group, ask)]
    if named:
        return named
    ordered = list(reversed(groups)) if ask.ascending else list(groups)
    wanted = re.search(r"\btop\s+(\d{1,2})\b|\b(\d{1,2})\s+(?:largest|biggest|smallest)\b", ask.question, re.IGNORECASE)
    return ordered[: int(wanted[1] or wanted[2]) if wanted else 1]


def _is_named(group: _Group, ask: Ask) -> bool:
    return len(group.name) >= _LEAST_NAME and group.name.casefold() in ask.question.casefold()


def _told(
    ask: Ask,
    measure: Measure,
    rows: Sequence[int],
    group: _Group,
    whole: _Whole | None,
    path: Sequence[Join],
    roll_up: Sequence[Join],
) -> Computed:
    table = measure.table
    texts = table.texts(measure.column.header)
    terms = [number_of(texts[place]) or Decimal(0) for place in group.places]
    amount = summed(terms, grouped_short)
    kind = "smallest" if ask.ascending else "largest"
    by = header_words(name.header) if path and (name := name_column(path[-1].right)) else header_words(_label(table))
    # Beside the view by parent, the one by part must not pass for it.
    head = f"By single {by}" if roll_up and path != roll_up else f"By {by}"
    asked_for = group.name.casefold() in ask.question.casefold()
    lead = f"{head}, {group.name}" if asked_for else f"{head}, the {kind} is {group.name}"
    text = f"{lead}: {measure.column.header} {amount}{days_of(table, rows)}"
    if group.rolled and len(group.members) > 1:
        shown = ", ".join(group.members[:NAMES_SHOWN]) + (" and others" if len(group.members) > NAMES_SHOWN else "")
        text += f", over {shown}"
    used = [table.rows[place] for place in group.places] + list(group.others)
    share = None
    if whole is not None and "share" in ask.operations and whole.value:
        share = percent(group.value, whole.value)
        parts = f"{grouped_short(group.value)} / {grouped_short(whole.value)}"
        text += f"; share of the total: {whole.formula}{parts} = {share}%"
        used += whole.rows
    return Computed(f"{text}.", tuple(dict.fromkeys(used)), share, measure.column.header)


def _whole(measure: Measure, rows: Sequence[int], catalog: Catalog) -> _Whole | None:
    """Return the total of a measure: one that an export states and that agrees, else the sum written out."""
    table = measure.table
    numbers = [number_of(table.texts(measure.column.header)[row]) for row in rows]
    values = [number for number in numbers if number is not None]
    total = sum(values, Decimal(0))
    for other in catalog.tables:
        if other is table or not other.structured:
            continue
        for column in other.columns:
            if column.kind != "number" or not measure.column.words <= column.words:
                continue
            for place, text in enumerate(other.texts(column.header)):
                if number_of(text) == total:
                    return _Whole(total, "", (other.rows[place],))
    if len(values) > MAX_TERMS or table.is_partial:
        return None
    formula = f"{summed(values, grouped_short)}, "
    return _Whole(total, formula, tuple(table.rows[row] for row in rows))


def _label(table: Table) -> str:
    column = name_column(table) or key_column(table) or table.columns[0]
    return column.header
