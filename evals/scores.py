"""Scores of a yes-or-no judgement: area under the curve, balanced accuracy, F1, the threshold between."""

from __future__ import annotations

import numpy as np

from .boosting import Matrix

# Over so many percentiles to each side a threshold's balanced accuracy is averaged.
_HALF = 17


def auroc(scores: Matrix, labels: Matrix) -> float:
    """Return the chance that a positive scores above a negative, ties counting half; nan where one kind is absent."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    if not len(positive) or not len(negative):
        return float("nan")
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    upto = np.searchsorted(ordered, positive, side="right")
    return float((below + upto).sum() / 2 / len(positive) / len(negative))


def balanced_accuracy(passed: Matrix, labels: Matrix) -> float:
    """Return the mean of the shares of positives passed and of negatives not passed."""
    return float((passed[labels == 1].mean() + (1 - passed[labels == 0]).mean()) / 2)


def f1_unsupported(passed: Matrix, labels: Matrix) -> float:
    """Return F1 of finding the negatives."""
    found = float(((passed == 0) & (labels == 0)).sum())
    return 2 * found / (float((passed == 0).sum()) + float((labels == 0).sum()))


def best_threshold(scores: Matrix, labels: Matrix) -> float:
    """Return the threshold of the best balanced accuracy, smoothed over its neighbours so that chance counts less."""
    steps = np.quantile(scores, np.linspace(0.05, 0.95, 91))
    reached = np.array([balanced_accuracy((scores >= step).astype(float), labels) for step in steps])
    smooth = np.convolve(np.pad(reached, _HALF, mode="edge"), np.full(2 * _HALF + 1, 1 / (2 * _HALF + 1)), mode="valid")
    return float(steps[int(smooth.argmax())])
