"""Which member of a table moved the most between two times: the ward whose incidents rose most from 2023 to 2024."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...state.records import TableRow
from ...text.periods import Period
from .asking import Ask
from .catalog import Column, header_words, number_of
from .cells import ends_of, label_of, less, members_of, name_of, never_adds, one_column, period_of, rate_of_change
from .changes import ends_in_time
from .computed import Computed
from .ranked import dimension_for
from .scope import Scope, is_of, row_times
from .units import in_small

_MOVES = (
    r"(?:(?P<{0}up>grow\w*|grew|increas\w+|r[io]se\w*|rising|gr?owth|climb\w*|gain\w*|won)|"
    r"(?P<{0}down>decreas\w+|declin\w+|f[ae]ll\w*|drop\w*|shr[iau]nk\w*|reduc\w+|los[est]\w*)|(?P<{0}any>chang\w+|mov\w+))"
)
_MOST = r"(?:most|largest|biggest|highest|greatest|fastest|steepest|sharpest|strongest)"
_LEAST = r"(?:least|smallest|lowest|slowest|weakest)"
_ASKED = re.compile(
    rf"\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\b (?:\w+ ){{0,2}}?{_MOVES.format('a')}\b|"
    rf"\b{_MOVES.format('b')}\b (?:by )?(?:\w+ ){{0,3}}?(?:the )?(?:(?P<most2>{_MOST})|(?P<least2>{_LEAST}))\b",
    re.IGNORECASE,
)
_RATED = re.compile(r"\b(?:percent\w*|per cent|relative\w*|proportion\w*|rate|fastest)\b|%", re.IGNORECASE)
_GAINED = re.compile(r"\b(?:gain\w*|won|los[est]\w*)\b", re.IGNORECASE)
_MOST_SHOWN = 3


@dataclass(frozen=True)
class Move:
    """How a figure of one member went from one time to another."""

    name: str
    before: Decimal
    after: Decimal
    rows: tuple[TableRow, ...]

    @property
    def change(self) -> Decimal:
        return self.after - self.before

    @property
    def rate(self) -> Decimal | None:
        return self.change / self.before * 100 if self.before > 0 else None


def asks_who_moved(ask: Ask, *, two_times: bool) -> bool:
    """Whether a question wants the member that rose, fell or changed the most or the least.

    Args:
        two_times: Whether it names two times; else what somebody gained or lost may be a figure of its own.
    """
    match = _ASKED.search(ask.question)
    return match is not None and (two_times or not _GAINED.search(match[0]))


def rank_change(ask: Ask, scope: Scope) -> Computed | None:
    """Return who moved the most between the times asked for, else the first and the last."""
    two_times = len(scope.periods) > 1 or any(period.kind == "range" for period in scope.periods)
    if not asks_who_moved(ask, two_times=two_times) or scope.unsaid or scope.named:
        return None
    dimension = dimension_for(ask, scope.table)
    if ends := ends_of(scope):
        before, after = ends
        members = [each for each in members_of(scope, before, after) if not scope.table.is_total(each.row)]
        moves = [Move(each.name, each.first, each.second, (scope.table.rows[each.row],)) for each in members]
        times = (period_of(before), period_of(after))
        return tell_moves(ask, name_of(after), dimension, times, moves)
    column = one_column(scope)
    if column is None or dimension is None or dimension.kind != "text" or not scope.timed:
        return None
    times_asked = ends_in_time(scope, column)
    if times_asked is None:
        return None
    moves = _over_time(scope, column, dimension, times_asked)
    return tell_moves(ask, name_of(column), dimension, (label_of(times_asked[0]), label_of(times_asked[1])), moves)


def _over_time(scope: Scope, column: Column, dimension: Column, ends: tuple[Period, Period]) -> list[Move]:
    """Return the moves of each member that has figures of both times; several of one time are added up."""
    times, texts = row_times(scope.table), scope.table.texts(column.header)
    names = scope.table.texts(dimension.header)
    found: dict[str, tuple[list[Decimal], list[Decimal], list[TableRow]]] = {}
    for row in scope.of_all_times:
        value = number_of(texts[row])
        if value is None or scope.table.is_total(row):
            continue
        before, after, rows = found.setdefault(names[row], ([], [], []))
        for side, end in ((before, ends[0]), (after, ends[1])):
            if any(is_of(end, told) for told in times[row]):
                side.append(value)
                rows.append(scope.table.rows[row])
    whole = {name: sides for name, sides in found.items() if sides[0] and sides[1]}
    repeated = any(len(sides[0]) > 1 or len(sides[1]) > 1 for sides in whole.values())
    if repeated and never_adds(column, over_time=True, table=scope.table):
        return []
    return [
        Move(name, sum(before, Decimal(0)), sum(after, Decimal(0)), tuple(rows))
        for name, (before, after, rows) in whole.items()
    ]


def tell_moves(
    ask: Ask, measure: str, by: Column | None, times: tuple[str, str], moves: Sequence[Move]
) -> Computed | None:
    """Say who moved the most, by how much, and who comes next; nothing of fewer than two members."""
    match = _ASKED.search(ask.question)
    if match is None or by is None or len(moves) < 2 or len({move.name for move in moves}) < len(moves):
        return None
    up, down = bool(match["aup"] or match["bup"]), bool(match["adown"] or match["bdown"])
    rated = bool(_RATED.search(ask.question))
    if rated and any(move.rate is None for move in moves):
        return None

    def size(move: Move) -> Decimal:
        value = (move.rate or Decimal(0)) if rated else move.change
        return value if up else -value if down else abs(value)

    least = bool(match["least"] or match["least2"])
    inside = [move for move in moves if size(move) > 0] if up or down else list(moves)
    word = "rise" if up else "fall" if down else "change"
    of = f"{word} in {measure} from {times[0]} to {times[1]}"
    lead = f"By {in_small(header_words(by.header))}"
    if not inside:
        parts = "; ".join(f"{move.name}: {_worked(move, rated)}" for move in moves)
        rows = tuple(row for move in moves for row in move.rows)
        return Computed(f"{lead}, there is no {of}: {parts}.", rows, is_whole=True) if len(moves) <= 12 else None
    ordered = sorted(inside, key=size, reverse=not least)
    best = [move for move in ordered if size(move) == size(ordered[0])]
    if len(best) > _MOST_SHOWN:
        return None
    following = ordered[len(best) :][:1]
    told = " and ".join(f"{move.name}: {_worked(move, rated)}" for move in best)
    text = f"{lead}, the {'smallest' if least else 'largest'} {of} is that of {told}"
    text += "".join(f", before {move.name}: {_worked(move, rated)}" for move in following)
    used = dict.fromkeys(row for move in (*best, *following) for row in move.rows)
    return Computed(f"{text}.", tuple(used), is_whole=True)


def _worked(move: Move, rated: bool) -> str:
    worked = less(move.after, move.before)
    if not rated or move.rate is None:
        return worked
    return rate_of_change(move.before, move.after)
