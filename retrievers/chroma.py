"""Vectors in Chroma: one collection per embedding model, ids and vectors only, a folder or a server."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit
from uuid import uuid4
from weakref import WeakValueDictionary, finalize

import numpy as np

from ..errors import RetrievalUnavailable
from .embeddings import Vectors

T = TypeVar("T")

MOST_AT_ONCE = 5_000
# Half the time of Chroma's own 100 to build; what the graph then misses is made up for by asking for more candidates.
EF_CONSTRUCTION = 40
# A server that says nothing for so long is taken for hung: a question waits less than what builds its graph.
READ_WAIT_S = 30.0
WRITE_WAIT_S = 300.0


class ChromaStore:
    """One Chroma collection for one embedding model.

    Args:
        folder: Where a persistent Chroma keeps its files.
        model: Name of the embedding model.
        url: A Chroma server to use instead of the folder.
        space: What tells collections of several corpora on one server apart.
        serial: What tells a collection from the one that it takes the place of.
    """

    def __init__(self, folder: Path, model: str, *, url: str | None = None, space: str = "", serial: int = 0) -> None:
        self._model = model
        self.name = _collection_name(model, space if url else "") + (f"-{serial}" if serial else "")
        self._shared = _Shared.at(url or str(folder), served=bool(url))
        self._mine = next(_NUMBERS)
        self._collection: tuple[Any, Any] | None = None
        finalize(self, _LEFT.append, (self._shared, self._mine))

    def upsert(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Store vectors by id, in batches that Chroma takes.  Raises: RetrievalUnavailable."""

        def write(client: Any, collection: Any) -> None:
            step = min(int(client.get_max_batch_size()), MOST_AT_ONCE)
            for at in range(0, len(ids), step):
                collection.upsert(ids=list(ids[at : at + step]), embeddings=vectors[at : at + step])

        self._with_collection(write, make=True, wait_s=WRITE_WAIT_S)

    def delete(self, ids: Sequence[str]) -> None:
        """Drop vectors by id; one that is not there is passed over.  Raises: RetrievalUnavailable."""

        def drop(client: Any, collection: Any) -> None:
            step = min(int(client.get_max_batch_size()), MOST_AT_ONCE)
            for at in range(0, len(ids), step):
                collection.delete(ids=list(ids[at : at + step]))

        self._with_collection(drop, make=True, wait_s=WRITE_WAIT_S)

    def nearest(self, queries: Vectors, *, k: int) -> list[list[str]]:
        """Return for each query about the k nearest ids, approximately.  Raises: RetrievalUnavailable."""

        def ask(_: Any, collection: Any) -> list[list[str]]:
            found = collection.query(query_embeddings=queries, n_results=k, include=[])
            return cast("list[list[str]]", found["ids"])

        return self._with_collection(ask)

    def count(self) -> int:
        """Return how many vectors are stored.  Raises: RetrievalUnavailable."""
        return self._with_collection(lambda _, collection: int(collection.count()), absent=0)

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by id.  Raises: RetrievalUnavailable."""

        def read(_: Any, collection: Any) -> dict[str, Vectors]:
            found = collection.get(ids=list(ids), include=["embeddings"])
            return dict(zip(found["ids"], np.asarray(found["embeddings"], dtype=np.float32), strict=True))

        return self._with_collection(read, absent={})

    def drop(self) -> None:
        """Drop all that the collection holds; the next use makes an empty one.  Raises: RetrievalUnavailable."""
        self._with_collection(lambda client, _: client.delete_collection(self.name), absent=None)
        self._collection = None

    def reopen(self) -> None:
        """Forget what was read: a process does not see rows that another one added after it opened."""
        self._shared.forget()

    def close(self) -> None:
        """Let the files go; they open again at next use."""
        self._collection = None
        self._shared.leave(self._mine)

    def _with_collection(
        self, work: Callable[[Any, Any], T], *, make: bool = False, wait_s: float | None = None, **absent: T
    ) -> T:
        """Do work on the collection.

        Args:
            make: Whether it is made where it is missing; else `absent` is the result, or an error where that is not
                given: a search that made an empty one would find nothing, and say nothing of it.
        """
        _close_dropped()
        with self._shared.lock, self._shared.named_errors():
            client = self._shared.client_for(self._mine)
            if self._collection is None or self._collection[0] is not client:
                collection = self._made(client) if make else self._found(client)
                if collection is None:
                    if absent:
                        return absent["absent"]
                    raise LookupError(f"it has no collection {self.name}")
                self._collection = client, collection
            self._shared.be_patient(wait_s or READ_WAIT_S)
            try:
                return work(client, self._collection[1])
            except Exception as error:
                self._collection = None  # a server that lost its collections gets this one anew
                if absent and type(error).__name__ == "NotFoundError":
                    return absent["absent"]
                raise

    def _made(self, client: Any) -> Any:
        return client.get_or_create_collection(
            self.name,
            metadata={"embedding": self._model},
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine", "ef_construction": EF_CONSTRUCTION}},
        )

    def _found(self, client: Any) -> Any:
        from chromadb.errors import NotFoundError

        try:
            return client.get_collection(self.name, embedding_function=None)
        except NotFoundError:
            return None


class _Shared:
    """The client of one folder or server, used by all stores of this process that lie there, one at a time.

    It is closed when the last of them lets it go: a client that is merely dropped keeps its threads, files and pages
    for as long as the process lives.
    """

    def __init__(self, address: str, *, served: bool) -> None:
        self.address, self._served = address, served
        self.lock = threading.RLock()
        self._hung_until, self._waits_s = 0.0, READ_WAIT_S
        self._users: set[int] = set()
        self._client: Any = None

    @classmethod
    def at(cls, address: str, *, served: bool) -> _Shared:
        """Return the client of an address, the same one for as long as any store holds it."""
        with _TABLE:
            shared = _SHARED.get(address)
            if shared is None:
                shared = _SHARED[address] = cls(address, served=served)
            return shared

    def client_for(self, user: int) -> Any:
        """Return the open client, which waits for a server as a question does.  The lock is held."""
        self._users.add(user)
        if self._client is None:
            self._waits_s = READ_WAIT_S
            self._client = _opened_within(READ_WAIT_S, self.address) if self._served else _folder(self.address)
        self.be_patient(READ_WAIT_S)
        return self._client

    def be_patient(self, wait_s: float) -> None:
        """Have the client wait so long for a server that says nothing.  The lock is held."""
        self._waits_s = wait_s
        for session in self._sessions():
            session.timeout = wait_s

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Turn any failure of Chroma into `RetrievalUnavailable`: its client raises the errors of many libraries.

        After a server was waited for in vain it is left alone for a while, so that not every question of a round waits
        in its turn.  The lock is held.
        """
        if time.monotonic() < self._hung_until:
            raise self._hung()
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


