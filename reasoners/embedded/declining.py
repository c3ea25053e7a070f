"""Decide whether what was found bears on a question at all: retrieval always returns its ten best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..protocol import Passage
from .compound import side_questions
from .question import Question
from .scoring import passage_scores
from .vectors import TextVectors
from .weights import held_terms, holds, term_weights

# Coverage of the question by its best passage plus their cosine; see evals/README.md for the curve it was read from.
BEARS = 0.95
BEARS_WITHOUT_VECTORS = 0.5
# A round this far below gives no facts at all; between the two, a later round may still make a question bear.
HOPELESS_SHARE = 0.8


@dataclass(frozen=True)
class Bearing:
    """How the best passages bear on a question.

    Attributes:
        score: Of the best passage: weighted share of the question's terms plus cosine, in [0, 2].
        bears: Whether that is enough to answer from.
        hopeless: Whether it is so far from enough that nothing found is worth keeping.
        missing: Question terms that the best passages do not hold, the most telling first.
        by_passage: Score of each passage by chunk id.
    """

    score: float
    bears: bool
    hopeless: bool
    missing: tuple[str, ...]
    by_passage: dict[str, float]


async def bearing_of(question: Question, passages: Sequence[Passage], vectors: TextVectors) -> Bearing:
    """Return how what was found bears on a question; of a comparison, on the side that was found worse."""
    sides = [await _bearing_of_one(side, passages, vectors) for side in side_questions(question)]
    if not sides:
        return await _bearing_of_one(question, passages, vectors)
    worst = min(sides, key=lambda side: side.score)
    by_passage = {chunk_id: max(side.by_passage[chunk_id] for side in sides) for chunk_id in worst.by_passage}
    return replace(worst, by_passage=by_passage)


async def _bearing_of_one(question: Question, passages: Sequence[Passage], vectors: TextVectors) -> Bearing:
    weights = term_weights(question, passages)
    scores = await passage_scores(question, passages, weights, vectors)
    best = max(scores.values(), default=0.0)
    held: set[str] = set()
    for passage in sorted(passages, key=lambda item: (-scores[item.chunk.chunk_id], item.chunk.chunk_id))[:2]:
        held |= held_terms(question, passage)
    missing = sorted(
        (term for term in question.terms if not holds(held, term)), key=lambda term: (-weights[term], term)
    )
    needed = BEARS if vectors.available else BEARS_WITHOUT_VECTORS
    bears = bool(passages) and best >= needed
    return Bearing(best, bears, best < HOPELESS_SHARE * needed, tuple(missing), scores)
