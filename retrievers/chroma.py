"""Vectors in Chroma: one collection per embedding model, ids and vectors only, a folder or a server."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import numpy as np

from ..errors import RetrievalUnavailable
from .embeddings import Vectors


class ChromaStore:
    """One Chroma collection for one embedding model.

    Args:
        folder: Where a persistent Chroma keeps its files.
        model: Name of the embedding model.
        url: A Chroma server to use instead of the folder.
        space: What tells collections of several corpora on one server apart.
    """

    def __init__(self, folder: Path, model: str, *, url: str | None = None, space: str = "") -> None:
        self._folder, self._model, self._url = folder, model, url
        self.name = _collection_name(model, space if url else "")
        self._lock = threading.Lock()
        self._client: Any = None
        self._collection: Any = None

    def upsert(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Store vectors by id, in batches that Chroma takes.  Raises: RetrievalUnavailable."""
        with self._lock, _named(self._where):
            collection = self._open()
            step = min(int(self._client.get_max_batch_size()), 5_000)
            for at in range(0, len(ids), step):
                collection.upsert(ids=list(ids[at : at + step]), embeddings=vectors[at : at + step])

    def delete(self, ids: Sequence[str]) -> None:
        """Drop vectors by id; one that is not there is passed over.  Raises: RetrievalUnavailable."""
        with self._lock, _named(self._where):
            collection = self._open()
            step = min(int(self._client.get_max_batch_size()), 5_000)
            for at in range(0, len(ids), step):
                collection.delete(ids=list(ids[at : at + step]))

    def nearest(self, queries: Vectors, *, k: int) -> list[list[str]]:
        """Return for each query about the k nearest ids, approximately.  Raises: RetrievalUnavailable."""
        with self._lock, _named(self._where):
            found = self._open().query(query_embeddings=queries, n_results=k, include=[])
            return cast("list[list[str]]", found["ids"])

    def count(self) -> int:
        """Return how many vectors are stored.  Raises: RetrievalUnavailable."""
        with self._lock, _named(self._where):
            return int(self._open().count())

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by id.  Raises: RetrievalUnavailable."""
        with self._lock, _named(self._where):
            found = self._open().get(ids=list(ids), include=["embeddings"])
            return dict(zip(found["ids"], np.asarray(found["embeddings"], dtype=np.float32), strict=True))

    def reopen(self) -> None:
        """Forget what was read: a process does not see rows that another one added after it opened."""
        with self._lock:
            if self._client is not None:
                from chromadb.api.shared_system_client import SharedSystemClient

                self._client = self._collection = None
                SharedSystemClient.clear_system_cache()

    @property
    def _where(self) -> str:
        return self._url or str(self._folder)

    def _open(self) -> Any:
        if self._collection is None:
            import chromadb
            from chromadb.config import Settings

            settings = Settings(anonymized_telemetry=False)
            if self._url:
                address = urlsplit(self._url)
                self._client = chromadb.HttpClient(
                    host=address.hostname or "localhost",
                    port=address.port or (443 if address.scheme == "https" else 8000),
                    ssl=address.scheme == "https",
                    settings=settings,
                )
            else:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._client = chromadb.PersistentClient(path=str(self._folder), settings=settings)
            self._collection = self._client.get_or_create_collection(
                self.name,
                metadata={"embedding": self._model},
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
            )
        return self._collection


class _named:
    """Turn any failure of Chroma into `RetrievalUnavailable`: its client raises the errors of many libraries."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            told = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise RetrievalUnavailable(f"Chroma at {self._where}", told) from error


def _collection_name(model: str, space: str) -> str:
    """Return a name that Chroma takes: letters, digits, dots and dashes, told apart by a digest."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", model).strip("-.")[:60]
    digest = sha256(f"{model}\n{space}".encode()).hexdigest()[:10]
    return f"citewell-{plain}-{digest}"
