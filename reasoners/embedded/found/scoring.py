"""Rank sentences and rows by how much they say about a question: words, meaning, kind of answer, passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....text.periods import find_periods
from ...protocol import Passage
from ..asked.answer_types import type_evidence
from ..asked.question import Question, focus_terms
from .candidates import Candidate, is_prose
from .causes import asks_cause, gives_cause, is_below_cause
from .deeds import deed_share, only_asks
from .defining import states_focus
from .fragments import is_letterhead
from .rolls import asks_who_was_there, is_roll
from .sums_due import asks_sum_due, gives_sum_due
from .vectors import TextVectors
from .weights import coverage, held_terms, share_held, source_terms

CONTEXT_SHARE = 0.5
TYPE_SHARE = 0.25
PASSAGE_SHARE = 0.3
PERIOD_SHARE = 0.25
FOCUS_SHARE = 0.4
RAGGED_SHARE = 0.7
CAUSE_SHARE = 0.5
STATES_SHARE = 0.3
TOTAL_SHARE = 0.6
_LISTED_CELLS = 3
_CLOSE = 0.5
MAX_EMBEDDED = 64
MAX_EMBEDDED_PASSAGES = 6


@dataclass(frozen=True)
class Scored:
    """A candidate with what speaks for it.

    Attributes:
        lexical: Weighted share of the question's terms in it, those of its surroundings counted in part.
        dense: Cosine with the question.
        kind: How well its values fit the kind asked for.
        score: What orders the list.
    """

    candidate: Candidate
    lexical: float
    dense: float
    kind: float
    score: float


def is_close(scored: Scored) -> bool:
    """Whether a candidate says so much of a question that it belongs beside an answer that was computed."""
    return scored.lexical >= _CLOSE


async def passage_scores(
    question: Question,
    passages: Sequence[Passage],
    weights: Mapping[str, float],
    vectors: TextVectors,
    *,
    as_written: bool = False,
) -> dict[str, float]:
    """Return for each chunk id its coverage of the question plus its cosine with it, in [0, 2].

    The cosine is computed for the best few by coverage and by the cosine of their hits; the others keep that of the
    query which found them, which may be a narrower one, and are held below the computed ones' best.
    """
    held = {passage.chunk.chunk_id: held_terms(question, passage, as_written=as_written) for passage in passages}
    covered = {chunk_id: coverage(terms, weights) for chunk_id, terms in held.items()}
    ordered = sorted(
        passages,
        key=lambda passage: (
            -covered[passage.chunk.chunk_id] - (passage.hit.score_dense or 0.0),
            passage.chunk.chunk_id,
        ),
    )
    near = ordered[:MAX_EMBEDDED_PASSAGES]
    cosines = await vectors.cosines(question.text, [passage.chunk.text for passage in near])
    scores = {passage.chunk.chunk_id: covered[passage.chunk.chunk_id] for passage in passages}
    for passage, cosine in zip(near, cosines, strict=True):
        scores[passage.chunk.chunk_id] += max(0.0, cosine)
    floor = min((max(0.0, cosine) for cosine in cosines), default=0.0)
    for passage in ordered[MAX_EMBEDDED_PASSAGES:]:
        scores[passage.chunk.chunk_id] += min(floor, max(0.0, passage.hit.score_dense or 0.0))
    return scores


async def rank_candidates(
    question: Question,
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    by_passage: Mapping[str, float],
    vectors: TextVectors,
) -> list[Scored]:
    """Return candidates, best first; only the most promising by words and passage are embedded."""
    cheap = [_scored(question, candidate, weights, by_passage, 0.0) for candidate in candidates]
    cheap.sort(key=lambda scored: (-scored.score, scored.candidate.key))
    near, far = cheap[:MAX_EMBEDDED], cheap[MAX_EMBEDDED:]
    cosines = await vectors.cosines(question.text, [embedded_text(scored.candidate) for scored in near])
    ranked = [
        _scored(question, scored.candidate, weights, by_passage, cosine)
        for scored, cosine in zip(near, cosines, strict=True)
    ]
    ranked.sort(key=lambda scored: (-scored.score, scored.candidate.key))
    return [*ranked, *far]


def embedded_text(candidate: Candidate) -> str:
    """Return what is embedded of a candidate: its words, led by what its passage is about."""
    if candidate.row is not None:
        cells = "; ".join(f"{cell.header}: {cell.text}" for cell in candidate.row.cells)
        return f"{candidate.row.label}. {cells}"[:600]
    text = " ".join(candidate.text.split())
    if candidate.title and candidate.title.casefold() not in text.casefold():
        return f"{candidate.title}: {text}"
    return text


def _scored(
    question: Question,
    candidate: Candidate,
    weights: Mapping[str, float],
    by_passage: Mapping[str, float],
    cosine: float,
) -> Scored:
    held = candidate.terms | source_terms(question, candidate.passage)
    own = coverage(held, weights)
    around = coverage(candidate.context - held, weights)
    lexical = own + CONTEXT_SHARE * around
    kind = _kind(question, candidate)
    dense = max(0.0, cosine)
    score = lexical + dense + TYPE_SHARE * kind + PASSAGE_SHARE * by_passage.get(candidate.chunk_id, 0.0)
    score += PERIOD_SHARE * _period_match(question, candidate)
    score += FOCUS_SHARE * focus_match(question, candidate)
    if asks_cause(question):
        told = min(1.0, own + around) if is_below_cause(candidate) else own
        score += CAUSE_SHARE * gives_cause(candidate) * told
    if states_focus(question, candidate):
        score += STATES_SHARE
    score += deed_share(question, candidate)
    total = asks_sum_due(question) and gives_sum_due(candidate)
    if total:
        score += TOTAL_SHARE
    elif candidate.row is None and not is_prose(candidate.text):
        score *= RAGGED_SHARE
    if _heads_a_paper(question, candidate) or only_asks(question, candidate):
        score *= RAGGED_SHARE
    return Scored(candidate, lexical, dense, kind, score)


def _heads_a_paper(question: Question, candidate: Candidate) -> bool:
    """Whether a span only says who wrote to whom, or who was there, which the question does not ask."""
    if candidate.row is not None:
        return False
    if question.answer_type not in ("person", "date") and is_letterhead(candidate.text):
        return True
    return is_roll(candidate) and not asks_who_was_there(question)


def _period_match(question: Question, candidate: Candidate) -> float:
    """Return the share of the years asked for that the candidate names; 0 where none is asked for."""
    years = {str(period.start.year) for period in question.periods} | {
        str(period.end.year) for period in question.periods
    }
    return sum(year in candidate.terms for year in years) / len(years) if years else 0.0


def focus_match(question: Question, candidate: Candidate) -> float:
    """Return the share of the words for the thing asked for that the candidate or its surroundings hold."""
    return share_held(candidate.known, focus_terms(question))


def _kind(question: Question, candidate: Candidate) -> float:
    if candidate.row is not None and question.answer_type == "list":
        named = {cell.header for cell in candidate.row.cells if cell.header and not find_periods(cell.header)}
        return 1.0 if len(named) >= _LISTED_CELLS else 0.0
    return type_evidence(question, candidate.text)
