"""Sums, shares, rankings and changes over tables: each number with its formula, its cells and the joins it took."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal

from ...state.records import TableRow
from ...text.fixed_sentences import said_in
from ...text.languages import detect
from ...text.periods import Period, contains
from ...text.words import analyse
from .asking import _COUNTERPARTY, _GENERIC, Ask, Measure, fiscal_labels, kept_rows, latest, measures_for
from .catalog import Catalog, Column, Table, date_of, header_words, number_of
from .cells import is_total_row, never_adds
from .computed import Computed
from .extremes import find_extreme
from .flows import asks_for_total, dimension_of, is_flow, rows_in
from .joins import Join, key_column, name_column, paths_from, stated_joins
from .lookups import total_row
from .ranked import asks_when
from .reckoning import reckon
from .scope import header_periods, unheld
from .wording import Spelling, header_and_value, measure_words

MAX_TERMS = 40
"""A formula longer than this is not readable; the computation is then left out."""
_NAMES_SHOWN = 8
_CHANGES = frozenset(
    analyse(
        "change changed growth grow grew increase increased decrease decreased decline declined rise rose fall fell"
    )
)


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


def compute(
    ask: Ask, catalog: Catalog, superseded: Sequence[str] = (), spelling: Spelling | None = None
) -> list[Computed]:
    """Return what the tables answer by computation; nothing where the question asks for none.

    Args:
        superseded: Words of a header that say that its figures were replaced, e.g. `first reported`.
        spelling: How words of headers are spelled.
    """
    said = spelling or Spelling.of(ask.question)
    found = _found(ask, catalog, superseded, said)
    language = detect(ask.question)
    told = ((answer, _in_words(answer.text, answer.header, said, language)) for answer in found)
    return [replace(answer, text=said_in(text, language)) for answer, text in told]


def _found(ask: Ask, catalog: Catalog, superseded: Sequence[str], said: Spelling) -> list[Computed]:
    if not catalog.tables:
        return []
    if reckoned := reckon(ask, catalog):
        return [replace(answer, text=said.in_capitals(answer.text)) for answer in reckoned]
    if not (ask.operations or asks_for_total(ask)):
        return []
    if not ask.operations:
        totals = (_total_of_time(ask, measure) for measure in measures_for(ask, catalog))
        return next((found for found in totals if found), [])
    joins = stated_joins(catalog)
    measures = measures_for(ask, catalog)
    if detect(ask.question) == "en":
        measures = [measure for measure in measures if _holds_all(ask, measure, catalog, joins)]
    if {"rank", "share", "sum"} & set(ask.operations):
        for measure in measures:
            if is_flow(measure.table, measure.column) and (found := _by_dimension(ask, measure)):
                return found
    if {"rank", "share"} & set(ask.operations):
        joined = any(True for measure in measures[:1] for _ in paths_from(measure.table, joins)) and not asks_when(ask)
        if "share" not in ask.operations and not joined and (extreme := find_extreme(ask, catalog, said)):
            return [Computed(extreme.text, extreme.rows, is_whole=True)]
        for measure in _grouped(measures, joins) if joined or "share" in ask.operations else ():
            found = _ranking(ask, measure, catalog, joins)
            if found:
                return found
    for measure in measures:
        if "change" in ask.operations and len(ask.periods) >= 2 and (found := _change(ask, measure)):
            return found
        if "change" in ask.operations and len(ask.fiscal) >= 2 and (found := _fiscal_change(ask, measure)):
            return found
        if "sum" in ask.operations and (found := _sums(ask, measure)):
            return found
    if "change" in ask.operations and len(ask.fiscal) >= 2:
        return _change_across(ask, catalog, superseded)
    return []


def _holds_all(ask: Ask, measure: Measure, catalog: Catalog, joins: Sequence[Join]) -> bool:
    """Whether each word asked for is held by the table measured or one joined to it: else another thing is meant."""
    reached = [join.right for path in paths_from(measure.table, joins) for join in path]
    left = [unheld(ask, table, catalog.whose) for table in (measure.table, *reached)]
    parties = frozenset(analyse(" ".join(_COUNTERPARTY.findall(ask.question))))
    return not frozenset.intersection(*left) - parties


def _total_of_time(ask: Ask, measure: Measure) -> list[Computed]:
    """Return what the rows in the period asked for amount to, where a column holds what happened in it."""
    table = measure.table
    texts = table.texts(measure.column.header)
    rows = [row for row in kept_rows(ask, table) if number_of(texts[row]) is not None]
    if not is_flow(table, measure.column) or _mixed(table, rows) or not 1 < len(rows) <= MAX_TERMS:
        return []
    total = _summed([number_of(texts[row]) or Decimal(0) for row in rows])
    used = tuple(table.rows[row] for row in rows)
    return [
        Computed(f"Sum of {measure.column.header}: {total}{_when(table, rows)}.", used, header=measure.column.header)
    ]


def _by_dimension(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the sums of what happened by the column that the question groups by, the largest or smallest first."""
    table = measure.table
    dimension = dimension_of(ask, table)
    rows = kept_rows(ask, table)
    if dimension is None or _mixed(table, rows) or not 1 < len(rows) <= MAX_TERMS:
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
    sums = [f"{name}: {_summed(values)}" for name, values in ordered[:_NAMES_SHOWN]]
    first, rest = sums[0], "; ".join(sums[1:])
    by = header_words(dimension.header)
    text = f"By {by}, the {kind} sum of {measure.column.header} is that of {first}; {rest}"
    used = tuple(table.rows[row] for row in rows)
    return [Computed(f"{text}{_when(table, rows)}.", used, header=measure.column.header)]


