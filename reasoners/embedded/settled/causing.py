"""Let what gives a cause lead where a cause is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..asked.question import Question
from ..found.candidates import passage_terms
from ..found.causes import asks_cause, gives_cause, is_below_cause, says_why, tells_mishap
from ..found.scoring import Scored
from ..found.weights import holds
from .continuing import continuation_of

_HALF, _MOSTLY = 0.5, 0.75


def of_cause(question: Question, pool: Sequence[Scored]) -> list[Scored]:
    """Keep, of a question for a cause, what gives one of what it asks about; all where nothing does.

    A sentence may give it by the one behind it, or as the first below a heading that asks for the cause.
    """
    if not asks_cause(question) or not pool:
        return list(pool)

    def share(terms: Collection[str]) -> float:
        return sum(holds(terms, term) for term in question.terms) / max(1, len(question.terms))

    def gives(scored: Scored) -> bool:
        candidate = scored.candidate
        if scored.score < _HALF * pool[0].score:
            return False
        known = candidate.terms | candidate.context
        if gives_cause(candidate) >= 1 and is_below_cause(candidate):
            return share(known | passage_terms(candidate.passage)) >= _HALF
        after = continuation_of(question, candidate)
        follows = after is not None and (says_why(after.text) or tells_mishap(after.text))
        about = share(candidate.terms) >= _HALF or share(known) >= _MOSTLY
        return about and (follows or gives_cause(candidate) >= 1 or says_why(candidate.text))

    return [scored for scored in pool if gives(scored)] or list(pool)
