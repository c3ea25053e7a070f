"""Which figures of an export may be added up over time: what happened, never the states of a day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.periods import Period
from ...text.words import analyse
from .asking import Ask
from .catalog import Column, Table, date_of, header_words

_FLOWS = frozenset(
    analyse(
        "units unit revenue sales sold amount quantity qty orders order cost costs spend spent hours fee fees turnover "
        "volume bookings invoiced paid expense expenses umsatz menge kosten betrag"
    )
)
_STATE = re.compile(r"^as of\b|\bbalance\b|\boutstanding\b|\barr\b|\bmrr\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:total|sum|overall|altogether|in all|insgesamt|summe)\b", re.IGNORECASE)


def is_flow(table: Table, column: Column) -> bool:
    """Whether a column holds what happened in the time of its row, so that rows of several dates add up."""
    dates = table.dates
    if not dates or any(_STATE.search(header_words(each.header)) for each in (*dates, column)):
        return False
    return bool(column.words & _FLOWS)


def asks_for_total(ask: Ask) -> bool:
    """Whether a question wants what a stretch of time amounts to."""
    return bool(ask.periods) and bool(_TOTAL.search(ask.question))


def rows_in(table: Table, rows: Sequence[int], period: Period) -> list[int]:
    """Return the rows whose date lies in a period; of rows with a beginning and an end, the end decides."""
    dates = table.dates
    if not dates:
        return []
    ends = [each for each in dates if "end" in each.header.casefold()]
    days = table.texts((ends or dates)[0].header)
    return [row for row in rows if (day := date_of(days[row])) and period.start <= day <= period.end]


def dimension_of(ask: Ask, table: Table) -> Column | None:
    """Return the column of words by which a question wants rows grouped: `which region`, `by product`, `per rep`."""
    for column in table.columns:
        values = set(table.texts(column.header))
        named = rf"\b(?:which|what|by|per|each)\s+{re.escape(header_words(column.header))}\b"
        if (
            column.kind == "text"
            and 1 < len(values) < len(table.rows)
            and re.search(named, ask.question, re.IGNORECASE)
        ):
            return column
    return None
