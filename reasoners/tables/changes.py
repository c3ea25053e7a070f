"""How a figure moved between two times that a question names, in amount and in percent or percentage points."""

from __future__ import annotations

import re
from decimal import Decimal

from ...text.numerals import grouped
from ...text.periods import Period, find_periods
from .asking import Ask
from .catalog import Column, number_of
from .cells import (
    capital,
    caveat,
    ends_of,
    label_of,
    less,
    members_of,
    name_of,
    never_adds,
    one_column,
    period_of,
    rate_of_change,
    summed,
)
from .computed import Computed
from .scope import DOWN, LIST, UP, YES_NO, Scope, is_of, row_times
from .units import amount, name_and_unit

MAX_TERMS = 120
"""A sum of more terms is not written out, and so not made."""
_MOST_NAMED = 3
_WHAT = re.compile(r"^\W*what (?:is|are|was|were)\b", re.IGNORECASE)
_RATIO = re.compile(r"\b(?:averages?|averaged|mean|total|sum|cost|rate|pay|price|rent|fee)\b", re.IGNORECASE)
_NEUTRAL_WORDS = "change changed changes changing compare compared develop developed evolve evolved"
_SERIES = frozenset({"develop", "developed", "evolve", "evolved", "development", "evolution", "trend", "trends"})
_EACH = re.compile(
    r"\b(?:(?:in|for|of|at (?:the end of )?) (?:each|every)|by|per|year by|quarter by|month by) (?:\w+ )?"
    r"(?:year|quarter|month|season)s?\b|\bover (?:time|the (?:years|quarters|months))\b",
    re.IGNORECASE,
)
_MOST_TOLD = 12
_MORE_THAN = re.compile(
    r"\bhow (?:much|many) (?:more|less|fewer|higher|lower|larger|smaller|bigger)\b.*\bthan\b", re.IGNORECASE
)
_NEUTRAL = frozenset(_NEUTRAL_WORDS.split())


def change_of(ask: Ask, scope: Scope) -> Computed | None:
    """Return how a figure moved between two times, for each of the members that the question names."""
    moved = ask.spelled & (UP | DOWN | _NEUTRAL | _SERIES) or "change" in ask.operations or _in_each(ask)
    two = len(scope.periods) == 2 and _MORE_THAN.search(ask.question)
    listed = LIST.match(ask.question) and not (_WHAT.match(ask.question) and (ask.spelled & _SERIES or _in_each(ask)))
    if not (moved or two) or listed or (scope.unsaid and not scope.named):
        return None
    if ends := ends_of(scope):
        return _change_across(ask, scope, *ends)
    if not scope.timed or one_column(scope) is None:
        return None
    return _change_over_time(ask, scope, scope.columns[0])


def _in_each(ask: Ask) -> bool:
    """Whether a question wants the figure of each year, quarter or month."""
    return bool(_EACH.search(ask.question)) and not ask.operations and not _RATIO.search(ask.question)


def _change_across(ask: Ask, scope: Scope, before: Column, after: Column) -> Computed | None:
    members = members_of(scope, before, after)
    if scope.named:
        members = [each for each in members if each.name in scope.named]
    unit, name = name_and_unit(after.header)[1], name_of(after)
    ends = (period_of(before), period_of(after))
    if (scope.named or len(members) == 1) and 1 <= len(members) <= _MOST_NAMED:
        told = "; ".join(f"{each.name}, {told_change(name, each.first, each.second, ends, unit)}" for each in members)
    elif not scope.named and len(members) > 1 and not never_adds(after, over_time=False):
        sums = [[each.first for each in members], [each.second for each in members]]
        parts = "; ".join(f"{end}: {summed(each)}" for end, each in zip(ends, sums, strict=True))
        first, second = (sum(each, Decimal(0)) for each in sums)
        told = f"{parts}; {told_change(name, first, second, ends, unit)}"
    else:
        return None
    lead = verdict_on(ask, members[0].second - members[0].first) if len(members) == 1 else ""
    return Computed(f"{lead}{told}.", tuple(scope.table.rows[each.row] for each in members), is_whole=True)


def _change_over_time(ask: Ask, scope: Scope, column: Column) -> Computed | None:
    times = row_times(scope.table)
    ends = ends_in_time(scope, column)
    if ends is None:
        return None
    sums: list[list[Decimal]] = []
    used: list[int] = []
    for end in ends:
        inside = (row for row in scope.of_all_times if any(is_of(end, told) for told in times[row]))
        rows = scope.table.with_figures(column.header, inside)
        sums.append(scope.table.figures(column.header, rows))
        used += rows
    most = max(map(len, sums))
    long = len({told.label() for row in used for told in times[row]}) > len(ends)
    if not all(sums) or most > MAX_TERMS or (most > 1 and never_adds(column, over_time=long, table=scope.table)):
        return None
    first, second = (sum(each, Decimal(0)) for each in sums)
    names: tuple[str, ...] = (label_of(ends[0]), label_of(ends[1]))
    parts = "".join(f"{name}: {summed(each)}; " for name, each in zip(names, sums, strict=True) if len(each) > 1)
    of = f" of {', '.join(scope.named)}" if scope.named else ""
    unit = name_and_unit(column.header)[1]
    uneven = _uneven(scope, column, ends)
    if uneven is not None:
        short, lacking = uneven
        names = tuple(f"{name} in part" if at == short else name for at, name in enumerate(names))
        parts += f"of {label_of(ends[short])} only {lacking} {_be(lacking)} given; "
    elif ask.spelled & _SERIES or _in_each(ask):
        series, used_too = _series(scope, column, ends)
        parts, used = parts + series, used_too or used
    moved = told_change(f"{name_of(column)}{of}", first, second, (names[0], names[1]), unit, rated=uneven is None)
    text = capital(f"{parts}{moved}{caveat(scope, used)}.")
    rows_used = tuple(scope.table.rows[row] for row in used)
    return Computed(f"{verdict_on(ask, second - first)}{text}", rows_used, is_whole=True)


