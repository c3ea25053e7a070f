"""The call journal: a completed model call, search or fetch of a run is written before its result is used.

Checkpoints alone repeat the calls of a super-step that was killed half way; a resumed run finds them here.  What
finished runs left is dropped in time, so that the file does not grow with every run.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from weakref import finalize

from .budget import Usage
from .seals import broken, seal
from .sqlite import connect, unusable
from .sqlite_thread import SqliteThread, Work

T = TypeVar("T")

logger = logging.getLogger(__name__)

FINISHED_KEPT = 200
"""Finished runs whose calls are kept: one that is killed right after its last step may take that step again."""

UNFINISHED_KEPT = 10_000
"""Runs that were never finished whose calls are kept; older ones can be resumed, but ask again."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
  run_id TEXT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL, result TEXT NOT NULL,
  calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost_usd REAL,
  seal INTEGER, PRIMARY KEY (run_id, kind, request)
) WITHOUT ROWID;
-- Runs in the order in which they began or finished: clocks may jump, numbers only grow.
CREATE TABLE IF NOT EXISTS runs (
  n INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, finished INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS runs_by_state ON runs (finished, n);
"""
_VERSION = 2
_REMEDY = "delete it: what is not finished is then asked anew"
# Calls recorded before runs were: a search for the next run id each, not a look at every row.
_UNLISTED = """
WITH RECURSIVE found (run_id) AS (
  SELECT min(run_id) FROM calls
  UNION ALL
  SELECT (SELECT min(run_id) FROM calls WHERE run_id > found.run_id) FROM found WHERE found.run_id IS NOT NULL
)
INSERT OR IGNORE INTO runs (run_id) SELECT run_id FROM found WHERE run_id IS NOT NULL
"""


Key = tuple[str, str, str]
"""Run, kind and request."""


@dataclass(frozen=True)
class Recorded:
    """A call's result (a JSON value), what it consumed, and whether it came from the journal."""

    result: Any
    usage: Usage = field(default_factory=lambda: Usage(cost_usd=0.0))
    replayed: bool = False


def request_hash(request: Mapping[str, Any]) -> str:
    """Return the hex SHA-256 of a request's canonical JSON."""
    text = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class CallJournal:
    """Completed calls by run and request, in SQLite.  Several processes and threads may share one file.

    One connection stays open while the journal lives: closing the last one of a file makes SQLite fold its log away,
    which costs more than the write itself.  Runs of one process that record at once share a commit.
    """

    path: Path
    _locks: dict[Key, asyncio.Lock] = field(default_factory=dict)
    _database: SqliteThread = field(init=False)

    def __post_init__(self) -> None:
        path = self.path
        self._database = SqliteThread(lambda: _opened(path))
        finalize(self, self._database.close)

    async def once(
        self, run_id: str, kind: str, request: Mapping[str, Any], call: Callable[[], Awaitable[Recorded]]
    ) -> Recorded:
        """Return the recorded result of this request in this run, or make the call and record it.

        Args:
            run_id: The run; an empty one records nothing.
            kind: `model`, `search` or `fetch`.
            request: What identifies the call, without secrets.
            call: Makes the call.  When it raises, nothing is recorded.
        """
        if not run_id:
            return await call()
        key = (run_id, kind, request_hash(request))
        lock = self._locks.setdefault(key, asyncio.Lock())
        try:
            async with lock:
                found = await self._find(key)
                if found is not None:
                    return found
                made = await call()
                await self._write(key, made)
                return made
        finally:
            if not lock.locked():
                self._locks.pop(key, None)

    async def found(self, run_id: str, kind: str, request: Mapping[str, Any]) -> Recorded | None:
        """Return the recorded result of this request in this run, or None; nothing is made for it."""
        if not run_id or not await asyncio.to_thread(self.path.exists):
            return None
        return await self._find((run_id, kind, request_hash(request)))

    def spent(self, run_id: str) -> Usage:
        """Return what the recorded calls of a run consumed; a cost of None where one of them has no known price."""
        if not self.path.exists():
            return Usage()
        return self._do(lambda database: _spent(database, run_id))

    def forget(self, run_id: str) -> None:
        """Delete the calls of a run that needs no resuming any more."""
        if self.path.exists():
            self._do(lambda database: _drop(database, [(run_id,)]))

    def finish(self, run_id: str) -> None:
        """Note that a run has its report, and drop the calls of runs that finished long before it.

        A run that asked nothing leaves nothing here.
        """
        if self.path.exists():
            self._do(lambda database: _finish(database, run_id))

    async def _find(self, key: Key) -> Recorded | None:
        with self._named_errors():
            row = await self._database.run(lambda database: _row(database, key))
        if row is None:
            return None
        if broken(row[0], *key, row[1]):
            logger.warning("%s: a recorded call was changed by the disk; it is made again", self.path)
            return None
        return Recorded(json.loads(row[1]), Usage(*row[2:]), replayed=True)

    async def _write(self, key: Key, made: Recorded) -> None:
        usage, result = made.usage, json.dumps(made.result, ensure_ascii=True)
        used = (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost_usd)
        row = (*key, result, *used, seal(*key, result))
        with self._named_errors():
            await self._database.run(lambda database: _record(database, row))

    def _do(self, work: Work[T]) -> T:
        with self._named_errors():
            return self._database.call(work)

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise unusable(self.path, error, _REMEDY) from error


def _opened(path: Path) -> sqlite3.Connection:
    database = connect(path, _SCHEMA, _REMEDY)
    try:
        # A killed process loses nothing; where the power fails, the last calls are asked once more.
        database.execute("PRAGMA synchronous=NORMAL")
        if database.execute("PRAGMA user_version").fetchone()[0] < _VERSION:
            _upgrade(database)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _upgrade(database: sqlite3.Connection) -> None:
    """Bring a file of an older version to this one."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        database.execute(_UNLISTED)
        columns = {name for _, name, *_ in database.execute("PRAGMA table_info(calls)")}
        if "seal" not in columns:  # else it is new, or another process was faster
            database.execute("ALTER TABLE calls ADD COLUMN seal INTEGER")
        database.execute(f"PRAGMA user_version = {_VERSION}")


def _row(database: sqlite3.Connection, key: Key) -> tuple[Any, ...] | None:
    found: tuple[Any, ...] | None = database.execute(
        "SELECT seal, result, calls, prompt_tokens, completion_tokens, cost_usd FROM calls"
        " WHERE run_id = ? AND kind = ? AND request = ?",
        key,
    ).fetchone()
    return found


def _record(database: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    database.execute("INSERT OR IGNORE INTO runs (run_id) VALUES (?)", row[:1])
    # What is there was not found, so it is damaged, or another process was faster.
    database.execute(
        "INSERT OR REPLACE INTO calls (run_id, kind, request, result, calls, prompt_tokens, completion_tokens,"
        " cost_usd, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )


def _spent(database: sqlite3.Connection, run_id: str) -> Usage:
    row = database.execute(
        "SELECT total(calls), total(prompt_tokens), total(completion_tokens), total(cost_usd),"
        " sum(cost_usd IS NULL) FROM calls WHERE run_id = ?",
        (run_id,),
    ).fetchone()
    return Usage(int(row[0]), int(row[1]), int(row[2]), None if row[4] else float(row[3]))


def _finish(database: sqlite3.Connection, run_id: str) -> None:
    known = database.execute("SELECT finished FROM runs WHERE run_id = ?", (run_id,)).fetchone()
    if known is None or known[0]:
        return
    # A new number: finished runs are told by when they finished.
    database.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))
    database.execute("INSERT INTO runs (run_id, finished) VALUES (?, 1)", (run_id,))
    for finished, kept in ((1, FINISHED_KEPT), (0, UNFINISHED_KEPT)):
        old = database.execute(
            "SELECT run_id FROM runs WHERE finished = ? ORDER BY n DESC LIMIT -1 OFFSET ?", (finished, kept)
        ).fetchall()
        _drop(database, old)


def _drop(database: sqlite3.Connection, runs: Sequence[tuple[str]]) -> None:
    database.executemany("DELETE FROM calls WHERE run_id = ?", runs)
    database.executemany("DELETE FROM runs WHERE run_id = ?", runs)
