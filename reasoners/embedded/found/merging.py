"""Order the passages of all rounds in one ranking, so that both ends of a two-hop question stand near the top."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import regex

from ...protocol import Passage
from ..asked.question import Question
from .candidates import title_of
from .weights import coverage, held_terms, holds, term_weights

_TOP = 3
_RANK_OFFSET = 3
_TITLE_CHARS = 4

# Fitted on two-hop questions (logistic regression, five folds) and rounded.
OWN, PLANNED, FOLLOWED = 8.0, 3.0, 8.0
BEARING, LINKED, TITLED, COMPLETING = 1.0, 2.0, 0.7, 1.2


def merge_rounds(
    question: Question,
    passages: Sequence[Passage],
    rankings: Mapping[str, Sequence[str]],
    planned: Collection[str],
    by_passage: Mapping[str, float],
) -> list[str]:
    """Return chunk ids of the first and second round in one order, best first, ties by chunk id.

    Args:
        rankings: Chunk ids by query, best first; the question itself was the first query asked.
        planned: Queries of the first round; the others followed.
        by_passage: How each passage bears on the question, by chunk id.
    """
    worth = passage_worth(question, passages, rankings, by_passage)
    own = next(iter(rankings.values()), ())
    first = [ranking for query, ranking in rankings.items() if query in planned]
    followed = [ranking for query, ranking in rankings.items() if query not in planned]
    scores = {
        chunk_id: value
        + OWN * _place(chunk_id, own)
        + PLANNED * max((_place(chunk_id, ranking) for ranking in first), default=0.0)
        + FOLLOWED * max((_place(chunk_id, ranking) for ranking in followed), default=0.0)
        for chunk_id, value in worth.items()
    }
    return sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))


def passage_worth(
    question: Question,
    passages: Sequence[Passage],
    rankings: Mapping[str, Sequence[str]],
    by_passage: Mapping[str, float],
) -> dict[str, float]:
    """Return what speaks for each passage apart from its ranks.

    That is: how it bears on the question, whether the question or a top passage names what it is about (the bridge of
    a two-hop question), and whether it holds the words that the best passage lacks.
    """
    if not passages:
        return {}
    by_id = {passage.chunk.chunk_id: passage for passage in passages}
    own = [chunk_id for chunk_id in next(iter(rankings.values()), ()) if chunk_id in by_id]
    top = (own or sorted(by_passage, key=lambda chunk_id: (-by_passage[chunk_id], chunk_id)))[:_TOP]
    texts = {chunk_id: by_id[chunk_id].chunk.text.casefold() for chunk_id in top}
    best = min(by_id, key=lambda chunk_id: (-by_passage.get(chunk_id, 0.0), chunk_id))
    weights = term_weights(question, passages)
    held = held_terms(question, by_id[best])
    rest = {term: weight for term, weight in weights.items() if not holds(held, term)}
    asked = question.text.casefold()
    worth: dict[str, float] = {}
    for chunk_id, passage in by_id.items():
        title = regex.sub(r"\s*\(.*?\)", "", title_of(passage)).casefold().strip()
        known = len(title) >= _TITLE_CHARS
        named = known and any(title in text for other, text in texts.items() if other != chunk_id)
        worth[chunk_id] = BEARING * by_passage.get(chunk_id, 0.0) + COMPLETING * coverage(
            held_terms(question, passage), rest
        )
        worth[chunk_id] += LINKED * named + TITLED * (known and title in asked)
    return worth


def _place(chunk_id: str, ranking: Sequence[str]) -> float:
    return 1 / (_RANK_OFFSET + ranking.index(chunk_id)) if chunk_id in ranking else 0.0
