"""What support checking is measured against: token coverage, and public checkers where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..text.words import content_words
from .boosting import Matrix


def rivals(pairs: Sequence[dict[str, Any]]) -> Iterator[tuple[str, Matrix]]:
    """Yield (name, scores) of each rival; a package that is not installed is named and left out."""
    yield "token coverage", np.array([token_coverage(pair["claim"], pair["evidence"]) for pair in pairs])
    for name, load in (("corroborate", _corroborate), ("anchorcite", _anchorcite)):
        try:
            judge = load()
        except ImportError:
            print(f"{name} is not installed and left out")
            continue
        yield name, np.array([judge(pair["claim"], pair["evidence"]) for pair in pairs])


def token_coverage(claim: str, passages: Sequence[str]) -> float:
    """Return the share of the claim's content words that the passages hold."""
    mine = set(content_words(claim))
    theirs = {word for passage in passages for word in content_words(passage)}
    return len(mine & theirs) / len(mine) if mine else 0.0


def _corroborate() -> Callable[[str, Sequence[str]], float]:
    """Score of `corroborate`: the fewer of its findings, the better."""
    check = import_module("corroborate").check_answer

    def judge(claim: str, passages: Sequence[str]) -> float:
        report = check(query="", retrieved_chunks=list(passages), answer=claim)
        return -float(len(report.critical) + 0.5 * len(report.warnings))

    return judge


def _anchorcite() -> Callable[[str, Sequence[str]], float]:
    """Score of `anchorcite` with its scorer that needs no model: the best anchor over the passages."""
    package = import_module("anchorcite")
    anchorer = package.CitationAnchorer(scorer=package.LexicalScorer(), threshold=0.0, min_coverage=0.0)

    def judge(claim: str, passages: Sequence[str]) -> float:
        anchors = [anchorer.anchor(claim, passage) for passage in passages if passage.strip()]
        return max((float(anchor.score) for anchor in anchors if anchor is not None), default=0.0)

    return judge
