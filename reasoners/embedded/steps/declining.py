"""Decide whether what was found bears on a question at all: retrieval always returns its ten best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import regex

from ...protocol import Passage
from ..asked.compound import side_questions
from ..asked.foreign import is_foreign
from ..asked.initials import is_abbreviation
from ..asked.leave import says_leave_abroad
from ..asked.question import Question, as_written
from ..asked.soft import soft_terms
from ..found.candidates import Candidate
from ..found.headed import is_headed
from ..found.people import is_reached
from ..found.replies import replies_to
from ..found.scoring import embedded_text, passage_scores
from ..found.senders import is_of_a_message
from ..found.vectors import TextVectors
from ..found.weights import coverage, held_terms, holds, holds_all, term_weights
from ..settled.bounded import said_of_bound
from ..settled.negated import is_denied
from ..settled.permissions import asks_settled_leave
from ..settled.quantified import said_of_all
from ..settled.states import tells_state

# Where to decline; evals/README.md has the curve it was read from.
BEARS = 2.15
BEARS_BY_WORDS = 0.5
BEARS_ABROAD = 0.7
# A first round whose best passage is this far off gives no facts; between the two, a second hop may still help.
HOPELESS = 0.75
HOPELESS_BY_WORDS = 0.35

_SENTENCE_SHARE = 2.0
_PAIRED = 6
_ABROAD = 3.0
_FIFTH = 4
_WORDS_ENOUGH = 3
_CODE = regex.compile(r"\p{L}{2,}\d+\p{L}*|\p{L}\d{3,}")
# What the fifth best source typically scores; stands for it where fewer were found.
_BACKGROUND = 0.8


@dataclass(frozen=True)
class Bearing:
    """How the evidence bears on a question.

    Attributes:
        score: The number that the threshold is laid on.
        bears: Whether it is enough to answer from.
        hopeless: Whether the passages are so far off that nothing in them is worth keeping.
        missing: Question terms that the best passages do not hold, the most telling first.
        by_passage: For each chunk id, coverage of the question plus cosine with it, in [0, 2].
    """

    score: float
    bears: bool
    hopeless: bool
    missing: tuple[str, ...]
    by_passage: dict[str, float]


async def bearing_of(
    question: Question, passages: Sequence[Passage], vectors: TextVectors, spans: Sequence[Candidate] = ()
) -> Bearing:
    """Return how what was found bears on a question; of a comparison, on the side that was found worse.

    The score adds three signs.  How much of the question's weighted words the best two passages hold together; how
    far the best passage stands out from the fifth best source, since retrieval that found nothing returns ten equals;
    and twice the cosine of the question with the nearest sentence.  Without vectors the words alone decide.

    Args:
        spans: Sentences and rows found for the question.
    """
    if _is_told(question, spans):
        found = await _bearing_of_one(question, passages, vectors, spans)
        return replace(found, bears=True, hopeless=False)
    sides = [await _bearing_of_one(side, passages, vectors, spans) for side in side_questions(question)]
    if not sides:
        return await _bearing_of_one(question, passages, vectors, spans)
    worst = min(sides, key=lambda side: side.score)
    by_passage = {chunk_id: max(side.by_passage[chunk_id] for side in sides) for chunk_id in worst.by_passage}
    return replace(worst, by_passage=by_passage)


async def _bearing_of_one(
    question: Question, passages: Sequence[Passage], vectors: TextVectors, spans: Sequence[Candidate]
) -> Bearing:
    """Return how the evidence bears by its own words; where that is not enough, by what a foreign passage means."""
    found = await _bearing_as_written(as_written(question), passages, vectors, spans)
    foreign = [passage for passage in passages if is_foreign(question.language, passage)]
    if not foreign:
        return found
    if found.bears:
        # What speaks the question's language settles it; words that meet across two languages are loose beside it.
        apart = {passage.chunk.chunk_id for passage in foreign}
        by_passage = {key: score - _ABROAD if key in apart else score for key, score in found.by_passage.items()}
        return replace(found, by_passage=by_passage)
    weights = term_weights(question, passages)
    meant = max(coverage(held_terms(question, passage), weights) for passage in foreign)
    if meant < BEARS_ABROAD:
        return found
    scores = await passage_scores(question, passages, weights, vectors)
    return Bearing(meant, True, False, (), scores)


async def _bearing_as_written(
    question: Question, passages: Sequence[Passage], vectors: TextVectors, spans: Sequence[Candidate]
) -> Bearing:
    if not passages:
        return Bearing(0.0, False, True, question.terms, {})
    weights = term_weights(question, passages, as_written=True)
    scores = await passage_scores(question, passages, weights, vectors, as_written=True)
    order = sorted(passages, key=lambda passage: (-scores[passage.chunk.chunk_id], passage.chunk.chunk_id))
    held = [held_terms(question, passage, as_written=True) for passage in order[:_PAIRED]]
    alone = max(coverage(terms, weights) for terms in held)
    together = max((coverage(a | b, weights) for a, b in combinations(held, 2)), default=alone)
    missing = sorted(
        (term for term in question.terms if weights[term] and not any(holds(terms, term) for terms in held[:2])),
        key=lambda term: (-weights[term], term),
    )
    best = scores[order[0].chunk.chunk_id]
    if not vectors.available:
        return Bearing(alone, alone >= BEARS_BY_WORDS, alone < HOPELESS_BY_WORDS, tuple(missing), scores)
    if _names_nothing_found(question, passages):
        return Bearing(alone, False, alone < HOPELESS_BY_WORDS, tuple(missing), scores)
    fifth = _fifth_source(order, scores)
    cosines = await vectors.cosines(question.text, [embedded_text(span) for span in spans])
    score = together + best - fifth + _SENTENCE_SHARE * max(cosines, default=0.0)
    return Bearing(score, score >= BEARS, best < HOPELESS, tuple(missing), scores)


def _is_told(question: Question, spans: Sequence[Candidate]) -> bool:
    """Whether a span settles a question: by each of its words, or by what it says of an office, a contact, leave."""
    return (
        any(_has_each_word(question, span) for span in spans)
        or is_reached(question, spans)
        or any(_grants_abroad(question, span) for span in spans)
        or any(replies_to(question, span) or is_headed(question, span) for span in spans)
        or asks_settled_leave(question, spans)
        or is_of_a_message(question, spans)
        or any(said_of_all(question, span) or is_denied(question, span) for span in spans)
        or any(said_of_bound(question, span) or tells_state(question, span) for span in spans)
    )


def _grants_abroad(question: Question, span: Candidate) -> bool:
    return (
        question.language in ("de", "fr")
        and span.row is None
        and says_leave_abroad(question.text, span.text)
        and holds_all(span.terms, question.terms)
    )


def _names_nothing_found(question: Question, passages: Sequence[Passage]) -> bool:
    """Whether a question names by letters and figures (`PALMA-3`) what no passage holds: `PALMA-2` is no answer."""
    asked = [term for term in question.terms if _CODE.fullmatch(term)]
    if not asked:
        return False
    held = [held_terms(question, passage) for passage in passages]
    return any(term not in question.period_terms and not any(holds(terms, term) for terms in held) for term in asked)


def _has_each_word(question: Question, span: Candidate) -> bool:
    """Whether one sentence, under its title, has all words of a question, and half of them itself.

    Few words tell little, unless one is an abbreviation, of whose meaning vectors know nothing.
    """
    asked = [term for term in question.terms if not term.isdigit()]
    own = [term for term in asked if holds(span.terms, term)]
    enough = len(asked) >= _WORDS_ENOUGH or any(is_abbreviation(term) for term in asked)
    if span.row is not None or not enough or 2 * len(own) < len(asked):
        return False
    soft = soft_terms(question.text) if question.language == "en" else frozenset[str]()
    return holds_all(span.known, (term for term in question.terms if term not in soft))


def _fifth_source(order: Sequence[Passage], scores: Mapping[str, float]) -> float:
    """Return the best score of the fifth source; many pages of one filing that bear on a question are no noise."""
    best: dict[str, float] = {}
    for passage in order:
        best.setdefault(passage.chunk.uri, scores[passage.chunk.chunk_id])
    ranked = list(best.values())
    return ranked[_FIFTH] if len(ranked) > _FIFTH else _BACKGROUND
