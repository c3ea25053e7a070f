"""A passage is read once a run, and what was read is what every later step sees."""

from __future__ import annotations

from typing import Any

import pytest
from citewell.nodes.evidence_read import EvidenceRead
from citewell.state.records import Hit, chunk_id_of
from citewell.state.research import Pack
from fakes import BAIKAL, FakeCorpus

LAKES, RIVERS, GONE = (chunk_id_of(uri, 0) for uri in ("lakes.txt", "rivers.txt", "gone.txt"))


@pytest.fixture
def corpus(monkeypatch) -> FakeCorpus:
    corpus = FakeCorpus(dict(BAIKAL))
    asked: list[list[str]] = []
    read = corpus.read

    def counted(chunk_ids: Any) -> Any:
        asked.append(list(chunk_ids))
        return read(chunk_ids)

    monkeypatch.setattr(corpus, "read", counted)
    corpus.asked = asked  # type: ignore[attr-defined]
    return corpus


def hits(*chunk_ids: str, score: float = 1.0) -> dict[str, Hit]:
    return {chunk_id: Hit(chunk_id=chunk_id, score=score, rank=1) for chunk_id in chunk_ids}


async def test_only_what_is_new_is_read(corpus):
    evidence = EvidenceRead()
    await evidence.read(corpus, hits(LAKES), {})
    both = await evidence.read(corpus, hits(RIVERS, LAKES), {})
    assert [passage.chunk.chunk_id for passage in both] == [RIVERS, LAKES]
    assert corpus.asked == [[LAKES], [RIVERS]]


async def test_a_passage_has_the_hit_and_the_queries_of_its_step(corpus):
    evidence = EvidenceRead()
    await evidence.read(corpus, hits(LAKES), {})
    packs = {query: Pack(query=query, iteration=1, chunk_ids=(LAKES,)) for query in ("depth", "lake")}
    (passage,) = await evidence.read(corpus, hits(LAKES, score=2.0), packs)
    assert (passage.hit.score, passage.queries) == (2.0, ("depth", "lake"))


async def test_a_passage_changed_meanwhile_stays_as_it_was_quoted(corpus):
    evidence = EvidenceRead()
    (before,) = await evidence.read(corpus, hits(LAKES), {})
    corpus.texts["lakes.txt"] = "Lake Baikal is 5 m deep."
    (after,) = await evidence.read(corpus, hits(LAKES), {})
    assert after.chunk == before.chunk


async def test_what_left_the_corpus_is_left_out(corpus):
    assert await EvidenceRead().read(corpus, hits(GONE), {}) == []