_NUMBERS = itertools.count()
_SHARED: WeakValueDictionary[str, _Shared] = WeakValueDictionary()
_TABLE = threading.Lock()
_LEFT: deque[tuple[_Shared, int]] = deque()
"""Stores that were dropped without being closed.  Closing takes locks, which a garbage collector must not."""


def _close_dropped() -> None:
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


def _collection_name(model: str, space: str) -> str:
    """Return a name that Chroma takes: letters, digits, dots and dashes, told apart by a digest."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", model).strip("-.")[:60]
    digest = sha256(f"{model}\n{space}".encode()).hexdigest()[:10]
    return f"citewell-{plain}-{digest}"


def space_of(path: Path) -> str:
    """Return what tells a corpus from others on one Chroma server: kept in a file, it goes where the folder goes."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        drafted = path.with_name(f".{path.name}-{uuid4().hex}")
        drafted.write_text(uuid4().hex, encoding="ascii")
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.link(drafted, path)
        drafted.unlink()
    return path.read_text(encoding="ascii").strip()


_VACUUM = """
import contextlib, sqlite3, sys
with contextlib.closing(sqlite3.connect(sys.argv[1], timeout=10)) as database, contextlib.suppress(sqlite3.Error):
    database.execute("VACUUM")
"""


def vacuum(path: Path) -> None:
    """Give the disk back what Chroma's own database does not use; another process that holds it keeps it as it is.

    In a process of its own: Chroma brings its own SQLite, and where two of them have a file open in one process, one
    that closes it takes away the locks of the other, so that others write into what is being moved.
    """
    if path.is_file():
        command = [sys.executable, "-I", "-c", _VACUUM, str(path)]
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603 (our own words)
