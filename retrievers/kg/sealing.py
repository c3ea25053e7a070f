"""Checksums of the rows of a temporal graph: written with each transaction, compared when a row is read or changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...state.seals import broken, seal


@dataclass(frozen=True)
class SealedTable:
    """A table whose rows carry a checksum over all their columns.

    Attributes:
        called: How a row is called in an error, its columns by their place.
    """

    key: tuple[str, ...]
    columns: tuple[str, ...]
    called: str


def _table(key: str, columns: str, called: str) -> SealedTable:
    return SealedTable(tuple(key.split()), tuple(columns.split()), called)


SEALED = {
    "roots": _table("path", "path name", "folder {0}"),
    "documents": _table("uri", "uri record content cut engine root path dated expired_at", "document {0}"),
    "chunks": _table("chunk_id content", "chunk_id content record", "passage {0}"),
    "entities": _table("n", "n entity_id name kind canonical folded key head tail", "name {2}"),
    "stated_names": _table("folded kind entity uri", "folded kind entity uri name", "the name {4} stated in {3}"),
    "merges": _table("n", "n a b rule reason score created_at undone_at undone_by", "merge {0}"),
    "events": _table(
        "n",
        "n event_id uri content chunk_id statement quote start end statement_type temporal_type valid_at stated_end"
        " invalid_at since created_at expired_at invalidated_by stated_at",
        "statement {1} of {2}",
    ),
    "triplets": _table("n", "n event place subject predicate object value unit exclusive", "triplet {0}"),
    "closing_keys": _table("key triplet", "key triplet", "group {0}"),
}

# A row that is new or changed has no seal until the transaction ends; one from before there were seals gets it then.
SEALS = ";\n".join(
    f"""ALTER TABLE {name} ADD COLUMN seal INTEGER;
CREATE INDEX {name}_unsealed ON {name} ({", ".join(table.key)}) WHERE seal IS NULL;
CREATE TRIGGER {name}_changed AFTER UPDATE ON {name} WHEN NEW.seal IS NOT NULL AND NEW.seal IS OLD.seal BEGIN
    UPDATE {name} SET seal = NULL WHERE {" AND ".join(f"{column} = NEW.{column}" for column in table.key)};
END"""  # noqa: S608 (constants)
    for name, table in SEALED.items()
)


class ChangedRow(Exception):
    """A row is not what was written.

    Attributes:
        what: How it is called.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def columns_of(name: str, alias: str) -> str:
    """Return the columns of a table as a statement selects them, its seal the last."""
    return ", ".join(f"{alias}.{column}" for column in (*SEALED[name].columns, "seal"))


def width(name: str) -> int:
    """Return how many values a row of `columns_of` has."""
    return len(SEALED[name].columns) + 1


def read(name: str, row: Sequence[Any]) -> dict[str, Any]:
    """Return a row of `columns_of` by column, without its seal.  Raises: ChangedRow."""
    *values, held = row
    table = SEALED[name]
    if broken(held, *values):
        raise ChangedRow(table.called.format(*values))
    return dict(zip(table.columns, values, strict=True))


def check(sql: sqlite3.Connection, name: str, where: str, *values: Any) -> None:
    """Compare the rows of a condition with their seals, as before they are changed.  Raises: ChangedRow."""
    for row in sql.execute(f"SELECT {columns_of(name, 't')} FROM {name} t WHERE {where}", values):  # noqa: S608
        read(name, row)


def seal_rows(sql: sqlite3.Connection) -> None:
    """Seal the rows that have no seal yet."""
    for name, table in SEALED.items():
        keys = " AND ".join(f"{column} = ?" for column in table.key)
        places = [table.columns.index(column) for column in table.key]
        rows = sql.execute(f"SELECT {', '.join(table.columns)} FROM {name} WHERE seal IS NULL").fetchall()  # noqa: S608
        sealed = ((seal(*row), *(row[place] for place in places)) for row in rows)
        sql.executemany(f"UPDATE {name} SET seal = ? WHERE {keys}", sealed)  # noqa: S608
