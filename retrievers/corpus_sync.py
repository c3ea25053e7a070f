"""Bring a corpus in step with folders: what is new, changed or gone, and an account of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ..settings import Settings
from ..state.records import IndexReport, Source
from .corpus_intake import Root, read_file, roots_of
from .corpus_records import DUPLICATE, Held, Intake
from .corpus_store import CorpusStore
from .folder import FileEntry

Item = TypeVar("Item")
Progress = Callable[[str, int, int], None]


class Outcomes:
    """Gathers what adding did, source by source."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._outcomes: dict[str, str] = {}
        self.removed: list[str] = []
        self._chunks = 0

    @property
    def sources(self) -> list[Source]:
        """Every source told of, in the order first told."""
        return list(self._sources.values())

    def add(self, source: Source, outcome: str, chunks: int = 0) -> None:
        """Note what became of a source; the last word on it counts."""
        self._sources[source.uri] = source
        self._outcomes[source.uri] = outcome
        if source.status == "ok":
            self._chunks += chunks

    def report(self) -> IndexReport:
        """Return the account, by uri."""
        by_outcome: dict[str, list[str]] = {"added": [], "updated": [], "unchanged": []}
        for uri in sorted(self._sources):
            if self._sources[uri].status == "ok":
                by_outcome[self._outcomes[uri]].append(uri)
        return IndexReport(
            added=tuple(by_outcome["added"]),
            updated=tuple(by_outcome["updated"]),
            unchanged=tuple(by_outcome["unchanged"]),
            removed=tuple(sorted(self.removed)),
            failed=tuple(self._sources[uri] for uri in sorted(self._sources) if self._sources[uri].status != "ok"),
            chunks=self._chunks,
        )


def known_roots(store: CorpusStore, paths: Sequence[Path]) -> list[Root]:
    """Name given files and folders, and remember the new ones.  The write lock is held.

    Raises: UsageError where one cannot be read; then nothing is written.
    """
    roots = roots_of(paths, store.roots(), {uri.partition("/")[0] for uri in store.held()})
    for root in roots:
        root.entries()
    for root in roots:
        store.add_root(str(root.path), root.name)
    return roots


class FolderSync:
    """One pass over some roots.

    Args:
        report: Hears of every file.
        progress: Called with `read`, done and total.
    """

    def __init__(
        self,
        store: CorpusStore,
        settings: Settings,
        roots: Sequence[Root],
        report: Outcomes,
        progress: Progress | None,
    ) -> None:
        self._store, self._settings, self._report, self._progress = store, settings, report, progress
        self._listed = [(root, root.entries()) for root in roots]
        self._total = sum(len(entries) for _, entries in self._listed)

    def drop_removed(self) -> None:
        """Take out the sources whose files are gone."""
        for root, entries in self._listed:
            here = {entry.uri for entry in entries}
            left = [uri for uri in self._store.held(root=str(root.path)) if root.holds(uri) and uri not in here]
            if left:
                self._store.remove(left)
                self._report.removed += left

    def changed(self) -> Iterator[Intake]:
        """Read the files that the corpus does not hold as they are."""
        done = 0
        contents = self._contents()
        for root, entries in self._listed:
            held = self._store.held(root=str(root.path))
            for entry in entries:
                done += 1
                yield from self._read(root, entry, held.get(entry.uri), contents)
                if self._progress:
                    self._progress("read", done, self._total)

    def orphaned(self) -> Iterator[Intake]:
        """Read the duplicates whose first copy was changed or taken out in this pass."""
        contents = self._contents()
        for root, entries in self._listed:
            held = self._store.held(root=str(root.path))
            for entry in entries:
                known = held.get(entry.uri)
                if known is not None and known.source.reason.startswith(DUPLICATE) and known.content not in contents:
                    yield from self._read(root, entry, None, contents)

    def _read(self, root: Root, entry: FileEntry, held: Held | None, contents: Collection[str]) -> Iterator[Intake]:
        intake = read_file(entry, root, held, contents, self._settings)
        if intake is not None:
            yield intake
        elif held is not None:
            self._report.add(held.source, "unchanged")

    def _contents(self) -> set[str]:
        return {held.content for held in self._store.held().values() if held.source.status == "ok"}


def prefetched(items: Iterator[Item]) -> Iterator[Item]:
    """Give the items of an iterator while the next one is made in a thread: reading overlaps with storing."""
    done = object()
    with ThreadPoolExecutor(1, thread_name_prefix="read") as pool:
        coming = pool.submit(next, items, done)
        while (item := coming.result()) is not done:
            coming = pool.submit(next, items, done)
            yield item  # type: ignore[misc]
