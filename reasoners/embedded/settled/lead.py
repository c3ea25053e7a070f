"""Choose the sentences that answer first: the best one, and the one that completes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from ..asked.names import names_in
from ..asked.question import Question
from ..found.afterwards import happened_after
from ..found.scoring import Scored, focus_match
from ..found.weights import coverage, holds
from .actual import told_as_done
from .causing import of_cause
from .listed import below_heading

_POOL = 48
_LINK_BONUS = 0.5
_FOCUS_BONUS = 0.3
_OTHER_PASSAGE_BONUS = 0.1
_GOOD_SHARE = 0.75
_GAIN = 0.1
_SETTLED = 0.85
_MORE_NAMES = 3
_LISTED_SCORE = 0.6


@dataclass(frozen=True)
class Lead:
    """The opening of an answer: one or two candidates, the one that answers first."""

    chosen: tuple[Scored, ...]


def choose_lead(question: Question, ranked: Sequence[Scored], weights: Mapping[str, float]) -> Lead:
    """Return the best pair among the first candidates, or the best one where no second adds anything.

    A pair is worth its two scores, what the two cover together, and more where one names what the other is about
    (the bridge of a two-hop question).  What was only expected does not lead where it is told how it came.
    """
    if items := below_heading(question, ranked):
        return Lead(tuple(items))
    after = happened_after(question, [each.candidate for each in ranked])
    if after:
        of_key = {each.candidate.key: each for each in ranked}
        return Lead(tuple(of_key[candidate.key] for candidate in after))
    pool = of_cause(question, told_as_done(question, ranked[:_POOL]))
    if not pool:
        return Lead(())
    best: tuple[float, int, int] | None = None
    for i, first in enumerate(pool):
        for j in range(i + 1, len(pool)):
            value = _worth(question, first, pool[j], weights)
            if best is None or value > best[0] + 1e-9:
                best = (value, i, j)
    if best is None:
        return Lead((pool[0],))
    if not _completes(pool, best[1], best[2], weights):
        return Lead((pool[0],))
    valued = question.answer_type in ("number", "date")
    pair = sorted(
        (pool[best[1]], pool[best[2]]),
        key=lambda scored: (valued and scored.kind <= 0, -_answers(scored), scored.candidate.key),
    )
    return Lead(tuple(pair))


def _completes(pool: Sequence[Scored], i: int, j: int, weights: Mapping[str, float]) -> bool:
    """Whether the weaker of a pair is good by itself, or adds what the other lacks."""
    strong, weak = sorted((pool[i], pool[j]), key=lambda scored: -scored.score)
    settled = coverage(strong.candidate.terms, weights) >= _SETTLED and strong.kind >= 1
    if settled and not linked(strong, weak):
        return False
    if weak.score >= _GOOD_SHARE * strong.score or linked(strong, weak):
        return True
    gain = coverage(strong.candidate.terms | weak.candidate.terms, weights) - coverage(strong.candidate.terms, weights)
    return gain >= _GAIN


def further_names(question: Question, chosen: Sequence[Scored], ranked: Sequence[Scored]) -> list[Scored]:
    """Return further sentences of a list: each says all that is asked, in the same source, and names something new."""
    asked = question.plain_terms
    known = {name.casefold() for scored in chosen for name in names_in(scored.candidate.text)}
    known |= {name.casefold() for name in question.names}
    found: list[Scored] = []
    for scored in ranked[:_POOL]:
        if len(found) >= _MORE_NAMES or scored in chosen:
            continue
        held = sum(holds(scored.candidate.terms, term) for term in asked)
        fresh = [name for name in names_in(scored.candidate.text) if name.casefold() not in known]
        near = not chosen or scored.candidate.uri == chosen[0].candidate.uri
        if near and fresh and asked and held == len(asked) and scored.score >= _LISTED_SCORE * ranked[0].score:
            known |= {name.casefold() for name in fresh}
            found.append(scored)
    return found


def linked(a: Scored, b: Scored) -> bool:
    """Whether one sentence names what the other is about."""
    return _names(a, b) or _names(b, a)


def _worth(question: Question, a: Scored, b: Scored, weights: Mapping[str, float]) -> float:
    together = a.candidate.terms | b.candidate.terms
    around = (a.candidate.context | b.candidate.context) - together
    worth = coverage(together, weights) + 0.5 * coverage(around, weights)
    worth += 0.5 * (a.score + b.score) + 0.25 * max(a.kind, b.kind)
    if a.candidate.chunk_id != b.candidate.chunk_id:
        worth += _OTHER_PASSAGE_BONUS
        bridges = [end for end, other in ((b, a), (a, b)) if _names(other, end)]
        if bridges:
            worth += _LINK_BONUS + _FOCUS_BONUS * max(focus_match(question, end.candidate) for end in bridges)
    return worth


def _answers(scored: Scored) -> float:
    return scored.score + 0.25 * scored.kind


def _names(a: Scored, b: Scored) -> bool:
    """Whether the text of `a` names the title of `b`."""
    if a.candidate.chunk_id == b.candidate.chunk_id:
        return False
    title = regex.sub(r"\s*\(.*?\)", "", b.candidate.title).strip()
    return len(title) >= 3 and title.casefold() in " ".join(a.candidate.text.split()).casefold()