def _is_years(period: Period) -> bool:
    """Whether a range goes from the first day of a year to the last of a later one."""
    ends = (period.start.month, period.start.day, period.end.month, period.end.day)
    return period.kind == "range" and ends == (1, 1, 12, 31) and period.start.year < period.end.year


def _uneven(scope: Scope, column: Column, ends: tuple[Period, Period]) -> tuple[int, str] | None:
    """Return which of two times of equal length is given in part only, and of which parts."""
    if len({(end.end - end.start).days // 28 for end in ends}) != 1:
        return None
    times, texts = row_times(scope.table), scope.table.texts(column.header)
    told = [
        {
            (each.start - end.start).days // 28: each
            for row in scope.of_all_times
            for each in times[row]
            if is_of(end, each) and number_of(texts[row]) is not None
        }
        for end in ends
    ]
    if len(told[0]) == len(told[1]):
        return None
    short = 0 if len(told[0]) < len(told[1]) else 1
    ordered = [told[short][at] for at in sorted(told[short])]
    names = [each.text.strip() or label_of(each) for each in ordered]
    return short, f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _be(names: str) -> str:
    return "are" if " and " in names else "is"


def _series(scope: Scope, column: Column, ends: tuple[Period, Period]) -> tuple[str, list[int]]:
    """Return the figure of each time between two, in order, and its rows, where each time has one."""
    times, texts = row_times(scope.table), scope.table.texts(column.header)
    values: dict[str, list[str]] = {}
    used: list[int] = []
    for row in sorted(scope.of_all_times, key=lambda row: min(each.start for each in times[row])):
        when = times[row][0]
        value = number_of(texts[row])
        if value is not None and ends[0].start <= when.start and when.end <= ends[1].end:
            used.append(row)
            values.setdefault(label_of(when), []).append(amount(grouped(value), name_and_unit(column.header)[1]))
    if not 2 < len(values) <= _MOST_TOLD or any(len(each) > 1 for each in values.values()):
        return "", []
    return ", ".join(f"{when}: {value[0]}" for when, value in values.items()) + "; ", used


def ends_in_time(scope: Scope, column: Column) -> tuple[Period, Period] | None:
    """Return the times that are compared: two that are asked for, a year and the one before, or first and last."""
    times = row_times(scope.table)
    periods = sorted(scope.periods, key=lambda each: (each.start, each.end))
    if len(periods) >= 2:
        return periods[0], periods[-1]
    if periods and periods[0].kind == "year":
        (before, *_) = find_periods(str(periods[0].start.year - 1))
        if any(is_of(before, told) for row in scope.of_all_times for told in times[row]):
            return before, periods[0]
    if periods and _is_years(periods[0]) and not never_adds(column, over_time=True, table=scope.table):
        # Of quarters or months, what the first year amounts to is held against the last.
        first, last = (find_periods(str(each.year))[0] for each in (periods[0].start, periods[0].end))
        if all(any(is_of(end, told) for row in scope.rows for told in times[row]) for end in (first, last)):
            return first, last
    ordered = sorted({told for row in scope.rows for told in times[row]}, key=lambda each: (each.start, each.end))
    return (ordered[0], ordered[-1]) if len(ordered) > 1 else None


def told_change(
    name: str, before: Decimal, after: Decimal, ends: tuple[str, str], unit: str, *, rated: bool = True
) -> str:
    """Say how a figure moved between two ends, with the formula of its difference and, where rated, of its rate."""
    word = "rose" if after > before else "fell" if after < before else "stayed the same"
    points = " percentage points" if unit == "%" else ""
    values = [f"{amount(grouped(value), unit)} ({end})" for value, end in zip((before, after), ends, strict=True)]
    text = f"{name} {word} from {values[0]} to {values[1]}: "
    text += f"{less(after, before)}{points}"
    if rated and before > 0 and unit != "%" and after != before:
        text += f"; {rate_of_change(before, after)}"
    return text


def verdict_on(ask: Ask, change: Decimal | None) -> str:
    """Return `Yes. ` or `No. ` where a question asks whether something rose or fell."""
    up, down = bool(ask.spelled & UP), bool(ask.spelled & DOWN)
    if change is None or up == down or not YES_NO.match(ask.question):
        return ""
    return "Yes. " if (change > 0) is up and change != 0 else "No. "
