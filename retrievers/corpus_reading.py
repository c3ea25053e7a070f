"""What is read of a corpus in every step of every run: each thing once between two changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..state.records import Chunk, Source, TableRow
from .corpus_rows import recover
from .corpus_store import CorpusStore
from .remembered import REMEMBERED, RememberedOfState
from .router import HEAD_CHARS, HEADS_UP_TO, ROUTED_UP_TO, Router

# The sources of a corpus are kept in memory between two changes where they are not more.
SOURCES_REMEMBERED = 2_000


class CorpusReading:
    """Reads sources, their names, passages and table rows of a store, and remembers them until it changes."""

    def __init__(self, store: CorpusStore) -> None:
        self._store = store
        self._router: tuple[int, Router] | None = None
        self._sources: tuple[int, list[Source]] | None = None
        self._described: RememberedOfState[str, Source] = RememberedOfState()
        self._chunks: RememberedOfState[str, Chunk] = RememberedOfState()
        self._named: tuple[int, dict[str, str]] = (-1, {})
        self._rows: RememberedOfState[str, tuple[TableRow, ...]] = RememberedOfState()

    def chunks(self, chunk_ids: Sequence[str]) -> dict[str, Chunk]:
        """Return the chunks that are there, by id."""
        state = self._store.generation()
        found = self._chunks.of(state, chunk_ids, self._store.chunks)
        named = self._named
        if named[0] != state or len(named[1]) > REMEMBERED:
            self._named = named = state, {}
        named[1].update((chunk.text, chunk_id) for chunk_id, chunk in found.items())
        return found

    def named(self, state: int, texts: Collection[str]) -> dict[str, str]:
        """Return the chunk id of each text that is a passage which was read of a state of the store."""
        of_state, ids = self._named
        return {text: ids[text] for text in texts if text in ids} if of_state == state else {}

    def source(self, uri: str) -> Source | None:
        """Return a source, None where there is none."""
        return self._described.of(self._store.generation(), [uri], self._sources_of).get(uri)

    def sources(self) -> list[Source]:
        """Return all sources, by uri."""
        generation = self._store.generation()
        if self._sources is not None and self._sources[0] == generation:
            return list(self._sources[1])
        found = self._store.sources()
        self._sources = (generation, found) if len(found) <= SOURCES_REMEMBERED else None
        return list(found)

    def rows(self, chunk_ids: Sequence[str]) -> dict[str, tuple[TableRow, ...]]:
        """Return the table rows that touch each chunk, by its id."""
        return self._rows.of(self._store.generation(), chunk_ids, self._rows_of)

    def router(self) -> Router:
        """Return what tells which sources a question names."""
        generation = self._store.generation()
        if self._router is None or self._router[0] != generation:
            self._router = generation, self._read_names()
        return self._router[1]

    def _sources_of(self, uris: Sequence[str]) -> dict[str, Source]:
        return {uri: held.source for uri, held in self._store.held_of(uris).items()}

    def _rows_of(self, chunk_ids: Sequence[str]) -> dict[str, tuple[TableRow, ...]]:
        chunks = self._store.chunks(chunk_ids)
        held = self._store.held_of({chunk.uri for chunk in chunks.values()})
        return {
            chunk_id: recover(self._store, chunks[chunk_id], held.get(chunks[chunk_id].uri))
            if chunk_id in chunks
            else ()
            for chunk_id in chunk_ids
        }

    def _read_names(self) -> Router:
        count = self._store.source_count()
        if count > ROUTED_UP_TO:
            return Router.over([])
        return Router.over(self._store.heads(HEAD_CHARS if count <= HEADS_UP_TO else 0))
