"""The call journal: a completed model call, search or fetch of a run is written before its result is used.

Checkpoints alone repeat the calls of a super-step that was killed half way; a resumed run finds them here.  What
finished runs left is dropped in time, so that the file does not grow with every run.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from weakref import finalize

from .budget import Usage
from .seals import broken, seal
from .sqlite import connect, unusable

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
    which costs more than the write itself.
    """

    path: Path
    _locks: dict[tuple[str, str, str], asyncio.Lock] = field(default_factory=dict)
    _database: sqlite3.Connection | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

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
                found = await asyncio.to_thread(self._find, key)
                if found is not None:
                    return found
                made = await call()
                await asyncio.to_thread(self._write, key, made)
                return made
        finally:
            if not lock.locked():
                self._locks.pop(key, None)

    async def found(self, run_id: str, kind: str, request: Mapping[str, Any]) -> Recorded | None:
        """Return the recorded result of this request in this run, or None; nothing is made for it."""
        if not run_id or not await asyncio.to_thread(self.path.exists):
            return None
        return await asyncio.to_thread(self._find, (run_id, kind, request_hash(request)))

    def spent(self, run_id: str) -> Usage:
        """Return what the recorded calls of a run consumed; a cost of None where one of them has no known price."""
        if not self.path.exists():
            return Usage()
        with self._open() as database:
            row = database.execute(
                "SELECT total(calls), total(prompt_tokens), total(completion_tokens), total(cost_usd),"
                " sum(cost_usd IS NULL) FROM calls WHERE run_id = ?",
                (run_id,),
            ).fetchone()
        return Usage(int(row[0]), int(row[1]), int(row[2]), None if row[4] else float(row[3]))

    def forget(self, run_id: str) -> None:
        """Delete the calls of a run that needs no resuming any more."""
        if self.path.exists():
            with self._open() as database, database:
                database.execute("DELETE FROM calls WHERE run_id = ?", (run_id,))
                database.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))

    def finish(self, run_id: str) -> None:
        """Note that a run has its report, and drop the calls of runs that finished long before it.

        A run that asked nothing leaves nothing here.
        """
        if not self.path.exists():
            return
        with self._open() as database, database:
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
                database.executemany("DELETE FROM calls WHERE run_id = ?", old)
                database.executemany("DELETE FROM runs WHERE run_id = ?", old)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._database is None:
                database = connect(self.path, _SCHEMA, _REMEDY)
                finalize(self, database.close)
                with self._named_errors():
                    # A killed process loses nothing; where the power fails, the last calls are asked once more.
                    database.execute("PRAGMA synchronous=NORMAL")
                    if database.execute("PRAGMA user_version").fetchone()[0] < _VERSION:
                        _upgrade(database)
                self._database = database
            with self._named_errors():
                yield self._database

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise unusable(self.path, error, _REMEDY) from error

    def _find(self, key: tuple[str, str, str]) -> Recorded | None:
        with self._open() as database:
            row = database.execute(
                "SELECT seal, result, calls, prompt_tokens, completion_tokens, cost_usd FROM calls"
                " WHERE run_id = ? AND kind = ? AND request = ?",
                key,
            ).fetchone()
        if row is None:
            return None
        if broken(row[0], *key, row[1]):
            logger.warning("%s: a recorded call was changed by the disk; it is made again", self.path)
            return None
        return Recorded(json.loads(row[1]), Usage(*row[2:]), replayed=True)

    def _write(self, key: tuple[str, str, str], made: Recorded) -> None:
        usage = made.usage
        result = json.dumps(made.result, ensure_ascii=True)
        with self._open() as database, database:
            database.execute("INSERT OR IGNORE INTO runs (run_id) VALUES (?)", key[:1])
            # What is there was not found, so it is damaged, or another process was faster.
            database.execute(
                "INSERT OR REPLACE INTO calls (run_id, kind, request, result, calls, prompt_tokens, completion_tokens,"
                " cost_usd, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *key,
                    result,
                    usage.calls,
                    usage.prompt_tokens,
                    usage.completion_tokens,
                    usage.cost_usd,
                    seal(*key, result),
                ),
            )


def _upgrade(database: sqlite3.Connection) -> None:
    """Bring a file of an older version to this one."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        database.execute(_UNLISTED)
        columns = {name for _, name, *_ in database.execute("PRAGMA table_info(calls)")}
        if "seal" not in columns:  # else it is new, or another process was faster
            database.execute("ALTER TABLE calls ADD COLUMN seal INTEGER")
        database.execute(f"PRAGMA user_version = {_VERSION}")
