"""The database of a hybrid index: which rows there are, their terms, and where their vectors lie."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .database import Store
from .sparse import TermCounts, group_of

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
CREATE TABLE terms (n INTEGER PRIMARY KEY, terms TEXT NOT NULL);
CREATE TABLE models (
    name TEXT PRIMARY KEY, dim INTEGER NOT NULL, file TEXT NOT NULL, places INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE vectors (
    model TEXT NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, chroma INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (model, n)
) WITHOUT ROWID;
CREATE INDEX vectors_not_in_chroma ON vectors (model, n) WHERE chroma = 0;
CREATE INDEX vectors_by_row ON vectors (n);
CREATE INDEX vectors_by_place ON vectors (model, place);
-- What left, until the sparse engine and Chroma have dropped it too.
CREATE TABLE gone_from_sparse (n INTEGER PRIMARY KEY);
CREATE TABLE gone_from_chroma (model TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (model, id)) WITHOUT ROWID;
"""
VERSION = 1

Key = TypeVar("Key", str, int)


@dataclass(frozen=True)
class Model:
    """An embedding model that has vectors here."""

    name: str
    dim: int
    file: str
    places: int


class HybridStore(Store):
    """Statements over the index's database; each method is one transaction unless the caller holds one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(folder / "index.sqlite", SCHEMA, VERSION)

    def truncate_log(self) -> None:
        """Leave nothing of deleted rows in the write-ahead log."""
        self._db.truncate_log()

    # Rows and terms

    def generation(self) -> int:
        """Return a number that grows with every change."""
        return self._meta("generation")

    def totals(self) -> tuple[int, int]:
        """Return the number of rows, and of their terms together."""
        with self._db.read() as sql:
            found = dict(sql.execute("SELECT key, value FROM meta"))
        return found["rows"], found["length"]

    def replace(self, rows: Sequence[tuple[str, Sequence[str]]]) -> list[int]:
        """Put rows as (id, terms) in, each under a new number, and return the numbers."""
        numbers: list[int] = []
        with self._db.write() as sql:
            self._remove(sql, [row_id for row_id, _ in rows])
            for row_id, terms in rows:
                made = sql.execute(
                    "INSERT INTO rows (id, grp, length) VALUES (?, ?, ?)", (row_id, group_of(row_id), len(terms))
                )
                numbers.append(int(made.lastrowid or 0))
            sql.executemany(
                "INSERT INTO terms VALUES (?, ?)",
                ((number, " ".join(terms)) for number, (_, terms) in zip(numbers, rows, strict=True)),
            )
            _count(sql, len(rows), sum(len(terms) for _, terms in rows))
        return numbers

    def remove(self, ids: Collection[str]) -> None:
        """Take rows out."""
        with self._db.write() as sql:
            self._remove(sql, ids)
            _count(sql, 0, 0)

    def numbers_of(self, ids: Collection[str]) -> dict[str, int]:
        """Return the number of each id that is there."""
        with self._db.read() as sql:
            return dict(_for_each(sql, "SELECT id, n FROM rows WHERE id IN (SELECT value FROM json_each(?))", ids))

    def ids_of(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the id of each number that is there."""
        with self._db.read() as sql:
            return dict(_for_each(sql, "SELECT n, id FROM rows WHERE n IN (SELECT value FROM json_each(?))", numbers))

    def all_numbers(self) -> dict[str, int]:
        """Return the number of every id."""
        with self._db.read() as sql:
            return dict(sql.execute("SELECT id, n FROM rows ORDER BY n"))

    def terms_of(self, ids: Collection[str]) -> dict[str, list[str]]:
        """Return the terms of each id that is there, in the order of their numbers."""
        statement = """SELECT id, terms FROM rows JOIN terms USING (n)
            WHERE id IN (SELECT value FROM json_each(?)) ORDER BY n"""
        with self._db.read() as sql:
            return {row_id: terms.split() for row_id, terms in _for_each(sql, statement, ids)}

    def counts_of(self, ids: Collection[str], terms: Collection[str]) -> Mapping[str, TermCounts]:
        """Return how often some terms stand in each id that is there, and how many terms it has."""
        return {
            row_id: TermCounts({term: held.count(term) for term in terms}, len(held))
            for row_id, held in self.terms_of(ids).items()
        }

    # What the sparse engine has to do yet

    def has_pending_sparse(self) -> bool:
        """Whether a writer left the sparse engine behind the database."""
        with self._db.read() as sql:
            left = sql.execute(
                "SELECT EXISTS (SELECT 1 FROM rows WHERE sparse = 0) OR EXISTS (SELECT 1 FROM gone_from_sparse)"
            )
            return bool(left.fetchone()[0])

    def pending_sparse(self) -> tuple[list[tuple[int, str, str]], list[int]]:
        """Return rows as (number, group, terms) that the sparse engine lacks, and numbers that it has to drop."""
        with self._db.read() as sql:
            rows = sql.execute("SELECT n, grp, terms FROM rows JOIN terms USING (n) WHERE sparse = 0 ORDER BY n")
            return rows.fetchall(), [n for (n,) in sql.execute("SELECT n FROM gone_from_sparse ORDER BY n")]

    def forget_sparse(self) -> None:
        """Note that the sparse engine holds nothing, so that all rows are pending."""
        with self._db.write() as sql:
            sql.execute("UPDATE rows SET sparse = 0")
            sql.execute("DELETE FROM gone_from_sparse")
            _count(sql, 0, 0)

    def sparse_done(self, numbers: Collection[int], gone: Collection[int]) -> None:
        """Note that the sparse engine has these rows and dropped those."""
        with self._db.write() as sql:
            _for_each(sql, "UPDATE rows SET sparse = 1 WHERE n IN (SELECT value FROM json_each(?))", numbers)
            _for_each(sql, "DELETE FROM gone_from_sparse WHERE n IN (SELECT value FROM json_each(?))", gone)
            _count(sql, 0, 0)

    # Vectors

    def models(self) -> list[Model]:
        """Return the embedding models that have vectors here."""
        with self._db.read() as sql:
            return [Model(*row) for row in sql.execute("SELECT name, dim, file, places FROM models ORDER BY name")]

    def add_places(self, model: Model, numbers: Sequence[int]) -> None:
        """Note that the next rows of a model's vector file belong to these numbers."""
        with self._db.write() as sql:
            sql.execute(
                """INSERT INTO models VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET places = excluded.places, file = excluded.file""",
                (model.name, model.dim, model.file, model.places + len(numbers)),
            )
            sql.executemany(
                "INSERT OR REPLACE INTO vectors (model, n, place) VALUES (?, ?, ?)",
                ((model.name, number, model.places + index) for index, number in enumerate(numbers)),
            )
            _count(sql, 0, 0)

    def move_vectors(self, model: Model, numbers: Sequence[int]) -> None:
        """Note that a model's vectors were written anew, in this order, to `model.file`."""
        with self._db.write() as sql:
            sql.execute("UPDATE models SET file = ?, places = ? WHERE name = ?", (model.file, len(numbers), model.name))
            sql.executemany(
                "UPDATE vectors SET place = ? WHERE model = ? AND n = ?",
                ((place, model.name, number) for place, number in enumerate(numbers)),
            )
            _count(sql, 0, 0)

    def vector_count(self, model: str) -> int:
        """Return how many rows have a vector of the model."""
        with self._db.read() as sql:
            return int(sql.execute("SELECT count(*) FROM vectors WHERE model = ?", (model,)).fetchone()[0])

    def all_places(self, model: str, *, since: int = 0) -> list[tuple[str, int, int]]:
        """Return (id, number, place) of every vector of a model from a place on, by place."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT id, n, place FROM vectors JOIN rows USING (n)
                WHERE model = ? AND place >= ? ORDER BY place""",
                (model, since),
            ).fetchall()

    def places_of(self, model: str, ids: Collection[str]) -> dict[str, int]:
        """Return the place of each id that has a vector of the model."""
        statement = """SELECT id, place FROM rows JOIN vectors USING (n)
            WHERE model = ? AND id IN (SELECT value FROM json_each(?))"""
        with self._db.read() as sql:
            return dict(_for_each(sql, statement, ids, model))

    def places_in(self, model: str, groups: Collection[str]) -> dict[str, int]:
        """Return the place of each id of some groups that has a vector of the model."""
        statement = """SELECT id, place FROM rows JOIN vectors USING (n)
            WHERE model = ? AND grp IN (SELECT value FROM json_each(?))"""
        with self._db.read() as sql:
            return dict(_for_each(sql, statement, groups, model))

    def without_vector(self, model: str, limit: int, after: int) -> list[tuple[str, int]]:
        """Return the next (id, number) without a vector of the model, beyond a number."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT id, n FROM rows WHERE n > ? AND NOT EXISTS
                (SELECT 1 FROM vectors WHERE model = ? AND vectors.n = rows.n) ORDER BY n LIMIT ?""",
                (after, model, limit),
            ).fetchall()

    def pending_chroma(self, model: str) -> tuple[list[tuple[str, int, int]], list[str]]:
        """Return (id, number, place) of vectors that Chroma lacks, and ids that it has to drop first."""
        with self._db.read() as sql:
            come = sql.execute(
                """SELECT id, n, place FROM vectors JOIN rows USING (n)
                WHERE model = ? AND chroma = 0 ORDER BY n""",
                (model,),
            ).fetchall()
            gone = sql.execute("SELECT id FROM gone_from_chroma WHERE model = ? ORDER BY id", (model,))
            return come, [row_id for (row_id,) in gone]

    def chroma_done(self, model: str, numbers: Collection[int], gone: Collection[str]) -> None:
        """Note that Chroma has these vectors and dropped those."""
        done = "UPDATE vectors SET chroma = 1 WHERE model = ? AND n IN (SELECT value FROM json_each(?))"
        dropped = "DELETE FROM gone_from_chroma WHERE model = ? AND id IN (SELECT value FROM json_each(?))"
        with self._db.write() as sql:
            _for_each(sql, done, numbers, model)
            _for_each(sql, dropped, gone, model)

    def _meta(self, key: str) -> int:
        with self._db.read() as sql:
            return int(sql.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])

    def _remove(self, sql: sqlite3.Connection, ids: Collection[str]) -> None:
        old = _for_each(sql, "SELECT n, length, sparse FROM rows WHERE id IN (SELECT value FROM json_each(?))", ids)
        numbers = [n for n, _, _ in old]
        if not numbers:
            return
        leave = """INSERT OR IGNORE INTO gone_from_chroma SELECT model, id FROM vectors JOIN rows USING (n)
            WHERE chroma = 1 AND n IN (SELECT value FROM json_each(?))"""
        _for_each(sql, leave, numbers)
        sql.executemany("INSERT INTO gone_from_sparse VALUES (?)", ((n,) for n, _, sparse in old if sparse))
        for statement in (
            "DELETE FROM vectors WHERE n IN (SELECT value FROM json_each(?))",
            "DELETE FROM terms WHERE n IN (SELECT value FROM json_each(?))",
            "DELETE FROM rows WHERE n IN (SELECT value FROM json_each(?))",
        ):
            _for_each(sql, statement, numbers)
        _count(sql, -len(old), -sum(length for _, length, _ in old))


def _count(sql: sqlite3.Connection, rows: int, length: int) -> None:
    sql.executemany(
        "UPDATE meta SET value = value + ? WHERE key = ?", ((1, "generation"), (rows, "rows"), (length, "length"))
    )


def _for_each(sql: sqlite3.Connection, statement: str, values: Iterable[Key], *before: str) -> list[tuple[Any, ...]]:
    """Run a statement whose last parameter is a list; one list of any length is one JSON parameter."""
    return sql.execute(statement, (*before, json.dumps(list(values)))).fetchall()
