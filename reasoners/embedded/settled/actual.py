"""What came before what was expected: a question about the past is led by what is told as done."""

from __future__ import annotations

from collections.abc import Sequence

from ...support.tense import PAST, TO_COME
from ..asked.question import Question
from ..found.scoring import Scored


def told_as_done(question: Question, found: Sequence[Scored]) -> list[Scored]:
    """Leave out what is only expected where something else tells as much of what is asked as done.

    A question that asks for a plan, or not for the past, leaves nothing out.
    """
    if not PAST.search(question.text) or TO_COME.search(question.text):
        return list(found)
    done = [_held(question, each) for each in found if not _is_ahead(each)]
    return [each for each in found if not (_is_ahead(each) and any(held >= _held(question, each) for held in done))]


def _is_ahead(scored: Scored) -> bool:
    candidate = scored.candidate
    return candidate.row is None and bool(TO_COME.search(candidate.text)) and not PAST.search(candidate.text)


def _held(question: Question, scored: Scored) -> frozenset[str]:
    return frozenset(question.terms) & scored.candidate.terms
