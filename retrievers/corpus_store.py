"""The database of a corpus: sources, their texts, chunks and table rows, and what the index has to do yet."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..state.records import Chunk, Source, TableRow
from ..state.seals import Sealed, broken, seal
from .corpus_records import (
    DUPLICATE,
    HELD_COLUMNS,
    SEALED_CHUNK,
    Held,
    Intake,
    Outcome,
    chunk_of,
    held_of,
    sealed_row,
    stored_path,
)
from .corpus_schema import SCHEMA, UPGRADES, VERSION
from .database import Database, Store


class CorpusStore(Store):
    """Statements over the corpus's database."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Database(folder / "corpus.sqlite", SCHEMA, version=VERSION, upgrades=UPGRADES))
        self._structured: tuple[int, bool] | None = None

    def generation(self) -> int:
        """Return a number that grows with every change of the sources."""
        with self._db.read() as sql:
            return int(sql.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])

    # Roots

    def roots(self) -> dict[str, str]:
        """Return the name that prefixes the uris of each root, by path; empty for the first one."""
        with self._db.read() as sql:
            return dict(sql.execute("SELECT path, name FROM roots ORDER BY first"))

    def add_root(self, path: str, name: str) -> None:
        """Remember a root and its name."""
        with self._db.write() as sql:
            sql.execute("INSERT OR IGNORE INTO roots SELECT ?, ?, count(*) FROM roots", (path, name))

    # Sources

    def put(self, intakes: Sequence[Intake]) -> list[tuple[Source, Outcome]]:
        """Store sources, each replacing what was there under its uri.

        A source whose content another one holds already is kept as skipped, with the reason and without text.
        Returns: Each source as stored, and whether it is new, changed, or as it was.
        """
        with self._db.write() as sql:
            stored = [self._put_one(sql, intake) for intake in intakes]
            if any(outcome != "unchanged" for _, outcome in stored):
                _changed(sql)
        return stored

    def _put_one(self, sql: sqlite3.Connection, intake: Intake) -> tuple[Source, Outcome]:
        source, uri = intake.source, intake.source.uri
        twin = _twin(sql, intake)
        if twin:
            source = source.model_copy(update={"status": "skipped", "reason": DUPLICATE + twin})
        before = sql.execute("SELECT content, cut, status FROM sources WHERE uri = ?", (uri,)).fetchone()
        if before and intake.content and before == (intake.content, intake.cut, source.status):
            return source, "unchanged"  # another process was faster
        _clear(sql, uri)
        record = source.model_dump_json()
        sql.execute(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                uri,
                record,
                source.kind,
                source.status,
                intake.content,
                intake.cut,
                intake.root,
                stored_path(intake.path),
                source.published_at.isoformat() if source.published_at else "",
                json.dumps(dict(intake.metadata), ensure_ascii=False, sort_keys=True),
                json.dumps({str(page): start for page, start in intake.pages.items()}),
                seal(record),
            ),
        )
        if source.status == "ok":
            _insert_text(sql, uri, intake)
        return source, "updated" if before else "added"

    def remove(self, uris: Collection[str]) -> None:
        """Take sources out."""
        with self._db.write() as sql:
            for uri in uris:
                _clear(sql, uri)
            _changed(sql)

    def held(self, *, root: str | None = None) -> dict[str, Held]:
        """Return what is held of each source, by uri, of one root or of all."""
        where, values = ("WHERE root = ?", (root,)) if root is not None else ("", ())
        statement = f"SELECT {HELD_COLUMNS} FROM sources {where} ORDER BY uri"  # noqa: S608
        with self._db.read() as sql:
            return {row[0]: self._held(row) for row in sql.execute(statement, values)}

    def held_of(self, uris: Collection[str]) -> dict[str, Held]:
        """Return what is held of some sources."""
        statement = f"SELECT {HELD_COLUMNS} FROM sources WHERE uri IN (SELECT value FROM json_each(?))"  # noqa: S608
        with self._db.read() as sql:
            return {row[0]: self._held(row) for row in sql.execute(statement, (json.dumps(list(uris)),))}

    def sources(self) -> list[Source]:
        """Return all sources, by uri."""
        with self._db.read() as sql:
            found = sql.execute("SELECT uri, record, seal FROM sources ORDER BY uri").fetchall()
        for uri, record, held in found:
            self._intact(held, record, what=uri)
        return [Source.model_validate_json(record) for _, record, _ in found]

    def source_count(self) -> int:
        """Return how many sources there are."""
        with self._db.read() as sql:
            return int(sql.execute("SELECT count(*) FROM sources").fetchone()[0])

    def structured(self) -> bool:
        """Whether any source is an export."""
        generation = self.generation()
        if self._structured is None or self._structured[0] != generation:
            with self._db.read() as sql:
                found = sql.execute(
                    "SELECT EXISTS (SELECT 1 FROM sources WHERE json_extract(record, '$.tier') = 'structured')"
                )
                self._structured = generation, bool(found.fetchone()[0])
        return self._structured[1]

    def described(self) -> list[tuple[str, str, str, str, dict[str, Any]]]:
        """Return (uri, kind, published, status, metadata) of every source, by uri: what a filter looks at."""
        with self._db.read() as sql:
            rows = sql.execute("SELECT uri, kind, published, status, metadata FROM sources ORDER BY uri").fetchall()
        return [(uri, kind, published, status, json.loads(data)) for uri, kind, published, status, data in rows]

    def heads(self, chars: int) -> list[tuple[str, str, str, int]]:
        """Return (uri, title, beginning of the text, its length) of every source that was read, by uri."""
        with self._db.read() as sql:
            return sql.execute(
                """SELECT uri, json_extract(record, '$.title'), substr(text, 1, ?), length(text)
                FROM sources JOIN texts USING (uri) ORDER BY uri""",
                (chars,),
            ).fetchall()

    def text(self, uri: str) -> str | None:
        """Return the extracted text of a source, None where there is none."""
        with self._db.read() as sql:
            found = sql.execute("SELECT text, seal FROM texts WHERE uri = ?", (uri,)).fetchone()
        if found is None:
            return None
        self._intact(found[1], uri, found[0], what=f"the text of {uri}")
        return str(found[0])

    # Chunks

    def chunks(self, chunk_ids: Collection[str]) -> dict[str, Chunk]:
        """Return the chunks that are there, by id."""
        statement = f"SELECT {SEALED_CHUNK} FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))"  # noqa: S608
        with self._db.read() as sql:
            return {row[0]: self._chunk(row) for row in sql.execute(statement, (json.dumps(list(chunk_ids)),))}

    def chunks_from(self, uri: str) -> list[Chunk]:
        """Return the chunks of a source, in order."""
        statement = f"SELECT {SEALED_CHUNK} FROM chunks WHERE uri = ? ORDER BY i"  # noqa: S608
        with self._db.read() as sql:
            return [self._chunk(row) for row in sql.execute(statement, (uri,))]

    def chunk_count(self) -> int:
        """Return how many chunks there are."""
        with self._db.read() as sql:
            return int(sql.execute("SELECT count(*) FROM chunks").fetchone()[0])

    def texts_of(self, chunk_ids: Collection[str]) -> dict[str, str]:
        """Return the text of each chunk that is there."""
        statement = "SELECT chunk_id, text FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))"
        with self._db.read() as sql:
            return dict(sql.execute(statement, (json.dumps(list(chunk_ids)),)).fetchall())

    # What the index has to do yet

    def unindexed(self, limit: int) -> tuple[list[tuple[str, str]], list[str]]:
        """Return (chunk_id, text) that the index lacks, and chunk ids that it has to drop."""
        with self._db.read() as sql:
            come = sql.execute("SELECT chunk_id, text FROM chunks WHERE indexed = 0 ORDER BY n LIMIT ?", (limit,))
            gone = sql.execute("SELECT chunk_id FROM gone ORDER BY chunk_id LIMIT ?", (10 * limit,))
            return come.fetchall(), [chunk_id for (chunk_id,) in gone]

    def behind(self) -> bool:
        """Whether the index has something to do yet."""
        with self._db.read() as sql:
            left = sql.execute("SELECT EXISTS (SELECT 1 FROM chunks WHERE indexed = 0) OR EXISTS (SELECT 1 FROM gone)")
            return bool(left.fetchone()[0])

    def indexed(self, come: Collection[str], gone: Collection[str]) -> None:
        """Note that the index has these chunks and dropped those."""
        with self._db.write() as sql:
            sql.execute(
                "UPDATE chunks SET indexed = 1 WHERE chunk_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(come)),),
            )
            sql.execute(
                "DELETE FROM gone WHERE chunk_id IN (SELECT value FROM json_each(?))", (json.dumps(list(gone)),)
            )

    # Table rows

    def table_rows(self, uri: str, start: int, end: int) -> list[TableRow]:
        """Return the stored rows that touch a stretch of a source's text, in order."""
        with self._db.read() as sql:
            found = sql.execute(
                "SELECT record, seal FROM table_rows WHERE uri = ? AND start < ? AND end > ? ORDER BY start, n",
                (uri, end, start),
            ).fetchall()
        for record, held in found:
            self._intact(held, uri, record, what=f"a table row of {uri}")
        return [TableRow.model_validate_json(record) for record, _ in found]

    def recovered_page(self, uri: str, page: int) -> list[TableRow] | None:
        """Return the rows recovered from a page before, None where that was not done."""
        with self._db.read() as sql:
            found = sql.execute("SELECT records, seal FROM recovered_pages WHERE uri = ? AND page = ?", (uri, page))
            row = found.fetchone()
        if row is None:
            return None
        self._intact(row[1], uri, page, row[0], what=f"the table rows of page {page} of {uri}")
        return [TableRow.model_validate(record) for record in json.loads(row[0])]

    def keep_page(self, uri: str, page: int, rows: Iterable[TableRow]) -> None:
        """Remember the rows recovered from a page."""
        records = json.dumps([row.model_dump(mode="json") for row in rows], ensure_ascii=False)
        with self._db.write() as sql:
            sql.execute(
                "INSERT OR REPLACE INTO recovered_pages VALUES (?, ?, ?, ?)",
                (uri, page, records, seal(uri, page, records)),
            )

    # Whether what is read is what was written

    def damaged_rows(self) -> Iterator[str]:
        """Read everything and name each row that is not what was written, and each passage that its text has not."""
        with self._db.read() as sql:
            for uri, record, held in sql.execute("SELECT uri, record, seal FROM sources ORDER BY uri"):
                if broken(held, record):
                    yield f"{uri}: its record was changed by the disk"
            for uri, text, held in sql.execute("SELECT uri, text, seal FROM texts ORDER BY uri"):
                if broken(held, uri, text):
                    yield f"{uri}: its text was changed by the disk"
                statement = f"SELECT {SEALED_CHUNK} FROM chunks WHERE uri = ? ORDER BY i"  # noqa: S608
                for *row, sealed in sql.execute(statement, (uri,)):
                    if broken(sealed, *row) or row[3] != text[row[4] : row[5]]:
                        yield f"{row[0]} of {uri}: the passage was changed by the disk"
            for uri, record, held in sql.execute("SELECT uri, record, seal FROM table_rows ORDER BY uri, start"):
                if broken(held, uri, record):
                    yield f"{uri}: a table row was changed by the disk"
            for uri, page, records, held in sql.execute("SELECT * FROM recovered_pages ORDER BY uri, page"):
                if broken(held, uri, page, records):
                    yield f"{uri}: the table rows of page {page} were changed by the disk"

    def not_indexed(self) -> None:
        """Note that the index holds nothing, so that all chunks are to be indexed."""
        with self._db.write() as sql:
            sql.execute("UPDATE chunks SET indexed = 0")
            sql.execute("DELETE FROM gone")

    def _intact(self, held: int | None, *values: Sealed, what: str) -> None:
        if broken(held, *values):
            raise self._db.damaged(what)

    def _held(self, row: tuple[Any, ...]) -> Held:
        self._intact(row[-1], row[1], what=row[0])
        return held_of(row[:-1])

    def _chunk(self, row: tuple[Any, ...]) -> Chunk:
        self._intact(row[-1], *row[:-1], what=f"the passage {row[0]} of {row[1]}")
        return chunk_of(row[:-1])


