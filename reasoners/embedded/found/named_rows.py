"""Leave out the rows of other members where a question names one of a table: `Is NORD-M blinded?`"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from ..asked.question import Question
from .findings import Finding

_BRACKETS = regex.compile(r"\s*\([^()]*\)")
_LEAST = 3
_SETS_APART = ("list", "comparison", "explanation")


def of_named_rows(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings without rows of whom a question does not name, where their table has one that it names.

    A question for a list or a comparison may want the others, and so may one that sets one against all.
    """
    if question.answer_type in _SETS_APART or regex.search(r"\b(?:other|else|all|every|each|any)\b", question.text):
        return list(findings)
    return [finding for finding in findings if not _is_of_another(question, finding)]


def _is_of_another(question: Question, finding: Finding) -> bool:
    candidate = finding.candidate
    row = candidate.row
    if row is None or row.page is not None or not (own := _bare(row.label)):
        return False
    siblings = {
        _bare(other.label) for other in candidate.passage.rows if other.uri == row.uri and other.sheet == row.sheet
    }
    named = [label for label in siblings if _names(question.text, label)]
    return bool(named) and own not in named


def _bare(label: str) -> str:
    return str(_BRACKETS.sub("", " ".join(label.split())).strip(" :."))


@lru_cache(maxsize=8_192)
def _names(text: str, label: str) -> bool:
    """Whether a text has a label whole and as it is written, capitals alone being free at the label's beginning."""
    if len(label) < _LEAST or not label[:1].isupper():
        return False
    return regex.search(rf"(?<![\w-]){regex.escape(label)}(?![\w-])", text) is not None
