"""The passages of a run as its steps read them: each once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..reasoners.protocol import Passage
from ..state.records import Hit
from ..state.research import Pack

if TYPE_CHECKING:
    from ..retrievers.corpus import Corpus


class EvidenceRead:
    """Reads passages from a corpus and keeps them: what one step quoted is what the next one checks."""

    def __init__(self) -> None:
        self._held: dict[str, Passage] = {}

    def hold(self, passages: Sequence[Passage]) -> None:
        """Keep passages that were read, but for those that were read before."""
        for passage in passages:
            self._held.setdefault(passage.chunk.chunk_id, passage)

    async def read(self, corpus: Corpus, hits: Mapping[str, Hit], packs: Mapping[str, Pack]) -> list[Passage]:
        """Return the passages of hits, in the order given, each with the queries that found it.

        Those that are no longer in the corpus when they are first read are left out.
        """
        unread = {chunk_id: hit for chunk_id, hit in hits.items() if chunk_id not in self._held}
        if unread:
            self.hold(await asyncio.to_thread(read_passages, corpus, unread))
        queries: dict[str, list[str]] = {}
        for pack in packs.values():
            for chunk_id in pack.chunk_ids:
                queries.setdefault(chunk_id, []).append(pack.query)
        return [
            replace(self._held[chunk_id], hit=hit, queries=tuple(queries.get(chunk_id, ())))
            for chunk_id, hit in hits.items()
            if chunk_id in self._held
        ]


def read_passages(corpus: Corpus, hits: Mapping[str, Hit]) -> list[Passage]:
    """Read the passages of hits with their sources and rows; those that are not in the corpus are left out."""
    chunks = corpus.read(list(hits))
    rows = corpus.rows([chunk.chunk_id for chunk in chunks])
    sources = {uri: corpus.source(uri) for uri in dict.fromkeys(chunk.uri for chunk in chunks)}
    return [
        Passage(chunk=chunk, source=sources[chunk.uri], hit=hits[chunk.chunk_id], rows=rows.get(chunk.chunk_id, ()))
        for chunk in chunks
    ]
