"""An index of texts that is searched by words and by meaning at once; corpus and memory share it."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ..errors import CorpusError, ProviderError, RetrievalUnavailable
from ..state.records import Hit
from ..text.words import analyse
from .embeddings import Embedder, Vectors
from .fusion import RRF_K
from .hybrid_dense import DenseSide
from .hybrid_ranking import Fusion, Mode, Ranker
from .hybrid_store import HybridStore
from .remembered import RememberedVectors
from .sparse import EVERYTHING, MemorySparse, Scope, SparseIndex
from .sparse_tantivy import TantivySparse

Engine = Literal["memory", "tantivy"]

logger = logging.getLogger(__name__)

EMBED_BATCH = 64
# Rows that the sparse engine takes in one commit.
SPARSE_BATCH = 20_000
# How often a search begins anew because another process moved files below it.
MOST_MOVES = 5


class HybridIndex:
    """Rows of (id, text), found by BM25 and by cosine, fused.

    The database of the folder holds each row's terms and is the truth; the sparse engine, the vector file and Chroma
    follow it, and what a killed process left undone is done by the next one.  Texts are not kept.  Several processes
    may write and read at once: writers wait, readers see the last commit.

    Args:
        folder: Made by the first write.
        embedder: Gives the vectors; None for sparse search alone.
        sparse: `memory` for up to some ten thousand rows, `tantivy` for more; both give the same scores and order.
        chroma_url: A Chroma server to keep the vectors in, instead of the folder.
    """

    def __init__(
        self,
        folder: Path,
        embedder: Embedder | None,
        *,
        sparse: Engine = "memory",
        chroma_url: str | None = None,
        reembed: bool = False,
    ) -> None:
        self.folder = folder
        self.embedder = embedder
        self.degraded = "" if embedder else "no embedding model is set: sparse search alone answers"
        self.approximate = ""
        self._lock = threading.RLock()
        self._store = HybridStore(folder)
        self._dense = DenseSide(self._store, embedder.name, chroma_url=chroma_url) if embedder else None
        self._memory: MemorySparse | None = MemorySparse() if sparse == "memory" else None
        self._tantivy = _tantivy_over(self._store) if sparse == "tantivy" else None
        self._numbers: dict[str, int] = {}
        self._seen = -1
        self.remembered = RememberedVectors(self.embed)
        """Vectors of what is asked again and again: queries, questions, facts."""
        if self._dense is not None and not reembed:
            self._dense.check_model()

    def __len__(self) -> int:
        return self._store.totals()[0]

    @property
    def exists(self) -> bool:
        """Whether anything was ever written."""
        return self._store.exists

    @property
    def pending(self) -> int:
        """Rows without a vector of this embedding model."""
        return self._dense.pending_count() if self._dense else 0

    def upsert(self, rows: Sequence[tuple[str, str]], *, embed: bool = True) -> None:
        """Add rows as (id, text), ids unique; one that is there is replaced, its vector too.

        With `embed` False the rows are found by their words at once and by meaning after `add_vectors`.
        Where the embedding model cannot be asked the rows are kept all the same, and `degraded` says why.
        """
        vectors = self.try_embed([text for _, text in rows]) if embed and rows else None
        analysed = [(row_id, analyse(text)) for row_id, text in rows]
        with self._lock, self._store.alone():
            self._catch_up()
            numbers = self._store.replace(analysed)
            if vectors is not None and self._dense is not None:
                self._dense.add(numbers, vectors)
            added = [(row_id, number, terms) for (row_id, terms), number in zip(analysed, numbers, strict=True)]
            self._follow(removed=[row_id for row_id, _ in rows], added=added)

    def delete(self, ids: Collection[str], *, purge: bool = False) -> None:
        """Remove rows; one that is not there is passed over.

        Args:
            purge: Also overwrite what the files still hold of them.
        """
        with self._lock, self._store.alone():
            self._catch_up()
            places = self._dense.places_of(ids) if self._dense and purge else []
            self._store.remove(ids)
            if self._dense:
                self._dense.blank(places)
            self._follow(removed=ids)
            if purge:
                self.flush()
                self._store.truncate_log()

    def unembedded(self, limit: int = EMBED_BATCH, *, after: int = 0) -> tuple[list[str], int]:
        """Return ids of rows without a vector, and where to go on from (`after`); no id means that all have one."""
        return self._dense.unembedded(limit, after) if self._dense else ([], after)

    def add_vectors(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Give rows their vectors, rows of unit length; an id that left meanwhile is passed over."""
        if self._dense is None:
            return
        with self._lock, self._store.alone():
            self._catch_up()
            numbers = self._store.numbers_of(ids)
            kept = [index for index, row_id in enumerate(ids) if row_id in numbers]
            self._dense.add([numbers[ids[index]] for index in kept], vectors[kept])
            self._seen = self._store.generation()

    def flush(self) -> None:
        """Bring Chroma up to date with the vector file.  Where it cannot be reached the next flush does it."""
        if self._dense is not None:
            with self._lock, self._store.alone(), _later():
                self._dense.flush()

    @property
    def unflushed(self) -> int:
        """How many changes Chroma has not seen."""
        return self._dense.unflushed if self._dense is not None and self._store.exists else 0

    def follow(self) -> None:
        """Bring Chroma up to date where it lacks more than a small share: what it lacks is ranked exactly meanwhile."""
        if self._dense is not None:
            with self._lock, self._store.alone(), _later():
                self._dense.follow()

    def compact(self) -> None:
        """Leave no room to rows that were removed; searches find what they found.

        A process that is killed meanwhile leaves a whole index; one that searches goes on.
        Raises: CorpusError, also where the disk has no room for copies; RetrievalUnavailable where Chroma is away.
        """
        if not self._store.exists:
            return
        with self._lock, self._store.alone():
            self._catch_up()
            if self._tantivy is not None:
                self._tantivy.rebuild(self._store.all_terms())
                self._store.sparse_rebuilt()
            if self._dense is not None:
                self._dense.compact()
            self._store.vacuum()
            self._seen = -1

    def problems(self, texts_of: Callable[[list[str]], Mapping[str, str]]) -> Iterator[str]:
        """Read all files and tell what is not as it was written, a line each.

        Args:
            texts_of: Gives the text of each id that is there.
        """
        yield from self._store.problems()
        yield from self._store.damaged_terms(
            lambda ids: {row_id: " ".join(analyse(text)) for row_id, text in texts_of(ids).items()}
        )
        if self._tantivy is not None:
            yield from (f"{self._tantivy.folder / name}: was changed by the disk" for name in self._tantivy.damaged())
        if self._dense is not None:
            yield from self._dense.damaged()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of this index's space.  Raises: RetrievalUnavailable where there is no embedding model."""
        if self.embedder is None:
            raise RetrievalUnavailable("dense search", texts[0] if texts else "")
        return self.embedder.embed(texts)

    def vectors_of(self, ids: Collection[str]) -> dict[str, Vectors]:
        """Return the vector of each row that has one of this embedding model."""
        if self._dense is None:
            return {}
        with self._lock:
            return self._dense.vectors_of(ids)

    def search(
        self,
        queries: Sequence[str],
        *,
        k: int = 10,
        mode: Mode = "hybrid",
        sparse_k: int = 60,
        dense_k: int = 60,
        fusion: Fusion = "completed",
        rrf_k: int = RRF_K,
        allowed: Collection[str] | None = None,
        groups: Collection[str] | None = None,
        boosts: Sequence[Mapping[str, float]] | None = None,
    ) -> list[list[Hit]]:
        """Return the k best rows for each query, best first, equal scores by id.

        Args:
            sparse_k: Sparse candidates per query; at least k are taken.
            dense_k: Dense candidates per query; at least k are taken.
            fusion: What orders a hybrid list: both scores completed and added, or reciprocal rank fusion.
            allowed: Only these ids.
            groups: Only ids of these groups (the part before the colon).
            boosts: For each query what is added to the score of rows of a group; such rows become candidates.
        """
        vectors = self._tried(self.remembered, queries) if mode != "sparse" and queries and len(self) else None
        scope = Scope(None if allowed is None else frozenset(allowed), None if groups is None else frozenset(groups))
        ranker = Ranker(
            sparse=self._sparse,
            dense=None,
            mode=mode,
            fusion=fusion,
            rrf_k=rrf_k,
            # Words alone rank what is returned and nothing else, unless a boost may lift what lies further down.
            sparse_k=k if mode == "sparse" and not any(boosts or ()) else max(sparse_k, k),
            dense_k=max(dense_k, k),
            scope=scope,
        )
        with self._lock:
            found = self._ranked(ranker, queries, vectors, boosts or [{}] * len(queries))
        return [hits[:k] for hits in found]

    def _ranked(
        self, ranker: Ranker, queries: Sequence[str], vectors: Vectors | None, boosts: Sequence[Mapping[str, float]]
    ) -> list[list[Hit]]:
        """Rank by words and, where there are vectors, by meaning; once more where another process changed files."""
        moves = 0
        while True:
            generation = self._store.generation()
            dense = self._dense if vectors is not None else None
            try:
                self._refresh()
                if dense is not None:
                    self._have_chroma_follow()
                    dense = dense if dense.n_vectors else None
                with self._store.seeing_one_state():
                    found = replace(ranker, dense=dense).rank(queries, vectors if dense else None, boosts)
                self.approximate = dense.approximate if dense else ""
                return found
            except (CorpusError, RetrievalUnavailable) as error:
                if self._store.generation() != generation and moves < MOST_MOVES:
                    moves += 1  # what was looked for lies elsewhere now, and nothing is wrong
                elif isinstance(error, RetrievalUnavailable) and dense is not None:
                    self.degraded = f"dense search is unavailable ({error}): sparse search alone answers"
                    vectors = None
                else:
                    raise

    def nearest(self, vector: Vectors, *, k: int = 1) -> list[tuple[str, float]]:
        """Return the k rows closest to a vector of unit length as (id, cosine), best first; no word is looked at."""
        if self._dense is None:
            return []
        with self._lock:
            self._refresh()
            return self._dense.search(vector[None, :], k=k, scope=EVERYTHING)[0]

    def close(self) -> None:
        """Let all files go, after what is pending has been written."""
        with self._lock:
            if self._dense is not None:
                if self.unflushed:
                    self.follow()
                self._dense.close()
            if self._tantivy is not None:
                self._tantivy.close()
            self._store.close()

    @property
    def _sparse(self) -> SparseIndex:
        engine = self._memory if self._memory is not None else self._tantivy
        assert engine is not None
        return engine

    def try_embed(self, texts: Sequence[str]) -> Vectors | None:
        """Return vectors, or None where the model cannot be asked; then `degraded` says why."""
        return self._tried(self.embed, texts)

    def _tried(self, embed: Callable[[Sequence[str]], Vectors], texts: Sequence[str]) -> Vectors | None:
        if self.embedder is None:
            return None
        try:
            vectors = embed(texts)
        except ProviderError as error:
            self.degraded = f"dense search is unavailable ({error}): sparse search alone answers"
            return None
        self.degraded = ""
        return vectors

    def _follow(self, *, added: Sequence[tuple[str, int, Sequence[str]]] = (), removed: Collection[str] = ()) -> None:
        """Bring the sparse engine up to date with what was just committed."""
        if self._tantivy is not None:
            self._write_tantivy()
        if self._memory is not None:
            for row_id in removed:
                self._numbers.pop(row_id, None)
            self._memory.remove(removed)
            self._memory.add((row_id, terms) for row_id, _, terms in added)
            self._numbers |= {row_id: number for row_id, number, _ in added}
        self._seen = self._store.generation()

    def _catch_up(self) -> None:
        """Take in what another process did, or left undone, since this one last looked.  The write lock is held."""
        self._refresh()
        if self._tantivy is not None:
            self._write_tantivy()

    def _write_tantivy(self) -> None:
        assert self._tantivy is not None
        if self._tantivy.n_rows == 0 and len(self) > 0:
            self._store.forget_sparse()  # nothing was written yet, or its folder was deleted: build it from all rows
        while True:
            rows, gone = self._store.pending_sparse(SPARSE_BATCH)
            if not rows and not gone:
                return
            self._tantivy.write(rows, gone)
            self._store.sparse_done([number for number, _, _ in rows], gone)

    def _have_chroma_follow(self) -> None:
        if self._dense is not None and self._dense.wants_to_follow:
            with self._store.try_alone() as mine:
                if mine:  # its writer was killed; a living one finishes itself
                    with _later():
                        self._dense.follow()

    def _refresh(self) -> None:
        """See the last commit of any process."""
        generation = self._store.generation()
        if generation == self._seen:
            return
        if self._memory is not None:
            now = self._store.all_numbers()
            left = [row_id for row_id, number in self._numbers.items() if now.get(row_id) != number]
            come = [row_id for row_id, number in now.items() if self._numbers.get(row_id) != number]
            self._memory.remove(left)
            self._memory.add(self._store.terms_of(come).items())
            self._numbers = now
        if self._tantivy is not None:
            if self._store.has_pending_sparse() or (self._tantivy.n_rows == 0 and len(self) > 0):
                with self._store.try_alone() as mine:
                    if mine:  # its writer was killed; a living one finishes itself
                        self._write_tantivy()
            self._tantivy.reload()
        self._seen = self._store.generation()


@contextlib.contextmanager
def _later() -> Iterator[None]:
    """Leave to a later time what a Chroma that cannot be reached has to be told; the database remembers it."""
    try:
        yield
    except RetrievalUnavailable as error:
        logger.warning("%s; it is brought up to date later", str(error))  # a kept record would keep its connection


def _tantivy_over(store: HybridStore) -> TantivySparse:
    return TantivySparse(
        store.folder / "tantivy",
        numbers_of=store.numbers_of,
        counts_of=store.counts_of,
        totals=lambda: (*store.totals(), store.longest()),
    )
