"""Which members have more of one figure than of another: over a budget, less than the year before."""

from __future__ import annotations

import re

from ...text.numbers import find_numbers
from ...text.words import analyse
from .asking import Ask
from .catalog import Column, number_of
from .cells import capital, compared, ends_of, is_column_of, members_of, name_of, with_unit
from .computed import Computed
from .scope import DOWN, LIST, UP, YES_NO, Scope, measure_of
from .units import name_and_unit
from .wording import verb_of

_MOST_MEMBERS = 12
_THAN = re.compile(
    r"\b(?P<less>lower|less|fewer|smaller)\b.*\bthan\b|\b(?P<more>higher|more|greater|larger|bigger)\b.*\bthan\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?P<word>over|above|beyond|exceed\w*|under|below|within)\b (?:(?:their|its|the) )?(?P<rest>.+)", re.I
)
_OVER_NUMBER = re.compile(
    r"\b(?:(?P<more>over|above|more than|higher than|greater than|exceed\w*|at least)|under|below|less than|lower than|"
    r"fewer than)\b",
    re.IGNORECASE,
)
_UNDER_WORDS = ("under", "below", "within")
_ACTUAL = frozenset(analyse("spent spend actual cost costs used paid result sales revenue real consumed"))


def listed_by_comparison(ask: Ask, scope: Scope) -> Computed | None:
    """Return those members of which one figure is more, or less, than another, and only those."""
    if not LIST.match(ask.question):
        return None
    pair = _pair(ask, scope)
    if pair is None:
        return None
    one, other, wants_more, said = pair
    members = members_of(scope, one, other)
    if not 1 < len(members) <= _MOST_MEMBERS * 4:
        return None
    hits = [each for each in members if (each.first > each.second if wants_more else each.first < each.second)]
    shown = hits or members
    if len(shown) > _MOST_MEMBERS:
        return None
    told = "; ".join(compared(each, one, other) for each in shown)
    lead = f"{said}: " if hits else f"None is {said[:1].lower()}{said[1:]}: "
    return Computed(f"{lead}{told}.", tuple(scope.table.rows[each.row] for each in shown), header="", is_whole=True)


def held_against_number(ask: Ask, scope: Scope) -> Computed | None:
    """Return whether the one figure asked about is over or under a number that the question names."""
    match = _OVER_NUMBER.search(ask.question) if YES_NO.match(ask.question) else None
    if match is None or len(scope.rows) != 1 or len(scope.columns) != 1 or not scope.named or scope.unsaid:
        return None
    (row,), (column,) = scope.rows, scope.columns
    value = number_of(scope.table.texts(column.header)[row])
    limits = find_numbers(ask.question[match.end() :])
    if value is None or not limits or find_numbers(ask.question[match.end() :])[0].start > 1:
        return None
    limit = limits[0].value
    holds = value > limit if match["more"] else value < limit
    said = f"{capital(name_of(column))} of {scope.named[0]} {verb_of(name_of(column))} {with_unit(value, column)}."
    return Computed(f"{'Yes' if holds else 'No'}. {said}", (scope.table.rows[row],), is_whole=True)


def held_against(ask: Ask, scope: Scope) -> Computed | None:
    """Return whether the one member asked about is over, under or within a figure of its own."""
    pair = _pair(ask, scope) if YES_NO.match(ask.question) and len(scope.named) == 1 else None
    if pair is None:
        return None
    one, other, wants_more, _ = pair
    members = members_of(scope, one, other)
    if len(members) != 1:
        return None
    (each,) = members
    within = bool(re.search(r"\bwithin\b", ask.question, re.IGNORECASE))
    holds = each.first > each.second if wants_more else each.first < each.second
    holds = holds or (within and each.first == each.second)
    text = f"{'Yes' if holds else 'No'}. {compared(each, one, other)}."
    return Computed(text, (scope.table.rows[each.row],), is_whole=True)


def _pair(ask: Ask, scope: Scope) -> tuple[Column, Column, bool, str] | None:
    """Return the columns that a question compares, whether the first is to be more, and how that is called."""
    if (match := _OVER.search(ask.question)) and (planned := _planned(match["rest"], scope)):
        actual = _actual(scope, planned)
        if actual is None:
            return None
        more = match["word"].casefold() not in _UNDER_WORDS
        return actual, planned, more, f"{match['word'].capitalize()} {name_of(planned)}"
    ends = ends_of(scope)
    if ends is None:
        return None
    than = _THAN.search(ask.question)
    if than and len(scope.periods) == 2:
        first, second = scope.periods
        named = [next((c for c in scope.columns if is_column_of(c, each)), None) for each in (first, second)]
        if named[0] is None or named[1] is None or named[0] is named[1]:
            return None
        more = bool(than["more"])
        word = than["more"] or than["less"]
        return named[0], named[1], more, f"{word.capitalize()} in {first.text} than in {second.text}"
    up, down = bool(ask.spelled & UP), bool(ask.spelled & DOWN)
    if up != down and LIST.match(ask.question):
        return ends[1], ends[0], up, f"{'More' if up else 'Fewer'} {name_of(ends[1])}"
    return None


def _planned(rest: str, scope: Scope) -> Column | None:
    """Return the column of figures that the words after `over` begin with."""
    first = frozenset(analyse(" ".join(rest.split()[:2])))
    return next((group[0] for group in scope.groups if measure_of(group[0]) & first), None)


def _actual(scope: Scope, planned: Column) -> Column | None:
    """Return the column that holds what came of a plan: of the same unit, named so or the only other."""
    unit = name_and_unit(planned.header)[1]
    others = [
        column
        for column in scope.table.columns
        if column.kind == "number" and column is not planned and name_and_unit(column.header)[1] == unit
    ]
    named = [column for column in others if measure_of(column) & _ACTUAL]
    if len(named) == 1:
        return named[0]
    return others[0] if len(others) == 1 else None
