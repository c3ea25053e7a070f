"""Totals, means and differences over the cells that a question names, each with its formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ...text.languages import detect
from ...text.numbers import find_numbers
from ...text.numerals import grouped
from .asking import Ask
from .catalog import Catalog, Column, header_words, number_of, says_partial
from .cells import (
    by_name,
    by_time,
    capital,
    caveat,
    compared,
    figures_of,
    less,
    members_of,
    name_of,
    never_adds,
    of_what,
    one_column,
    rounded,
    summed,
    terms_of,
    when_of_scope,
    with_unit,
)
from .changes import MAX_TERMS, change_of, told_change
from .comparisons import held_against, held_against_number, listed_by_comparison
from .computed import Computed
from .counting import count_records
from .filtered_records import filtered_records
from .margins import margin_of
from .parts import ratio_of, share_of
from .rank_changes import rank_change
from .record_filters import is_bounded
from .scope import Scope, row_times, scopes
from .units import amount, name_and_unit

_LONG = 12
_LEAST_REPEATED = 3
_BETWEEN = re.compile(r"\b(?:between|from)\b.+\b(?:and|to)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:on average|averages?|averaged|(?:the|a) mean)\b", re.IGNORECASE)
_TOTAL_ASKED = re.compile(
    r"\b(?:totals?|sum|in all|altogether|overall|combined|together|all|whole|how (?:much|many))\b", re.IGNORECASE
)
_DIFFERENCE = re.compile(
    r"\b(?:difference|gap)\b|\bhow (?:much|many) (?:\w+ )?(?:more|less|fewer|higher|lower|larger|smaller|bigger)\b|"
    r"\bby how (?:much|many)\b",
    re.IGNORECASE,
)
_PER_UNIT = re.compile(r"\b(?:per|each|apiece)\b(?! (?:year|month|week|day|quarter)s?\b)", re.IGNORECASE)
_MONTHLY = re.compile(r"\b(?:monthly|per month|a month|each month)\b", re.IGNORECASE)


def reckon(ask: Ask, catalog: Catalog) -> list[Computed]:
    """Return what a question asks to be worked out; nothing where no table holds all of its words, or none is asked."""
    if detect(ask.question) != "en":
        return []
    if margin := margin_of(ask, catalog):
        return [margin]
    for scope in scopes(ask, catalog):
        if scope.table.is_mixed(scope.rows):
            continue
        if found := share_of(ask, scope) or ratio_of(ask, scope):
            return [found]
        stated = [row for row in scope.rows if scope.table.is_total(row)]
        scope = replace(scope, rows=tuple(row for row in scope.rows if row not in stated))
        # What a table states as the total is looked up, never summed again.
        for step in (
            rank_change,
            listed_by_comparison,
            held_against,
            held_against_number,
            _mean,
            change_of,
            _difference,
            *(() if stated else (_total,)),
        ):
            if found := step(ask, scope):
                return [found]
    bounded = filtered_records(ask, catalog) if is_bounded(ask.question) else []
    return bounded or count_records(ask, catalog) or filtered_records(ask, catalog)


def _mean(ask: Ask, scope: Scope) -> Computed | None:
    """Return the plain mean of the figures asked for; of several rows a month the mean of the months' sums."""
    if not _MEAN.search(ask.question) or scope.unsaid or _MEAN.search(header_words(scope.columns[0].header)):
        return None
    column = one_column(scope)
    if column is None:
        return None
    rows, values = figures_of(scope, column)
    if not 2 <= len(values) <= MAX_TERMS:
        return None
    sums = ""
    if _MONTHLY.search(ask.question) and scope.timed:
        months = by_time(scope, column)
        if any(len(each) > 1 for _, each in months):
            if never_adds(column, over_time=False):
                return None
            sums = "; ".join(f"{name}: {summed(each)}" for name, each in months) + "; "
            values = [sum(each, Decimal(0)) for _, each in months]
        rows = list(scope.rows)
    mean = rounded(sum(values, Decimal(0)) / len(values), values)
    formula = f"({terms_of(values)}) / {len(values)} = {grouped(mean)}"
    unit = name_and_unit(column.header)[1]
    text = f"Average {name_of(column)}{of_what(scope)}: {amount(grouped(mean), unit)}; {sums}{formula}"
    return Computed(
        f"{text}{caveat(scope, rows)}.", tuple(scope.table.rows[row] for row in rows), header="", is_whole=True
    )


