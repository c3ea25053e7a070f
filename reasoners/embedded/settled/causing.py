"""Let what gives a cause lead where a cause is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..asked.families import related_terms
from ..asked.question import Question
from ..found.candidates import passage_terms
from ..found.causes import asks_cause, gives_cause, is_below_cause, says_why, tells_mishap
from ..found.needed import LOOSE
from ..found.scoring import Scored
from ..found.weights import holds_any, share_held
from .continuing import continuation_of

_HALF, _MOSTLY = 0.5, 0.75


def of_cause(question: Question, pool: Sequence[Scored]) -> list[Scored]:
    """Keep, of a question for a cause, what gives one of what it asks about; all where nothing does.

    A sentence may give it by the one behind it, or as the first below a heading that asks for the cause.
    """
    if not asks_cause(question) or not pool:
        return list(pool)

    def share(terms: Collection[str]) -> float:
        return share_held(terms, question.terms)

    def gives(scored: Scored) -> bool:
        candidate = scored.candidate
        if scored.score < _HALF * pool[0].score:
            return False
        known = candidate.known
        if gives_cause(candidate) >= 1 and is_below_cause(candidate):
            return share(known | passage_terms(candidate.passage)) >= _HALF
        after = continuation_of(question, candidate)
        follows = after is not None and (says_why(after.text) or tells_mishap(after.text))
        about = share(candidate.terms) >= _HALF or share(known) >= _MOSTLY
        return (
            about
            and not _beside_it(question, scored)
            and (follows or gives_cause(candidate) >= 1 or says_why(candidate.text))
        )

    told = [scored for scored in pool if gives(scored)]
    return told or [scored for scored in pool if not _beside_it(question, scored)] or list(pool)


def _beside_it(question: Question, scored: Scored) -> bool:
    """Whether a candidate gives the cause of another thing than the one asked about, or is a row that gives none."""
    candidate = scored.candidate
    if candidate.row is not None:
        return gives_cause(candidate) < 1
    moved = [term for term in question.terms if term in LOOSE or related_terms(term) & LOOSE]
    things = [term for term in question.terms if term not in moved and not term.isdigit()]
    return bool(things) and says_why(candidate.text) and not holds_any(candidate.terms, things)
