"""A SQLite file that several threads and processes read and write without ever seeing "database is locked"."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import CorpusError
from ..state.forks import begin_anew_in_forks
from ..state.sqlite import unusable

BUSY_TIMEOUT_S = 600.0
# Enough for the upper pages of the indexes of some million rows; it fills only with what is read.
CACHE_KIB = 32_768
_REMEDY = "delete its folder and index the sources again"

_INHERITED: list[sqlite3.Connection] = []
"""Connections of the process that this one was forked from, kept open: closing one would give up the parent's locks."""


class Database:
    """One SQLite file in WAL mode: readers see the last commit, writers wait for each other.

    The file and its folder appear with the first write; until then a reader sees an empty database.

    Args:
        remedy: What to do where the file is damaged.
        upgrades: Statements that bring a file of an older version to this one, by that version.
    """

    def __init__(
        self,
        path: Path,
        schema: str,
        *,
        version: int,
        remedy: str = _REMEDY,
        upgrades: Mapping[int, str] | None = None,
    ) -> None:
        self.path, self._remedy = path, remedy
        self._schema, self._version, self._upgrades = schema, version, upgrades or {}
        self._connection: sqlite3.Connection | None = None
        self.begin_anew()
        begin_anew_in_forks(self)

    def begin_anew(self) -> None:
        """Open the file again at next use: SQLite's connections and locks do not outlive a fork."""
        if self._connection is not None:
            _INHERITED.append(self._connection)
        self._lock = threading.RLock()
        self._connection = None
        self._depth = 0
        self._file_lock = FileLock(self.path.with_suffix(".lock"), thread_local=False)

    @property
    def exists(self) -> bool:
        """Whether anything was ever written."""
        return self.path.is_file()

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection on which all statements of the block see one state.  Raises: CorpusError."""
        with self._lock, self._named_errors():
            if self._connection is None and not self.exists:
                empty = sqlite3.connect(":memory:")
                with contextlib.closing(empty):
                    empty.executescript(self._schema)
                    yield empty
                return
            yield from self._transaction(self._open(), "BEGIN")

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection whose changes commit together when the block ends, or not at all.  Raises: CorpusError."""
        with self.alone(), self._named_errors():
            yield from self._transaction(self._open(), "BEGIN IMMEDIATE")

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the write lock of the file, also over several transactions and files beside it; others wait.

        The lock is the system's: it ends with the process that holds it, however that ends.
        """
        with self._lock:
            if self._depth == 0:
                self._acquire()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._file_lock.release()

    def try_alone(self) -> contextlib.AbstractContextManager[bool]:
        """Return a block that holds the write lock where no other process does, and tells whether it does."""
        return self._try_alone()

    @contextlib.contextmanager
    def _try_alone(self) -> Iterator[bool]:
        with self._lock:
            try:
                self._file_lock.acquire(timeout=0)
            except OSError:  # held by another process (Timeout is an OSError), or a folder that cannot be written
                yield False
                return
            self._depth += 1
            try:
                yield True
            finally:
                self._depth -= 1
                self._file_lock.release()

    def damaged(self, what: str) -> CorpusError:
        """Return the error of a row that is not what was written."""
        return CorpusError(f"{self.path}: {what} was changed by the disk; {self._remedy}")

    def problems(self) -> list[str]:
        """Read the whole file and return what is wrong with its structure, a line each; none where it is sound."""
        with self.read() as sql:
            found = sql.execute("PRAGMA integrity_check(20)").fetchall()
        return [] if found == [("ok",)] else [f"{self.path}: {line}" for (line,) in found]

    def vacuum(self) -> None:
        """Write the file anew without unused pages.  A process that is killed meanwhile leaves it as it was.

        Raises: CorpusError, also where the disk has no room for a copy.
        """
        with self.alone(), self._named_errors():
            connection = self._open()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def truncate_log(self) -> None:
        """Move all pages of the write-ahead log into the file, so that nothing of deleted rows stays in the log."""
        with self.alone(), self._named_errors():
            self._open().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let the file go; it opens again at next use."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _acquire(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file_lock.acquire(timeout=BUSY_TIMEOUT_S)
        except Timeout as error:
            raise CorpusError(
                f"{self.path.parent}: another process has written there for {BUSY_TIMEOUT_S:.0f} s; end that one, or "
                "try again later"
            ) from error
        except OSError as error:
            raise CorpusError(f"{self.path.parent}: cannot be written ({error.strerror or error})") from error

    def _transaction(self, connection: sqlite3.Connection, begin: str) -> Iterator[sqlite3.Connection]:
        if connection.in_transaction:  # a block within a block of the same thread belongs to the outer one
            yield connection
            return
        connection.execute(begin)
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self.exists:
                self._create()
            self._connection = _connect(self.path)
            found = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if found in self._upgrades:
                found = self._upgraded(self._connection)
            if found != self._version:
                self.close()
                raise CorpusError(f"{self.path}: made by another version of citewell ({found}); index its sources anew")
        return self._connection

    def _upgraded(self, connection: sqlite3.Connection) -> int:
        """Bring a file of an older version to this one and return its version then."""
        if not _writable(self.path):
            self.close()
            raise CorpusError(
                f"{self.path}: made by an older version of citewell; search it once where it can be written"
            )
        connection.execute("BEGIN IMMEDIATE")
        try:
            found = int(connection.execute("PRAGMA user_version").fetchone()[0])
            while found in self._upgrades:  # another process may have been faster
                for statement in _statements(self._upgrades[found]):
                    connection.execute(statement)
                found += 1
                connection.execute(f"PRAGMA user_version = {found}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        return found

    def _create(self) -> None:
        """Make the file elsewhere and move it into place, so that no reader ever sees half a schema."""
        new = self.path.with_suffix(f".new-{os.getpid()}")
        try:
            with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
                connection.executescript(self._schema)
                connection.execute(f"PRAGMA user_version = {self._version}")
                # Last, since what stands in a log is moved into the file when that is closed: a full disk would then
                # leave it out, and nobody would be told.
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error:
            new.unlink(missing_ok=True)
            raise
        new.replace(self.path)

    @contextlib.contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise CorpusError(str(unusable(self.path, error, self._remedy, waited_s=BUSY_TIMEOUT_S))) from error


def _statements(text: str) -> Iterator[str]:
    """Give the statements of a text one by one; a trigger holds others within it."""
    begun = ""
    for part in text.split(";"):
        begun += f"{part};"
        if begun.strip(" \n;") and sqlite3.complete_statement(begun):
            yield begun
            begun = ""


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file to read and write, or to read only where its folder cannot be written."""
    if _writable(path):
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        return connection
    # Without write access SQLite cannot share a log with writers: what stands in the file is read as it is.
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


class Store:
    """What every store over one database file shares: who may write, and letting it go."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @property
    def exists(self) -> bool:
        """Whether anything was ever written."""
        return self._db.exists

    def alone(self) -> contextlib.AbstractContextManager[None]:
        """Return a block in which no other thread or process writes."""
        return self._db.alone()

    def try_alone(self) -> contextlib.AbstractContextManager[bool]:
        """Return a block that tells whether it holds the write lock."""
        return self._db.try_alone()

    @contextlib.contextmanager
    def seeing_one_state(self) -> Iterator[None]:
        """Have all that is read in this block see one state, in one transaction; nothing may be written in it."""
        with self._db.read():
            yield

    def problems(self) -> list[str]:
        """Return what is wrong with the structure of the file, a line each."""
        return self._db.problems() if self.exists else []

    def vacuum(self) -> None:
        """Give the disk back what the file does not use."""
        if self.exists:
            self._db.vacuum()

    def close(self) -> None:
        """Let the file go."""
        self._db.close()
