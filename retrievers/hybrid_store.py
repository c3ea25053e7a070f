"""The database of a hybrid index: which rows there are, their terms, and where their vectors lie."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from ..state.seals import broken, seal
from .database import Database, Store
from .hybrid_schema import SCHEMA, UPGRADES, VERSION, changed, for_each, meta, put_meta
from .hybrid_vectors import Model, VectorStore
from .sparse import TermCounts, group_of

# The texts lie elsewhere: an index can always be made again.
REMEDY = "delete the folder {} and index the sources again"


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
        with self._db.read() as sql:
            return meta(sql, "generation") or 0

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
            held = meta(sql, "longest")
            put_meta(sql, "longest", max(longest, _longest_row(sql) if held is None else held))
            changed(sql, len(rows), sum(len(terms) for _, terms in rows))
        return numbers

    def remove(self, ids: Collection[str]) -> None:
        """Take rows out."""
        with self._db.write() as sql:
            self._remove(sql, ids)
            changed(sql)

    def numbers_of(self, ids: Collection[str]) -> dict[str, int]:
        """Return the number of each id that is there."""
        with self._db.read() as sql:
            return dict(for_each(sql, "SELECT id, n FROM rows WHERE id IN (SELECT value FROM json_each(?))", ids))

    def all_numbers(self) -> dict[str, int]:
        """Return the number of every id."""
        with self._db.read() as sql:
            return dict(sql.execute("SELECT id, n FROM rows ORDER BY n"))

    def terms_of(self, ids: Collection[str]) -> dict[str, list[str]]:
        """Return the terms of each id that is there, in the order of their numbers."""
        statement = """SELECT id, n, terms, seal FROM rows JOIN terms USING (n)
            WHERE id IN (SELECT value FROM json_each(?)) ORDER BY n"""
        with self._db.read() as sql:
            found = for_each(sql, statement, ids)
        return {row_id: self._intact(n, terms, held).split() for row_id, n, terms, held in found}

    def counts_of(self, numbers: Collection[int], terms: Collection[str]) -> Mapping[str, TermCounts]:
        """Return how often some terms stand in each row that is there, and how many terms it has, by id."""
        statement = """SELECT id, n, length, terms, seal FROM rows JOIN terms USING (n)
            WHERE n IN (SELECT value FROM json_each(?))"""
        with self._db.read() as sql:
            found = for_each(sql, statement, numbers)
        counted: dict[str, TermCounts] = {}
        for row_id, n, length, terms_held, sealed in found:
            held = self._intact(n, terms_held, sealed)
            apart = f" {held.replace(' ', '  ')} "  # each term between spaces of its own: no need to part the text
            counted[row_id] = TermCounts({term: apart.count(f" {term} ") for term in terms}, length)
        return counted

    def longest(self) -> int:
        """Return how many terms the longest row has; after rows left, an upper bound."""
        with self._db.read() as sql:
            held = meta(sql, "longest")
            if held is not None:
                return held
            generation = self.generation()
            if self._longest is None or self._longest[0] != generation:
                self._longest = generation, _longest_row(sql)
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
            changed(sql)

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
            changed(sql)

    def sparse_done(self, numbers: Collection[int], gone: Collection[int]) -> None:
        """Note that the sparse engine has these rows and dropped those."""
        with self._db.write() as sql:
            for_each(sql, "UPDATE rows SET sparse = 1 WHERE n IN (SELECT value FROM json_each(?))", numbers)
            for_each(sql, "DELETE FROM gone_from_sparse WHERE n IN (SELECT value FROM json_each(?))", gone)
            changed(sql)

    # Vectors

    def models(self) -> list[Model]:
        """Return the embedding models that have vectors here."""
        with self._db.read() as sql:
            return [Model(*row) for row in sql.execute("SELECT name, dim, file, places FROM models ORDER BY name")]

    def vectors_of(self, model: str) -> VectorStore:
        """Return the statements over the vectors of one embedding model."""
        return VectorStore(self._db, model)

    # Whether what is read is what was written

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

    def _remove(self, sql: sqlite3.Connection, ids: Collection[str]) -> None:
        old = for_each(sql, "SELECT n, length, sparse FROM rows WHERE id IN (SELECT value FROM json_each(?))", ids)
        numbers = [n for n, _, _ in old]
        if not numbers:
            return
        # Also of what Chroma is not known to have: a process may have been killed before it could note that.
        leave = """INSERT OR IGNORE INTO gone_from_chroma SELECT model, id FROM vectors JOIN rows USING (n)
            WHERE n IN (SELECT value FROM json_each(?))"""
        for_each(sql, leave, numbers)
        sql.executemany("INSERT INTO gone_from_sparse VALUES (?)", ((n,) for n, _, sparse in old if sparse))
        fewer = """SELECT 'vectors ' || model, count(*) FROM vectors
            WHERE n IN (SELECT value FROM json_each(?)) GROUP BY model"""
        for key, count in for_each(sql, fewer, numbers):
            sql.execute("UPDATE meta SET value = value - ? WHERE key = ?", (count, key))
        for statement in (
            "DELETE FROM vectors WHERE n IN (SELECT value FROM json_each(?))",
            "DELETE FROM terms WHERE n IN (SELECT value FROM json_each(?))",
            "DELETE FROM rows WHERE n IN (SELECT value FROM json_each(?))",
        ):
            for_each(sql, statement, numbers)
        changed(sql, -len(old), -sum(length for _, length, _ in old))


def _longest_row(sql: sqlite3.Connection) -> int:
    return int(sql.execute("SELECT coalesce(max(length), 0) FROM rows").fetchone()[0])