def _total(ask: Ask, scope: Scope) -> Computed | None:
    """Return the sum of the figures asked for, where they add up; of a list of some only what it is asked of them."""
    some = scope.table.is_partial
    if (
        not _TOTAL_ASKED.search(ask.question)
        or _MEAN.search(ask.question)
        or scope.unsaid
        or set(ask.operations) - {"sum", "rank" if some and says_partial(ask.question) else "sum"}
        or _PER_UNIT.search(ask.question)
    ):
        return None
    column = one_column(scope)
    if column is None or (some and not scope.named and not says_partial(ask.question)):
        return None
    rows, values = figures_of(scope, column)
    times = {told for row in rows for told in row_times(scope.table)[row]} if scope.timed else set()
    over_time = len({(each.start, each.end) for each in times}) > 1
    if not 2 <= len(values) <= MAX_TERMS or never_adds(column, over_time=over_time, table=scope.table):
        return None
    if one := _stated_of_all(scope, column, rows):
        return one
    total = sum(values, Decimal(0))
    unit = name_and_unit(column.header)[1]
    formula = summed(values)
    if len(values) > _LONG and (groups := by_name(scope, column)):
        parts = "; ".join(f"{name}: {summed(each)}" for name, each in groups)
        formula = f"{parts}; {summed([sum(each, Decimal(0)) for _, each in groups])}"
    text = f"Total {name_of(column)}{of_what(scope)}: {amount(grouped(total), unit)}; {formula}{caveat(scope, rows)}."
    return Computed(text, tuple(scope.table.rows[row] for row in rows), header="", is_whole=True)


def _stated_of_all(scope: Scope, column: Column, rows: Sequence[int]) -> Computed | None:
    """Return the figure that rows of one time all repeat beside others that differ: it is of the time, not of them."""
    texts = scope.table.texts(column.header)
    others = [each for each in scope.table.columns if each.kind == "number" and each is not column]
    differ = any(len({scope.table.texts(each.header)[row] for row in rows}) == len(rows) for each in others)
    same = len({texts[row] for row in rows}) == 1 and number_of(texts[rows[0]]) != 0
    if len(rows) < _LEAST_REPEATED or not (scope.timed and same and differ):
        return None
    value = with_unit(number_of(texts[rows[0]]) or Decimal(0), column)
    text = f"{capital(name_of(column))}{when_of_scope(scope)}: {value}."
    return Computed(text, tuple(scope.table.rows[row] for row in rows), header="", is_whole=True)


def _difference(ask: Ask, scope: Scope) -> Computed | None:
    """Return by how much two members, or two figures of one member, differ."""
    if found := _between_keys(ask, scope):
        return found
    if not _DIFFERENCE.search(ask.question) or scope.unsaid:
        return None
    if len(scope.named) == 2 and scope.key is not None and (column := one_column(scope)):
        names = scope.table.texts(scope.key.header)
        sums = [
            scope.table.figures(column.header, (row for row in scope.rows if names[row] == name))
            for name in scope.named
        ]
        most = max(map(len, sums))
        if not all(sums) or most > MAX_TERMS or (most > 1 and never_adds(column, over_time=True, table=scope.table)):
            return None
        first, second = (sum(each, Decimal(0)) for each in sums)
        unit = name_and_unit(column.header)[1]
        high, low = max(first, second), min(first, second)
        parts = "; ".join(
            f"{name} {amount(grouped(sum(each, Decimal(0))), unit) if len(each) == 1 else summed(each)}"
            for name, each in zip(scope.named, sums, strict=True)
        )
        lead = f"{capital(name_of(column))}{when_of_scope(scope)}"
        text = f"{lead}: {parts}; {less(high, low)}."
        return Computed(text, tuple(scope.table.rows[row] for row in scope.rows), is_whole=True)
    if len(scope.groups) >= 2 and len(scope.rows) == 1:
        one, other = scope.groups[0][-1], scope.groups[1][-1]
        if name_and_unit(one.header)[1] != name_and_unit(other.header)[1]:
            return None
        members = members_of(scope, one, other)
        if len(members) != 1:
            return None
        (each,) = members
        if each.first < each.second:
            one, other, each = other, one, replace(each, first=each.second, second=each.first)
        return Computed(f"{compared(each, one, other)}.", (scope.table.rows[each.row],), is_whole=True)
    return None


def _between_keys(ask: Ask, scope: Scope) -> Computed | None:
    """Return by how much a figure differs between two values of another one: `between 1,000 and 3,000 cycles`."""
    numbers = [number.value for number in find_numbers(ask.question) if not number.is_year]
    if len(numbers) != 2 or not _BETWEEN.search(ask.question) or len(scope.groups) != 2:
        return None
    for keys, measured in (scope.groups, scope.groups[::-1]):
        key, column = keys[0], measured[0]
        known, texts = scope.table.texts(key.header), scope.table.texts(column.header)
        rows = [[row for row in scope.rows if number_of(known[row]) == number] for number in numbers]
        if len(measured) != 1 or [len(each) for each in rows] != [1, 1]:
            continue
        before, after = (number_of(texts[each[0]]) for each in rows)
        if before is None or after is None:
            return None
        ends = (f"{name_of(key)} {known[rows[0][0]]}", f"{name_of(key)} {known[rows[1][0]]}")
        moved = told_change(capital(name_of(column)), before, after, ends, name_and_unit(column.header)[1])
        return Computed(f"{moved}.", tuple(scope.table.rows[each[0]] for each in rows), is_whole=True)
    return None
