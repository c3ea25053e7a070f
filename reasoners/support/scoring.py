"""From measured signs to a calibrated score: the fitted models, read as plain data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from threading import Lock
from typing import Any, TypeAlias

from .ranking import Ranker

Tree: TypeAlias = "float | tuple[int, float, Tree, Tree]"
"""The number of a leaf; or a sign's place, the threshold, and the trees at or below it and above it."""

_ONE_READER = Lock()  # Judges start side by side.


@dataclass(frozen=True)
class Model:
    """A logistic regression and boosted trees over named signs; the mean of their log-odds is calibrated.

    Attributes:
        threshold: Score from which a claim without a hard finding counts as supported.
    """

    names: tuple[str, ...]
    intercept: float
    weights: tuple[float, ...]
    forests: tuple[tuple[float, tuple[Tree, ...]], ...]
    slope: float
    shift: float
    threshold: float

    def score(self, signs: Mapping[str, float]) -> float:
        """Return the chance, in [0, 1], that people call the claim supported."""
        row = [signs.get(name, 0.0) for name in self.names]
        margins = [self.intercept + sum(weight * value for weight, value in zip(self.weights, row, strict=True))]
        for base, trees in self.forests:
            margins.append(base + sum(_leaf(tree, row) for tree in trees))
        linear, grown = margins[0], margins[1:]
        margin = (linear + sum(grown) / len(grown)) / 2 if grown else linear
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.slope * margin + self.shift))))

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Model:
        """Build a model from its JSON form."""
        return cls(
            names=tuple(data["names"]),
            intercept=float(data["logistic"]["intercept"]),
            weights=tuple(data["logistic"]["weights"]),
            forests=tuple(
                (float(forest["base"]), tuple(_tree(nodes, 0) for nodes in forest["trees"]))
                for forest in data["forests"]
            ),
            slope=float(data["slope"]),
            shift=float(data["shift"]),
            threshold=float(data["threshold"]),
        )


def _tree(nodes: Sequence[Sequence[float]], at: int) -> Tree:
    """Return a tree out of a list of nodes that name each other by place."""
    node = nodes[at]
    if len(node) == 1:
        return node[0]
    sign, threshold, low, high = node
    return int(sign), threshold, _tree(nodes, int(low)), _tree(nodes, int(high))


def _leaf(tree: Tree, row: Sequence[float]) -> float:
    while isinstance(tree, tuple):
        sign, threshold, low, high = tree
        tree = low if row[sign] <= threshold else high
    return tree


@lru_cache(maxsize=2)
def shipped(kind: str) -> Model:
    """Return the shipped model: `words` without embeddings or `meaning` with them."""
    return Model.read(_data()[kind])


@lru_cache(maxsize=2)
def shipped_ranker(kind: str) -> Ranker:
    """Return the shipped order of sentences: `words` without embeddings or `meaning` with them."""
    return Ranker(tuple(_data()[kind]["ranker"]))


def _data() -> dict[str, Any]:
    with _ONE_READER:
        return _read()


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    path = resources.files("citewell.reasoners.support") / "data" / "weights.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data