def _summed(values: Sequence[Decimal]) -> str:
    terms = " + ".join(map(_shown, values))
    return f"{terms} = {_shown(sum(values, Decimal(0)))}" if len(values) > 1 else terms


def _grouped(measures: Sequence[Measure], joins: Sequence[Join]) -> list[Measure]:
    """Prefer, among equal fits, a table whose rows belong to somebody."""

    def owned(measure: Measure) -> bool:
        key = key_column(measure.table)
        return key is not None and any(join.left is measure.table for join in joins)

    return sorted(measures, key=lambda measure: -round(measure.fit, 3) - (1 if owned(measure) else 0))


def _ranking(ask: Ask, measure: Measure, catalog: Catalog, joins: Sequence[Join]) -> list[Computed]:
    table = measure.table
    kept = kept_rows(ask, table)
    # What sums up the others is none of them.
    rows = latest(table, [row for row in kept if not is_total_row(table, row)])
    key = key_column(table)
    if key is None or len(rows) < 2 or _mixed(table, rows):
        return []
    paths = list(paths_from(table, joins))
    if ask.counterparty and not paths and not _COUNTERPARTY.search(header_words(_label(table))):
        return []
    roll_up = next((path for path in paths if path[-1].rolls_up), ())
    named = next((path for path in paths if path[-1].column == key.header and name_column(path[-1].right)), ())
    total = _total(ask, measure, rows, catalog)
    found: list[Computed] = []
    for path in dict.fromkeys((roll_up, named[:1] or ())):
        groups = _groups(catalog, measure, rows, path)
        chosen = _chosen(ask, groups)
        if roll_up and path != roll_up:
            # Beside the view by parent, the one by part is told as such and never stands for it.
            chosen = chosen[:1]
        chosen = [group for group in chosen if len(group.places) <= MAX_TERMS]
        found += [_told(ask, measure, rows, group, total, path, roll_up) for group in chosen]
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
    asked = ask.question.casefold()
    named = [group for group in groups if len(group.name) >= 3 and group.name.casefold() in asked]
    if named:
        return named
    ordered = list(reversed(groups)) if ask.ascending else list(groups)
    wanted = re.search(r"\btop\s+(\d{1,2})\b|\b(\d{1,2})\s+(?:largest|biggest|smallest)\b", ask.question, re.IGNORECASE)
    return ordered[: int(wanted[1] or wanted[2]) if wanted else 1]


