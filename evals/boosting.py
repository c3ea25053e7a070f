"""Fit the small models of the support score with numpy alone: logistic regression and trees, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
_BINS = 32
_NEWTON_STEPS = 30
_DEPTH, _RATE, _LEAF = 3, 0.05, 20
_CHANCE_DEPTH = 9
_ROW_SHARE, _COLUMN_SHARE = 0.5, 0.3
"""Of the rows each boosted tree sees, and of the columns each cut is looked for in."""


def fit_logistic(rows: Matrix, labels: Matrix, *, penalty: float = 10.0) -> dict[str, Any]:
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
    for _ in range(_NEWTON_STEPS):
        chance = _logistic(design @ solution)
        gradient = design.T @ (chance - labels) + ridge * solution
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(ridge + 1e-9)
        step = np.linalg.solve(curve, gradient)
        solution -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    weights = solution[:-1] / spread
    return {"intercept": float(solution[-1] - weights @ mean), "weights": [float(weight) for weight in weights]}


def fit_trees(rows: Matrix, labels: Matrix, *, trees: int = 200, seed: int = 0) -> dict[str, Any]:
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
    width = max(1, int(_COLUMN_SHARE * rows.shape[1]))
    for _ in range(trees):
        chance = _logistic(margin)
        chosen = np.flatnonzero(random.random(len(rows)) < _ROW_SHARE)
        nodes: list[list[float]] = []
        _grow(nodes, binned, cuts, labels - chance, chance * (1 - chance), chosen, _DEPTH, random, width)
        grown.append(nodes)
        margin += _leaves(nodes, rows)
    return {"base": base, "trees": grown}


def fit_random_trees(
    rows: Matrix,
    labels: Matrix,
    *,
    trees: int = 50,
    columns: float = 0.3,
    leaf: int = 6,
    seed: int = 0,
) -> dict[str, Any]:
    """Fit trees whose cuts are drawn by chance, the best of a few kept; their mean share becomes log-odds, linearly.

    Returns: The form of `fit_trees`, so that both are read alike.
    Source: Geurts, Ernst and Wehenkel, Machine Learning 2006, doi:10.1007/s10994-006-6226-1.
    """
    random = np.random.default_rng(seed)
    width = max(1, int(columns * rows.shape[1]))
    share = float(labels.mean())
    scale = 1.0 / (share * (1 - share) * trees)
    grown: list[list[list[float]]] = []
    for _ in range(trees):
        nodes: list[list[float]] = []
        stack = [(-1, 0, np.arange(len(rows)), _CHANCE_DEPTH)]
        while stack:
            above, side, chosen, left = stack.pop()
            place = len(nodes)
            if above >= 0:
                nodes[above][side] = float(place)
            nodes.append([scale * (float(labels[chosen].mean()) - share)])
            cut = _chance_cut(rows, labels, chosen, leaf, width, random) if left else None
            if cut is not None:
                column, threshold = cut
                low = rows[chosen, column] <= threshold
                nodes[place] = [float(column), threshold, -1.0, -1.0]
                stack += [(place, 3, chosen[~low], left - 1), (place, 2, chosen[low], left - 1)]
        grown.append(nodes)
    return {"base": float(np.log(share / (1 - share))), "trees": grown}


def _chance_cut(
    rows: Matrix, labels: Matrix, chosen: NDArray[np.int64], leaf: int, width: int, random: np.random.Generator
) -> tuple[int, float] | None:
    """Draw a cut for each of `width` columns; return the one that parts the labels best, None where none may be."""
    if len(chosen) < 2 * _LEAF:
        return None
    columns = np.sort(random.choice(rows.shape[1], size=width, replace=False))
    seen = rows[np.ix_(chosen, columns)]
    least, most = seen.min(axis=0), seen.max(axis=0)
    # Weights are stored with four digits: the cut is rounded here, so that growing and reading agree.
    thresholds = np.array([float(f"{cut:.4g}") for cut in least + (most - least) * random.random(width)])
    low = seen <= thresholds
    count = low.sum(axis=0)
    rest = len(chosen) - count
    allowed = (count >= leaf) & (rest >= leaf)
    if not allowed.any():
        return None
    mine = labels[chosen]
    total, pull = float(mine.sum()), mine @ low
    gain = np.where(allowed, pull**2 / np.maximum(count, 1) + (total - pull) ** 2 / np.maximum(rest, 1), -np.inf)
    place = int(gain.argmax())
    return int(columns[place]), float(thresholds[place])


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
    random: np.random.Generator,
    width: int,
) -> int:
    """Append the best subtree for the chosen rows; return the index of its root."""
    place = len(nodes)
    value = _RATE * float(residual[chosen].sum() / (curve[chosen].sum() + 1.0))
    nodes.append([value])
    if depth == 0 or len(chosen) < 2 * _LEAF:
        return place
    columns = np.sort(random.choice(binned.shape[1], size=width, replace=False))
    best = _best_split(binned, cuts, residual, curve, chosen, columns)
    if best is None:
        return place
    column, cut = best
    low = chosen[binned[chosen, column] <= cut]
    high = chosen[binned[chosen, column] > cut]
    threshold = float(cuts[column][cut])
    first = _grow(nodes, binned, cuts, residual, curve, low, depth - 1, random, width)
    second = _grow(nodes, binned, cuts, residual, curve, high, depth - 1, random, width)
    nodes[place] = [float(column), threshold, float(first), float(second)]
    return place


def _best_split(
    binned: NDArray[np.int64],
    cuts: list[Matrix],
    residual: Matrix,
    curve: Matrix,
    chosen: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> tuple[int, int] | None:
    width = max(len(cut) for cut in cuts) + 1
    flat = (binned[chosen][:, columns] + width * np.arange(len(columns))).ravel()

    def summed(weights: Matrix | None) -> Matrix:
        spread = None if weights is None else np.repeat(weights, len(columns))
        counted = np.bincount(flat, spread, len(columns) * width).reshape(len(columns), width)
        return np.asarray(counted[:, :-1].cumsum(axis=1))

    size, pull, weight = summed(None), summed(residual[chosen]), summed(curve[chosen])
    total, bend = float(residual[chosen].sum()), float(curve[chosen].sum())
    gain = pull**2 / (weight + 1.0) + (total - pull) ** 2 / (bend - weight + 1.0) - total**2 / (bend + 1.0)
    beyond = np.arange(width - 1) >= np.array([len(cuts[column]) for column in columns])[:, None]
    gain[(size < _LEAF) | (len(chosen) - size < _LEAF) | beyond] = -np.inf
    place = int(gain.argmax())
    if gain.flat[place] <= 1e-9:
        return None
    return int(columns[place // (width - 1)]), place % (width - 1)


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
