"""Fit the small models of the support score with numpy alone: logistic regression, boosted trees, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
_BINS = 32


def fit_logistic(rows: Matrix, labels: Matrix, *, penalty: float = 10.0, rounds: int = 30) -> dict[str, Any]:
    """Fit a logistic regression by Newton's method.

    Args:
        rows: float64, shape (n, d). labels: 0 or 1, shape (n,).
        penalty: Weight of the squared coefficients of the standardised columns; the intercept is free.
    Returns: `intercept` and `weights` of the raw columns.
    """
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-9] = 1.0
    design = np.hstack([(rows - mean) / spread, np.ones((len(rows), 1))])
    ridge = np.full(design.shape[1], penalty)
    ridge[-1] = 0.0
    solution = np.zeros(design.shape[1])
    for _ in range(rounds):
        chance = _logistic(design @ solution)
        gradient = design.T @ (chance - labels) + ridge * solution
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(ridge + 1e-9)
        step = np.linalg.solve(curve, gradient)
        solution -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    weights = solution[:-1] / spread
    return {"intercept": float(solution[-1] - weights @ mean), "weights": [float(weight) for weight in weights]}


def fit_trees(
    rows: Matrix,
    labels: Matrix,
    *,
    trees: int = 200,
    depth: int = 3,
    rate: float = 0.05,
    sample: float = 0.5,
    columns: float = 0.3,
    leaf: int = 20,
    seed: int = 0,
) -> dict[str, Any]:
    """Fit gradient-boosted trees for the log-odds; deterministic for a seed.

    Returns: `base`, and `trees`, each a list of nodes `[column, threshold, low, high]` or `[value]`, node 0 the root;
        a row goes to `low` where its value is at most the threshold.
    Source: Friedman, Annals of Statistics 2001, doi:10.1214/aos/1013203451.
    """
    random = np.random.default_rng(seed)
    cuts = [np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])) for column in rows.T]
    binned = np.stack([np.searchsorted(cut, column, side="left") for cut, column in zip(cuts, rows.T, strict=True)], 1)
    share = float(labels.mean())
    base = float(np.log(share / (1 - share)))
    margin = np.full(len(rows), base)
    grown: list[list[list[float]]] = []
    width = max(1, int(columns * rows.shape[1]))
    for _ in range(trees):
        chance = _logistic(margin)
        chosen = np.flatnonzero(random.random(len(rows)) < sample)
        nodes: list[list[float]] = []
        _grow(nodes, binned, cuts, labels - chance, chance * (1 - chance), chosen, depth, rate, leaf, random, width)
        grown.append(nodes)
        margin += _leaves(nodes, rows)
    return {"base": base, "trees": grown}


def predict_logistic(model: dict[str, Any], rows: Matrix) -> Matrix:
    """Return log-odds, shape (n,)."""
    return np.asarray(rows @ np.asarray(model["weights"]) + model["intercept"])


def predict_trees(model: dict[str, Any], rows: Matrix) -> Matrix:
    """Return log-odds, shape (n,)."""
    total = np.full(len(rows), float(model["base"]))
    for nodes in model["trees"]:
        total += _leaves(nodes, rows)
    return total


def _grow(
    nodes: list[list[float]],
    binned: NDArray[np.int64],
    cuts: list[Matrix],
    residual: Matrix,
    curve: Matrix,
    chosen: NDArray[np.int64],
    depth: int,
    rate: float,
    leaf: int,
    random: np.random.Generator,
    width: int,
) -> int:
    """Append the best subtree for the chosen rows; return the index of its root."""
    place = len(nodes)
    value = rate * float(residual[chosen].sum() / (curve[chosen].sum() + 1.0))
    nodes.append([value])
    if depth == 0 or len(chosen) < 2 * leaf:
        return place
    columns = np.sort(random.choice(binned.shape[1], size=width, replace=False))
    best = _best_split(binned, cuts, residual, curve, chosen, columns, leaf)
    if best is None:
        return place
    column, cut = best
    low = chosen[binned[chosen, column] <= cut]
    high = chosen[binned[chosen, column] > cut]
    threshold = float(cuts[column][cut])
    first = _grow(nodes, binned, cuts, residual, curve, low, depth - 1, rate, leaf, random, width)
    second = _grow(nodes, binned, cuts, residual, curve, high, depth - 1, rate, leaf, random, width)
    nodes[place] = [float(column), threshold, float(first), float(second)]
    return place


def _best_split(
    binned: NDArray[np.int64],
    cuts: list[Matrix],
    residual: Matrix,
    curve: Matrix,
    chosen: NDArray[np.int64],
    columns: NDArray[np.int64],
    leaf: int,
) -> tuple[int, int] | None:
    best, found = 1e-9, None
    total, bend = float(residual[chosen].sum()), float(curve[chosen].sum())
    before = total**2 / (bend + 1.0)
    for column in columns.tolist():
        count = len(cuts[column])
        if not count:
            continue
        bins = binned[chosen, column]
        size = np.bincount(bins, minlength=count + 1)[:count].cumsum()
        pull = np.bincount(bins, residual[chosen], count + 1)[:count].cumsum()
        weight = np.bincount(bins, curve[chosen], count + 1)[:count].cumsum()
        gain = pull**2 / (weight + 1.0) + (total - pull) ** 2 / (bend - weight + 1.0) - before
        gain[(size < leaf) | (len(chosen) - size < leaf)] = -np.inf
        place = int(gain.argmax())
        if gain[place] > best:
            best, found = float(gain[place]), (column, place)
    return found


def _leaves(nodes: list[list[float]], rows: Matrix) -> Matrix:
    result = np.zeros(len(rows))
    stack: list[tuple[int, NDArray[np.int64]]] = [(0, np.arange(len(rows)))]
    while stack:
        place, members = stack.pop()
        node = nodes[place]
        if len(node) == 1:
            result[members] = node[0]
            continue
        low = rows[members, int(node[0])] <= node[1]
        stack.append((int(node[2]), members[low]))
        stack.append((int(node[3]), members[~low]))
    return result


def _logistic(margin: Matrix) -> Matrix:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(margin, -30, 30))))
