"""How every SQLite file of citewell is opened: write-ahead log, waiting writers, schema in place."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import CitewellError, cause

BUSY_TIMEOUT_S = 60.0


def connect(path: Path, schema: str = "", remedy: str = "") -> sqlite3.Connection:
    """Open a database for several processes, making its folder and tables where they are missing.

    Args:
        path: The file.
        schema: Statements, each `CREATE … IF NOT EXISTS`.
        remedy: What to do where the file is damaged.
    Raises: CitewellError where the file cannot be opened or is no database.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        _into_wal(database, path)
        database.execute("PRAGMA synchronous=FULL")
        if schema:
            database.executescript(schema)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise unusable(path, error, remedy) from error
    except OSError as error:
        raise CitewellError(
            f"{path}: cannot be opened ({cause(error)}); set CITEWELL_HOME to a folder that can be written"
        ) from error
    return database


def unusable(path: Path, error: Exception, remedy: str, *, waited_s: float | None = None) -> CitewellError:
    """Return the error that tells what is wrong with a database and what to do about it.

    Args:
        error: SQLite's; or that of Python, which cannot read what SQLite says of a damaged schema.
        remedy: What to do where the file is damaged.
        waited_s: How long another process was waited for; None for `BUSY_TIMEOUT_S`.
    """
    told, code = str(error), getattr(error, "sqlite_errorcode", 0) & 0xFF
    if tells_damage(error):
        told = f"the file is damaged ({told}); {remedy}" if remedy else f"the file is damaged ({told})"
    elif code == sqlite3.SQLITE_FULL:
        told = "the disk is full; free some room"
    elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        told = f"another process held it for {waited_s or BUSY_TIMEOUT_S:.0f} s; end that one, or try again later"
    elif code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        told = f"cannot be opened or written ({told}); check its permissions, or set CITEWELL_HOME to a writable folder"
    elif code == sqlite3.SQLITE_IOERR:
        told = f"{told}; is there room on its disk?"
    return CitewellError(f"{path}: {told}")


def tells_damage(error: Exception) -> bool:
    """Whether an error of SQLite, or of Python that reads what it gives, says that the file is damaged."""
    told, code = str(error), getattr(error, "sqlite_errorcode", 0) & 0xFF
    unread = isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in told
    return code in _DAMAGED or unread or "no such" in told


_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _into_wal(database: sqlite3.Connection, path: Path) -> None:
    """Switch a file to the write-ahead log, which lasts; SQLite lets nobody wait for another who switches just now."""
    if database.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        from filelock import FileLock

        with FileLock(f"{path}.lock", timeout=BUSY_TIMEOUT_S):
            database.execute("PRAGMA journal_mode=WAL")
