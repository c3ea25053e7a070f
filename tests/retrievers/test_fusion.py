"""Fusion against numbers worked by hand, an independent implementation, and its properties."""

from __future__ import annotations

import pytest
from citewell.retrievers.fusion import completed_fusion, reciprocal_rank_fusion
from hypothesis import given
from hypothesis import strategies as st

RANKING = st.lists(st.sampled_from([f"c{n}" for n in range(12)]), unique=True, max_size=12)


def test_two_second_places_give_two_sixty_seconds():
    fused = dict(reciprocal_rank_fusion([["a", "b"], ["c", "b"]]))
    assert fused["b"] == pytest.approx(2 / 62)
    assert fused["a"] == pytest.approx(1 / 61)


def test_equal_scores_order_by_id():
    assert [chunk_id for chunk_id, _ in reciprocal_rank_fusion([["b"], ["a"]])] == ["a", "b"]


def test_no_ranking_gives_an_empty_result():
    assert reciprocal_rank_fusion([]) == reciprocal_rank_fusion([[], []]) == []


def test_a_negative_offset_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        reciprocal_rank_fusion([["a"]], k=-1)


@given(st.lists(RANKING, max_size=4), st.integers(0, 200))
def test_it_agrees_with_a_plain_sum_and_stays_in_range(rankings, k):
    fused = reciprocal_rank_fusion(rankings, k=k)
    for chunk_id, score in fused:
        plain = sum(1 / (k + ranking.index(chunk_id) + 1) for ranking in rankings if chunk_id in ranking)
        assert score == pytest.approx(plain)
        assert 0 < score <= len(rankings) / (k + 1) + 1e-12
    assert {chunk_id for chunk_id, _ in fused} == {chunk_id for ranking in rankings for chunk_id in ranking}
    assert fused == sorted(fused, key=lambda pair: (-pair[1], pair[0]))


@given(st.lists(RANKING, min_size=2, max_size=4), st.randoms())
def test_the_order_of_the_retrievers_does_not_matter(rankings, random):
    shuffled = list(rankings)
    random.shuffle(shuffled)
    assert reciprocal_rank_fusion(rankings) == reciprocal_rank_fusion(shuffled)


@given(RANKING, st.integers(0, 11))
def test_a_better_rank_never_lowers_a_score(ranking, position):
    if position == 0 or position >= len(ranking):
        return
    better = list(ranking)
    better[position - 1], better[position] = better[position], better[position - 1]
    moved = ranking[position]
    assert dict(reciprocal_rank_fusion([better]))[moved] > dict(reciprocal_rank_fusion([ranking]))[moved]


def test_completed_fusion_by_hand():
    fused = completed_fusion({"a": 4.0, "b": 2.0, "c": 0.0}, {"a": 0.2, "b": 0.8, "c": 0.4})
    assert fused == [("b", pytest.approx(0.75)), ("a", pytest.approx(0.625)), ("c", pytest.approx(0.25))]


def test_completed_fusion_without_a_shared_word_is_the_dense_order():
    assert [row for row, _ in completed_fusion({"a": 0.0, "b": 0.0}, {"a": 0.1, "b": 0.3})] == ["b", "a"]


def test_a_negative_cosine_counts_as_none():
    assert completed_fusion({"a": 0.0, "b": 0.0}, {"a": -0.5, "b": -0.1}) == [("a", 0.0), ("b", 0.0)]


def test_completed_fusion_refuses_a_score_known_on_one_side_only():
    with pytest.raises(ValueError, match="every candidate"):
        completed_fusion({"a": 1.0}, {"b": 1.0})


@given(st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.floats(0, 50), st.floats(-1, 1)), max_size=6))
def test_completed_scores_stay_between_0_and_1_and_are_in_order(scores):
    fused = completed_fusion({k: v[0] for k, v in scores.items()}, {k: v[1] for k, v in scores.items()})
    assert all(0 <= score <= 1 + 1e-12 for _, score in fused)
    assert fused == sorted(fused, key=lambda pair: (-pair[1], pair[0]))
