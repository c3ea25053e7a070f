"""What came closest to a question that nothing found answers, so that a refusal can quote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...protocol import Passage
from ..asked.question import Question
from ..found.candidates import Candidate, every_candidate
from ..found.scoring import Scored, rank_candidates
from ..found.telling import subject_terms
from ..found.vectors import TextVectors
from ..found.weights import holds, term_weights

_PASSAGES = 6
_FIRST = 12
_OWN_SHARE = 0.34
_MEANS_NEARLY = 0.5


async def closest_to(
    question: Question, passages: Sequence[Passage], by_passage: Mapping[str, float], vectors: TextVectors
) -> Candidate | None:
    """Return the span nearest to a question; None where none has a third of its telling words or nearly its meaning.

    Args:
        by_passage: For each chunk id how near its passage is.
    """
    known = [passage for passage in passages if passage.chunk.chunk_id in by_passage]
    near = sorted(known, key=lambda each: (-by_passage[each.chunk.chunk_id], each.chunk.chunk_id))[:_PASSAGES]
    if question.is_empty or not near:
        return None
    weights = term_weights(question, known)
    ranked = await rank_candidates(question, every_candidate(near), weights, by_passage, vectors)
    asked = {term: weights.get(term, 0.0) for term in subject_terms(question)}
    total = sum(asked.values())

    def share(scored: Scored) -> float:
        held = sum(weight for term, weight in asked.items() if holds(scored.candidate.terms, term))
        return held / total if total else 0.0

    worth = (each for each in ranked[:_FIRST] if share(each) >= _OWN_SHARE or each.dense >= _MEANS_NEARLY)
    best = next(worth, None)
    return best.candidate if best is not None else None
