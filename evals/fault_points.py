"""The points at which a process can be killed: before and after each write that a run, an index or a memory makes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import numpy as np

from ..retrievers import sparse_tantivy
from ..retrievers.chroma import ChromaStore
from ..retrievers.database import Database
from ..retrievers.dense import VectorFile
from ..retrievers.memory_records import MemoryRecords
from ..state.episodes import EpisodeStore
from ..state.journal import CallJournal
from ..state.sqlite_saver import ThreadSqliteSaver

Hook = Callable[[], None]


class Points:
    """Counts the points that a process passes, and kills it at one.

    Args:
        log: Each point passed is a line there.
        deadly: Number of the deadly point, from 1; 0 kills nothing.
    """

    def __init__(self, log: Path, deadly: int) -> None:
        self._log, self._deadly, self._passed = log, deadly, 0

    def at(self, name: str, torn: Hook | None = None) -> None:
        """Pass a point.

        Args:
            torn: Done before death: half of what would follow.
        """
        self._passed += 1
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{name}\n")
        if self._passed == self._deadly:
            if torn:
                torn()
            os.kill(os.getpid(), signal.SIGKILL)

    def install(self) -> None:
        """Put points around every write of this process; it is never taken back."""
        _around(ThreadSqliteSaver, "aput", self, "checkpoint")
        _around(ThreadSqliteSaver, "aput_writes", self, "writes of a step")
        _around(CallJournal, "_write", self, "journal")
        _around(CallJournal, "finish", self, "journal pruned")
        _around(EpisodeStore, "add", self, "episode")
        _around(ChromaStore, "upsert", self, "chroma")
        _around(ChromaStore, "delete", self, "chroma delete")
        _around(ChromaStore, "drop", self, "chroma drop")
        _around(Database, "vacuum", self, "vacuum")
        self._around_commits(Database, "write", "database")
        self._around_commits(MemoryRecords, "writing", "memory records")
        self._around_vectors()
        self._around_sparse()

    def _around_commits(self, kind: type, method: str, name: str) -> None:
        inner = getattr(kind, method)

        @contextmanager
        def write(store: Any) -> Iterator[Any]:
            with inner(store) as opened:
                yield opened
                self.at(f"{name} before commit")
            self.at(f"{name} after commit")

        setattr(kind, method, write)

    def _around_vectors(self) -> None:
        inner = VectorFile.append

        def append(file: VectorFile, rows: Any, *, at: int) -> None:
            half = np.ascontiguousarray(rows, dtype=np.float32).tobytes()[: rows.nbytes // 2 + 3]
            self.at("vectors torn", lambda: _write_at(file.path, half, at * file.dim * 4))
            inner(file, rows, at=at)
            self.at("vectors after")

        VectorFile.append = append  # type: ignore[method-assign, assignment]

    def _around_sparse(self) -> None:
        inner = sparse_tantivy._writer

        def writer(index: Any) -> Any:
            return _Writer(inner(index), self)

        sparse_tantivy._writer = writer


class _Writer:
    """A sparse writer with points around its commit."""

    def __init__(self, inner: Any, points: Points) -> None:
        self._inner, self._points = inner, points

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def commit(self) -> Any:
        self._points.at("sparse before commit")
        done = self._inner.commit()
        self._points.at("sparse after commit")
        return done


def _around(kind: type, method: str, points: Points, name: str) -> None:
    inner = getattr(kind, method)
    if iscoroutinefunction(inner):

        @wraps(inner)
        async def passing(*args: Any, **options: Any) -> Any:
            points.at(f"{name} before")
            done = await inner(*args, **options)
            points.at(f"{name} after")
            return done
    else:

        @wraps(inner)
        def passing(*args: Any, **options: Any) -> Any:
            points.at(f"{name} before")
            done = inner(*args, **options)
            points.at(f"{name} after")
            return done

    setattr(kind, method, passing)


def _write_at(path: Path, data: bytes, place: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    os.pwrite(descriptor, data, place)
    os.fsync(descriptor)
