"""The statements over the vectors of one embedding model in a hybrid index: where they lie, and what Chroma lacks."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .database import Database
from .hybrid_schema import changed, for_each, meta, put_meta

# SQLite would begin with all vectors of the model: `CROSS JOIN` keeps it to the order written here.
_PLACES = """SELECT rows.id, place, seal FROM json_each(?2) AS asked
    CROSS JOIN rows ON rows.{column} = asked.value CROSS JOIN vectors ON vectors.n = rows.n AND vectors.model = ?1"""
_HOLDING = "SELECT n FROM vectors WHERE model = ? AND n IN (SELECT value FROM json_each(?))"


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


class VectorStore:
    """Each method is one transaction unless the caller holds one.

    Args:
        model: Name of the embedding model.
    """

    def __init__(self, db: Database, model: str) -> None:
        self._db, self.model = db, model

    def add_places(self, model: Model, numbers: Sequence[int], seals: Sequence[int]) -> None:
        """Note that the next rows of a model's vector file belong to these numbers, and what they are sealed with."""
        with self._db.write() as sql:
            sql.execute(
                """INSERT INTO models VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET places = excluded.places, file = excluded.file""",
                (model.name, model.dim, model.file, model.places + len(numbers)),
            )
            before = len(numbers) - len(for_each(sql, _HOLDING, numbers, model.name))
            sql.executemany(
                "INSERT OR REPLACE INTO vectors (model, n, place, seal) VALUES (?, ?, ?, ?)",
                (
                    (model.name, number, model.places + index, sealed)
                    for index, (number, sealed) in enumerate(zip(numbers, seals, strict=True))
                ),
            )
            held = self._kept(sql, "vectors")
            if held is None or before != len(numbers):  # a row that had a vector got another one: rare, so count anew
                self._keep(sql, "vectors", self._counted(sql))
            else:
                self._keep(sql, "vectors", held + len(numbers))
            changed(sql)

    def move(self, model: Model) -> None:
        """Note that a model's vectors were written anew to `model.file`, in the order they had, without gaps."""
        with self._db.write() as sql:
            sql.execute("UPDATE models SET file = ?, places = ? WHERE name = ?", (model.file, model.places, model.name))
            sql.execute(
                """UPDATE vectors SET place = moved.place FROM
                (SELECT n, row_number() OVER (ORDER BY place) - 1 AS place FROM vectors WHERE model = ?1) AS moved
                WHERE vectors.model = ?1 AND vectors.n = moved.n""",
                (model.name,),
            )
            changed(sql)

    def count(self) -> int:
        """Return how many rows have a vector of the model."""
        with self._db.read() as sql:
            held = self._kept(sql, "vectors")
            return self._counted(sql) if held is None else held

    def used_places(self, since: int, limit: int) -> list[int]:
        """Return the next places that hold a vector of the self.model, from one on, in order."""
        with self._db.read() as sql:
            found = sql.execute(
                "SELECT place FROM vectors WHERE model = ? AND place >= ? ORDER BY place LIMIT ?",
                (self.model, since, limit),
            )
            return [place for (place,) in found]

    def all_places(self, *, since: int = 0, limit: int = -1) -> list[tuple[str, int, int | None]]:
        """Return (id, place, seal) of every vector of a model from a place on, or the next so many, by place."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT id, place, seal FROM vectors JOIN rows USING (n)
                WHERE model = ? AND place >= ? ORDER BY place LIMIT ?""",
                (self.model, since, limit),
            ).fetchall()

    def places_of(self, ids: Collection[str]) -> dict[str, Place]:
        """Return the place of each id that has a vector of the model."""
        return self._places("id", ids)

    def places_in(self, groups: Collection[str]) -> dict[str, Place]:
        """Return the place of each id of some groups that has a vector of the model."""
        return self._places("grp", groups)

    def _places(self, column: str, values: Collection[str]) -> dict[str, Place]:
        with self._db.read() as sql:
            found = for_each(sql, _PLACES.format(column=column), values, self.model)
        return {row_id: Place(at, sealed) for row_id, at, sealed in found}

    def without_vector(self, limit: int, after: int) -> list[tuple[str, int]]:
        """Return the next (id, number) without a vector of the self.model, beyond a number."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT id, n FROM rows WHERE n > ? AND NOT EXISTS
                (SELECT 1 FROM vectors WHERE model = ? AND vectors.n = rows.n) ORDER BY n LIMIT ?""",
                (after, self.model, limit),
            ).fetchall()

    def pending_chroma(self, limit: int) -> tuple[list[tuple[str, int, Place]], list[str]]:
        """Return (id, number, place) of vectors that Chroma lacks, and ids that it has to drop first.

        Args:
            limit: At most so many of each; what is left is pending still when these are done.
        """
        with self._db.read() as sql:
            come = sql.execute(
                """SELECT id, n, place, seal FROM vectors INDEXED BY vectors_not_in_chroma CROSS JOIN rows USING (n)
                WHERE model = ? AND chroma = 0 ORDER BY n LIMIT ?""",
                (self.model, limit),
            ).fetchall()
            gone = sql.execute(
                "SELECT id FROM gone_from_chroma WHERE model = ? ORDER BY id LIMIT ?", (self.model, limit)
            ).fetchall()
        return [(row_id, n, Place(at, held)) for row_id, n, at, held in come], [row_id for (row_id,) in gone]

    def pending_chroma_count(self) -> int:
        """Return how many vectors Chroma lacks or has to drop."""
        with self._db.read() as sql:
            return int(
                sql.execute(
                    """SELECT (SELECT count(*) FROM vectors INDEXED BY vectors_not_in_chroma
                        WHERE model = ?1 AND chroma = 0)
                    + (SELECT count(*) FROM gone_from_chroma WHERE model = ?1)""",
                    (self.model,),
                ).fetchone()[0]
            )

    def forget_chroma(self) -> None:
        """Note that Chroma holds nothing of a self.model, so that all its vectors are pending."""
        with self._db.write() as sql:
            sql.execute("UPDATE vectors SET chroma = 0 WHERE model = ?", (self.model,))
            sql.execute("DELETE FROM gone_from_chroma WHERE model = ?", (self.model,))
            changed(sql)

    def dropped_from_chroma(self) -> int:
        """Return how many vectors were dropped from Chroma since it was last filled: they still take room there."""
        with self._db.read() as sql:
            return self._kept(sql, "dropped") or 0

    def chroma_filled(self, serial: int) -> None:
        """Note that another collection of Chroma has just the vectors of a model.  The write lock is held since."""
        with self._db.write() as sql:
            sql.execute("UPDATE vectors SET chroma = 1 WHERE model = ? AND chroma = 0", (self.model,))
            sql.execute("DELETE FROM gone_from_chroma WHERE model = ?", (self.model,))
            changes = self._kept(sql, "chroma") or 0
            for key, value in (("dropped", 0), ("collection", serial), ("chroma", changes + 1)):
                self._keep(sql, key, value)
            changed(sql)

    def collection(self) -> int:
        """Return the number of the collection of Chroma that holds the vectors of a model."""
        with self._db.read() as sql:
            return self._kept(sql, "collection") or 0

    def chroma_changes(self) -> int:
        """Return a number that grows whenever Chroma took or dropped vectors of the model."""
        with self._db.read() as sql:
            return self._kept(sql, "chroma") or 0

    def chroma_done(self, numbers: Collection[int], gone: Collection[str]) -> None:
        """Note that Chroma has these vectors and dropped those."""
        done = "UPDATE vectors SET chroma = 1 WHERE model = ? AND n IN (SELECT value FROM json_each(?))"
        dropped = "DELETE FROM gone_from_chroma WHERE model = ? AND id IN (SELECT value FROM json_each(?))"
        with self._db.write() as sql:
            for_each(sql, done, numbers, self.model)
            for_each(sql, dropped, gone, self.model)
            for key, more in (("chroma", 1), ("dropped", len(gone))):
                self._keep(sql, key, (self._kept(sql, key) or 0) + more)

    def _kept(self, sql: sqlite3.Connection, what: str) -> int | None:
        return meta(sql, f"{what} {self.model}")

    def _keep(self, sql: sqlite3.Connection, what: str, value: int) -> None:
        put_meta(sql, f"{what} {self.model}", value)

    def _counted(self, sql: sqlite3.Connection) -> int:
        return int(sql.execute("SELECT count(*) FROM vectors WHERE model = ?", (self.model,)).fetchone()[0])