def _told(
    ask: Ask,
    measure: Measure,
    rows: Sequence[int],
    group: _Group,
    total: tuple[Decimal, str, tuple[TableRow, ...]] | None,
    path: Sequence[Join],
    roll_up: Sequence[Join],
) -> Computed:
    table = measure.table
    texts = table.texts(measure.column.header)
    terms = [_shown(number_of(texts[place]) or Decimal(0)) for place in group.places]
    amount = f"{' + '.join(terms)} = {_shown(group.value)}" if len(terms) > 1 else terms[0]
    kind = "smallest" if ask.ascending else "largest"
    by = header_words(name.header) if path and (name := name_column(path[-1].right)) else header_words(_label(table))
    head = f"By {by}"
    if roll_up and path != roll_up:
        # Beside the view by parent, this one must not pass for it.
        head = f"By single {by}"
    asked_for = group.name.casefold() in ask.question.casefold()
    lead = f"{head}, {group.name}" if asked_for else f"{head}, the {kind} is {group.name}"
    when = _when(table, rows)
    text = f"{lead}: {measure.column.header} {amount}{when}"
    if group.rolled and len(group.members) > 1:
        shown = ", ".join(group.members[:_NAMES_SHOWN]) + (" and others" if len(group.members) > _NAMES_SHOWN else "")
        text += f", over {shown}"
    used = [table.rows[place] for place in group.places] + list(group.others)
    share = None
    if total is not None and "share" in ask.operations and total[0]:
        value, formula, stated = total
        share = (group.value / value * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        text += f"; share of the total: {formula}{_shown(group.value)} / {_shown(value)} = {share}%"
        used += stated
    return Computed(f"{text}.", tuple(dict.fromkeys(used)), share, measure.column.header)


def _total(
    ask: Ask, measure: Measure, rows: Sequence[int], catalog: Catalog
) -> tuple[Decimal, str, tuple[TableRow, ...]] | None:
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
                    return total, "", (other.rows[place],)
    if len(values) > MAX_TERMS:
        return None
    return total, f"{' + '.join(map(_shown, values))} = {_shown(total)}, ", tuple(table.rows[row] for row in rows)


def _is_of_time(ask: Ask, column: Column) -> bool:
    """Whether a column whose header names a period names one that is asked for, where one is."""
    named = header_periods(column)
    return not (named and ask.periods) or any(contains(asked, each) for asked in ask.periods for each in named)


def _sums(ask: Ask, measure: Measure) -> list[Computed]:
    table = measure.table
    rows = kept_rows(ask, table)
    if never_adds(measure.column, over_time=False) or not _is_of_time(ask, measure.column):
        return []
    if len(rows) == len(table.rows):
        rows = latest(table, rows)
    dates = [column for column in table.columns if column.kind == "date"]
    days = {table.texts(dates[0].header)[row] for row in rows} if dates else set()
    if len(days) > 1 and never_adds(measure.column, over_time=True, table=table):
        return []
    texts = table.texts(measure.column.header)
    units = table.texts(table.currency.header) if table.currency else [""] * len(table.rows)
    found = []
    for unit in dict.fromkeys(units[row] for row in rows):
        inside = [row for row in rows if units[row] == unit and number_of(texts[row]) is not None]
        if not 2 <= len(inside) <= MAX_TERMS:
            continue
        values = [number_of(texts[row]) or Decimal(0) for row in inside]
        formula = f"{' + '.join(map(_shown, values))} = {_shown(sum(values, Decimal(0)))}"
        name = f"{unit} " if unit else ""
        found.append(
            Computed(
                f"Sum of {measure.column.header}: {name}{formula}{_when(table, inside)}.",
                tuple(table.rows[row] for row in inside),
                header=measure.column.header,
            )
        )
    return found


def _change(ask: Ask, measure: Measure) -> list[Computed]:
    """Return the change between the first and the last period asked for, where each has exactly one row.

    Of what happened, each period may have several, which are added up.
    """
    table = measure.table
    dates = [column for column in table.columns if column.kind == "date"]
    if not dates:
        return []
    if is_flow(table, measure.column) and (found := _change_of_sums(ask, measure)):
        return found
    texts, days = table.texts(measure.column.header), table.texts(dates[0].header)
    picked = []
    ordered = sorted(set(ask.periods), key=lambda each: (each.start, each.end))
    for period in (ordered[0], ordered[-1]):
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
    if not all(terms) or not 1 < most <= MAX_TERMS or _mixed(table, [row for each in inside for row in each]):
        return []
    before, after = (sum(each, Decimal(0)) for each in terms)
    told = "; ".join(f"{period.label()}: {_summed(each)}" for period, each in zip(ends, terms, strict=True))
    header = measure.column.header
    used = tuple(table.rows[row] for each in inside for row in each)
    names = (ends[0].label(), ends[1].label())
    changed = _changed("it", names, before, after, used)
    return [replace(changed, text=f"{header}: {told}; {changed.text}", header=header)]


def _fiscal_change(ask: Ask, measure: Measure) -> list[Computed]:
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


def _change_across(ask: Ask, catalog: Catalog, superseded: Sequence[str]) -> list[Computed]:
    """Return the change along the one row that is asked for, where each period has a column of its own."""
    for table in catalog.tables:
        label = name_column(table) or next((column for column in table.columns if column.kind == "text"), None)
        if not table.structured or label is None:
            continue
        names = table.texts(label.header)
        rows = [row for row, name in enumerate(names) if frozenset(analyse(name)) - _GENERIC == ask.wanted - _CHANGES]
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
    text = (
        f"{name} changed between {ends[0]} and {ends[1]}: {_shown(after)} - {_shown(before)} = {_shown(after - before)}"
    )
    if before > 0:
        rate = ((after - before) / before * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        text += f"; ({_shown(after)} - {_shown(before)}) / {_shown(before)} = {rate}%"
    return Computed(f"{text}.", rows, header=name)


def _in_words(text: str, header: str, spelling: Spelling, language: str) -> str:
    """Return a computed answer with its measure in words: `arr_usd` as `ARR (USD)`."""
    said = measure_words(header, spelling, language)
    said = f"{said[:1].upper()}{said[1:]}" if header and text.startswith(header) else said
    return text.replace(header, said, 1) if header and said != header else text


def _mixed(table: Table, rows: Sequence[int]) -> bool:
    """Whether the rows are in several currencies or units, which are never added up."""
    if table.currency is None:
        return False
    units = table.texts(table.currency.header)
    return len({units[row] for row in rows}) > 1


def _label(table: Table) -> str:
    column = name_column(table) or key_column(table) or table.columns[0]
    return column.header


def _when(table: Table, rows: Sequence[int]) -> str:
    dates = [column for column in table.columns if column.kind == "date"]
    if not dates:
        return ""
    days = sorted({table.texts(dates[0].header)[row] for row in rows})
    return f" at {days[0]}" if len(days) == 1 else f" from {days[0]} to {days[-1]}"


def _shown(value: Decimal) -> str:
    plain = value.normalize()
    return f"{plain:,f}"
