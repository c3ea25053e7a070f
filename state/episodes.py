"""Episodic memory of runs: what was asked and what worked.  It shapes plans and is never evidence."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from heapq import nlargest
from operator import itemgetter
from pathlib import Path
from weakref import finalize

import regex

from .records import Episode
from .sqlite import connect, unusable

DEFAULT_USER = "default"
"""Whose the runs are of which nobody said whose they are."""
RECALL_WINDOW = 200
RECALL_COUNT = 2
WINDOWS_KEPT = 64
"""Users whose last episodes are kept at hand."""

_WORD = regex.compile(r"\p{L}{3,}")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS episodes (
  number INTEGER PRIMARY KEY, episode_id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, created_at TEXT NOT NULL,
  question TEXT NOT NULL, sources TEXT NOT NULL, queries TEXT NOT NULL, useful_sources TEXT NOT NULL
)
"""
_REMEDY = "delete it: only what earlier runs taught is lost"
_COLUMNS = "episode_id, user, created_at, question, sources, queries, useful_sources"

Row = tuple[str, str, str, str, str, str, str]


def similarity(question: str, other: str) -> float:
    """Return the share of the question's words that the other question has, in [0, 1].

    Words are runs of three letters or more, case folded; a question without any has similarity 0.
    """
    words = _words(question)
    return len(words & _words(other)) / len(words) if words else 0.0


@dataclass
class _Window:
    """A user's last episodes as this process read them, until another connection changes the file.

    Attributes:
        version: What SQLite says of the file's changes by others.
    """

    version: int
    rows: deque[tuple[frozenset[str], Row]]


@dataclass
class EpisodeStore:
    """Episodes in SQLite, by exact user; no other user's are ever seen.

    One connection stays open while the store lives: closing the last one of a file makes SQLite fold its log away,
    which takes longer than all else that a run writes.
    """

    path: Path
    _database: sqlite3.Connection | None = None
    _windows: dict[str, _Window] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, episode: Episode) -> None:
        """Store an episode; the same id again changes nothing."""
        row = (
            episode.episode_id,
            episode.user,
            episode.created_at.isoformat(),
            episode.question,
            json.dumps(episode.sources),
            json.dumps(episode.queries),
            json.dumps(episode.useful_sources),
        )
        with self._open() as database:
            with database:
                stored = database.execute(
                    f"INSERT OR IGNORE INTO episodes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 (constants)
                    row,
                )
            window = self._windows.get(_names(episode.user)[1])
            if stored.rowcount and window is not None:
                window.rows.appendleft((_words(episode.question), row))

    def latest(self, limit: int = RECALL_WINDOW, *, user: str = "") -> list[Episode]:
        """Return the user's last episodes, newest first."""
        return [_episode(row) for row in self._rows(limit, user)]

    def _rows(self, limit: int, user: str) -> list[Row]:
        if not self.path.exists():
            return []
        with self._open() as database:
            return self._read(database, limit, user)

    def _read(self, database: sqlite3.Connection, limit: int, user: str) -> list[Row]:
        return database.execute(
            f"SELECT {_COLUMNS} FROM episodes WHERE user IN (?, ?) "  # noqa: S608 (constants)
            "ORDER BY number DESC LIMIT ?",
            (*_names(user), limit),
        ).fetchall()

    def _window(self, user: str) -> list[tuple[frozenset[str], Row]]:
        """Return the words and rows of the user's last episodes, newest first; read where they are not at hand."""
        if not self.path.exists():
            return []
        with self._open() as database:
            name = _names(user)[1]
            version = database.execute("PRAGMA data_version").fetchone()[0]
            window = self._windows.get(name)
            if window is None or window.version != version:
                rows = self._read(database, RECALL_WINDOW, user)
                window = _Window(version, deque(((_words(row[3]), row) for row in rows), RECALL_WINDOW))
                if len(self._windows) >= WINDOWS_KEPT:
                    self._windows.clear()
                self._windows[name] = window
            return list(window.rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._database is None:
                self._database = connect(self.path, _SCHEMA, _REMEDY)
                # A killed process loses nothing; where the power fails, the last episodes are not remembered.
                self._database.execute("PRAGMA synchronous=NORMAL")
                finalize(self, self._database.close)
            try:
                yield self._database
            except sqlite3.DatabaseError as error:
                raise unusable(self.path, error, _REMEDY) from error

    def recall(self, question: str, *, user: str = "", exclude: str = "") -> list[Episode]:
        """Return the two most similar of the last 200 episodes, best first, newer first among equals.

        Args:
            question: The new question.
            user: Whose episodes.
            exclude: Id of the asking run, which a resumed run must not recall.
        """
        words = _words(question)
        # Only what is recalled is read into a record: every run looks through all of them.
        shared = [(len(words & theirs), row) for theirs, row in self._window(user) if row[0] != exclude]
        best = nlargest(RECALL_COUNT, (found for found in shared if found[0]), key=itemgetter(0))
        return [_episode(row) for _, row in best]


def _names(user: str) -> tuple[str, str]:
    """Return the names under which a user's episodes are kept; those without one are the default user's."""
    return ("", DEFAULT_USER) if user in ("", DEFAULT_USER) else (user, user)


@lru_cache(maxsize=1_024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _episode(row: Row) -> Episode:
    episode_id, user, created_at, question, sources, queries, useful = row
    return Episode(
        episode_id=episode_id,
        user=user,
        created_at=datetime.fromisoformat(created_at),
        question=question,
        sources=tuple(json.loads(sources)),
        queries=tuple(json.loads(queries)),
        useful_sources=tuple(json.loads(useful)),
    )
