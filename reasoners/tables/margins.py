"""A margin is a profit over the revenue beside it, in one row, in the sum of rows or in two rows of a statement."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from ...text.numerals import grouped, percent
from .asking import Ask
from .catalog import Catalog, Column, Table, header_words
from .cells import capital, figures_of, name_of, of_what, summed
from .computed import Computed
from .crosstabs import Cross, crosses
from .scope import Scope, scopes
from .units import in_small, name_and_unit

_ASKED = re.compile(
    r"\b(?P<of>gross|operating|net|ebitda|ebit|profit|contribution)(?: profit| income)? margins?\b", re.IGNORECASE
)
# What the profit of a margin is called, first the nearest.
_PROFITS = {
    "gross": ("gross profit", "gross result"),
    "operating": ("operating profit", "operating income", "operating result", "ebit"),
    "ebit": ("ebit", "operating profit", "operating income"),
    "ebitda": ("ebitda",),
    "net": ("net income", "net profit", "net result", "profit for the year", "net loss"),
    "profit": ("profit", "net profit", "net income"),
    "contribution": ("contribution",),
}
_REVENUE = re.compile(r"^(?:(?:total|net|group) )?(?:revenues?|sales|turnover)(?: total)?$", re.IGNORECASE)
_LOSS = re.compile(r"\bloss\b", re.IGNORECASE)


def margin_of(ask: Ask, catalog: Catalog) -> Computed | None:
    """Return a margin that no table states, by the profit and the revenue that one table holds."""
    match = _ASKED.search(ask.question)
    if match is None or any(_states(table, match[0]) for table in catalog.tables):
        return None
    for profit in _PROFITS[match["of"].casefold()]:
        of = replace(ask, question=f"{ask.question[: match.start()]}{profit}{ask.question[match.end() :]}")
        for scope in scopes(of, catalog):
            if told := _of_rows(match[0], profit, scope):
                return told
        for cross in crosses(of, catalog):
            if told := _of_statement(match[0], profit, cross):
                return told
    return None


def _states(table: Table, margin: str) -> bool:
    names = [header_words(column.header) for column in table.columns]
    names += [name for column in table.columns if column.kind == "text" for name in table.texts(column.header)]
    return any(margin.casefold().rstrip("s") in name.casefold() for name in names)


def _of_rows(margin: str, profit: str, scope: Scope) -> Computed | None:
    """Return the margin of the rows of one time, whose profits and revenues are added up."""
    plain = [column for column in scope.columns if profit in name_and_unit(column.header)[0].casefold()]
    base = [column for column in scope.table.columns if column.kind == "number" and _is_revenue(column)]
    rows = tuple(row for row in scope.rows if not scope.table.is_total(row))
    if len(plain) != 1 or len(base) != 1 or plain[0] is base[0] or not rows or scope.table.is_partial:
        return None
    if name_and_unit(plain[0].header)[1] != name_and_unit(base[0].header)[1] or scope.table.is_mixed(rows):
        return None
    if scope.timed and len(rows) > 1 and len(scope.periods) != 1:
        return None
    kept = replace(scope, rows=rows)
    (above_rows, above), (below_rows, below) = figures_of(kept, plain[0]), figures_of(kept, base[0])
    if above_rows != below_rows or len(above_rows) != len(rows):
        return None
    before = "".join(f"{summed(each)}; " for each in (above, below)) if len(rows) > 1 else ""
    worked = _ratio(sum(above, Decimal(0)), sum(below, Decimal(0)))
    if not worked:
        return None
    return Computed(
        f"{capital(margin)}{of_what(scope)} ({name_of(plain[0])} / {name_of(base[0])}): {before}{worked}.",
        tuple(scope.table.rows[row] for row in rows),
        is_whole=True,
    )


def _of_statement(margin: str, profit: str, cross: Cross) -> Computed | None:
    """Return the margin of one column of a statement with a row for the profit and one for the revenue."""
    base = [row for row in range(len(cross.table.rows)) if _REVENUE.match(cross.name(row))]
    if cross.kind != "time" or len(cross.rows) != 1 or len(base) != 1 or len(cross.columns) > 1:
        return None
    column = cross.columns[0] if cross.columns else None
    if column is None or profit not in cross.name(cross.rows[0]).casefold():
        return None
    above, below = cross.value(cross.rows[0], column), cross.value(base[0], column)
    if above is None or below is None:
        return None
    if _LOSS.search(cross.name(cross.rows[0])) and above > 0:
        return None  # whether a loss is written below zero is not known
    worked = _ratio(above, below)
    header = " ".join(column.header.split())
    said = f"{in_small(cross.name(cross.rows[0]))} / {in_small(cross.name(base[0]))}"
    rows = tuple(cross.table.rows[row] for row in (cross.rows[0], base[0]))
    return Computed(f"{capital(margin)}, {header} ({said}): {worked}.", rows, is_whole=True) if worked else None


def _ratio(above: Decimal, below: Decimal) -> str:
    if below <= 0:
        return ""
    rate = percent(above, below)
    return f"{grouped(above)} / {grouped(below)} = {rate}%"


def _is_revenue(column: Column) -> bool:
    return bool(_REVENUE.match(name_and_unit(column.header)[0]))
