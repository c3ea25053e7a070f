"""Give the passages of a corpus the vectors that they lack."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from .corpus_store import CorpusStore
from .corpus_sync import Progress
from .database import BUSY_TIMEOUT_S
from .embeddings import Vectors
from .hybrid import EMBED_BATCH, HybridIndex

Batch = tuple[list[str], list[str]]


@dataclass(frozen=True)
class MissingVectors:
    """Computes vectors batch by batch, in one process at a time: the others would compute the same ones.

    Attributes:
        store: Has the texts.
        index: Knows the chunks without a vector, and takes the vectors.
        lock: File that the computing process holds.
        embeddings: The model, as workers open it.
    """

    store: CorpusStore
    index: HybridIndex
    lock: Path
    embeddings: str

    def compute(self, progress: Progress | None, until: Callable[[], bool] | None, workers: str) -> int:
        """Compute the vectors that are missing and return how many; for the arguments see `Corpus.embed_pending`."""
        total = self.index.pending
        if not total:
            if self.index.unflushed:  # left by a killed process
                self.index.follow()
            return 0
        done = 0
        with self._one_embeds() as mine:
            if not mine:
                return 0
            batches = self._batches(until or (lambda: False))
            for ids, vectors in self._embedded_by(workers, batches) if workers else self._embedded_here(batches):
                self.index.add_vectors(ids, vectors)
                done += len(ids)
                if progress:
                    progress("embed", min(done, total), total)
            if done:
                self.index.follow()
        return done

    @contextlib.contextmanager
    def beside(self) -> Iterator[Callable[[], None]]:
        """Compute vectors in a thread while this one stores more; gives what to call when there are more passages.

        At the end the batch in hand is finished.  What is left then, also because something failed, is for `compute`.
        """
        ended = threading.Event()
        computing: Future[int] | None = None
        with ThreadPoolExecutor(1, thread_name_prefix="vectors") as pool:

            def more() -> None:
                nonlocal computing
                if computing is None or computing.done():
                    computing = pool.submit(self.compute, None, ended.is_set, "")

            try:
                yield more
            finally:
                ended.set()

    def _batches(self, until: Callable[[], bool]) -> Iterator[Batch]:
        """Give the ids and texts of chunks without a vector, batch by batch."""
        after = 0
        while not until():
            ids, after = self.index.unembedded(EMBED_BATCH, after=after)
            if not ids:
                return
            texts = self.store.texts_of(ids)
            known = [chunk_id for chunk_id in ids if chunk_id in texts]
            yield known, [texts[chunk_id] for chunk_id in known]

    def _embedded_here(self, batches: Iterable[Batch]) -> Iterator[tuple[list[str], Vectors]]:
        """Compute vectors until the model cannot be asked any more."""
        for ids, texts in batches:
            vectors = self.index.try_embed(texts)
            if vectors is None:
                return
            yield ids, vectors

    def _embedded_by(self, workers: str, batches: Iterable[Batch]) -> Iterator[tuple[list[str], Vectors]]:
        from .workers import embed_texts, in_order, open_workers

        with open_workers(workers) as (pool, number):
            name = self.embeddings
            for (ids, _), vectors in in_order(pool, embed_texts, batches, lambda batch: (name, batch[1]), 2 * number):
                yield ids, vectors

    @contextlib.contextmanager
    def _one_embeds(self) -> Iterator[bool]:
        """Tell whether this process is the one that computes.

        One that computes for very long, or hangs, is left to it: `degraded` tells what is still without a vector.
        """
        lock = FileLock(self.lock)
        try:
            lock.acquire(timeout=BUSY_TIMEOUT_S)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()
