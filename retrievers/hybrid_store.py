"""The database of a hybrid index: which rows there are, their terms, and where their vectors lie."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..state.seals import broken, seal
from .database import Database, Store
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


# The texts lie elsewhere: an index can always be made again.
REMEDY = "delete the folder {} and index the sources again"


@dataclass(frozen=True)
class Place:
    """Where a vector lies in its model's file.

    Attributes:
        seal: Of the vector (`dense.seals`); None for one from before there were seals.
    """

    at: int
    seal: int | None


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
        path, remedy = folder / "index.sqlite", REMEDY.format(folder)
        super().__init__(Database(path, SCHEMA, version=VERSION, remedy=remedy, upgrades=UPGRADES))
        self._longest: tuple[int, int] | None = None

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
        with self._db.write() as sql:
            self._remove(sql, [row_id for row_id, _ in rows])
            last = sql.execute("SELECT seq FROM sqlite_sequence WHERE name = 'rows'").fetchone()
            first = (last[0] if last else 0) + 1
            numbers = list(range(first, first + len(rows)))
            sql.executemany(
                "INSERT INTO rows (n, id, grp, length) VALUES (?, ?, ?, ?)",
                (
                    (number, row_id, group_of(row_id), len(terms))
                    for number, (row_id, terms) in zip(numbers, rows, strict=True)
                ),
            )
            sql.executemany(
                "INSERT INTO terms VALUES (?, ?, ?)",
                (
                    (number, joined, seal(number, joined))
                    for number, joined in ((n, " ".join(terms)) for n, (_, terms) in zip(numbers, rows, strict=True))
                ),
            )
            longest = max((len(terms) for _, terms in rows), default=0)
            held = sql.execute("SELECT value FROM meta WHERE key = 'longest'").fetchone()
            if held is None:
                held = sql.execute("SELECT coalesce(max(length), 0) FROM rows").fetchone()
            _set(sql, "longest", max(longest, held[0]))
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

    def all_numbers(self) -> dict[str, int]:
        """Return the number of every id."""
        with self._db.read() as sql:
            return dict(sql.execute("SELECT id, n FROM rows ORDER BY n"))

    def terms_of(self, ids: Collection[str]) -> dict[str, list[str]]:
        """Return the terms of each id that is there, in the order of their numbers."""
        statement = """SELECT id, n, terms, seal FROM rows JOIN terms USING (n)
            WHERE id IN (SELECT value FROM json_each(?)) ORDER BY n"""
        with self._db.read() as sql:
            found = _for_each(sql, statement, ids)
        return {row_id: self._intact(n, terms, held).split() for row_id, n, terms, held in found}

    def counts_of(self, numbers: Collection[int], terms: Collection[str]) -> Mapping[str, TermCounts]:
        """Return how often some terms stand in each row that is there, and how many terms it has, by id."""
        statement = """SELECT id, n, length, terms, seal FROM rows JOIN terms USING (n)
            WHERE n IN (SELECT value FROM json_each(?))"""
        with self._db.read() as sql:
            found = _for_each(sql, statement, numbers)
        counted: dict[str, TermCounts] = {}
        for row_id, n, length, terms_held, sealed in found:
            held = self._intact(n, terms_held, sealed)
            apart = f" {held.replace(' ', '  ')} "  # each term between spaces of its own: no need to part the text
            counted[row_id] = TermCounts({term: apart.count(f" {term} ") for term in terms}, length)
        return counted

    def longest(self) -> int:
        """Return how many terms the longest row has; after rows left, an upper bound."""
        with self._db.read() as sql:
            held = sql.execute("SELECT value FROM meta WHERE key = 'longest'").fetchone()
            if held is not None:
                return int(held[0])
            generation = self.generation()
            if self._longest is None or self._longest[0] != generation:
                found = sql.execute("SELECT coalesce(max(length), 0) FROM rows").fetchone()
                self._longest = generation, int(found[0])
            return self._longest[1]

    # What the sparse engine has to do yet

    def has_pending_sparse(self) -> bool:
        """Whether a writer left the sparse engine behind the database."""
        with self._db.read() as sql:
            left = sql.execute(
                "SELECT EXISTS (SELECT 1 FROM rows WHERE sparse = 0) OR EXISTS (SELECT 1 FROM gone_from_sparse)"
            )
            return bool(left.fetchone()[0])

    def pending_sparse(self, limit: int) -> tuple[list[tuple[int, str, str]], list[int]]:
        """Return rows as (number, group, terms) that the sparse engine lacks, and numbers that it has to drop.

        Args:
            limit: At most so many of each; what is left is pending still when these are done.
        """
        with self._db.read() as sql:
            rows = sql.execute(
                "SELECT n, grp, terms, seal FROM rows JOIN terms USING (n) WHERE sparse = 0 ORDER BY n LIMIT ?",
                (limit,),
            ).fetchall()
            gone = sql.execute("SELECT n FROM gone_from_sparse ORDER BY n LIMIT ?", (limit,)).fetchall()
        return [(n, group, self._intact(n, terms, held)) for n, group, terms, held in rows], [n for (n,) in gone]

    def forget_sparse(self) -> None:
        """Note that the sparse engine holds nothing, so that all rows are pending."""
        with self._db.write() as sql:
            sql.execute("UPDATE rows SET sparse = 0")
            sql.execute("DELETE FROM gone_from_sparse")
            _count(sql, 0, 0)

    def all_terms(self) -> Iterator[tuple[int, str, str]]:
        """Give (number, group, terms) of every row, a thousand in each transaction."""
        last = 0
        while True:
            with self._db.read() as sql:
                rows = sql.execute(
                    "SELECT n, grp, terms, seal FROM rows JOIN terms USING (n) WHERE n > ? ORDER BY n LIMIT 1000",
                    (last,),
                ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            for n, group, terms, held in rows:
                yield n, group, self._intact(n, terms, held)

    def sparse_rebuilt(self) -> None:
        """Note that the sparse engine has all rows and nothing else."""
        with self._db.write() as sql:
            sql.execute("UPDATE rows SET sparse = 1 WHERE sparse = 0")
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

    def add_places(self, model: Model, numbers: Sequence[int], seals: Sequence[int]) -> None:
        """Note that the next rows of a model's vector file belong to these numbers, and what they are sealed with."""
        with self._db.write() as sql:
            sql.execute(
                """INSERT INTO models VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET places = excluded.places, file = excluded.file""",
                (model.name, model.dim, model.file, model.places + len(numbers)),
            )
            before = len(numbers) - len(_for_each(sql, _HOLDING, numbers, model.name))
            sql.executemany(
                "INSERT OR REPLACE INTO vectors (model, n, place, seal) VALUES (?, ?, ?, ?)",
                (
                    (model.name, number, model.places + index, sealed)
                    for index, (number, sealed) in enumerate(zip(numbers, seals, strict=True))
                ),
            )
            held = sql.execute("SELECT value FROM meta WHERE key = ?", (f"vectors {model.name}",)).fetchone()
            if held is None or before != len(numbers):  # a row that had a vector got another one: rare, so count anew
                _set(sql, f"vectors {model.name}", _vector_count(sql, model.name))
            else:
                _set(sql, f"vectors {model.name}", held[0] + len(numbers))
            _count(sql, 0, 0)

    def move_vectors(self, model: Model) -> None:
        """Note that a model's vectors were written anew to `model.file`, in the order they had, without gaps."""
        with self._db.write() as sql:
            sql.execute("UPDATE models SET file = ?, places = ? WHERE name = ?", (model.file, model.places, model.name))
            sql.execute(
                """UPDATE vectors SET place = moved.place FROM
                (SELECT n, row_number() OVER (ORDER BY place) - 1 AS place FROM vectors WHERE model = ?1) AS moved
                WHERE vectors.model = ?1 AND vectors.n = moved.n""",
                (model.name,),
            )
            _count(sql, 0, 0)

    def vector_count(self, model: str) -> int:
        """Return how many rows have a vector of the model."""
        with self._db.read() as sql:
            held = sql.execute("SELECT value FROM meta WHERE key = ?", (f"vectors {model}",)).fetchone()
            return int(held[0]) if held else _vector_count(sql, model)

    def used_places(self, model: str, since: int, limit: int) -> list[int]:
        """Return the next places that hold a vector of the model, from one on, in order."""
        with self._db.read() as sql:
            found = sql.execute(
                "SELECT place FROM vectors WHERE model = ? AND place >= ? ORDER BY place LIMIT ?", (model, since, limit)
            )
            return [place for (place,) in found]

    def all_places(self, model: str, *, since: int = 0, limit: int = -1) -> list[tuple[str, int, int | None]]:
        """Return (id, place, seal) of every vector of a model from a place on, or the next so many, by place."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT id, place, seal FROM vectors JOIN rows USING (n)
                WHERE model = ? AND place >= ? ORDER BY place LIMIT ?""",
                (model, since, limit),
            ).fetchall()

    def places_of(self, model: str, ids: Collection[str]) -> dict[str, Place]:
        """Return the place of each id that has a vector of the model."""
        return self._places(model, "id", ids)

    def places_in(self, model: str, groups: Collection[str]) -> dict[str, Place]:
        """Return the place of each id of some groups that has a vector of the model."""
        return self._places(model, "grp", groups)

    def _places(self, model: str, column: str, values: Collection[str]) -> dict[str, Place]:
        with self._db.read() as sql:
            found = _for_each(sql, _PLACES.format(column=column), values, model)
        return {row_id: Place(at, sealed) for row_id, at, sealed in found}

    def without_vector(self, model: str, limit: int, after: int) -> list[tuple[str, int]]:
        """Return the next (id, number) without a vector of the model, beyond a number."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT id, n FROM rows WHERE n > ? AND NOT EXISTS
                (SELECT 1 FROM vectors WHERE model = ? AND vectors.n = rows.n) ORDER BY n LIMIT ?""",
                (after, model, limit),
            ).fetchall()

    def pending_chroma(self, model: str, limit: int) -> tuple[list[tuple[str, int, Place]], list[str]]:
        """Return (id, number, place) of vectors that Chroma lacks, and ids that it has to drop first.

        Args:
            limit: At most so many of each; what is left is pending still when these are done.
        """
        with self._db.read() as sql:
            come = sql.execute(
                """SELECT id, n, place, seal FROM vectors INDEXED BY vectors_not_in_chroma CROSS JOIN rows USING (n)
                WHERE model = ? AND chroma = 0 ORDER BY n LIMIT ?""",
                (model, limit),
            ).fetchall()
            gone = sql.execute(
                "SELECT id FROM gone_from_chroma WHERE model = ? ORDER BY id LIMIT ?", (model, limit)
            ).fetchall()
        return [(row_id, n, Place(at, held)) for row_id, n, at, held in come], [row_id for (row_id,) in gone]

    def pending_chroma_count(self, model: str) -> int:
        """Return how many vectors Chroma lacks or has to drop."""
        with self._db.read() as sql:
            return int(
                sql.execute(
                    """SELECT (SELECT count(*) FROM vectors INDEXED BY vectors_not_in_chroma
                        WHERE model = ?1 AND chroma = 0)
                    + (SELECT count(*) FROM gone_from_chroma WHERE model = ?1)""",
                    (model,),
                ).fetchone()[0]
            )

    def forget_chroma(self, model: str) -> None:
        """Note that Chroma holds nothing of a model, so that all its vectors are pending."""
        with self._db.write() as sql:
            sql.execute("UPDATE vectors SET chroma = 0 WHERE model = ?", (model,))
            sql.execute("DELETE FROM gone_from_chroma WHERE model = ?", (model,))
            _count(sql, 0, 0)

    def dropped_from_chroma(self, model: str) -> int:
        """Return how many vectors were dropped from Chroma since it was last filled: they still take room there."""
        with self._db.read() as sql:
            found = sql.execute("SELECT value FROM meta WHERE key = ?", (f"dropped {model}",)).fetchone()
            return int(found[0]) if found else 0

    def chroma_filled(self, model: str, serial: int) -> None:
        """Note that another collection of Chroma has just the vectors of a model.  The write lock is held since."""
        with self._db.write() as sql:
            sql.execute("UPDATE vectors SET chroma = 1 WHERE model = ? AND chroma = 0", (model,))
            sql.execute("DELETE FROM gone_from_chroma WHERE model = ?", (model,))
            found = sql.execute("SELECT value FROM meta WHERE key = ?", (f"chroma {model}",)).fetchone()
            for key, value in (("dropped", 0), ("collection", serial), ("chroma", (found[0] if found else 0) + 1)):
                _set(sql, f"{key} {model}", value)
            _count(sql, 0, 0)

    def collection(self, model: str) -> int:
        """Return the number of the collection of Chroma that holds the vectors of a model."""
        with self._db.read() as sql:
            found = sql.execute("SELECT value FROM meta WHERE key = ?", (f"collection {model}",)).fetchone()
            return int(found[0]) if found else 0

    def chroma_changes(self, model: str) -> int:
        """Return a number that grows whenever Chroma took or dropped vectors of the model."""
        with self._db.read() as sql:
            found = sql.execute("SELECT value FROM meta WHERE key = ?", (f"chroma {model}",)).fetchone()
            return int(found[0]) if found else 0

    def chroma_done(self, model: str, numbers: Collection[int], gone: Collection[str]) -> None:
        """Note that Chroma has these vectors and dropped those."""
        done = "UPDATE vectors SET chroma = 1 WHERE model = ? AND n IN (SELECT value FROM json_each(?))"
        dropped = "DELETE FROM gone_from_chroma WHERE model = ? AND id IN (SELECT value FROM json_each(?))"
        with self._db.write() as sql:
            _for_each(sql, done, numbers, model)
            _for_each(sql, dropped, gone, model)
            for key, more in (("chroma", 1), ("dropped", len(gone))):
                found = sql.execute("SELECT value FROM meta WHERE key = ?", (f"{key} {model}",)).fetchone()
                _set(sql, f"{key} {model}", (found[0] if found else 0) + more)

    def damaged_terms(self, terms_of: Callable[[list[str]], Mapping[str, str]]) -> Iterator[str]:
        """Compare all terms with their seals, and with what the texts give now; name each row that differs.

        Args:
            terms_of: Gives the terms, joined by spaces, of each id whose text is there.
        """
        last = 0
        while True:
            with self._db.read() as sql:
                rows = sql.execute(
                    "SELECT n, id, terms, seal FROM rows LEFT JOIN terms USING (n) WHERE n > ? ORDER BY n LIMIT 1000",
                    (last,),
                ).fetchall()
            if not rows:
                return
            last, now = rows[-1][0], terms_of([row_id for _, row_id, _, _ in rows])
            for n, row_id, held, sealed in rows:
                if held is None or broken(sealed, n, held) or held != now.get(row_id, held):
                    yield f"{row_id}: its words in the index were changed by the disk"

    def _intact(self, number: int, terms: str, held: int | None) -> str:
        if broken(held, number, terms):
            raise self._db.damaged(f"row {number}")
        return terms

    def _meta(self, key: str) -> int:
        with self._db.read() as sql:
            return int(sql.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])

    def _remove(self, sql: sqlite3.Connection, ids: Collection[str]) -> None:
        old = _for_each(sql, "SELECT n, length, sparse FROM rows WHERE id IN (SELECT value FROM json_each(?))", ids)
        numbers = [n for n, _, _ in old]
        if not numbers:
            return
        # Also of what Chroma is not known to have: a process may have been killed before it could note that.
        leave = """INSERT OR IGNORE INTO gone_from_chroma SELECT model, id FROM vectors JOIN rows USING (n)
            WHERE n IN (SELECT value FROM json_each(?))"""
        _for_each(sql, leave, numbers)
        sql.executemany("INSERT INTO gone_from_sparse VALUES (?)", ((n,) for n, _, sparse in old if sparse))
        fewer = """SELECT 'vectors ' || model, count(*) FROM vectors
            WHERE n IN (SELECT value FROM json_each(?)) GROUP BY model"""
        for key, count in _for_each(sql, fewer, numbers):
            sql.execute("UPDATE meta SET value = value - ? WHERE key = ?", (count, key))
        for statement in (
            "DELETE FROM vectors WHERE n IN (SELECT value FROM json_each(?))",
            "DELETE FROM terms WHERE n IN (SELECT value FROM json_each(?))",
            "DELETE FROM rows WHERE n IN (SELECT value FROM json_each(?))",
        ):
            _for_each(sql, statement, numbers)
        _count(sql, -len(old), -sum(length for _, length, _ in old))


# SQLite would begin with all vectors of the model: `CROSS JOIN` keeps it to the order written here.
_PLACES = """SELECT rows.id, place, seal FROM json_each(?2) AS asked
    CROSS JOIN rows ON rows.{column} = asked.value CROSS JOIN vectors ON vectors.n = rows.n AND vectors.model = ?1"""
_HOLDING = "SELECT n FROM vectors WHERE model = ? AND n IN (SELECT value FROM json_each(?))"


def _vector_count(sql: sqlite3.Connection, model: str) -> int:
    return int(sql.execute("SELECT count(*) FROM vectors WHERE model = ?", (model,)).fetchone()[0])


def _set(sql: sqlite3.Connection, key: str, value: int) -> None:
    sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _count(sql: sqlite3.Connection, rows: int, length: int) -> None:
    sql.executemany(
        "UPDATE meta SET value = value + ? WHERE key = ?", ((1, "generation"), (rows, "rows"), (length, "length"))
    )


def _for_each(sql: sqlite3.Connection, statement: str, values: Iterable[Key], *before: str) -> list[tuple[Any, ...]]:
    """Run a statement whose last parameter is a list; one list of any length is one JSON parameter."""
    return sql.execute(statement, (*before, json.dumps(list(values)))).fetchall()
