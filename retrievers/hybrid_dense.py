"""The dense side of a hybrid index: exact over the vector file, approximate by Chroma beyond a size.

Chroma follows the vector file.  What it does not hold yet is ranked exactly beside what it proposes, so that adding
to a large corpus need not wait for Chroma, and a process that was killed in between has lost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import numpy as np

from ..errors import CorpusError, EmbeddingMismatch
from .chroma_follower import CHROMA_BATCH, ChromaFollower
from .dense import Places, VectorFile, cosines, first_broken, nearest, seals
from .embeddings import Vectors
from .hybrid_store import HybridStore
from .hybrid_vectors import Model, Place
from .sparse import Scope

T = TypeVar("T")

EXACT_UP_TO = 100_000
# Chroma may lack, or hold too much, one in so many vectors before it is brought up to date.
FOLLOW_AT_SHARE = 100
# A vector file is written anew when more of it is unused than used.
COMPACT_FROM = 4_096


class DenseSide:
    """Vectors of one embedding model: kept in a file to rank exactly, and in Chroma.

    Args:
        store: The index's database, which tells whose vector lies where.
        model: Name of the embedding model.
    """

    def __init__(
        self, store: HybridStore, model: str, *, chroma_url: str | None = None, exact_up_to: int = EXACT_UP_TO
    ) -> None:
        self.model = model
        self.approximate = ""
        self._store, self._vectors, self._exact_up_to = store, store.vectors_of(model), exact_up_to
        self._chroma = ChromaFollower(store.folder, model, self._vectors, self._taken, chroma_url)
        self._file: VectorFile | None = None
        self._seen = -1
        self._tail: tuple[list[str], Vectors] = [], np.zeros((0, 0), dtype=np.float32)
        self._count = self._n_places = self._unranked = 0
        self._ids: list[str] = []
        self._places: Places = np.zeros(0, dtype=np.int64)
        self._place_by_id: dict[str, int] = {}

    def check_model(self) -> None:
        """Raises: EmbeddingMismatch where the index holds vectors, and none of them are of this model."""
        names = [model.name for model in self._store.models()]
        if names and self.model not in names:
            raise EmbeddingMismatch(
                " or ".join(names),
                self.model,
                hint=f"{self._store.folder.parent} was indexed with another model: name that one as `embeddings`, "
                "or open the corpus with reembed=True (`citewell index --reembed`) to add a second collection",
            )

    @property
    def n_vectors(self) -> int:
        """How many rows have a vector."""
        return self._steady(lambda: self._count)

    def pending_count(self) -> int:
        """How many rows have none."""
        return self._store.totals()[0] - self._vectors.count()

    def unembedded(self, limit: int, after: int) -> tuple[list[str], int]:
        """Return the next ids without a vector beyond a row number, and the number of the last of them."""
        rows = self._vectors.without_vector(limit, after)
        return [row_id for row_id, _ in rows], rows[-1][1] if rows else after

    def add(self, numbers: Sequence[int], vectors: Vectors) -> None:
        """Append vectors and then note where they lie.  The write lock is held."""
        if not len(numbers):
            return
        model = self._model(int(vectors.shape[1]))
        VectorFile(self._path(model), model.dim).append(vectors, at=model.places)
        self._vectors.add_places(model, numbers, seals(vectors).tolist())

    def follow(self) -> None:
        """Bring Chroma up to date where it is behind by more than a small share of all.  The write lock is held.

        Where all vectors are compared anyway, a process in which Chroma does not work leaves that to the next one.
        """
        if self._exact_now and not self._chroma.works_here:
            return
        if not self._exact_now and self._chroma.has_lost():
            self._vectors.forget_chroma()
        if self._far_behind(self.unflushed):
            self.flush()

    @property
    def wants_to_follow(self) -> bool:
        """Whether a search would have to rank so much beside Chroma that bringing it up to date comes first."""
        self._steady(lambda: None)
        return not self._exact and (self._far_behind(len(self._tail[0])) or self._chroma.has_lost())

    def _far_behind(self, behind: int) -> bool:
        return behind * FOLLOW_AT_SHARE > max(self._vectors.count() - behind, 0)

    def flush(self) -> None:
        """Bring Chroma up to date, and write the vector file anew where most of it is unused.  The lock is held."""
        self._chroma.flush()
        self._compact()

    @property
    def unflushed(self) -> int:
        """How many changes Chroma has not seen."""
        return self._chroma.unflushed

    def compact(self) -> None:
        """Leave no room to vectors that were dropped.  The write lock is held, and a kill leaves a whole index.

        A file of vectors is written anew beside the old one.  Chroma, which only marks what is dropped, is filled anew
        beside the old collection: until all is there, searches go on over that.
        Raises: RetrievalUnavailable where Chroma cannot be reached.
        """
        if self._known() is None:
            return
        self._chroma.shed()
        self._chroma.flush()
        self._compact(always=True)
        self._chroma.shrink()

    def search(self, queries: Vectors, *, k: int, scope: Scope) -> list[list[tuple[str, float]]]:
        """Return for each query the k rows with the highest cosine, best first, equal ones by id.

        Raises: CorpusError where a vector is not what was written.
        """
        return self._steady(lambda: self._search(queries, k, scope))

    def _steady(self, work: Callable[[], T]) -> T:
        """Read, again where another process changed the files meanwhile: what it took away is then no damage."""
        while True:
            before = self._store.generation()
            try:
                self._refresh()
                return work()
            except CorpusError:
                if self._store.generation() == before:
                    raise
                self._file, self._seen = None, -1

    def _search(self, queries: Vectors, k: int, scope: Scope) -> list[list[tuple[str, float]]]:
        self.approximate = ""
        if not self._count:
            return [[] for _ in queries]
        if self._exact:
            ids, places = self._ids, self._places
            if not scope.everything:
                inside = [index for index, row_id in enumerate(ids) if row_id in scope]
                ids, places = [ids[index] for index in inside], places[inside]
            return nearest(self._rows(self._n_places), places, ids, queries, k=k)
        if not scope.everything:
            held = self._scoped(scope)
            if len(held) <= self._exact_up_to:
                return nearest(self._taken(held), np.arange(len(held)), list(held), queries, k=k)
        return self._approximately(queries, k, scope)

    def score(self, query: Vectors, ids: Collection[str]) -> dict[str, float]:
        """Return the exact cosine of each id that has a vector."""
        return self._steady(lambda: self._scores(query, ids))

    def _scores(self, query: Vectors, ids: Collection[str]) -> dict[str, float]:
        held: Collection[str]
        if self._exact:
            held = [row_id for row_id in ids if row_id in self._place_by_id]
            rows = self._rows(self._n_places)[[self._place_by_id[row_id] for row_id in held]]
        else:
            held = self._vectors.places_of(ids)
            rows = self._taken(held)
        return {row_id: float(cosine) for row_id, cosine in zip(held, cosines(rows, query), strict=True)}

    def vectors_of(self, ids: Collection[str]) -> dict[str, Vectors]:
        """Return the vector of each id that has one.  Raises: CorpusError where one is not what was written."""

        def read() -> dict[str, Vectors]:
            held = self._vectors.places_of(ids)
            return dict(zip(held, self._taken(held), strict=True)) if held else {}

        return self._steady(read)

    def places_of(self, ids: Collection[str]) -> list[int]:
        """Return where the vectors of some ids lie."""
        return [place.at for place in self._vectors.places_of(ids).values()]

    def blank(self, places: Sequence[int]) -> None:
        """Overwrite vectors in the file."""
        if places and self._known() is not None:
            self._current_file().blank(places)

    def close(self) -> None:
        """Let the files go."""
        self._chroma.close()
        self._file = None
        self._seen = -1

    @property
    def _exact(self) -> bool:
        return self._count <= self._exact_up_to

    @property
    def _exact_now(self) -> bool:
        return self._vectors.count() <= self._exact_up_to

    def damaged(self) -> Iterator[str]:
        """Read all vectors and name each that is not what was written."""
        since, model = 0, self._known()
        while model is not None and (rows := self._vectors.all_places(since=since, limit=CHROMA_BATCH)):
            since = rows[-1][1] + 1
            vectors = self._current_file().take([at for _, at, _ in rows])
            if first_broken(vectors, [held for _, _, held in rows]) is None:
                continue
            for row, (row_id, _, held) in zip(vectors, rows, strict=True):
                if first_broken(row[None, :], [held]) is not None:
                    yield f"{row_id}: its vector was changed by the disk"

    def _taken(self, held: Mapping[str, Place]) -> Vectors:
        """Read the vectors of some ids.  Raises: CorpusError where one is not what was written."""
        rows = self._current_file().take([place.at for place in held.values()])
        bad = first_broken(rows, [place.seal for place in held.values()])
        if bad is not None:
            raise self._current_file().damaged(f"that of {list(held)[bad]} was changed by the disk")
        return rows

    def _scoped(self, scope: Scope) -> Mapping[str, Place]:
        if scope.groups is None:
            return self._vectors.places_of(scope.ids or ())
        held = self._vectors.places_in(scope.groups)
        return held if scope.ids is None else {row_id: held[row_id] for row_id in held if row_id in scope.ids}

    def _approximately(self, queries: Vectors, k: int, scope: Scope) -> list[list[tuple[str, float]]]:
        self.approximate = (
            f"dense search is approximate over {self._count:,} passages (exact up to {self._exact_up_to:,})"
        )
        if self._unranked:
            self.approximate += f"; {self._unranked:,} of them are found by words alone until Chroma has them again"
        found: list[list[tuple[str, float]]] = []
        ids, rows = self._tail
        late = nearest(rows, np.arange(len(ids)), ids, queries, k=k) if ids else [[] for _ in queries]
        for query, proposed, more in zip(queries, self._chroma.nearest(queries, k=k), late, strict=True):
            candidates = dict.fromkeys([*proposed, *(row_id for row_id, _ in more)])
            scores = self._scores(query, [row_id for row_id in candidates if row_id in scope])
            found.append(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k])
        return found

    def _refresh(self) -> None:
        generation = self._store.generation()
        if generation == self._seen:
            return
        model = self._known()
        before = self._n_places if model and self._file and self._file.path == self._path(model) else 0
        if not before:
            self._file = None
        self._n_places = model.places if model else 0
        self._count = self._vectors.count()
        if self._exact:
            self._load(before)
        else:
            self._ids, self._place_by_id = [], {}
            self._load_tail()
        self._seen = generation

    def _load(self, before: int) -> None:
        """Read which vectors there are; where rows were only added, read those beyond the places known before."""
        known = len(self._ids) if before else 0
        rows = self._vectors.all_places(since=before if known else 0)
        if known and known + len(rows) != self._count:
            known, rows = 0, self._vectors.all_places()
        if not known:
            self._ids, self._places, self._place_by_id = [], np.zeros(0, dtype=np.int64), {}
        places = np.array([at for _, at, _ in rows], dtype=np.int64)
        for at in range(0, len(rows), CHROMA_BATCH):
            some = rows[at : at + CHROMA_BATCH]
            bad = first_broken(self._rows(self._n_places)[places[at : at + len(some)]], [held for _, _, held in some])
            if bad is not None:
                raise self._current_file().damaged(f"that of {some[bad][0]} was changed by the disk")
        self._ids += [row_id for row_id, _, _ in rows]
        self._places = np.append(self._places, places)
        self._place_by_id |= {row_id: at for row_id, at, _ in rows}

    def _load_tail(self) -> None:
        """Read the vectors that Chroma lacks: few, unless a writer was killed (see `wants_to_follow`)."""
        come, _ = self._vectors.pending_chroma(self._exact_up_to)
        self._unranked = max(self.unflushed - len(come), 0) if len(come) == self._exact_up_to else 0
        self._tail = [row_id for row_id, _, _ in come], self._taken({row_id: place for row_id, _, place in come})

    def _known(self) -> Model | None:
        return next((model for model in self._store.models() if model.name == self.model), None)

    def _model(self, dim: int) -> Model:
        known = self._known()
        if known is None:
            return Model(self.model, dim, f"vectors-{sha256(self.model.encode()).hexdigest()[:10]}-0.f32", 0)
        if known.dim != dim:
            raise EmbeddingMismatch(f"{known.dim} numbers", f"{dim} from {self.model}")
        return known

    def _path(self, model: Model) -> Path:
        return self._store.folder / model.file

    def _current_file(self) -> VectorFile:
        if self._file is None:
            model = self._known()
            assert model is not None
            self._file = VectorFile(self._path(model), model.dim)
        return self._file

    def _rows(self, count: int) -> Vectors:
        return self._current_file().rows(count)

    def _compact(self, *, always: bool = False) -> None:
        """Write the vector file anew without the rows that no longer belong to anything, where that is most of it."""
        model = self._known()
        if model is None:
            return
        used = self._vectors.count()
        if used == model.places or (not always and (model.places < COMPACT_FROM or 2 * used > model.places)):
            return
        stem, _, serial = model.file.removesuffix(".f32").rpartition("-")
        path = self._store.folder / f"{stem}-{int(serial) + 1}.f32"
        target, written, since = VectorFile(path, model.dim), 0, 0
        while places := self._vectors.used_places(since, CHROMA_BATCH):
            target.append(self._current_file().take(places), at=written)
            written, since = written + len(places), places[-1] + 1
        self._vectors.move(Model(model.name, model.dim, path.name, written))
        self._file = None
        self._path(model).unlink(missing_ok=True)
