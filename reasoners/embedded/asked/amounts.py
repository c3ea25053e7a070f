"""The amount behind a bound: `Was revenue above 50 million?` asks what revenue was."""

from __future__ import annotations

import regex

from ....text.numbers import Number
from .bounds import bound_asked
from .question import Question, read_question

_IS = regex.compile(r"^\W*(?P<verb>is|are|was|were)\s+(?P<rest>.+?)\s*\?*$", regex.IGNORECASE)


def amount_asked(question: Question) -> Question:
    """Return the question for the amount that is to be held against a bound; the question itself where it has none."""
    if question.answer_type != "yes_no" or question.language != "en":
        return question
    bound = bound_asked(question.text)
    if bound is None or not isinstance(bound.limit, Number) or bound.measured:
        return question
    opening = _IS.match(bound.rest)
    return read_question(f"What {opening['verb'].casefold()} {opening['rest']}?") if opening else question
