"""Vectors in Chroma: one collection per embedding model, ids and vectors only, a folder or a server."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast
from uuid import uuid4
from weakref import finalize

import numpy as np

from .chroma_clients import SharedClient, close_dropped, next_user, note_dropped
from .embeddings import Vectors

T = TypeVar("T")

MOST_AT_ONCE = 5_000
# Half the time of Chroma's own 100 to build; what the graph then misses is made up for by searching it more widely: of
# the ten nearest of a million, 0.86 are found instead of 0.60, for 2 ms a question.
EF_CONSTRUCTION = 40
EF_SEARCH = 800
# What builds the graph may take longer than a question waits.
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
        self._shared = SharedClient.at(url or str(folder), served=bool(url))
        self._mine = next_user()
        self._collection: tuple[Any, Any] | None = None
        finalize(self, note_dropped, self._shared, self._mine)

    @property
    def works_here(self) -> bool:
        """Whether it can be asked in this process: a folder not where Chroma's threads were lost by a fork."""
        return self._shared.works_here

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
        close_dropped()
        with self._shared.lock, self._shared.named_errors():
            client = self._shared.client_for(self._mine)
            if self._collection is None or self._collection[0] is not client:
                collection = self._made(client) if make else self._found(client)
                if collection is None:
                    if absent:
                        return absent["absent"]
                    raise LookupError(f"it has no collection {self.name}")
                self._collection = client, collection
            self._shared.be_patient(wait_s)
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
            configuration={"hnsw": {"space": "cosine", "ef_construction": EF_CONSTRUCTION, "ef_search": EF_SEARCH}},
        )

    def _found(self, client: Any) -> Any:
        from chromadb.errors import NotFoundError

        try:
            return client.get_collection(self.name, embedding_function=None)
        except NotFoundError:
            return None


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
