"""How many records of a register have the values that a question names, and which they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from ...text.words import analyse, content_words
from .asking import Ask
from .catalog import Catalog, Column, Table, header_words
from .computed import Computed
from .joins import key_column
from .scope import FRAME, in_period, is_record_word, same_terms, undated_question
from .wording import clause, is_link, subject_of

_COUNTS = re.compile(r"^\W*(?:(?:in|for|at|of) [^,?]{1,40},? )?how many\b", re.IGNORECASE)
_LISTS = re.compile(r"^\W*(?:which|what|list|name|show)\b(?! (?:is|are|was|were) the (?:total|sum)\b)", re.IGNORECASE)
_OF_THEM = re.compile(
    r"(?:^\W*|,? )(?:and )?how many (?:of (?:them|these|those)\b|among (?:them|these|those)\b)", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|no|never|without|except|other than|but)\b|n['’]t\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
_MOST_RECORDS = 40
_FRAME_WORDS = (
    "still now already currently concern concerned concerning about regard relate log register list kind type"
)
_SPARE = FRAME | frozenset(analyse(_FRAME_WORDS))


def count_records(ask: Ask, catalog: Catalog) -> list[Computed]:
    """Return how many rows have the values named, or which, where exactly one table of records holds every word asked.

    Nothing where the question negates, where a column of figures is named that may hold the count itself, or where no
    value is named that tells some rows from others.
    """
    counts, lists = bool(_COUNTS.match(ask.question)), bool(_LISTS.match(ask.question))
    if not (counts or lists) or ask.operations or _NOT.search(ask.question):
        return []
    first, *further = _OF_THEM.split(ask.question)
    if not first.strip():
        return []  # of whom, another question said
    found = [told for table in catalog.tables if (told := _of_table(ask, first, further, table, counts=counts))]
    return found[0] if len(found) == 1 else []


def refers_back(question: str) -> bool:
    """Whether a part of a question counts among those of the part before: `and how many of them are open?`"""
    return len(_OF_THEM.split(question)) > 1


def _of_table(ask: Ask, first: str, further: Sequence[str], table: Table, *, counts: bool) -> list[Computed]:
    key = key_column(table)
    if key is None or len(table.rows) < 2:
        return []
    values = _named(table, first)
    others = [_named(table, each) for each in further]
    if not values or any(not each for each in others):
        return []
    if _unheld(" ".join([first, *further]), table, [*values, *(one for each in others for one in each)]):
        return []
    rows = [row for row in in_period(ask, table) if not table.is_total(row) and _has(table, row, values)]
    names = [_BRACKETS.sub("", table.texts(key.header)[row]).strip() for row in rows]
    if not rows or len(rows) > _MOST_RECORDS or len(set(names)) < len(names):
        return []  # of two rows for one thing neither counts it
    used = tuple(table.rows[row] for row in rows)
    if not counts:
        return [Computed(_listed(table, row, values), (table.rows[row],), is_whole=True) for row in rows]
    parts = [_part(table, key, rows, values)]
    for each in others:
        rows = [row for row in rows if _has(table, row, each)]
        parts.append("of these " + _part(table, key, rows, each))
    return [Computed(f"In {PurePosixPath(table.uri).name}, {'; '.join(parts)}.", used, is_whole=True)]


def _listed(table: Table, row: int, values: Sequence[tuple[Column, str]]) -> str:
    record = table.rows[row]
    said = " and ".join(
        f"{'it was ' if is_link(header_words(column.header)) else ''}{clause(header_words(column.header), value)}"
        for column, value in values
    )
    return f"{subject_of(record).lead or record.label}, {said}."


def _part(table: Table, key: Column, rows: Sequence[int], values: Sequence[tuple[Column, str]]) -> str:
    said = ", ".join(f"{header_words(column.header)} {value}" for column, value in values)
    if not rows:
        return f"{said}: 0"
    summed = f"{' + '.join('1' for _ in rows)} = {len(rows)}" if len(rows) > 1 else "0 + 1 = 1"
    return f"{said}: {summed} ({', '.join(table.texts(key.header)[row] for row in rows)})"


def _named(table: Table, text: str) -> list[tuple[Column, str]]:
    """Return the values of columns of kinds, which several rows share, whose words a text has."""
    asked = same_terms(text)
    found = []
    for column in table.columns:
        texts = table.texts(column.header)
        kinds = {each for each in texts if each}
        if column.kind != "text" or not 2 <= len(kinds) < len(table.rows) or any(len(each) > 40 for each in kinds):
            continue
        named = [each for each in sorted(kinds) if (terms := same_terms(each)) and terms <= asked]
        # Of `council` and `main committee of the council` the longer one is meant where both fit.
        named = [each for each in named if not any(same_terms(each) < same_terms(other) for other in named)]
        if len(named) == 1:
            found.append((column, named[0]))
    return found


def _unheld(text: str, table: Table, values: Sequence[tuple[Column, str]]) -> frozenset[str]:
    held = frozenset(term for _, value in values for term in same_terms(value)) | table.words
    held |= frozenset(term for column in table.columns if column.kind != "number" for term in column.words)
    asked = same_terms(undated_question(" ".join(content_words(text)))) - _SPARE
    return frozenset(term for term in asked - held if not is_record_word(term))


def _has(table: Table, row: int, values: Sequence[tuple[Column, str]]) -> bool:
    return all(table.texts(column.header)[row] == value for column, value in values)
