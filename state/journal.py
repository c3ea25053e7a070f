"""The call journal: a completed model call, search or fetch of a run is written before its result is used.

Checkpoints alone repeat the calls of a super-step that was killed half way; a resumed run finds them here.
"""

from __future__ import annotations

import asyncio
import json
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
from .sqlite import connect

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
  run_id TEXT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL, result TEXT NOT NULL,
  calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost_usd REAL,
  PRIMARY KEY (run_id, kind, request)
) WITHOUT ROWID
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

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._database is None:
                self._database = connect(self.path, _SCHEMA)
                # A killed process loses nothing; where the power fails, the last calls are asked once more.
                self._database.execute("PRAGMA synchronous=NORMAL")
                finalize(self, self._database.close)
            yield self._database

    def _find(self, key: tuple[str, str, str]) -> Recorded | None:
        with self._open() as database:
            row = database.execute(
                "SELECT result, calls, prompt_tokens, completion_tokens, cost_usd FROM calls"
                " WHERE run_id = ? AND kind = ? AND request = ?",
                key,
            ).fetchone()
        return None if row is None else Recorded(json.loads(row[0]), Usage(*row[1:]), replayed=True)

    def _write(self, key: tuple[str, str, str], made: Recorded) -> None:
        usage = made.usage
        with self._open() as database, database:
            database.execute(
                "INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *key,
                    json.dumps(made.result, ensure_ascii=True),
                    usage.calls,
                    usage.prompt_tokens,
                    usage.completion_tokens,
                    usage.cost_usd,
                ),
            )
