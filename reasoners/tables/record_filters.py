"""Which records of a register a question keeps: those with a date in some time, and those that lack a date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ...text.periods import Period, find_periods
from ...text.words import analyse
from .catalog import Column, Table, date_of, header_words
from .scope import same_terms

# What a question says of a day, and how a header may call it.
_EVENTS = (
    (
        r"end(?:s|ed|ing)?|expir\w+|r[ua]ns? out|terminat\w+|laps\w+|matur\w+|fall(?:s|ing)? due",
        r"end|ends|expir\w+|matur\w+|until|terminat\w+|valid to|laps\w+",
    ),
    (
        r"start(?:s|ed|ing)?|beg[aiu]n\w*|commenc\w+|take effect|took effect",
        r"start|starts|beg\w+|commenc\w+|effective|valid from",
    ),
    (r"due|payable", r"due|payable"),
)
_EVENT = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), re.compile(rf"\b(?:{headed})\b", re.IGNORECASE))
    for said, headed in _EVENTS
)
_RELATION = re.compile(
    r"\b(?P<word>before|earlier than|prior to|after|later than|since|from|by|until|up to|no later than|within|between)"
    r"(?: the)?(?: (?:end|beginning|start) of)?\s*$",
    re.IGNORECASE,
)
_SAID = {
    "before": "before", "earlier than": "before", "prior to": "before", "after": "after", "later than": "after",
    "since": "from", "from": "from", "by": "until", "until": "until", "up to": "until", "no later than": "until",
}  # fmt: skip
_LACKS = r"(?:un{0}|not (?:yet )?(?:been )?{0}|(?:no|without(?: an?)?|lack\w*(?: an?)?|missing(?: an?)?) {0})"
_OPEN_WORDS = {
    "paid": r"outstanding|unsettled|unpaid|still owed",
    "closed": r"still open|open",
    "returned": r"still out",
}
_LEAST_FILLED = 1


@dataclass(frozen=True)
class Filter:
    """A condition on records.

    Attributes:
        said: The condition in words, `contract end in 2025`.
        column: The column that it is on; None where it is on none of dates.
        words: The index terms of the question that it accounts for.
    """

    said: str
    rows: frozenset[int]
    words: frozenset[str]
    column: Column | None = None


def filters_in(question: str, table: Table) -> list[Filter]:
    """Return the conditions on dates and on missing entries that a question sets for the records of a table."""
    return [*_of_dates(question, table), *_lacking(question, table)]


def is_bounded(question: str) -> bool:
    """Whether a question wants what lies before, after or until a time rather than in it."""
    periods = find_periods(question)
    return bool(periods) and _RELATION.search(question[: periods[0].at]) is not None


def date_column(question: str, table: Table) -> tuple[Column, frozenset[str]] | None:
    """Return the one column of dates that a question speaks of, and the words by which it does."""
    found: dict[str, tuple[Column, frozenset[str]]] = {}
    for column in _dates(table):
        header = header_words(column.header)
        own = same_terms(header) - same_terms("date day")
        shared = own & same_terms(question)
        spoken = {
            term
            for said, headed in _EVENT
            if headed.search(header)
            for match in said.finditer(question)
            for term in same_terms(match[0])
        }
        if spoken or (own and own <= same_terms(question)):
            found[column.header] = (column, frozenset(shared | spoken))
    if len(found) > 1:
        most = max(len(words) for _, words in found.values())
        found = {header: each for header, each in found.items() if len(each[1]) == most}
    return next(iter(found.values())) if len(found) == 1 else None


def _dates(table: Table) -> Iterator[Column]:
    """Yield the columns of which every filled cell is a day."""
    for column in table.columns:
        filled = [text for text in table.texts(column.header) if text]
        if len(filled) >= _LEAST_FILLED and all(date_of(text) for text in filled):
            yield column


def _of_dates(question: str, table: Table) -> list[Filter]:
    periods = find_periods(question)
    chosen = date_column(question, table)
    if chosen is None or not periods or any(period.is_fiscal for period in periods):
        return []
    column, words = chosen
    relation, first, last = _span(question, periods)
    if first is None and last is None:
        return []
    days = [date_of(text) for text in table.texts(column.header)]
    rows = frozenset(
        row for row, day in enumerate(days) if day and (first is None or first <= day) and (last is None or day <= last)
    )
    kept = " ".join(text for row, text in enumerate(table.texts(column.header)) if row in rows)
    asked = " and ".join(period.text for period in periods)
    said = header_words(column.header)
    if all(str(year) in kept for period in periods for year in (period.start.year, period.end.year)):
        # A year that none of the records has cannot be checked against them.
        said += f" {asked}" if asked.casefold().startswith(relation) else f" {relation} {asked}"
    return [Filter(said, rows, words | frozenset(analyse("before after between since until")), column)]


def _span(question: str, periods: Sequence[Period]) -> tuple[str, date | None, date | None]:
    """Return how a question speaks of a time, and the first and the last day that fit, None where any day does."""
    before = question[: periods[0].at]
    match = _RELATION.search(before)
    if len(periods) == 2:
        ordered = sorted(periods, key=lambda period: period.start)
        return "between", ordered[0].start, ordered[-1].end
    if len(periods) > 2:
        return "", None, None
    (period,) = periods
    word = _SAID.get(match["word"].casefold(), "in") if match else "in"
    if period.kind == "range" or word == "in":
        between = period.text.casefold().startswith("between")
        return "between" if between else "on" if period.kind == "day" else "in", period.start, period.end
    if word == "before":
        return word, None, date.fromordinal(period.start.toordinal() - 1)
    if word == "after":
        return word, date.fromordinal(period.end.toordinal() + 1), None
    return (word, period.start, None) if word == "from" else (word, None, period.end)


def _lacking(question: str, table: Table) -> list[Filter]:
    """Return the condition that a column of dates is empty, where a question says so: `unpaid`, `not yet returned`."""
    found = []
    for column in table.columns:
        header = header_words(column.header).casefold()
        texts = table.texts(column.header)
        filled = [text for text in texts if text]
        if not filled or len(filled) == len(texts) or not all(date_of(text) for text in filled):
            continue
        name = re.sub(r"\b(?:date|day|on|at)\b", "", header).strip()
        written = _LACKS.replace("{0}", re.escape(name)) + (f"|{_OPEN_WORDS[name]}" if name in _OPEN_WORDS else "")
        match = re.search(rf"\b(?:{written})\b", question, re.IGNORECASE) if name else None
        if match:
            rows = frozenset(row for row, text in enumerate(texts) if not text)
            found.append(Filter(f"without {header}", rows, same_terms(match[0]) | frozenset(analyse("yet still"))))
    return found
