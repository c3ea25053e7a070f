"""Whether a span says of the deed asked about who may do it, or how it came out: `The Council may terminate …`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.words import analyse
from ...support.outcomes import outcome_asked
from ..asked.question import Question
from .candidates import Candidate
from .weights import holds_all, holds_any

_MODAL = r"(?:may|can|could|must|shall|should|might|cannot)"
_ASKED = regex.compile(
    rf"\b{_MODAL}\s+(?P<who>(?:the |an? |our |my |your )?\p{{L}}[\p{{L}}&'’-]*(?: \p{{Lu}}[\p{{L}}&'’-]*)*)"
    rf"\s+(?:not |only )?(?P<deed>\p{{Ll}}{{3,}})\b"
)
_SAID = regex.compile(
    rf"(?P<who>(?:[\p{{L}}'’-]+\s+){{1,3}}){_MODAL}\s+(?:(?:not|only|also|then|thus|nevertheless)\s+){{0,2}}"
    rf"(?P<deed>\p{{Ll}}{{3,}})\b"
)
_ASKS_WHETHER = regex.compile(
    r"\b(?:asked|asks|enquired|inquired|wondered|questioned)\b[^.;]{0,40}\b(?:whether|if)\b", regex.IGNORECASE
)
_OF_ASKING = regex.compile(r"\b(?:ask|enquir|inquir|wonder|question|request|rais|want)", regex.IGNORECASE)
_SAME_DEED, _SAME_DOER = 0.15, 0.2
_CAME_OUT = 0.3


@dataclass(frozen=True)
class _Deed:
    who: tuple[str, ...]
    deed: tuple[str, ...]


def deed_share(question: Question, candidate: Candidate) -> float:
    """Return what a span gains by telling of the deed asked about, in [0, 0.35]; most where the same one may do it."""
    if candidate.row is not None or question.language != "en":
        return 0.0
    asked = _deed_asked(question.text)
    if asked is not None:
        return max((_like(asked, match) for match in _SAID.finditer(candidate.text)), default=0.0)
    outcome = outcome_asked(question.text) if question.answer_type == "yes_no" else None
    if outcome is None:
        return 0.0
    subject = frozenset(term for term in question.terms if term not in outcome.spelled)
    return _CAME_OUT if any(outcome.said_in(candidate.text, subject)) else 0.0


def only_asks(question: Question, candidate: Candidate) -> bool:
    """Whether a span says no more than that somebody asked whether something is so, which the question does not ask."""
    return candidate.row is None and bool(_ASKS_WHETHER.search(candidate.text)) and not _OF_ASKING.search(question.text)


@lru_cache(maxsize=1_024)
def _deed_asked(question: str) -> _Deed | None:
    match = _ASKED.search(question)
    if match is None:
        return None
    deed = analyse(match["deed"])
    return _Deed(tuple(analyse(match["who"])), tuple(deed)) if deed else None


def _like(asked: _Deed, said: regex.Match[str]) -> float:
    if not holds_all(frozenset(analyse(said["deed"])), asked.deed):
        return 0.0
    same = bool(asked.who) and holds_any(frozenset(analyse(said["who"])), asked.who)
    return _SAME_DEED + (_SAME_DOER if same else 0.0)
