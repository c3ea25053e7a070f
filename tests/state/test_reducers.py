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


packs = st.dictionaries(
    st.sampled_from("pqr"), st.integers(0, 3).map(lambda n: Pack(query="q", iteration=n, chunk_ids=(str(n),)))
)
sources = st.dictionaries(
    st.sampled_from("uvw"),
    st.sampled_from(("ok", "failed", "skipped")).map(lambda status: Source(uri="u", kind="web", status=status)),
)
fallbacks = st.lists(st.builds(Fallback, step=st.sampled_from(("planner", "fixer")), reason=st.sampled_from("ab"))).map(
    tuple
)
hosts = st.lists(st.sampled_from(("a.test", "b.test", "c.test"))).map(lambda names: tuple(sorted(set(names))))


@given(packs, packs, packs)
def test_packs_merge_associatively_and_idempotently(one, two, three):
    assert merge_packs(merge_packs(one, two), three) == merge_packs(one, merge_packs(two, three))
    assert merge_packs(merge_packs(one, two), two) == merge_packs(one, two)


@given(sources, sources, sources)
def test_sources_merge_idempotently_and_a_read_one_is_never_lost(one, two, three):
    merged = merge_sources(merge_sources(one, two), three)
    assert merge_sources(merged, three) == merged
    for uri in {*one, *two, *three}:
        read = any(side[uri].status == "ok" for side in (one, two, three) if uri in side)
        assert (merged[uri].status == "ok") is read


@given(fallbacks, fallbacks, fallbacks)
def test_fallbacks_merge_associatively_and_each_stands_once(one, two, three):
    start = merge_fallbacks((), one)
    merged = merge_fallbacks(merge_fallbacks(start, two), three)
    assert merged == merge_fallbacks(start, merge_fallbacks(merge_fallbacks((), two), three))
    assert len(set(merged)) == len(merged)
    assert merge_fallbacks(merged, three) == merged


@given(hosts, hosts, hosts)
def test_hosts_merge_in_any_order(one, two, three):
    assert merge_hosts(merge_hosts(one, two), three) == merge_hosts(merge_hosts(three, one), two)
