"""Searches of one corpus, those that wait at the same time done together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..reasoners.protocol import Passage
from ..state.records import Hit
from .evidence_read import read_passages

if TYPE_CHECKING:
    from ..retrievers.corpus import Corpus

TOGETHER = 64
"""Queries of one hand-over: further ones wait for the next, so that nobody waits for all."""


@dataclass(frozen=True)
class Found:
    """What one query found, best first, and why only words were searched; empty where meaning counted too."""

    hits: list[Hit]
    passages: list[Passage]
    degraded: str


@dataclass(frozen=True, eq=False)
class _Asked:
    query: str
    k: int
    future: asyncio.Future[Found]


class Searching:
    """Hands the queries that wait for a corpus to one thread: a round's queries are embedded and ranked together.

    A corpus is searched by one thread at a time anyway; a thread for each query only makes them wait for each other.
    What several runs ask at the same time is searched once.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int], list[_Asked]] = {}
        self._serving: set[asyncio.Task[None]] = set()

    async def search(self, corpus: Corpus, query: str, k: int) -> Found:
        """Return the k best hits with their chunks.  Raises: what the search raises for this query alone."""
        loop = asyncio.get_running_loop()
        place, asked = (id(loop), id(corpus)), _Asked(query, k, loop.create_future())
        if place in self._waiting:
            self._waiting[place].append(asked)
        else:
            self._waiting[place] = [asked]
            # What is done for many runs belongs to the context of none of them.
            serving = loop.create_task(self._serve(place, corpus), context=Context())
            self._serving.add(serving)
            serving.add_done_callback(self._serving.discard)
        return await asked.future

    async def _serve(self, place: tuple[int, int], corpus: Corpus) -> None:
        batch: list[_Asked] = []
        try:
            while waiting := self._waiting[place]:
                batch = [each for each in waiting if each.k == waiting[0].k][:TOGETHER]
                self._waiting[place] = [each for each in waiting if each not in batch]
                await _answer(corpus, batch)
        finally:
            for left in (*batch, *self._waiting.pop(place)):
                left.future.cancel()


async def _answer(corpus: Corpus, batch: Sequence[_Asked]) -> None:
    """Settle the futures of a batch; where it fails, each query is asked alone, so that only what is at fault fails."""
    try:
        queries = list(dict.fromkeys(each.query for each in batch))
        found = await asyncio.to_thread(_found, corpus, queries, batch[0].k)
    except Exception as error:
        if len(batch) > 1:
            for each in batch:
                await _answer(corpus, [each])
        elif not batch[0].future.done():
            batch[0].future.set_exception(error)
        return
    for asked in batch:
        if not asked.future.done():  # its run was cancelled meanwhile
            asked.future.set_result(found[asked.query])


def _found(corpus: Corpus, queries: Sequence[str], k: int) -> dict[str, Found]:
    ranked = corpus.search_many(queries, k=k)
    best = {hit.chunk_id: hit for hits in ranked for hit in hits}
    read = {passage.chunk.chunk_id: passage for passage in read_passages(corpus, best)}
    degraded = corpus.degraded
    # One that left the corpus in between is no hit.
    there = [[hit for hit in hits if hit.chunk_id in read] for hits in ranked]
    return {
        query: Found(hits, [read[hit.chunk_id] for hit in hits], degraded)
        for query, hits in zip(queries, there, strict=True)
    }
