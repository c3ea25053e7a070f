"""What part of a whole a figure is, and how much of it falls on one unit of another column, each with its formula."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal

from ...text.numerals import grouped, percent
from ...text.words import analyse
from .asking import Ask
from .catalog import Column, Table, header_words, number_of
from .cells import capital, name_of, never_adds, of_what, one_column, summed, when_of_scope
from .computed import Computed
from .scope import Scope, is_of, measure_of, row_times, same_terms
from .units import amount, name_and_unit

_SHARE = re.compile(
    r"\b(?:(?:what|which|how (?:big|large|high)(?: \w+)?) (?:an? |the )?"
    r"(?:share|percentage|percent|per cent|proportion|fraction|part)|how much of)\b",
    re.IGNORECASE,
)
_PER = re.compile(r"\bper (?P<unit>(?!cent\b|year\b|month\b|week\b|day\b|quarter\b|hour\b)[^\W\d_]+)", re.IGNORECASE)
_TOTAL = frozenset({"total", "sum", "all"})
_MOST_TERMS = 40


def share_of(ask: Ask, scope: Scope) -> Computed | None:
    """Return what part of the whole the one member or the one column asked for is.

    The whole is the total that the table states, else the sum of the members of the same time, where these add up.
    """
    if not _SHARE.search(ask.question) or scope.unsaid:
        return None
    column = one_column(scope)
    if column is None or never_adds(column, over_time=False):
        return None
    if len(scope.rows) == 1 and (whole := _total_column(scope.table, column)) is not None:
        return _told(scope, column, scope.rows[0], _value(scope.table, whole, scope.rows[0]), (scope.rows[0],), "")
    if len(scope.named) != 1 or len(scope.rows) != 1 or scope.key is None:
        return None
    every = _of_the_time(scope)
    stated = [row for row in every if scope.table.is_total(row)]
    parts = [row for row in every if row not in stated]
    if len(stated) == 1:
        return _told(scope, column, scope.rows[0], _value(scope.table, column, stated[0]), (stated[0],), "")
    values = [value for row in parts if (value := _value(scope.table, column, row)) is not None]
    names = [scope.table.texts(scope.key.header)[row] for row in parts]
    if len(values) != len(parts) or len(set(names)) != len(names) or not 2 <= len(values) <= _MOST_TERMS:
        return None
    if scope.table.is_partial:
        return None
    total = sum(values, Decimal(0))
    return _told(scope, column, scope.rows[0], total, tuple(parts), f"{summed(values)}; ")


def ratio_of(ask: Ask, scope: Scope) -> Computed | None:
    """Return how much of one column falls on a unit of another one, both in one row: `debt per inhabitant`."""
    match = _PER.search(ask.question)
    if match is None or len(scope.rows) != 1 or scope.unsaid:
        return None
    units = same_terms(match["unit"])
    groups = [group for group in scope.groups if len(group) == 1]
    under = next((group[0] for group in groups if units and units <= measure_of(group[0])), None)
    before = same_terms(ask.question[: match.start()])
    over = [group[0] for group in groups if group[0] is not under and measure_of(group[0]) & before]
    if under is None or len(over) != 1:
        return None
    above, below = (_value(scope.table, column, scope.rows[0]) for column in (over[0], under))
    if above is None or not below:
        return None
    result = (above / below).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    unit = name_and_unit(over[0].header)[1]
    lead = f"{capital(name_of(over[0]))} per {match['unit']}{when_of_scope(scope)}"
    text = f"{lead}: {amount(grouped(result), unit)}; {grouped(above)} / {grouped(below)} = {grouped(result)}."
    return Computed(text, (scope.table.rows[scope.rows[0]],), is_whole=True)


def _told(
    scope: Scope, column: Column, row: int, whole: Decimal | None, rows: tuple[int, ...], before: str
) -> Computed | None:
    part = _value(scope.table, column, row)
    if part is None or not whole or not 0 <= part <= whole:
        return None
    rate = percent(part, whole)
    text = f"Share of {name_of(column)}{of_what(scope)}: {before}{grouped(part)} / {grouped(whole)} = {rate}%."
    used = tuple(scope.table.rows[each] for each in dict.fromkeys((row, *rows)))
    return Computed(text, used, share=rate, is_whole=True)


def _total_column(table: Table, column: Column) -> Column | None:
    """Return the one column beside another, of the same unit, that holds the total of its row."""
    unit = name_and_unit(column.header)[1]
    found = [
        each
        for each in table.columns
        if each.kind == "number"
        and each is not column
        and name_and_unit(each.header)[1] == unit
        and frozenset(analyse(header_words(name_and_unit(each.header)[0]))) & _TOTAL
    ]
    return found[0] if len(found) == 1 else None


def _of_the_time(scope: Scope) -> list[int]:
    """Return the rows of whatever member that are of the times asked for."""
    rows = list(range(len(scope.table.rows)))
    if not scope.periods or not scope.timed:
        return rows
    times = row_times(scope.table)
    return [row for row in rows if any(is_of(period, told) for period in scope.periods for told in times[row])]


def _value(table: Table, column: Column, row: int) -> Decimal | None:
    return number_of(table.texts(column.header)[row])
