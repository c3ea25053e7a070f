"""A text is embedded once, and the oldest vectors are forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from citewell.retrievers.remembered import RememberedVectors


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
