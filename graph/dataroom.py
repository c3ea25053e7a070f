"""The services of a dataroom run: exports before narratives, computed rows always, the policy around the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..nodes.services import Run, Services
from ..reasoners.dataroom.engine import DataroomReasoner
from ..reasoners.dataroom.unknowns import mentions
from ..reasoners.protocol import Reasoner
from ..reasoners.tables.answers import compute
from ..reasoners.tables.asking import read_ask
from ..reasoners.tables.catalog import Catalog, catalog
from ..reasoners.tables.lookups import look_up
from ..settings import Settings
from ..state.harness import Harness
from ..state.records import Hit, TableRow
from ..text.words import analyse

if TYPE_CHECKING:
    from ..retrievers.corpora import CorpusShelf
    from ..retrievers.corpus import Corpus


_LOOKED_AT = 5
"""Passages in which a word is looked for: the closest by words have it, where any has."""


class DataroomCorpus:
    """A corpus whose searches also bring the best exports, and the rows that the question's answer is computed from."""

    def __init__(self, corpus: Corpus, harness: Harness) -> None:
        self._corpus, self._harness = corpus, harness
        self._lock = threading.Lock()
        self._catalog: tuple[tuple[str, ...], Catalog] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)

    def search(self, query: str, k: int = 10, mode: str = "hybrid", **options: Any) -> list[Hit]:
        """Return the k best chunks, then the best exports and the computed rows that are not among them."""
        return self.search_many([query], k, mode, **options)[0]

    def search_many(self, queries: Sequence[str], k: int = 10, mode: str = "hybrid", **options: Any) -> list[list[Hit]]:
        """Return what `search` returns, for each query."""
        found = self._corpus.search_many(queries, k=k, mode=mode, **options)  # type: ignore[arg-type]
        if mode != "hybrid" or options.get("where"):
            return found
        exports, more = self._exports(), [list[Hit]() for _ in queries]
        if exports:
            more = self._corpus.search_many(queries, k=max(1, k // 2), where={"uris": exports})
        with self._lock:
            computed = [self._chunks_of(self._rows_for(query)) for query in queries]
        return [_joined(*each) for each in zip(found, more, computed, strict=True)]

    def tables(self) -> Catalog:
        """Return the tables of all sources that were read; they are loaded again when a source changed."""
        with self._lock:
            return self._tables()

    def speaks_of(self, words: Sequence[str]) -> bool:
        """Whether a passage has one of some words or phrases, whole, whatever its case."""
        for word in words:
            hits = self._corpus.search(word, k=_LOOKED_AT, mode="sparse")
            texts = (chunk.text.replace("_", " ") for chunk in self._corpus.read([hit.chunk_id for hit in hits]))
            if any(mentions(text, (word,)) for text in texts):
                return True
        return False

    def _tables(self) -> Catalog:
        sources = [source for source in self._corpus.sources() if source.status == "ok"]
        state = tuple(f"{source.uri}:{source.sha256}" for source in sources)
        if self._catalog is None or self._catalog[0] != state:
            rows: dict[tuple[str, int, int], TableRow] = {}
            for source in sources:
                if source.media_type == "application/pdf":
                    continue  # The tables of a PDF are recovered page by page, for pages that were retrieved.
                if not source.tables_whole:
                    continue  # A sum or a ranking over a part of the rows would be wrong.
                chunks = [chunk.chunk_id for chunk in self._corpus.chunks_of(source.uri)]
                for found in self._corpus.rows(chunks).values():
                    rows |= {(row.uri, row.start, row.end): row for row in found}
            ordered = [rows[key] for key in sorted(rows)]
            tiers = {source.uri: source.tier == "structured" for source in sources}
            tables = catalog(ordered, tiers)
            tables.whose = frozenset(term for source in sources for term in analyse(source.title))
            self._catalog = (state, tables)
        return self._catalog[1]

    def _exports(self) -> tuple[str, ...]:
        sources = self._corpus.sources()
        return tuple(each.uri for each in sources if each.status == "ok" and each.tier == "structured")

    def _rows_for(self, query: str) -> list[TableRow]:
        tables, ask = self._tables(), read_ask(query)
        superseded = self._harness.words("superseded")
        rows = [row for answer in compute(ask, tables, superseded) for row in answer.rows]
        lookup = look_up(ask, tables, superseded)
        return [*rows, *([lookup.row] if lookup else [])]

    def _chunks_of(self, rows: Sequence[TableRow]) -> list[str]:
        found = []
        for uri in dict.fromkeys(row.uri for row in rows):
            spans = [(row.start, row.end) for row in rows if row.uri == uri]
            chunks = self._corpus.chunks_of(uri)
            for start, end in spans:
                holder = next((chunk for chunk in chunks if chunk.start <= start and end <= chunk.end), None)
                if holder is not None:
                    found.append(holder.chunk_id)
        return list(dict.fromkeys(found))


def _joined(hits: list[Hit], exports: Sequence[Hit], computed: Sequence[str]) -> list[Hit]:
    known = {hit.chunk_id for hit in hits}
    added = [hit for hit in exports if hit.chunk_id not in known]
    known |= {hit.chunk_id for hit in added}
    low = min((hit.score for hit in hits), default=0.0)
    added += [Hit(chunk_id=chunk_id, score=low, rank=1) for chunk_id in computed if chunk_id not in known]
    return [*hits, *(hit.model_copy(update={"rank": len(hits) + at}) for at, hit in enumerate(added, start=1))]


@dataclass
class DataroomShelf:
    """Opens corpora as dataroom corpora."""

    shelf: CorpusShelf
    harness: Harness
    _open: dict[int, DataroomCorpus] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shelf, name)

    def open(self, folder: Path, settings: Settings) -> DataroomCorpus:
        """Open a corpus folder; the same one gives the same object."""
        corpus = self.shelf.open(folder, settings)
        if id(corpus) not in self._open:
            self._open[id(corpus)] = DataroomCorpus(corpus, self.harness)
        return self._open[id(corpus)]


def dataroom_services(services: Services, harness: Harness) -> Services:
    """Return services under the dataroom policy; the graph that runs on them is the research graph."""
    inner: Callable[[Run, str], Reasoner] = services.reasoner_for

    def reasoner_for(run: Run, node: str) -> Reasoner:
        corpus = run.corpus
        if not run.structured or not isinstance(corpus, DataroomCorpus):
            return inner(run, node)
        return DataroomReasoner(inner(run, node), harness, corpus.tables, corpus.speaks_of)

    return replace(
        services,
        shelf=DataroomShelf(services.shelf, harness),  # type: ignore[arg-type]
        reasoner_for=reasoner_for,
    )
