"""Who holds an office now: the last one whom a source names with it, before one who only acts until then."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ..asked.names import is_person_like, names_in
from ..asked.offices import office_spans, offices_in
from ..asked.question import Question
from ..found.dating import dated
from ..found.findings import Finding

_ASKED = regex.compile(r"^\W*who(?: is|['’]s) (?:the |our |its |their )?(?:current |present |new )?", regex.IGNORECASE)
_ACTS = regex.compile(
    r"\b(?:acting|interim|caretaker|act(?:s|ed)? as|stands? in|deput(?:y|is\p{L}+)|until a successor)\b",
    regex.IGNORECASE,
)
_LEAVES = regex.compile(
    r"\b(?:resign\p{L}*|leav(?:e|es|ing)|left|step(?:s|ped)? down|retir\p{L}+|former(?:ly)?|outgoing|previous|"
    r"succeeds|was succeeded|dismissed)\b",
    regex.IGNORECASE,
)
_NEAR = 40


def holder_of(question: Question, findings: Sequence[Finding]) -> Finding | None:
    """Return the finding that names who holds the office asked for; None where one finding alone does, or no day tells.

    A person stands by the office in it.  Of several the latest by its day counts; who acts until a successor comes, or
    leaves, holds it only where nobody else is named.
    """
    if not _ASKED.match(question.text) or question.periods:
        return None
    asked = offices_in(question.text)
    if len(asked) != 1:
        return None
    named = [each for each in findings if each.scored.candidate.row is None and _names_holder(each, *asked)]
    days = {id(each): dated(each.scored.candidate) for each in named}
    if len(named) < 2 or not all(days.values()):
        return None
    last = max(named, key=lambda each: days[id(each)])
    held = [each for each in named if not _passes_by(each)]
    return max(held, key=lambda each: days[id(each)]) if held and _passes_by(last) is False else None


def _names_holder(finding: Finding, office: str) -> bool:
    text = finding.scored.candidate.text
    people = [name for name in names_in(text) if is_person_like(name)]
    places = [(at, at + len(name)) for name in people for at in [text.find(name)] if at >= 0]
    return any(
        max(start - behind, at - end) <= _NEAR for at, behind in office_spans(text, office) for start, end in places
    )


def _passes_by(finding: Finding) -> bool:
    text = finding.scored.candidate.text
    return bool(_ACTS.search(text) or _LEAVES.search(text))
