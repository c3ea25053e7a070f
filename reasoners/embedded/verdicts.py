"""Answer a question for yes or no from a sentence that says all of it."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ...text.words import analyse
from .compound import sides_of
from .findings import Finding
from .question import Question
from .weights import holds

_FIRST = 12
_UNSURE = regex.compile(
    r"\b(?:may|might|could|would|should|if|whether|unless|risk|risks|intend\w*|plan to|seek|aim|expect\w*|potential\w*|"
    r"possible|possibly|likely|cannot assure|no assurance|when)\b",
    regex.IGNORECASE,
)
# What was meant to be and may have come otherwise; a question that asks for the change itself holds the word.
_MEANT = regex.compile(
    r"\b(?:plan(?:s|ned)?|scheduled|will|moved|postponed|delayed|deferred|rescheduled|cancel\w*|instead|proposed)\b",
    regex.IGNORECASE,
)
_DENIES = regex.compile(r"\b(?:not|no|none|never|neither|nor|without|fail\w*|unable)\b|n['’]t\b", regex.IGNORECASE)
_SEVERAL = regex.compile(r"\b(?:both|same|either|all|each|any other)\b", regex.IGNORECASE)
_ASKS_WHY = regex.compile(r"\b(?:why|how|explain)\b", regex.IGNORECASE)


def verdict_of(question: Question, findings: Sequence[Finding]) -> tuple[str, Finding] | None:
    """Return `Yes` or `No` and the finding that says so; None where no sentence says all of it surely.

    The sentence must hold every word of the question that is no name or period, by itself or by a word of its family;
    one that is unsure settles nothing.  A denial in it, where the question has none, turns the answer.
    """
    if question.answer_type != "yes_no" or question.language != "en" or sides_of(question):
        return None
    if _SEVERAL.search(question.text) or _DENIES.search(question.text):
        return None
    named = {term for name in question.names for term in analyse(name)}
    asked = [term for term in question.terms if term not in named and not term.isdigit()]
    if len(asked) < 2:
        return None
    years = {str(period.end.year) for period in question.periods}
    best: tuple[tuple[int, int], str, Finding] | None = None
    for place, finding in enumerate(findings[:_FIRST]):
        candidate = finding.scored.candidate
        if candidate.row is not None or _UNSURE.search(candidate.text) or _is_only_meant(candidate.text, question):
            continue
        if not all(holds(candidate.terms, term) for term in asked):
            continue
        answer = "No" if _DENIES.search(candidate.text) else "Yes"
        key = (int(bool(years) and not years & candidate.terms), place)
        if best is None or key < best[0]:
            best = (key, answer, finding)
    return None if best is None else (best[1], best[2])


def _is_only_meant(text: str, question: Question) -> bool:
    return any(not set(analyse(word)) & set(question.terms) for word in _MEANT.findall(text))
