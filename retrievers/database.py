"""A SQLite file that several threads and processes read and write without ever seeing "database is locked"."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from ..errors import CorpusError

BUSY_TIMEOUT_S = 600.0
# Enough for the upper pages of the indexes of some million rows; it fills only with what is read.
CACHE_KIB = 32_768
_REMEDY = "delete its folder and index the sources again"


class Database:
    """One SQLite file in WAL mode: readers see the last commit, writers wait for each other.

    The file and its folder appear with the first write; until then a reader sees an empty database.
    """

    def __init__(self, path: Path, schema: str, *, version: int, remedy: str = _REMEDY) -> None:
        self.path, self._remedy = path, remedy
        self._schema, self._version = schema, version
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._depth = 0
        self._file_lock = FileLock(path.with_suffix(".lock"), thread_local=False)

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
            self._file_lock.acquire()
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
            if found != self._version:
                self.close()
                raise CorpusError(f"{self.path}: made by another version of citewell ({found}); index its sources anew")
        return self._connection

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
        except sqlite3.DatabaseError as error:
            told = str(error)
            if "malformed" in told or "not a database" in told:
                told = f"the file is damaged; {self._remedy}"
            raise CorpusError(f"{self.path}: {told}") from error


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file to read and write, or to read only where its folder cannot be written."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
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

    def __init__(self, path: Path, schema: str, version: int, remedy: str = _REMEDY) -> None:
        self._db = Database(path, schema, version=version, remedy=remedy)

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

    def close(self) -> None:
        """Let the file go."""
        self._db.close()
