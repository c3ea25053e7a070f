"""The way of sources into a corpus: its store first, then the index that follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .corpus_records import Intake
from .corpus_store import CorpusStore
from .corpus_sync import Outcomes, prefetched
from .hybrid import HybridIndex

# Sources are stored and made searchable by their words in batches of about so much.
BATCH_SOURCES = 2_000
BATCH_CHARS = 1_000_000
# Chunks that the index takes at once; each time the sparse engine writes and merges its files.
INDEX_BATCH = 10_000


@dataclass(frozen=True)
class Following:
    """A store and the index that follows it; what a killed process left undone is done by the next one."""

    store: CorpusStore
    index: HybridIndex

    def take_in(
        self, intakes: Iterator[Intake], report: Outcomes, *, indexed: Callable[[], None] | None = None
    ) -> None:
        """Store sources batch by batch, and make them searchable by their words in larger ones.

        Args:
            indexed: Called where a larger one is, while more follow.
        """
        batch: list[Intake] = []
        size = waiting = 0
        for intake in prefetched(intakes):
            batch.append(intake)
            size += len(intake.text)
            waiting += len(intake.chunks)
            if len(batch) >= BATCH_SOURCES or size >= BATCH_CHARS:
                self._put(batch, report)
                batch, size = [], 0
                if waiting >= INDEX_BATCH:
                    self.bring_index()
                    waiting = 0
                    if indexed is not None:
                        indexed()
        self._put(batch, report)
        self.bring_index()

    def bring_index(self) -> None:
        """Give the index the chunks it lacks, and drop those that left."""
        if not self.store.behind() and not self._index_lost():
            return
        with self.store.alone():
            if self._index_lost():
                self.store.not_indexed()
            while True:
                come, gone = self.store.unindexed(INDEX_BATCH)
                if not come and not gone:
                    return
                if gone:
                    self.index.delete(gone)
                if come:
                    self.index.upsert(come, embed=False)
                self.store.indexed([chunk_id for chunk_id, _ in come], gone)

    def complete(self) -> None:
        """Finish what a killed process left undone; a living one finishes itself."""
        if self.store.behind() or self._index_lost():
            with self.store.try_alone() as mine:
                if mine:
                    self.bring_index()

    def _put(self, batch: Sequence[Intake], report: Outcomes) -> None:
        if batch:
            for (source, outcome), intake in zip(self.store.put(batch), batch, strict=True):
                report.add(source, outcome, len(intake.chunks))

    def _index_lost(self) -> bool:
        """Whether the index was taken away, as one does with a damaged one, and has to be made again."""
        return not self.index.exists and self.store.chunk_count() > 0
