"""One user's memories as a hybrid index: a copy of the records that can be thrown away and made again."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from filelock import FileLock, Timeout

from ..errors import CorpusError, MemoryFolderError
from ..state.records import Hit
from .embeddings import Embedder, Vectors
from .memory_items import MemoryItem
from .memory_records import MemoryRecords
from .memory_vectors import CurrentVectors

if TYPE_CHECKING:
    from .hybrid import HybridIndex
    from .hybrid_ranking import Mode

LOCK_TIMEOUT_S = 120.0
BATCH = 500
# Writing the index takes tens of milliseconds, for one memory or for many: it follows in batches.
PENDING = 512
_KNOWN_TEXTS = 4_096
# What reading or writing damaged index files raises.
DAMAGE = (CorpusError, sqlite3.Error, OSError, ValueError, KeyError)


def indexed_text(item: MemoryItem) -> str:
    """Return what is indexed of a memory: the day it was said, then its words."""
    return f"{spoken_date(item.said_at)}: {item.text}"


def spoken_date(when: datetime) -> str:
    """Return a date as people write it, `17 December 2022`, which questions and the embedding model know better."""
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


# Not `strftime`: its month names follow the locale of the machine.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class KnownVectors:
    """An embedder that is not asked again for a text whose vector is at hand."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self._known: dict[str, Vectors] = {}

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self._embedder.dim

    def learn(self, text: str, vector: Vectors) -> None:
        """Keep the vector of a text; beyond 4,096 texts the oldest goes."""
        self._known[text] = vector
        while len(self._known) > _KNOWN_TEXTS:
            del self._known[next(iter(self._known))]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, asking the embedder only for the texts it has not seen lately."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        for text, vector in zip(missing, self._embedder.embed(missing) if missing else (), strict=True):
            self.learn(text, vector)
        rows = np.empty((len(texts), self.dim), dtype=np.float32)
        for place, text in enumerate(texts):
            rows[place] = self._known[text]
        return rows


class MemoryIndex:
    """The index of one user's memories.

    It lies in a folder named by the user's epoch.  Forgetting moves the epoch, so that no process can go on with files
    that may hold traces of what was forgotten: each opens the next folder, and the old ones are removed.
    """

    def __init__(self, folder: Path, user: str, records: MemoryRecords, embedder: KnownVectors) -> None:
        self._home = folder / sha1(user.encode(), usedforsecurity=False).hexdigest()[:20]
        self._user, self._records, self._embedder = user, records, embedder
        self._hybrid: HybridIndex | None = None
        self._epoch = 0
        self._held: int | None = None
        self._current = CurrentVectors(user, records, embedder.name)

    def search(self, query: str, *, k: int, mode: Mode = "hybrid", allowed: Collection[str] | None = None) -> list[Hit]:
        """Return hits over all that the records hold at this moment.

        Raises: MemoryFolderError where the index files are damaged, with the way to rebuild them.
        """
        self.catch_up()
        return self._guarded_search(query, k=k, mode=mode, allowed=allowed)

    def _guarded_search(self, query: str, *, k: int, mode: Mode, allowed: Collection[str] | None) -> list[Hit]:
        try:
            return self._opened().search([query], k=k, mode=mode, allowed=allowed)[0]
        except DAMAGE as error:
            raise self._damaged(error) from error

    def nearest(self, vector: Vectors, namespace: str) -> tuple[str, float] | None:
        """Return the current memory of a namespace whose vector is closest, and its cosine.

        The records are asked, not the index, which follows in batches.
        """
        revision, epoch = self._records.state(self._user)
        if epoch == self._epoch and revision - self._applied() > PENDING:
            self.catch_up()
        return self._current.nearest(vector, namespace, (revision, epoch))

    def catch_up(self) -> None:
        """Bring the index to the records' revision.  One process does it at a time."""
        revision, epoch = self._records.state(self._user)
        if epoch == self._epoch and self._applied() >= revision:
            return
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            with FileLock(self._home / "lock", timeout=LOCK_TIMEOUT_S):
                self._apply()
        except Timeout as error:
            raise MemoryFolderError(f"{self._home}: another process holds the index for too long") from error
        except DAMAGE as error:
            raise self._damaged(error) from error

    @property
    def degraded(self) -> str:
        """Why words alone are searched; empty where meaning is too."""
        return self._hybrid.degraded if self._hybrid is not None else ""

    def drop(self) -> None:
        """Remove the files of every epoch; the next search makes them again from the records."""
        self.close()
        if self._home.exists():
            with FileLock(self._home / "lock", timeout=LOCK_TIMEOUT_S):
                self._remove_epochs(keep=-1)

    def close(self) -> None:
        """Let the index go."""
        if self._hybrid is not None:
            self._hybrid.close()
        self._hybrid, self._epoch, self._held = None, 0, None

    def _apply(self) -> None:
        while True:
            revision, epoch = self._records.state(self._user)
            if epoch != self._epoch:
                self.close()
                self._epoch = epoch
                self._remove_epochs(keep=epoch)
            applied = self._held = self._read_applied()
            if applied >= revision:
                return
            changes = self._records.changed_since(self._user, applied, self._embedder.name, BATCH)
            last = revision
            if changes:
                self._upsert([item for item, _, _ in changes], [vector for _, vector, _ in changes])
                last = changes[-1][2]
            # Written after the index, so that a killed process repeats a batch and never skips one.
            self._applied_file().parent.mkdir(parents=True, exist_ok=True)
            self._applied_file().write_text(json.dumps({"revision": last}))
            self._held = last

    def _upsert(self, items: list[MemoryItem], vectors: list[Vectors | None]) -> None:
        texts = [indexed_text(item) for item in items]
        for text, vector in zip(texts, vectors, strict=True):
            if vector is not None:
                self._embedder.learn(text, vector)
        self._opened().upsert([(item.memory_id, text) for item, text in zip(items, texts, strict=True)])

    def _opened(self) -> HybridIndex:
        if self._hybrid is None:
            from .hybrid import HybridIndex

            folder = self._home / str(self._epoch)
            folder.mkdir(parents=True, exist_ok=True)
            self._hybrid = HybridIndex(folder, self._embedder, sparse="memory")
        return self._hybrid

    def _applied_file(self) -> Path:
        return self._home / str(self._epoch) / "applied.json"

    def _applied(self) -> int:
        """Return the revision that the index is known to hold; another process may have brought it further."""
        if self._held is None:
            self._held = self._read_applied()
        return self._held

    def _read_applied(self) -> int:
        try:
            return int(json.loads(self._applied_file().read_text())["revision"])
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._damaged(error) from error

    def _remove_epochs(self, keep: int) -> None:
        for path in sorted(self._home.iterdir()):
            if path.is_dir() and path.name != str(keep):
                shutil.rmtree(path, ignore_errors=True)

    def _damaged(self, error: Exception) -> MemoryFolderError:
        told = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        return MemoryFolderError(
            f"{self._home}: the memory's index is damaged ({told}); the memories themselves are safe in its records: "
            "rebuild the index with `citewell memory rebuild` or Memory.rebuild()"
        )
