"""Joins that the files state: a column that names another table's key, and whose values are keys there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .catalog import Catalog, Column, Table, header_words

_MOST_JOINS = 3
_MATCHING = 0.9
"""Share of the filled values that must be keys of the other table."""
_ROLL_UP = frozenset({"parent", "group", "ultimate", "holding", "owner"})
_NAME = ("name", "account", "entity", "company", "customer", "group", "title", "firma", "nom")


@dataclass(frozen=True)
class Join:
    """`left.column` holds keys of `right.key`."""

    left: Table
    column: str
    right: Table
    key: str

    @property
    def rolls_up(self) -> bool:
        """Whether it leads from a part to the whole that controls it."""
        return bool(_ROLL_UP & set(header_words(self.column).casefold().split()))


def stated_joins(catalog: Catalog) -> list[Join]:
    """Return the joins between structured tables, in the order of the tables.

    A join needs two statements of the files: the names agree (`parent_account_id` is, or ends with, `account_id`), and
    at least nine in ten values are keys of the other table, where they are unique.
    """
    keys = [(table, column) for table in catalog.tables for column in table.columns if _is_key(table, column)]
    return [
        Join(left, column.header, right, key.header)
        for left in catalog.tables
        for column in left.columns
        for right, key in keys
        if (left is not right or column.header != key.header)
        and column.kind == "text"
        and _names_agree(column.header, key.header)
        and _values_match(left.texts(column.header), right.texts(key.header))
    ]


def paths_from(table: Table, joins: Sequence[Join]) -> Iterator[tuple[Join, ...]]:
    """Return chains of joins that lead away from a table, shorter ones first, no table twice."""
    chains: list[tuple[Join, ...]] = [()]
    for _ in range(_MOST_JOINS):
        longer = []
        for chain in chains:
            here = chain[-1].right if chain else table
            seen = {table.name, *(join.right.name for join in chain)}
            longer += [
                (*chain, join) for join in joins if join.left is here and (join.right.name not in seen or _self(join))
            ]
        yield from longer
        chains = [chain for chain in longer if not _self(chain[-1])]


def name_column(table: Table) -> Column | None:
    """Return the column by which people call a row: a text column of names, distinct, not an id."""
    texts = [column for column in table.columns if column.kind == "text" and not _is_id(column.header)]
    for column in texts:
        words = header_words(column.header).casefold().split()
        if set(words) & set(_NAME) and _distinct(table.texts(column.header)):
            return column
    return next((column for column in texts if _distinct(table.texts(column.header))), None)


def key_column(table: Table) -> Column | None:
    """Return the column that tells rows apart: an id, else a column of names."""
    ids = [column for column in table.columns if column.kind == "text" and _is_id(column.header)]
    return ids[0] if ids else name_column(table)


def _self(join: Join) -> bool:
    return join.left is join.right


def _is_key(table: Table, column: Column) -> bool:
    if column is table.currency:
        return False
    return table.structured and column.kind == "text" and len(table.rows) > 1 and _distinct(table.texts(column.header))


def _distinct(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text]
    return bool(filled) and len(filled) == len(texts) and len(set(filled)) == len(filled)


def _is_id(header: str) -> bool:
    return header_words(header).casefold().split()[-1:] in (["id"], ["key"], ["code"], ["no"], ["number"], ["ref"])


def _names_agree(column: str, key: str) -> bool:
    one, other = header_words(column).casefold().split(), header_words(key).casefold().split()
    return bool(other) and one[-len(other) :] == other


def _values_match(values: Sequence[str], keys: Sequence[str]) -> bool:
    filled = [value for value in values if value]
    known = set(keys)
    return bool(filled) and sum(value in known for value in filled) >= _MATCHING * len(filled)
