"""Training pairs made of plain text, and the weighing of rules and verifier together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from citewell.evals.own_text import own_passages
from citewell.evals.scores import auroc
from citewell.evals.verifier import together
from citewell.evals.verifier_pairs import made_pairs, read_folder


def test_made_pairs_are_half_supported_and_repeat() -> None:
    documents = [own_passages(40)]
    pairs = made_pairs(documents, 60)
    assert len(pairs) == 60
    assert 0.45 <= sum(pair.supported for pair in pairs) / len(pairs) <= 0.6
    assert pairs == made_pairs(documents, 60)
    assert {"left out", "half", "negation"} <= {pair.kind for pair in pairs if not pair.supported}


def test_a_changed_claim_never_stands_in_its_passage() -> None:
    pairs = made_pairs([own_passages(40)], 60)
    assert not any(pair.claim in pair.passage for pair in pairs if not pair.supported)


def test_a_folder_gives_its_paragraphs_without_markup(tmp_path: Path) -> None:
    long = "The harbour of Kelm froze in the winter of 1911 and stayed shut. " * 3
    (tmp_path / "a.txt").write_text(f"Too short.\n\n{long}", encoding="utf-8")
    (tmp_path / "b.json").write_text('{"about": {"text": "<p>' + long + '</p>"}, "n": 3}', encoding="utf-8")
    assert read_folder(tmp_path) == [[long.strip()], [long.strip()]]


def test_what_both_know_together_beats_either() -> None:
    chance = np.random.default_rng(3)
    labels = np.repeat([0.0, 1.0], 200)
    rules = 1 / (1 + np.exp(-(labels + chance.normal(size=400))))
    margins = 2 * labels + 2 * chance.normal(size=400)
    both = together(rules, margins, labels, [place % 5 for place in range(400)])
    assert auroc(both, labels) > max(auroc(rules, labels), auroc(margins, labels))
