"""Tell the findings that share a question's subject from those that only stand beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ...protocol import Passage
from ..asked.question import Question
from .findings import Finding
from .telling import subject_terms
from .weights import holds, source_terms, term_weights

_SHARE = 0.5
_SHARE_WITH_VALUE = 0.25
_MEANS_THE_SAME = 0.65
_AROUND = 0.5
_VALUED = frozenset({"number", "date", "person", "place"})


def on_subject(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> list[Finding]:
    """Leave out what holds less than half as much of the subject as the finding that holds most of it.

    A name that the source itself stands for is on each of its pages and tells none apart.  A sentence that states a
    value of the kind asked for may hold less, and one that means the same may say it in other words.
    """
    weights = term_weights(question, passages)
    held = [_share_held(question, finding, weights) for finding in findings]
    most = max(held, default=0.0)

    def belongs(finding: Finding, share: float) -> bool:
        scored = finding.scored
        valued = scored.kind > 0 and question.answer_type in _VALUED and scored.candidate.row is None
        same = scored.dense >= _MEANS_THE_SAME and scored.candidate.row is None
        return same or share >= most * (_SHARE_WITH_VALUE if valued else _SHARE)

    return [finding for finding, share in zip(findings, held, strict=True) if belongs(finding, share)]


def _share_held(question: Question, finding: Finding, weights: dict[str, float]) -> float:
    """Return the weighted share of the subject's words that a finding holds, those around it counted in part."""
    candidate = finding.candidate
    known = source_terms(question, candidate.passage)
    asked = [term for term in subject_terms(question) if term not in known]
    total = sum(weights.get(term, 0.0) for term in asked)
    if not total:
        return 1.0
    own = sum(weights.get(term, 0.0) for term in asked if holds(candidate.terms, term))
    near = sum(
        weights.get(term, 0.0) for term in asked if not holds(candidate.terms, term) and holds(candidate.context, term)
    )
    return (own + _AROUND * near) / total
