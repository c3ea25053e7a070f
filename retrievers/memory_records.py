"""The records of a memory folder in SQLite: the truth from which every index can be made again."""

# ruff: noqa: S608 (statements are put together from this module's constants only)

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import CitewellError, MemoryFolderError
from ..state.seals import broken, seal
from ..state.sqlite import connect, unusable
from .embeddings import Vectors
from .memory_items import MemoryItem

FILE_NAME = "records.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS users (
  user TEXT PRIMARY KEY, last_number INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE IF NOT EXISTS memories (
  user TEXT NOT NULL, number INTEGER NOT NULL, namespace TEXT NOT NULL, category TEXT NOT NULL, text TEXT NOT NULL,
  metadata TEXT NOT NULL, said_at TEXT NOT NULL, thread_id TEXT NOT NULL, turn INTEGER, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, last_used_at TEXT, uses INTEGER NOT NULL, repeats INTEGER NOT NULL,
  supersedes TEXT NOT NULL, superseded_by TEXT NOT NULL, closed_at TEXT, key TEXT NOT NULL, value TEXT,
  fingerprint TEXT NOT NULL, subject TEXT NOT NULL, revision INTEGER NOT NULL, seal INTEGER, PRIMARY KEY (user, number)
);
CREATE INDEX IF NOT EXISTS memories_by_revision ON memories (user, revision);
CREATE INDEX IF NOT EXISTS memories_by_fingerprint ON memories (user, namespace, fingerprint);
CREATE INDEX IF NOT EXISTS memories_by_subject ON memories (user, namespace, subject) WHERE subject <> '';
CREATE INDEX IF NOT EXISTS memories_closed ON memories (user, number) WHERE closed_at IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS memories_by_key ON memories (user, namespace, key) WHERE key <> '';
CREATE TABLE IF NOT EXISTS vectors (
  user TEXT NOT NULL, number INTEGER NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, seal INTEGER,
  PRIMARY KEY (user, number)
);
"""
_REMEDY = "restore the file, or import an export into a new folder"
# What a memory says, when and to whom; not what searching it changes.
_SEALED = ("user", "number", "namespace", "category", "text", "metadata", "said_at", "key", "value")
_COLUMNS = (
    "user, number, namespace, category, text, metadata, said_at, thread_id, turn, created_at, updated_at, "
    "last_used_at, uses, repeats, supersedes, superseded_by, closed_at, key, value"
)
_READ = f"{_COLUMNS}, seal"
_PLACES_SEALED = tuple(_COLUMNS.split(", ").index(column) for column in _SEALED)


def id_of(number: int) -> str:
    """Return the id of a user's n-th memory: `mem_0001` and on."""
    return f"mem_{number:04d}"


def number_of(memory_id: str) -> int:
    """Return the number in an id; 0, which no memory has, where it is none."""
    digits = memory_id.removeprefix("mem_")
    return int(digits) if memory_id.startswith("mem_") and digits.isascii() and digits.isdigit() else 0


class VectorChange(NamedTuple):
    """The vector of a memory as it stands after a change."""

    memory_id: str
    namespace: str
    current: bool
    vector: Vectors


