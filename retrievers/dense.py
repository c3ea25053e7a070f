"""Exact dense ranking over vectors in a memory-mapped file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CorpusError
from .embeddings import Vectors
from .fusion import in_order

# Two float32 dot products of unit vectors differ by less than this from the exact ones.
_ROUNDING = 1e-5
_QUERIES_AT_ONCE = 32

Places = NDArray[np.int64]
Seals = NDArray[np.uint32]


def seals(rows: Vectors) -> Seals:
    """Return a checksum of each row, which every changed byte changes: the sum of its numbers as they are stored.

    Thousands of rows take less time than reading them.  Shape (n,).
    """
    stored = np.ascontiguousarray(rows, dtype="<f4").view("<u4")
    found: Seals = stored.sum(axis=1, dtype=np.uint32)
    return found


def first_broken(rows: Vectors, held: Sequence[int | None]) -> int | None:
    """Return the index of the first row that is not what was sealed, None where all are; None in `held` passes."""
    found = seals(rows)
    sealed = np.array([-1 if each is None else each for each in held], dtype=np.int64)
    bad = np.flatnonzero((sealed >= 0) & (sealed != found))
    return int(bad[0]) if len(bad) else None


class VectorFile:
    """Rows of float32, appended and never changed in place, so that readers need no lock.

    Who may read which row is told by a database that commits after the rows are written: rows past that are the rest
    of a write cut short, and the next append goes over them.
    """

    def __init__(self, path: Path, dim: int) -> None:
        self.path, self.dim = path, dim
        self._mapped: Vectors | None = None

    def append(self, rows: Vectors, *, at: int) -> None:
        """Write rows from place `at` on.  Shape (n, dim)."""
        if rows.shape[1] != self.dim:
            raise ValueError(f"rows of {rows.shape[1]} numbers in a file of {self.dim}")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT
        descriptor = os.open(self.path, flags, 0o644)
        with os.fdopen(descriptor, "wb") as file:
            file.seek(at * self.dim * 4)
            file.write(np.ascontiguousarray(rows, dtype=np.float32).tobytes())

    def blank(self, places: Sequence[int]) -> None:
        """Overwrite rows with zeros: what is forgotten leaves the disk."""
        with self.path.open("r+b") as file:
            for place in places:
                file.seek(place * self.dim * 4)
                file.write(bytes(self.dim * 4))

    def take(self, places: Sequence[int]) -> Vectors:
        """Read single rows into memory, in the order given; nothing else of the file is mapped or read."""
        taken = np.empty((len(places), self.dim), dtype=np.float32)
        if not len(places):
            return taken
        size = self.dim * 4
        try:
            with self.path.open("rb", buffering=0) as file:
                for index, count in _runs(places):
                    file.seek(places[index] * size)
                    read = file.readinto(taken[index : index + count].data.cast("B"))
                    if read != count * size:
                        raise self.damaged("it is cut short")
        except FileNotFoundError:
            raise self.damaged("it is gone") from None
        return taken

    def damaged(self, how: str) -> CorpusError:
        """Return the error of a file that does not hold what was written."""
        return CorpusError(
            f"{self.path}: the vectors are damaged ({how}); delete the folder {self.path.parent} and index the "
            "sources again"
        )

    def rows(self, count: int) -> Vectors:
        """Return the first `count` rows, mapped, not read."""
        if self._mapped is None or len(self._mapped) < count:
            if count == 0:
                return np.zeros((0, self.dim), dtype=np.float32)
            # Mapped beyond its end, a file would stop the process once it is read there.
            if not self.path.exists() or self.path.stat().st_size < count * self.dim * 4:
                raise self.damaged("it is cut short" if self.path.exists() else "it is gone")
            self._mapped = np.memmap(self.path, dtype=np.float32, mode="r", shape=(count, self.dim))
        return self._mapped[:count]


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give (index, count) of each run of places that follow each other."""
    start = 0
    for index in range(1, len(places) + 1):
        if index == len(places) or places[index] != places[index - 1] + 1:
            yield start, index - start
            start = index


def cosines(rows: Vectors, query: Vectors) -> NDArray[np.float64]:
    """Return the cosine of each row with a query, both of unit length: float64, shape (n,), in [-1, 1].

    Each row is summed alone in one order, so that its cosine does not depend on where it lies or on its neighbours,
    as it does in a matrix product.
    """
    products = rows.astype(np.float64) * query.astype(np.float64)
    sums: NDArray[np.float64] = np.clip(products.sum(axis=1), -1.0, 1.0)
    return sums


def nearest(
    vectors: Vectors, places: Places, ids: Sequence[str], queries: Vectors, *, k: int
) -> list[list[tuple[str, float]]]:
    """Rank rows by cosine, exactly.

    Args:
        vectors: float32, shape (n_places, dim), rows of unit length.
        places: Which rows take part, shape (n,).
        ids: Of those rows, in the same order.
        queries: float32, shape (n_queries, dim), rows of unit length.
        k: How many to return, 1 or more.
    Returns: For each query the k best as (id, cosine), best first; equal cosines order by id.
    """
    found: list[list[tuple[str, float]]] = []
    everywhere = len(places) == len(vectors) and bool(np.array_equal(places, np.arange(len(places))))
    taking_part = vectors if everywhere else vectors[places]
    for at in range(0, len(queries), _QUERIES_AT_ONCE):
        some = queries[at : at + _QUERIES_AT_ONCE]
        for query, rough in zip(some, (taking_part @ some.T).T, strict=True):
            found.append(_best(taking_part, ids, query, rough, k))
    return found


def _best(rows: Vectors, ids: Sequence[str], query: Vectors, rough: Vectors, k: int) -> list[tuple[str, float]]:
    if not len(rough):
        return []
    kept = min(k, len(rough))
    least = np.partition(rough, len(rough) - kept)[len(rough) - kept]
    near = np.flatnonzero(rough >= least - 2 * _ROUNDING)
    exact = cosines(rows[near], query)
    return in_order({ids[int(index)]: float(cosine) for index, cosine in zip(near, exact, strict=True)})[:kept]
