"""Queries that wait for a corpus are searched together, and each gets its own answer or its own error."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from citewell.errors import ProviderUnavailable
from citewell.nodes.searching import TOGETHER, Searching
from citewell.state.records import Hit, chunk_id_of
from fakes import BAIKAL, FakeCorpus


class WatchedCorpus(FakeCorpus):
    """A corpus that notes which queries came together, and cannot answer one of them."""

    def __init__(self, refused: str = "") -> None:
        super().__init__(dict(BAIKAL))
        self.refused = refused
        self.batches: list[tuple[list[str], int]] = []

    def search_many(self, queries: Sequence[str], k: int = 10) -> list[list[Hit]]:
        self.batches.append((list(queries), k))
        if self.refused in queries:
            raise ProviderUnavailable("dense search", self.refused)
        return super().search_many(queries, k)


async def asked(corpus: Any, *queries: str, k: int = 10) -> list[Any]:
    searching = Searching()
    return await asyncio.gather(*(searching.search(corpus, query, k) for query in queries), return_exceptions=True)


async def test_a_round_is_searched_in_one_hand_over_and_each_query_gets_its_own_hits():
    corpus = WatchedCorpus()
    lake, river = await asked(corpus, "depth Lake Baikal", "Angara")
    assert corpus.batches == [(["depth Lake Baikal", "Angara"], 10)]
    assert [hit.chunk_id for hit in river.hits] == [chunk_id_of("rivers.txt", 0)]
    assert len(lake.hits) == 3
    assert [passage.chunk.chunk_id for passage in lake.passages] == [hit.chunk_id for hit in lake.hits]


async def test_what_two_runs_ask_at_the_same_time_is_searched_once():
    corpus = WatchedCorpus()
    one, river, other = await asked(corpus, "lake", "Angara", "lake")
    assert corpus.batches == [(["lake", "Angara"], 10)]
    assert one.hits == other.hits != river.hits


async def test_only_the_query_at_fault_fails():
    lake, broken, river = await asked(WatchedCorpus(refused="broken"), "lake", "broken", "Angara")
    assert isinstance(broken, ProviderUnavailable)
    assert lake.hits
    assert river.hits


async def test_queries_for_different_numbers_of_hits_are_searched_apart():
    corpus, searching = WatchedCorpus(), Searching()
    one, ten = await asyncio.gather(searching.search(corpus, "Baikal", 1), searching.search(corpus, "Baikal", 10))
    assert (len(one.hits), len(ten.hits)) == (1, 3)


async def test_no_query_waits_for_more_than_a_hand_over():
    corpus = WatchedCorpus()
    await asked(corpus, *(f"query {number}" for number in range(TOGETHER + 1)))
    assert [len(queries) for queries, _ in corpus.batches] == [TOGETHER, 1]


async def test_one_that_is_cancelled_takes_nobody_along():
    corpus, searching = WatchedCorpus(), Searching()
    first = asyncio.create_task(searching.search(corpus, "lake", 10))
    second = asyncio.create_task(searching.search(corpus, "Angara", 10))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).hits
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_a_chunk_that_leaves_the_corpus_after_it_was_found_is_no_hit(monkeypatch):
    corpus = WatchedCorpus()
    monkeypatch.setattr(corpus, "read", lambda chunk_ids: [])
    (found,) = await asked(corpus, "lake")
    assert (found.hits, found.passages) == ([], [])


def test_each_event_loop_is_answered_by_its_own():
    corpus, searching = WatchedCorpus(), Searching()
    for _ in range(2):
        assert asyncio.run(searching.search(corpus, "lake", 10)).hits
