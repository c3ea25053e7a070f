"""The engine in memory adds BM25 holder by holder, and comes to the same sums as rank-bm25 row by row."""

from __future__ import annotations

from citewell.retrievers.sparse import MemorySparse, Scope
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.lists(st.sampled_from(["kelm", "dam", "pump", "harbour", "gate", "4821"]), max_size=8)


@given(st.lists(WORDS, min_size=1, max_size=12), WORDS)
def test_search_gives_the_scores_of_rank_bm25_to_the_last_bit(rows, query):
    engine = MemorySparse()
    engine.add((f"mem_{number:04d}", terms) for number, terms in enumerate(rows))
    found = engine.search(query, k=100)
    scored = engine.score(query, [f"mem_{number:04d}" for number in range(len(rows))])
    assert dict(found) == {row_id: score for row_id, score in scored.items() if score > 0}
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
    assert engine.search(query, k=1) == found[:1]


def test_a_scope_keeps_to_its_rows():
    engine = MemorySparse()
    engine.add([("a", ["kelm"]), ("b", ["kelm"]), ("c", ["dam"])])
    assert [row_id for row_id, _ in engine.search(["kelm"], k=5, scope=Scope(frozenset(["b", "c"]), None))] == ["b"]
