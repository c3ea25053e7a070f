"""The tables of a hybrid index, and the counts that each change of them keeps."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, TypeVar

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', 0), ('rows', 0), ('length', 0);
-- A row never changes: new text under an old id gets a new number, so what follows the database can tell them apart.
CREATE TABLE rows (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    grp TEXT NOT NULL,
    length INTEGER NOT NULL,
    sparse INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX rows_by_group ON rows (grp);
CREATE INDEX rows_not_in_sparse ON rows (n) WHERE sparse = 0;
CREATE TABLE terms (n INTEGER PRIMARY KEY, terms TEXT NOT NULL, seal INTEGER);
CREATE TABLE models (
    name TEXT PRIMARY KEY, dim INTEGER NOT NULL, file TEXT NOT NULL, places INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE vectors (
    model TEXT NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, chroma INTEGER NOT NULL DEFAULT 0, seal INTEGER,
    PRIMARY KEY (model, n)
) WITHOUT ROWID;
CREATE INDEX vectors_not_in_chroma ON vectors (model, n) WHERE chroma = 0;
CREATE INDEX vectors_by_row ON vectors (n);
CREATE INDEX vectors_by_place ON vectors (model, place);
-- Beside the keys above, meta knows the terms of the longest row there ever was (`longest`), and counts for each model
-- its vectors (`vectors MODEL`), the writes to Chroma (`chroma MODEL`), what was dropped there (`dropped MODEL`) and
-- how often Chroma was filled anew (`collection MODEL`); a file made before that has no such keys until the next write.
-- What left, until the sparse engine and Chroma have dropped it too.
CREATE TABLE gone_from_sparse (n INTEGER PRIMARY KEY);
CREATE TABLE gone_from_chroma (model TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (model, id)) WITHOUT ROWID;
"""
VERSION = 2
# Rows from before there were seals have none and are taken as they are.
UPGRADES = {1: "ALTER TABLE terms ADD COLUMN seal INTEGER; ALTER TABLE vectors ADD COLUMN seal INTEGER"}

Key = TypeVar("Key", str, int)


def meta(sql: sqlite3.Connection, key: str) -> int | None:
    """Return one of the numbers that are kept by name, None where it is not there yet."""
    found = sql.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if found is None else int(found[0])


def put_meta(sql: sqlite3.Connection, key: str, value: int) -> None:
    """Keep a number by name."""
    sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def changed(sql: sqlite3.Connection, rows: int = 0, length: int = 0) -> None:
    """Note a change, and how many rows and terms came by it; fewer than none left."""
    sql.executemany(
        "UPDATE meta SET value = value + ? WHERE key = ?", ((1, "generation"), (rows, "rows"), (length, "length"))
    )


def for_each(sql: sqlite3.Connection, statement: str, values: Iterable[Key], *before: str) -> list[tuple[Any, ...]]:
    """Run a statement whose last parameter is a list; one list of any length is one JSON parameter."""
    return sql.execute(statement, (*before, json.dumps(list(values)))).fetchall()
