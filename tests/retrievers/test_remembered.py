"""A text is embedded once, and the oldest vectors are forgotten."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from citewell.errors import RetrievalUnavailable
from citewell.retrievers.remembered import RememberedOfState, RememberedVectors


class Counting:
    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.append(list(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32).reshape(len(texts), 2)


def test_each_text_is_embedded_once_and_keeps_its_place():
    embed = Counting()
    vectors = RememberedVectors(embed)
    vectors(["a", "bbb"])
    rows = vectors(["bbb", "cc", "a", "cc"])
    assert rows[:, 0].tolist() == [3, 2, 1, 2]
    assert embed.asked == [["a", "bbb"], ["cc"]]


def test_the_least_recently_used_vector_is_forgotten():
    embed = Counting()
    vectors = RememberedVectors(embed, limit=2)
    vectors(["a", "b"])
    vectors(["a", "c"])
    vectors(["a", "b"])
    assert embed.asked == [["a", "b"], ["c"], ["b"]]


def test_no_text_gives_no_row_of_the_right_width():
    assert RememberedVectors(Counting())([]).shape == (0, 2)


def test_what_lies_elsewhere_already_is_not_embedded():
    embed = Counting()
    vectors = RememberedVectors(embed)
    kept = {"bbb": np.array([9.0, 1.0], dtype=np.float32)}
    rows = vectors(["a", "bbb"], lambda texts: {text: kept[text] for text in texts if text in kept})
    assert rows[:, 0].tolist() == [1, 9]
    assert vectors(["bbb"])[:, 0].tolist() == [9]
    assert embed.asked == [["a"]]


def test_threads_that_want_one_text_at_a_time_have_it_embedded_once():
    begun, go_on = threading.Event(), threading.Event()
    asked: list[list[str]] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.append(list(texts))
        if "a" in texts:
            begun.set()
            assert go_on.wait(30)
        return np.array([[len(text)] for text in texts], dtype=np.float32)

    vectors = RememberedVectors(embed)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(vectors, ["a"])
        assert begun.wait(30)
        second = pool.submit(vectors, ["a", "cc"])
        while ["cc"] not in asked:
            pass
        go_on.set()
        assert (first.result().tolist(), second.result().tolist()) == ([[1]], [[1], [2]])
    assert asked == [["a"], ["cc"]]


def test_a_text_that_could_not_be_embedded_is_tried_again():
    answers = iter([RetrievalUnavailable("dense search", "a"), np.ones((1, 2), dtype=np.float32)])

    def embed(texts: Sequence[str]) -> np.ndarray:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    vectors = RememberedVectors(embed)
    with pytest.raises(RetrievalUnavailable):
        vectors(["a"])
    assert vectors(["a"]).shape == (1, 2)


def test_what_was_read_of_a_state_is_read_once_and_forgotten_with_the_state():
    asked = []

    def read(keys):
        asked.append(list(keys))
        return {key: key * 2 for key in keys if key != "gone"}

    kept = RememberedOfState()
    assert list(kept.of(1, ["b", "a"], read).values()) == ["bb", "aa"]
    assert kept.of(1, ["a", "gone", "c"], read) == {"a": "aa", "c": "cc"}
    assert kept.of(2, ["a"], read) == {"a": "aa"}
    assert asked == [["b", "a"], ["gone", "c"], ["a"]]


def test_what_is_empty_is_read_again_and_no_more_is_kept_than_the_limit():
    asked = []

    def read(keys):
        asked.append(list(keys))
        return dict.fromkeys(keys, ())

    kept = RememberedOfState(limit=2)
    assert [kept.of(1, ["a"], read) for _ in range(2)] == [{"a": ()}] * 2
    assert asked == [["a"], ["a"]]
    for key in ("x", "y", "z"):
        kept.of(1, [key], lambda keys: dict.fromkeys(keys, "full"))
    assert kept.of(1, ["z"], read) == {"z": "full"}
    assert kept.of(1, ["x"], read) == {"x": ()}
