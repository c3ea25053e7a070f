"""Reducers join parallel branches in any order, and merging an update twice changes nothing."""

from __future__ import annotations

from citewell.state.records import Fallback, Hit, Source
from citewell.state.research import Pack, merge_fallbacks, merge_hits, merge_hosts, merge_packs, merge_sources
from hypothesis import given
from hypothesis import strategies as st

hits = st.dictionaries(
    st.sampled_from("abcd"), st.floats(0, 1).map(lambda score: Hit(chunk_id="x", score=score, rank=1)), max_size=4
)


@given(hits, hits, hits)
def test_hits_merge_associatively_and_idempotently(one, two, three):
    assert merge_hits(merge_hits(one, two), three) == merge_hits(one, merge_hits(two, three))
    assert merge_hits(merge_hits(one, two), two) == merge_hits(one, two)


@given(hits, hits)
def test_the_better_score_of_a_chunk_wins(one, two):
    merged = merge_hits(one, two)
    assert set(merged) == set(one) | set(two)
    assert all(merged[key].score == max(side[key].score for side in (one, two) if key in side) for key in merged)


def test_the_first_answer_to_a_query_stays():
    first, later = (Pack(query="q", iteration=number, chunk_ids=(str(number),)) for number in (1, 2))
    assert merge_packs({"q": first}, {"q": later}) == {"q": first}


def test_a_source_that_was_read_is_not_lost_to_a_later_failure():
    read = Source(uri="u", kind="web")
    failed = Source(uri="u", kind="web", status="failed", reason="reset")
    assert merge_sources({"u": read}, {"u": failed}) == merge_sources({"u": failed}, {"u": read}) == {"u": read}


def test_fallbacks_and_hosts_are_listed_once():
    one, two = Fallback(step="planner", reason="a"), Fallback(step="fixer", reason="b")
    assert merge_fallbacks((one,), (two, one, two)) == (one, two)
    assert merge_hosts(("b.test",), ("a.test", "b.test")) == ("a.test", "b.test")
