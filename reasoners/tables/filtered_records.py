"""List, count or add up the records whose date lies in some time or is missing, and tell the first or last of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import PurePosixPath

from .asking import Ask
from .catalog import Catalog, Column, Table, date_of, header_words
from .cells import name_of, never_adds, summed
from .computed import Computed
from .joins import key_column, name_column
from .record_filters import Filter, date_column, filters_in
from .scope import FRAME, LOOSE, is_money, is_record_word, measure_of, same_terms, undated_question
from .units import amount, name_and_unit

_LISTS = re.compile(
    r"^\W*(?:(?:in|on|by|before|after|for|of|with) (?:.{1,40},? )?)?(?:which|what|list|name|show|whose|are there)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"^\W*(?:(?:in|on|by|before|after|for) [^?]{1,40},? )?how many\b", re.IGNORECASE)
_SUMS = re.compile(
    r"\b(?:totals?|sum|how much|(?:combined|total|overall) (?:value|amount)|value of|add up)\b", re.IGNORECASE
)
_FIRST = re.compile(r"\b(?:first|earliest|next|soonest|oldest)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:last|latest|longest|newest|most recent)\b", re.IGNORECASE)
_NEXT = re.compile(r"\bnext\b", re.IGNORECASE)
_DUE = re.compile(r"\b(?:due|until|end|expiry)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:never|except|other than|but)\b", re.IGNORECASE)
_SPARE_WORDS = "still now already currently concern about log register list kind type there exist soon time when"
_SPARE = (
    FRAME
    | LOOSE
    | same_terms(_SPARE_WORDS)
    | same_terms("first earliest next soonest oldest last latest newest recent")
)
_AMOUNTS = ("gross", "total", "amount")
_MOST_RECORDS = 40


def filtered_records(ask: Ask, catalog: Catalog) -> list[Computed]:
    """Return the records of the one register that holds every word of a question with a condition on a date.

    Nothing where several registers fit, or where no record fits: what is not in a list may be elsewhere.
    """
    if _NOT.search(ask.question):
        return []
    found = [told for table in catalog.tables if (told := _of_table(ask, table)) is not None]
    return found if len(found) == 1 else []


def _of_table(ask: Ask, table: Table) -> Computed | None:
    key = name_column(table) or key_column(table)
    if key is None or len(table.rows) < 2:
        return None
    filters = filters_in(ask.question, table)
    kinds, kind_words = _kinds(ask.question, table)
    dated = date_column(ask.question, table)
    ends = bool(_FIRST.search(ask.question)) != bool(_LAST.search(ask.question))
    if not filters and not (ends and dated and _LISTS.match(ask.question)):
        return None
    consumed = frozenset[str]().union(kind_words, dated[1] if dated else (), *(each.words for each in filters))
    if _unheld(ask, table, consumed):
        return None
    rows = [row for row in range(len(table.rows)) if not table.is_total(row) and kinds(row)]
    rows = [row for row in rows if all(row in each.rows for each in filters)]
    if not rows or len(rows) > _MOST_RECORDS:
        return None
    if not filters:
        return _end(ask, table, key, dated[0], rows) if dated else None
    column = next((each.column for each in filters if each.column), None)
    if _SUMS.search(ask.question) and not _COUNTS.match(ask.question):
        return _sum(ask, table, key, rows, filters)
    if not (_LISTS.match(ask.question) or _COUNTS.match(ask.question)):
        return None
    return _listed(ask, table, key, column, rows, filters)


def _listed(
    ask: Ask, table: Table, key: Column, column: Column | None, rows: Sequence[int], filters: Sequence[Filter]
) -> Computed:
    days = table.texts(column.header) if column else [""] * len(table.rows)
    ordered = sorted(rows, key=lambda row: days[row])
    names = ", ".join(f"{_named(table, key, row)}{_day_of(table, column, row)}" for row in ordered)
    said = ", ".join(each.said for each in filters)
    count = ""
    if _COUNTS.match(ask.question):
        terms = " + ".join("1" for _ in rows)
        count = f"{terms} = {len(rows)}: " if len(rows) > 1 else "0 + 1 = 1: "
    lead = f"In {PurePosixPath(table.uri).name}, {said}" if column else f"{said[:1].upper()}{said[1:]}"
    text = f"{lead}: {count}{names}."
    return Computed(text, tuple(table.rows[row] for row in ordered), header="", is_whole=True)


def _day_of(table: Table, column: Column | None, row: int) -> str:
    """Return the day by which a record was kept in brackets, else one that tells more of it, with its header."""
    if column is not None:
        day = table.texts(column.header)[row]
        return f" ({day})" if day else ""
    told = [(header_words(each.header), table.texts(each.header)[row]) for each in table.dates]
    told = [(header, day) for header, day in told if day]
    due = [each for each in told if _DUE.search(each[0])] or told
    return f" ({due[0][0]} {due[0][1]})" if due else ""


def _end(ask: Ask, table: Table, key: Column, column: Column, rows: Sequence[int]) -> Computed | None:
    """Tell the record with the first or the last day of a column; of the next nothing, since today is not in it."""
    texts = table.texts(column.header)
    days = {row: day for row in rows if (day := date_of(texts[row]))}
    if len(days) < 2 or _NEXT.search(ask.question):
        return None
    end = min(days.values()) if _FIRST.search(ask.question) else max(days.values())
    best = [row for row, day in days.items() if day == end]
    names = " and ".join(_named(table, key, row) for row in best)
    kind = "earliest" if _FIRST.search(ask.question) else "latest"
    text = f"The {kind} {header_words(column.header)} is {texts[best[0]]}: {names}."
    return Computed(text, tuple(table.rows[row] for row in best), header="", is_whole=True)


def _sum(ask: Ask, table: Table, key: Column, rows: Sequence[int], filters: Sequence[Filter]) -> Computed | None:
    column = _measure(ask, table)
    if column is None or table.is_mixed(rows) or never_adds(column, over_time=False):
        return None
    values = table.figures(column.header, rows)
    if len(values) != len(rows):
        return None
    total = amount(f"{sum(values, Decimal(0)):,f}", name_and_unit(column.header)[1])
    names = ", ".join(_named(table, key, row) for row in rows)
    said = " and ".join(each.said for each in filters)
    worked = f"; {summed(values)}" if len(values) > 1 else ""
    text = f"Total {name_of(column)}, {said}: {total}{worked} ({names})."
    return Computed(text, tuple(table.rows[row] for row in rows), header="", is_whole=True)


def _measure(ask: Ask, table: Table) -> Column | None:
    """Return the column of figures that a question names, else the one that holds whole amounts."""
    numbers = [column for column in table.columns if column.kind == "number"]
    asked = same_terms(ask.question)
    named = [column for column in numbers if measure_of(column) <= asked]
    whole = [column for column in numbers if set(_AMOUNTS) & set(header_words(column.header).casefold().split())]
    money = [column for column in numbers if is_money(column)]
    for fits in (named, whole, money, numbers):
        if fits:
            return fits[0] if len(fits) == 1 else None
    return None


def _named(table: Table, key: Column, row: int) -> str:
    """Return what a record is called, with its code where a name alone does not tell it."""
    return " ".join(table.texts(key.header)[row].split())


def _kinds(question: str, table: Table) -> tuple[Callable[[int], bool], frozenset[str]]:
    """Return which rows have the values of columns of words that a question names, and the words of these values."""
    asked = same_terms(question)
    named: list[tuple[Sequence[str], frozenset[str]]] = []
    words: set[str] = set()
    for column in table.columns:
        if column.kind != "text":
            continue
        texts = table.texts(column.header)
        values = {text for text in texts if text and len(text) <= 40 and _is_named(text, question, asked)}
        if values and len(values) < len(set(texts)):
            named.append((texts, frozenset(values)))
            words |= {term for value in values for term in same_terms(value)}
    return (lambda row: all(texts[row] in values for texts, values in named)), frozenset(words)


def _is_named(value: str, question: str, asked: frozenset[str]) -> bool:
    short = len(value) < 4
    if short:
        return value != value.casefold() and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question) is not None
    terms = same_terms(value)
    return bool(terms) and terms <= asked


def _unheld(ask: Ask, table: Table, consumed: frozenset[str]) -> frozenset[str]:
    held = consumed | table.words | table.kind_words
    held |= frozenset(term for column in table.columns for term in column.words)
    held = held | same_terms(" ".join(held))
    asked = same_terms(undated_question(ask.question)) - _SPARE - held
    return frozenset(term for term in asked if not is_record_word(term))
