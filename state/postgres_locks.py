"""Who is working on a thread, told across machines: locks of Postgres that end with the process that holds them."""

from __future__ import annotations

import contextlib
import threading
from hashlib import sha256

import psycopg

from .postgres import CONNECT_TIMEOUT_S, refusal


class ThreadLocks:
    """The threads that this process works on, locked in one session of a database.

    The session is open while any lock is held.

    Args:
        url: The database.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._session: psycopg.Connection[tuple[bool]] | None = None
        self._held: set[str] = set()

    def acquire(self, thread_id: str) -> bool:
        """Take a thread, or return False where another run has it, in this process or elsewhere.

        Raises: ProviderError where the database cannot be reached.
        """
        with self._lock:
            try:
                if self._session is None or self._session.closed:
                    self._session, self._held = _session(self._url), set()
                if thread_id in self._held:  # Postgres would give it to the same session again
                    return False
                found = self._session.execute("SELECT pg_try_advisory_lock(%s)", (_key(thread_id),)).fetchone()
            except psycopg.Error as error:
                raise refusal(self._url, error) from error
            mine = bool(found and found[0])
            if mine:
                self._held.add(thread_id)
            self._end_unused()
            return mine

    def release(self, thread_id: str) -> None:
        """Give a thread back; where the session has died meanwhile its locks went with it."""
        with self._lock, contextlib.suppress(psycopg.Error):
            self._held.discard(thread_id)
            if self._session is not None and not self._session.closed:
                self._session.execute("SELECT pg_advisory_unlock(%s)", (_key(thread_id),))
                self._end_unused()

    def _end_unused(self) -> None:
        if self._session is not None and not self._held:
            self._session.close()
            self._session = None


_LOCKS: dict[str, ThreadLocks] = {}
_TABLE = threading.Lock()


def locks_of(url: str) -> ThreadLocks:
    """Return this process's locks in a database."""
    with _TABLE:
        return _LOCKS.setdefault(url, ThreadLocks(url))


def _session(url: str) -> psycopg.Connection[tuple[bool]]:
    return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S)


def _key(thread_id: str) -> int:
    """Return the number of a thread's lock, in 64 bits with sign, as Postgres takes them."""
    digest = sha256(b"citewell thread " + thread_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
