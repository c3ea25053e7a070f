"""Recall: the two most similar of the last 200, by shared words, per user, zero never."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from citewell.state.episodes import EpisodeStore, similarity
from citewell.state.records import Episode

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def episode(number: int, question: str, user: str = "") -> Episode:
    return Episode(episode_id=f"e{number}", created_at=NOON, question=question, queries=("q",), user=user)


@pytest.mark.parametrize(
    ("question", "other", "expected"),
    [
        ("lake depth", "depth of the lake", 1.0),
        ("How deep is Lake Baikal", "LAKE Ladoga", 0.25),
        ("is it so", "it is so", 0.0),
        ("lake", "", 0.0),
    ],
)
def test_similarity_is_shared_words_over_the_words_of_the_question(question, other, expected):
    assert similarity(question, other) == expected


def test_the_two_most_similar_are_recalled_best_first(tmp_path):
    store = EpisodeStore(tmp_path / "e.sqlite")
    for number, question in enumerate(["lake baikal depth", "lake ladoga", "tea prices", "lake baikal"]):
        store.add(episode(number, question))
    assert [found.episode_id for found in store.recall("depth of lake baikal")] == ["e0", "e3"]
    assert store.recall("submarines") == []


def test_only_the_last_two_hundred_are_searched_and_the_newer_wins_a_tie(tmp_path):
    store = EpisodeStore(tmp_path / "e.sqlite")
    store.add(episode(0, "zeppelin"))
    for number in range(1, 201):
        store.add(episode(number, "lake"))
    assert store.recall("zeppelin") == []
    assert [found.episode_id for found in store.recall("lake")] == ["e200", "e199"]


def test_users_do_not_see_each_other_and_a_run_does_not_recall_itself(tmp_path):
    store = EpisodeStore(tmp_path / "e.sqlite")
    store.add(episode(1, "lake", user="ann"))
    store.add(episode(2, "lake", user="anna"))
    assert [found.episode_id for found in store.recall("lake", user="ann")] == ["e1"]
    assert store.recall("lake", user="ann", exclude="e1") == []


def test_the_same_episode_again_changes_nothing(tmp_path):
    store = EpisodeStore(tmp_path / "e.sqlite")
    store.add(episode(1, "lake"))
    store.add(episode(1, "lake"))
    assert store.latest() == [episode(1, "lake")]


def test_what_another_process_added_or_took_away_is_seen(tmp_path):
    path = tmp_path / "e.sqlite"
    store, other = EpisodeStore(path), EpisodeStore(path)
    store.add(episode(1, "lake"))
    assert [found.episode_id for found in store.recall("lake")] == ["e1"]
    other.add(episode(2, "lake"))
    assert [found.episode_id for found in store.recall("lake")] == ["e2", "e1"]
    store.add(episode(3, "lake"))
    assert [found.episode_id for found in store.recall("lake")] == ["e3", "e2"]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM episodes WHERE episode_id = 'e3'")
    assert [found.episode_id for found in store.recall("lake")] == ["e2", "e1"]
