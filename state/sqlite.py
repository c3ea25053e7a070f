"""How every SQLite file of citewell is opened: write-ahead log, waiting writers, schema in place."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import CitewellError

BUSY_TIMEOUT_S = 60.0


def connect(path: Path, schema: str = "") -> sqlite3.Connection:
    """Open a database for several processes, making its folder and tables where they are missing.

    Args:
        path: The file.
        schema: Statements, each `CREATE … IF NOT EXISTS`.
    Raises: CitewellError where the file cannot be opened or is no database.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        _into_wal(database, path)
        database.execute("PRAGMA synchronous=FULL")
        if schema:
            database.executescript(schema)
    except (sqlite3.Error, OSError) as error:
        raise CitewellError(f"{path}: cannot be opened ({error})") from error
    return database


def _into_wal(database: sqlite3.Connection, path: Path) -> None:
    """Switch a file to the write-ahead log, which lasts; SQLite lets nobody wait for another who switches just now."""
    if database.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        from filelock import FileLock

        with FileLock(f"{path}.lock"):
            database.execute("PRAGMA journal_mode=WAL")