class MemoryRecords:
    """All memories of a folder.  Safe for threads and processes; a writer waits for its turn.

    Each change gives the memory a new revision of its user, which tells an index what it has not seen yet.  A user's
    epoch moves when a memory is forgotten: indexes of an older epoch may hold its traces and are thrown away.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self.rollbacks = 0
        """How often a transaction of this object was taken back: what was read within it may never have been."""
        self._lock = threading.RLock()
        with _named_errors(self.path):
            self._database = connect(self.path, _SCHEMA, _REMEDY)
            _upgrade(self._database)
            # In the write-ahead log NORMAL survives a killed process; FULL would sync the disk at each memory.
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute("PRAGMA secure_delete=ON")
            self._database.execute("PRAGMA wal_autocheckpoint=8000")
            self._database.isolation_level = None

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._database.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction that no other writer enters; nested ones join it."""
        with self._lock, _named_errors(self.path):
            if self._database.in_transaction:
                yield
                return
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.rollbacks += 1
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def insert(
        self, item: MemoryItem, *, fingerprint: str, subject: str, model: str, vector: Vectors | None
    ) -> MemoryItem:
        """Write a memory under the next number of its user, or under its own id where it has a free one."""
        with self.writing():
            wanted = number_of(item.memory_id)
            if wanted and self._one("SELECT 1 FROM memories WHERE user = ? AND number = ?", (item.user, wanted)):
                wanted = 0
            last, revision = self._execute(
                "INSERT INTO users (user, last_number, revision) VALUES (?, max(1, ?), 1) ON CONFLICT (user) DO UPDATE "
                "SET last_number = max(last_number + ?, ?), revision = revision + 1 RETURNING last_number, revision",
                (item.user, wanted, not wanted, wanted),
            ).fetchone()
            number = wanted or last
            item = item.model_copy(update={"memory_id": id_of(number)})
            self._execute(
                f"INSERT INTO memories ({_READ}, fingerprint, subject, revision) VALUES ({', '.join('?' * 23)})",
                (*_sealed(item), fingerprint, subject, revision),
            )
            if vector is not None:
                self._put_vector(item.user, number, model, vector)
            return item

    def replace(
        self,
        item: MemoryItem,
        *,
        fingerprint: str | None = None,
        subject: str | None = None,
        model: str = "",
        vector: Vectors | None = None,
    ) -> None:
        """Write a memory over the one of the same id; what is left out stays."""
        number = number_of(item.memory_id)
        with self.writing():
            assignments = ", ".join(f"{column} = ?" for column in _READ.split(", "))
            self._execute(
                f"UPDATE memories SET {assignments}, revision = ?, fingerprint = coalesce(?, fingerprint), "
                "subject = coalesce(?, subject) WHERE user = ? AND number = ?",
                (*_sealed(item), self._next_revision(item.user), fingerprint, subject, item.user, number),
            )
            if vector is not None:
                self._put_vector(item.user, number, model, vector)

    def delete(self, user: str, numbers: Sequence[int]) -> int:
        """Remove memories and move the user's epoch; returns how many there were.

        The bytes are overwritten, in the write-ahead log too, before this returns.
        """
        with self.writing():
            gone = sum(
                self._execute("DELETE FROM memories WHERE user = ? AND number = ?", (user, number)).rowcount
                for number in numbers
            )
            for number in numbers:
                self._execute("DELETE FROM vectors WHERE user = ? AND number = ?", (user, number))
                # Ids of forgotten memories stay out of the records that named them.
                for column in ("supersedes", "superseded_by"):
                    self._execute(
                        f"UPDATE memories SET {column} = '' WHERE user = ? AND {column} = ?", (user, id_of(number))
                    )
            if gone:
                self._next_revision(user)
                self._execute("UPDATE users SET epoch = epoch + 1 WHERE user = ?", (user,))
        if gone:
            self.scrub()
        return gone

    def scrub(self) -> None:
        """Take what was deleted or replaced out of the file and its write-ahead log; inside a transaction, not yet."""
        with self._lock, _named_errors(self.path):
            if self._database.in_transaction:
                return
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._database.execute("VACUUM")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def next_epoch(self, user: str) -> int:
        """Throw the user's indexes away: the next search builds them anew."""
        with self.writing():
            self._execute("INSERT OR IGNORE INTO users (user) VALUES (?)", (user,))
            self._execute("UPDATE users SET epoch = epoch + 1 WHERE user = ?", (user,))
            return int(self._one("SELECT epoch FROM users WHERE user = ?", (user,))[0])

    def touch(self, user: str, memory_ids: Sequence[str], when: datetime) -> None:
        """Note that a search returned these memories; no index needs to know."""
        with self.writing():
            for memory_id in memory_ids:
                self._execute(
                    "UPDATE memories SET last_used_at = ?, uses = uses + 1 WHERE user = ? AND number = ?",
                    (when.isoformat(), user, number_of(memory_id)),
                )

    def note_repeat(self, user: str, memory_id: str) -> None:
        """Count a near-duplicate that was merged into this memory."""
        with self.writing():
            self._execute(
                "UPDATE memories SET repeats = repeats + 1 WHERE user = ? AND number = ?", (user, number_of(memory_id))
            )

    def get(self, user: str, memory_id: str) -> MemoryItem | None:
        """Return a memory of a user, None where there is none of that id."""
        found = self.find(user, "number = ?", (number_of(memory_id),))
        return found[0] if found else None

    def find(self, user: str, condition: str = "1", values: Sequence[Any] = ()) -> list[MemoryItem]:
        """Return a user's memories that meet an SQL condition of our own making, in the order of their ids."""
        rows = self._all(
            f"SELECT {_READ} FROM memories WHERE user = ? AND {condition} ORDER BY +number", (user, *values)
        )
        return [self._item(row) for row in rows]

    def ids(self, user: str, condition: str = "1", values: Sequence[Any] = ()) -> list[str]:
        """Return the ids of what `find` gives, without reading it."""
        rows = self._all(
            f"SELECT number FROM memories WHERE user = ? AND {condition} ORDER BY +number", (user, *values)
        )
        return [id_of(number) for (number,) in rows]

    def state(self, user: str) -> tuple[int, int]:
        """Return the user's revision and epoch, (0, 1) for one never seen."""
        row = self._one("SELECT revision, epoch FROM users WHERE user = ?", (user,))
        return (int(row[0]), int(row[1])) if row else (0, 1)

    def users(self) -> list[str]:
        """Return everyone who has a memory here, in the order of their names."""
        return [user for (user,) in self._all("SELECT DISTINCT user FROM memories ORDER BY user", ())]

    def changed_since(
        self, user: str, revision: int, model: str, limit: int
    ) -> list[tuple[MemoryItem, Vectors | None, int]]:
        """Return memories changed after a revision, oldest change first.

        Each comes with its vector where it is of this model, and the revision of its change.
        """
        columns = ", ".join(f"m.{column}" for column in _READ.split(", "))
        rows = self._all(
            f"SELECT {columns}, v.model, v.vector, v.seal, m.revision FROM memories m LEFT JOIN vectors v "
            "ON v.user = m.user AND v.number = m.number WHERE m.user = ? AND m.revision > ? "
            "ORDER BY m.revision LIMIT ?",
            (user, revision, limit),
        )
        found: list[tuple[MemoryItem, Vectors | None, int]] = []
        for *row, of_model, vector, sealed, changed in rows:
            # A vector that was changed can be computed again, the text cannot.
            usable = of_model == model and not broken(sealed, vector)
            found.append((self._item(row), np.frombuffer(vector, dtype=np.float32) if usable else None, int(changed)))
        return found

    def vectors_since(self, user: str, revision: int, model: str) -> list[VectorChange]:
        """Return the vectors of memories changed after a revision, in the order of their changes."""
        rows = self._all(
            "SELECT m.number, m.namespace, m.closed_at IS NULL, v.vector, v.seal FROM memories m "
            "JOIN vectors v ON v.user = m.user AND v.number = m.number "
            "WHERE m.user = ? AND m.revision > ? AND v.model = ? ORDER BY m.revision",
            (user, revision, model),
        )
        return [
            VectorChange(id_of(number), namespace, bool(current), np.frombuffer(vector, dtype=np.float32))
            for number, namespace, current, vector, sealed in rows
            if not broken(sealed, vector)
        ]

    def _put_vector(self, user: str, number: int, model: str, vector: Vectors) -> None:
        stored = np.ascontiguousarray(vector, dtype=np.float32).tobytes()
        self._execute(
            "INSERT OR REPLACE INTO vectors (user, number, model, vector, seal) VALUES (?, ?, ?, ?, ?)",
            (user, number, model, stored, seal(stored)),
        )

    def _item(self, row: Sequence[Any]) -> MemoryItem:
        if broken(row[-1], *(row[place] for place in _PLACES_SEALED)):
            raise MemoryFolderError(
                f"{self.path}: the memory {id_of(row[1])} of user {row[0]!r} was changed by the disk; {_REMEDY}"
            )
        return _item(row[:-1])

    def _next_revision(self, user: str) -> int:
        self._execute("UPDATE users SET revision = revision + 1 WHERE user = ?", (user,))
        return int(self._one("SELECT revision FROM users WHERE user = ?", (user,))[0])

    def _execute(self, statement: str, values: Sequence[Any]) -> sqlite3.Cursor:
        return self._database.execute(statement, values)

    def _one(self, statement: str, values: Sequence[Any]) -> Any:
        with self._lock, _named_errors(self.path):
            return self._database.execute(statement, values).fetchone()

    def _all(self, statement: str, values: Sequence[Any]) -> list[Any]:
        with self._lock, _named_errors(self.path):
            return self._database.execute(statement, values).fetchall()


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise MemoryFolderError(str(unusable(path, error, _REMEDY))) from error
    except MemoryFolderError:
        raise
    except CitewellError as error:
        if isinstance(error.__cause__, sqlite3.Error | OSError):
            raise MemoryFolderError(str(error)) from error
        raise