def _twin(sql: sqlite3.Connection, intake: Intake) -> str:
    """Return the uri of another source with the same content that was read, else empty."""
    if not intake.content or intake.source.status != "ok" or intake.source.kind == "document":
        return ""
    found = sql.execute(
        "SELECT uri FROM sources WHERE content = ? AND status = 'ok' AND kind = ? AND uri <> ? ORDER BY uri LIMIT 1",
        (intake.content, intake.source.kind, intake.source.uri),
    ).fetchone()
    return str(found[0]) if found else ""


def _clear(sql: sqlite3.Connection, uri: str) -> None:
    sql.execute("INSERT OR IGNORE INTO gone SELECT chunk_id FROM chunks WHERE uri = ? AND indexed = 1", (uri,))
    for table in ("chunks", "texts", "table_rows", "recovered_pages", "sources"):
        sql.execute(f"DELETE FROM {table} WHERE uri = ?", (uri,))  # noqa: S608 - names of our own tables


def _insert_text(sql: sqlite3.Connection, uri: str, intake: Intake) -> None:
    sql.execute("INSERT INTO texts VALUES (?, ?, ?)", (uri, intake.text, seal(uri, intake.text)))
    sql.executemany(
        f"INSERT INTO chunks ({SEALED_CHUNK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (sealed_row(uri, chunk) for chunk in intake.chunks),
    )
    # A chunk id that comes back is replaced in the index, so it need not be dropped first.
    sql.executemany("DELETE FROM gone WHERE chunk_id = ?", ((chunk.chunk_id,) for chunk in intake.chunks))
    sql.executemany(
        "INSERT INTO table_rows (uri, start, end, record, seal) VALUES (?, ?, ?, ?, ?)",
        (
            (uri, row.start, row.end, record, seal(uri, record))
            for row, record in ((row, row.model_dump_json()) for row in intake.rows)
        ),
    )


def _changed(sql: sqlite3.Connection) -> None:
    sql.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
