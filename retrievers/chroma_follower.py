"""A Chroma collection that follows the vectors of an index: told what came and went, filled anew where it must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from .chroma import ChromaStore, space_of, vacuum
from .embeddings import Vectors
from .hybrid_vectors import Place, VectorStore

CHROMA_BATCH = 5_000
# Chroma is approximate: it proposes this many times what is kept, and the exact cosine orders them.  Proposing more
# from a graph that is quick to build finds more than proposing less from a better one.
PROPOSE_FACTOR = 8


class ChromaFollower:
    """Tells Chroma what came and went, and asks it for what is near.

    Args:
        folder: The index's folder.
        model: Name of the embedding model.
        vectors: Tells whose vector lies where, and what Chroma has not seen.
        read: Reads the vectors of some places.
        url: A Chroma server; without one the collection lies in the folder.
    """

    def __init__(
        self,
        folder: Path,
        model: str,
        vectors: VectorStore,
        read: Callable[[Mapping[str, Place]], Vectors],
        url: str | None,
    ) -> None:
        self._folder, self._model, self._vectors, self._read, self._url = folder, model, vectors, read, url
        self._opened: tuple[int, ChromaStore] | None = None
        self._seen = self._counted = -1

    @property
    def works_here(self) -> bool:
        """Whether Chroma works in this process."""
        return self.store.works_here

    @property
    def unflushed(self) -> int:
        """How many changes Chroma has not seen."""
        return self._vectors.pending_chroma_count()

    def has_lost(self) -> bool:
        """Whether Chroma holds less than it took: its folder was taken away, or its server began anew."""
        changes = self._vectors.chroma_changes()
        if self._counted == changes:
            return False
        self.store.reopen()
        lost = self.store.count() < self._vectors.count() - self.unflushed
        self._counted = -1 if lost else changes
        return lost

    def flush(self) -> None:
        """Tell Chroma all that it has not seen.  The write lock is held."""
        while True:
            come, gone = self._vectors.pending_chroma(CHROMA_BATCH)
            if not come and not gone:
                break
            self.store.delete(gone)
            if come:
                vectors = self._read({row_id: place for row_id, _, place in come})
                self.store.upsert([row_id for row_id, _, _ in come], vectors)
            before = self._vectors.chroma_changes()
            self._vectors.chroma_done([number for _, number, _ in come], gone)
            if self._seen == before:
                self._seen = before + 1  # this process's own Chroma has seen its own writes

    def shed(self) -> None:
        """Leave no room to what was dropped, which Chroma only marks: fill a new collection beside the old one.

        Until all is there, searches go on over the old one.  The write lock is held.
        """
        if not self._vectors.dropped_from_chroma():
            return
        old, serial, since = self.store, self._vectors.collection() + 1, 0
        new = self._collection(serial)
        new.drop()  # a process that was killed may have begun to fill it
        while rows := self._vectors.all_places(since=since, limit=CHROMA_BATCH):
            new.upsert(
                [row_id for row_id, *_ in rows], self._read({row_id: Place(at, held) for row_id, at, held in rows})
            )
            since = rows[-1][1] + 1
        self._vectors.chroma_filled(serial)
        self._opened, self._seen = (serial, new), self._vectors.chroma_changes()
        old.drop()
        old.close()

    def shrink(self) -> None:
        """Give the disk back what a collection in the folder left free."""
        if not self._url:
            self.store.close()
            vacuum(self._folder / "chroma" / "chroma.sqlite3")

    def nearest(self, queries: Vectors, *, k: int) -> list[list[str]]:
        """Return for each query the ids that Chroma proposes for the k nearest, what other processes wrote included."""
        changes = self._vectors.chroma_changes()
        if self._seen != changes:
            self.store.reopen()
            self._seen = changes
        return self.store.nearest(queries, k=k * PROPOSE_FACTOR)

    def close(self) -> None:
        """Let the files go."""
        if self._opened is not None:
            self._opened[1].close()

    @property
    def store(self) -> ChromaStore:
        """The collection that counts now."""
        serial = self._vectors.collection()
        if self._opened is None or self._opened[0] != serial:
            if self._opened is not None:
                self._opened[1].close()
            self._opened = serial, self._collection(serial)
        return self._opened[1]

    def _collection(self, serial: int) -> ChromaStore:
        space = space_of(self._folder / "chroma-space") if self._url else ""
        folder = self._folder / "chroma"
        return ChromaStore(folder, self._model, url=self._url, space=space, serial=serial)