def _stamp(when: datetime | None) -> str | None:
    return when.isoformat() if when else None


def _row(item: MemoryItem) -> tuple[Any, ...]:
    return (
        item.user,
        number_of(item.memory_id),
        item.namespace,
        item.category,
        item.text,
        json.dumps(item.metadata, ensure_ascii=False),
        item.said_at.isoformat(),
        item.thread_id,
        item.turn,
        item.created_at.isoformat(),
        item.updated_at.isoformat(),
        _stamp(item.last_used_at),
        item.uses,
        item.repeats,
        item.supersedes,
        item.superseded_by,
        _stamp(item.closed_at),
        item.key,
        None if item.value is None else json.dumps(item.value, ensure_ascii=False),
    )


def _sealed(item: MemoryItem) -> tuple[Any, ...]:
    row = _row(item)
    return (*row, seal(*(row[place] for place in _PLACES_SEALED)))


def _upgrade(database: sqlite3.Connection) -> None:
    """Give tables from before there were seals a column for them; their rows are taken as they are."""
    for table in ("memories", "vectors"):
        if "seal" not in {name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")}:
            try:
                database.execute(f"ALTER TABLE {table} ADD COLUMN seal INTEGER")
            except sqlite3.OperationalError as error:
                if "duplicate column" not in str(error):  # another process was faster
                    raise


def _item(row: Sequence[Any]) -> MemoryItem:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    fields["memory_id"] = id_of(fields.pop("number"))
    fields["metadata"] = json.loads(fields["metadata"])
    fields["value"] = None if fields["value"] is None else json.loads(fields["value"])
    return MemoryItem.model_validate(fields)
