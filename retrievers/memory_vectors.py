"""The vectors of one user's current memories, kept at hand so that a new memory finds its nearest at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .embeddings import Vectors
from .memory_records import MemoryRecords

Signs = NDArray[np.uint64]

_FIRST_ROWS = 64
_MAX_DIFFERING = 0.25
# Few signs differ too much by chance.
_SIGNS_FROM_DIM = 256


class CurrentVectors:
    """A copy of what the records hold, brought up to date by reading only what changed since it was last asked.

    Other processes may write between two questions; what a transaction of this one took back is read anew.
    """

    def __init__(self, user: str, records: MemoryRecords, model: str) -> None:
        self._user, self._records, self._model = user, records, model
        self._tables: dict[str, _Table] = {}
        self._places: dict[str, str] = {}
        self._upto = 0
        self._of: tuple[int, int] | None = None

    def nearest(self, vector: Vectors, namespace: str, state: tuple[int, int]) -> tuple[str, float] | None:
        """Return the memory of a namespace whose vector of unit length is closest to this one, and its cosine.

        None where nothing is near: a memory of a cosine below `memory_sameness.SAME_COSINE` may be passed over.

        Args:
            state: The user's revision and epoch in the records at this moment.
        """
        self._catch_up(*state)
        table = self._tables.get(namespace)
        return table.nearest(vector) if table else None

    def _catch_up(self, revision: int, epoch: int) -> None:
        of = (epoch, self._records.rollbacks)
        if of != self._of:
            self._tables, self._places, self._upto, self._of = {}, {}, 0, of
        if revision == self._upto:
            return
        for change in self._records.vectors_since(self._user, self._upto, self._model):
            home = self._places.pop(change.memory_id, None)
            if home is not None and (home != change.namespace or not change.current):
                self._tables[home].remove(change.memory_id)
            if change.current:
                self._places[change.memory_id] = change.namespace
                self._tables.setdefault(change.namespace, _Table()).put(change.memory_id, change.vector)
        self._upto = revision


class _Table:
    """Rows of one namespace: the first `len(ids)` of arrays that grow by doubling.

    Beside each row stand the signs of its numbers, a column for each row.  Two vectors of a cosine of 0.92 are 23
    degrees apart and differ in about 13 of 100 signs: where more than 25 differ, the row itself need not be read.
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._place: dict[str, int] = {}
        self._rows: Vectors = np.zeros((0, 0), dtype=np.float32)
        self._signs: Signs = np.zeros((0, 0), dtype=np.uint64)

    def put(self, memory_id: str, vector: Vectors) -> None:
        place = self._place.get(memory_id)
        if place is None:
            place = self._place[memory_id] = len(self._ids)
            self._ids.append(memory_id)
            if place == len(self._rows):
                self._grow(vector)
        self._rows[place] = vector
        self._signs[:, place] = _signs(vector)

    def remove(self, memory_id: str) -> None:
        """Take a row out; the last one moves into its place."""
        place, last = self._place.pop(memory_id), self._ids.pop()
        if last != memory_id:
            self._ids[place] = last
            self._place[last] = place
            self._rows[place] = self._rows[len(self._ids)]
            self._signs[:, place] = self._signs[:, len(self._ids)]

    def nearest(self, vector: Vectors) -> tuple[str, float] | None:
        if not self._ids or vector.shape != self._rows[0].shape:
            return None
        near = np.arange(len(self._ids))
        if len(vector) >= _SIGNS_FROM_DIM:
            differing = np.bitwise_count(self._signs[:, : len(self._ids)] ^ _signs(vector)[:, None]).sum(axis=0)
            near = np.flatnonzero(differing <= _MAX_DIFFERING * len(vector))
        if not len(near):
            return None
        # Not a matrix product: its threads wait for each other longer than this takes on a busy machine.
        cosines = np.einsum("ij,j->i", self._rows[near], vector)
        best = int(cosines.argmax())
        return self._ids[int(near[best])], float(cosines[best])

    def _grow(self, vector: Vectors) -> None:
        used, signs = len(self._rows), _signs(vector)
        capacity = max(_FIRST_ROWS, 2 * used)
        rows = np.zeros((capacity, len(vector)), dtype=np.float32)
        columns = np.zeros((len(signs), capacity), dtype=np.uint64)
        if used:
            rows[:used], columns[:, :used] = self._rows, self._signs
        self._rows, self._signs = rows, columns


def _signs(vector: Vectors) -> Signs:
    """Return which numbers of a vector are above 0, 64 of them in each number."""
    packed = np.packbits(vector > 0)
    return np.pad(packed, (0, -len(packed) % 8)).view(np.uint64) if len(packed) % 8 else packed.view(np.uint64)
