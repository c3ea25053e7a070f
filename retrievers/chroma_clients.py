"""One client of Chroma for each folder or server, shared by all stores of the process and closed with the last."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from ..errors import RetrievalUnavailable
from ..state.forks import begin_anew_in_forks

# A server that says nothing for so long is taken for hung: a question waits less than what builds its graph.
READ_WAIT_S = 30.0


class SharedClient:
    """The client of one folder or server, used by all stores of this process that lie there, one at a time.

    It is closed when the last of them lets it go: a client that is merely dropped keeps its threads, files and pages
    for as long as the process lives.
    """

    def __init__(self, address: str, *, served: bool) -> None:
        self.address, self._served = address, served
        self._users: set[int] = set()
        self._client: Any = None
        self.begin_anew()
        begin_anew_in_forks(self)

    def begin_anew(self) -> None:
        """Have no client yet, in a process that has just begun."""
        if self._client is not None:
            _INHERITED.append(self._client)
        self.lock = threading.RLock()
        self._hung_until, self._waits_s = 0.0, READ_WAIT_S
        self._client = None

    @classmethod
    def at(cls, address: str, *, served: bool) -> SharedClient:
        """Return the client of an address, the same one for as long as any store holds it."""
        with _TABLE:
            shared = _SHARED.get(address)
            if shared is None:
                shared = _SHARED[address] = cls(address, served=served)
            return shared

    @property
    def works_here(self) -> bool:
        """Whether this process can use it: not a folder's, where a process that used folders was forked."""
        return self._served or not _THREADS.lost

    def client_for(self, user: int) -> Any:
        """Return the open client, which waits for a server as a question does.  The lock is held."""
        self._users.add(user)
        if self._client is None:
            self._waits_s = READ_WAIT_S
            self._client = _opened_within(READ_WAIT_S, self.address) if self._served else _folder(self.address)
            _THREADS.begun = _THREADS.begun or not self._served
        self.be_patient()
        return self._client

    def be_patient(self, wait_s: float | None = None) -> None:
        """Have the client wait so long for a server that says nothing, else `READ_WAIT_S`.  The lock is held."""
        self._waits_s = wait_s or READ_WAIT_S
        for session in self._sessions():
            session.timeout = self._waits_s

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Turn any failure of Chroma into `RetrievalUnavailable`: its client raises the errors of many libraries.

        After a server was waited for in vain it is left alone for a while, so that not every question of a round waits
        in its turn.  The lock is held.
        """
        if time.monotonic() < self._hung_until:
            raise self._hung()
        if not self.works_here:
            told, remedy = "its threads were left in another process by a fork", "start processes by `spawn`"
            raise RetrievalUnavailable(f"Chroma at {self.address}", told, remedy=remedy)
        try:
            yield
        except BaseException as error:
            if isinstance(error, TimeoutError) or type(error).__name__.endswith("Timeout"):
                self.leave_alone(READ_WAIT_S)
                raise self._hung() from error
            # Its own code that stops at damaged files raises no `Exception`.
            if isinstance(error, Exception) or type(error).__name__ == "PanicException":
                told = str(error).splitlines()[0] if str(error) else type(error).__name__
                remedy = "start it, or unset CITEWELL_CHROMA_URL" if self._served else ""
                if isinstance(error, LookupError) and self._served:
                    remedy = "call `citewell index` with this corpus, or copy its folder again where it is a copy"
                raise RetrievalUnavailable(f"Chroma at {self.address}", told, remedy=remedy) from error
            raise

    def leave_alone(self, seconds: float) -> None:
        """Ask the server nothing for so long."""
        self._hung_until = time.monotonic() + seconds

    def _hung(self) -> RetrievalUnavailable:
        told, remedy = (
            f"no answer within {self._waits_s:g} s",
            "restart the server, or change or unset CITEWELL_CHROMA_URL",
        )
        return RetrievalUnavailable(f"Chroma at {self.address}", told, remedy=remedy)

    def forget(self) -> None:
        """Have the next use open the folder anew, for all its stores; a server always tells the present state."""
        if not self._served:
            with self.lock:
                self._close()

    def leave(self, user: int) -> None:
        """Note that a store is done; the last one closes the client."""
        with self.lock:
            self._users.discard(user)
            if not self._users:
                self._close()

    def _close(self) -> None:
        if self._client is None:
            return
        # Closing a client of a server leaves its connections open.
        sessions = self._sessions()
        self._client.close()
        self._client = None
        for session in sessions:
            session.close()

    def _sessions(self) -> list[Any]:
        """Return the connections to a server: the client's, and those of the one within that asks for tenants."""
        servers = {id(each._server): each._server for each in (self._client, self._client._admin_client)}
        return [server._session for server in servers.values() if hasattr(server, "_session")]


_INHERITED: list[Any] = []
"""Clients of the process that this one was forked from: closing one would wait for threads that are not there."""


class _Threads:
    """Those that Chroma's own code computes with, all folders together, from the first one on and for good."""

    def __init__(self) -> None:
        self.begun = self.lost = False
        begin_anew_in_forks(self)

    def begin_anew(self) -> None:
        """Note that they are lost: what Chroma hands to them in a forked process would wait for ever."""
        self.lost = self.lost or self.begun


_THREADS = _Threads()
_NUMBERS = itertools.count()
_SHARED: WeakValueDictionary[str, SharedClient] = WeakValueDictionary()
_TABLE = threading.Lock()
_LEFT: deque[tuple[SharedClient, int]] = deque()
"""Stores that were dropped without being closed.  Closing takes locks, which a garbage collector must not."""


def next_user() -> int:
    """Return a number by which a store is known to its client."""
    return next(_NUMBERS)


def note_dropped(shared: SharedClient, user: int) -> None:
    """Note that a store was dropped without being closed.  Takes no lock."""
    _LEFT.append((shared, user))


def close_dropped() -> None:
    """Give up the shares of dropped stores.  The caller holds no lock."""
    while _LEFT:
        try:
            shared, user = _LEFT.popleft()
        except IndexError:  # another thread was faster
            return
        shared.leave(user)


def _folder(path: str) -> Any:
    import chromadb

    Path(path).mkdir(parents=True, exist_ok=True)
    return chromadb.PersistentClient(path=path, settings=_quiet())


def _server(address: str) -> Any:
    import chromadb

    parts = urlsplit(address)
    return chromadb.HttpClient(
        host=parts.hostname or "localhost",
        port=parts.port or (443 if parts.scheme == "https" else 8000),
        ssl=parts.scheme == "https",
        settings=_quiet(),
    )


def _quiet() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def _opened_within(wait_s: float, address: str) -> Any:
    """Return a server's client.  Making one asks the server with no end to its patience: so in a thread of its own."""
    made: Future[Any] = Future()

    def make() -> None:
        try:
            client = _server(address)
        except BaseException as error:
            made.set_exception(error)
        else:
            made.set_result(client)

    threading.Thread(target=make, name="chroma-client", daemon=True).start()
    try:
        return made.result(timeout=wait_s)
    except TimeoutError:
        made.add_done_callback(lambda late: late.exception() or late.result().close())
        raise
