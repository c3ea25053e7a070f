"""The small models and the scores of the claim evaluation, against numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from citewell.evals.boosting import fit_logistic, fit_random_trees, fit_trees, predict_logistic, predict_trees
from citewell.evals.claims import carries_rationale, folds_of
from citewell.evals.own_text import own_passages
from citewell.evals.perturbations import KINDS, measure, trials
from citewell.evals.scores import auroc, balanced_accuracy, best_threshold, f1_unsupported


def test_auroc_counts_ties_as_half() -> None:
    assert auroc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0.0, 0.0, 1.0, 1.0])) == pytest.approx(3.5 / 4)


def test_balanced_accuracy_and_f1_by_hand() -> None:
    passed, labels = np.array([1.0, 0.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0])
    assert balanced_accuracy(passed, labels) == 0.5
    assert f1_unsupported(passed, labels) == pytest.approx(2 * 1 / (2 + 2))


def test_the_threshold_lies_between_two_groups() -> None:
    scores = np.concatenate([np.linspace(0, 0.4, 50), np.linspace(0.6, 1, 50)])
    labels = np.repeat([0.0, 1.0], 50)
    assert 0.35 <= best_threshold(scores, labels) <= 0.65


def test_both_models_learn_a_plain_rule_and_repeat_it() -> None:
    rows = np.random.default_rng(1).normal(size=(400, 3))
    labels = (rows[:, 0] + 0.5 * rows[:, 1] > 0).astype(float)
    assert auroc(predict_logistic(fit_logistic(rows, labels), rows), labels) > 0.99
    trees = fit_trees(rows, labels, trees=60)
    assert auroc(predict_trees(trees, rows), labels) > 0.95
    assert trees == fit_trees(rows, labels, trees=60)


def test_trees_cut_by_chance_learn_the_rule_too_and_keep_their_leaves_large() -> None:
    rows = np.random.default_rng(1).normal(size=(400, 3))
    labels = (rows[:, 0] + 0.5 * rows[:, 1] > 0).astype(float)
    grown = fit_random_trees(rows, labels, trees=30, columns=1.0)
    assert auroc(predict_trees(grown, rows), labels) > 0.95
    assert grown == fit_random_trees(rows, labels, trees=30, columns=1.0)
    assert fit_random_trees(rows[:10], labels[:10], trees=1, leaf=6)["trees"][0] == [[pytest.approx(0.0)]]


def test_pairs_that_share_anything_share_a_fold() -> None:
    pairs = [
        {"question": "q", "claim": "a", "evidence": ["x"]},
        {"question": None, "claim": "b", "evidence": ["y"]},
        {"question": "q", "claim": "b", "evidence": ["z"]},
    ]
    assert len(set(folds_of(pairs))) == 1


def test_a_sentence_carries_a_rationale_when_half_is_in_common() -> None:
    pair = {"rationale_sets": [[[0, 10, 30]]]}
    assert carries_rationale(pair, (0, 12, 40))
    assert not carries_rationale(pair, (0, 28, 60))
    assert not carries_rationale(pair, (1, 10, 30))


@pytest.mark.slow
def test_turned_sentences_are_caught_and_true_ones_pass() -> None:
    counts = measure(trials(own_passages(120), 400))
    caught, tried = (sum(counts[kind][place] for kind in KINDS) for place in (0, 1))
    refused, untouched = counts[""]
    assert tried > 300
    assert caught / tried >= 0.97
    assert refused / untouched <= 0.03
