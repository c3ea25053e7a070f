"""Whether something was delivered, received or paid: the last source that tells of it counts."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.words import analyse
from ...tables.catalog import header_words
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.dating import dated
from ..found.findings import Finding
from ..found.weights import holds_all
from .verdicts import Verdict

_FIRST = 12
_HANDING_OVER = frozenset(
    analyse(
        "deliver delivered delivery provide provided receive received receipt submit submitted supply supplied arrive "
        "arrived pay paid return returned hand handed"
    )
)
_CAME = r"(?:delivered|provided|received|submitted|supplied|arrived|paid|returned|handed (?:over|in)|come in|came in)"
_IT_CAME = regex.compile(rf"\b{_CAME}\b", regex.IGNORECASE)
_IT_DID_NOT = regex.compile(
    rf"\b(?:not|never|nor)\b(?:\s(?:yet|been|be|so|far|again|fully)){{0,3}}\s{_CAME}\b|\bn['’]t\b[^.;]{{0,20}}\b{_CAME}\b|"
    rf"\b(?:no|none|nothing|neither)\b[^.;,]{{0,60}}\b{_CAME}\b|"
    r"\b(?:still )?(?:outstanding|awaited|overdue|missing)\b",
    regex.IGNORECASE,
)
_UNSURE = regex.compile(
    r"\b(?:will|shall|(?<!\d )may(?! \d)|must|should|would|could|if|when|until|once|expected|due|to be|"
    r"promised to|within)\b",
    regex.IGNORECASE,
)
_STATE = regex.compile(r"\b(?:status|state|stage|progress)\b", regex.IGNORECASE)
_CLOSED = regex.compile(rf"^\W*(?:closed|done|completed?|settled|resolved|{_CAME})\b", regex.IGNORECASE)


def handed_over(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return `Yes` with the last finding that tells that what is asked about came, and those that said it had not.

    None where the question asks for something else, where nothing says that it came, or where that was said before
    another source said that it had not.
    """
    if question.answer_type != "yes_no" or question.language != "en" or not set(question.terms) & _HANDING_OVER:
        return None
    subject = [term for term in question.terms if term not in _HANDING_OVER and not term.isdigit()]
    if not subject or regex.search(r"\b(?:not|never|no)\b|n['’]t\b", question.text, regex.IGNORECASE):
        return None
    told = [
        (_day(finding.candidate), came, finding)
        for finding in findings[:_FIRST]
        if holds_all(finding.candidate.terms, subject) and (came := _came(finding.candidate)) is not None
    ]
    yes, no = [each for each in told if each[1]], [each for each in told if not each[1]]
    if not yes:
        return None
    day, _, last = max(yes, key=lambda each: each[0])
    if any(not day or not other or other >= day for other, _, _ in no):
        return None
    return Verdict("Yes", last, tuple(finding for _, _, finding in no))


def _came(candidate: Candidate) -> bool | None:
    """Return whether a statement says that something came, or that it did not; None where it says neither."""
    if candidate.row is None:
        if _IT_DID_NOT.search(candidate.text):
            return False
        return True if _IT_CAME.search(candidate.text) and not _UNSURE.search(candidate.text) else None
    states = [cell.text for cell in candidate.row.cells if _STATE.search(header_words(cell.header))]
    if states:
        if _IT_DID_NOT.search(states[0]):
            return False
        return True if _CLOSED.match(states[0]) and _says_so(candidate) else None
    return True if _says_so(candidate) else None


def _says_so(candidate: Candidate) -> bool:
    """Whether a cell of a record says that it came; a name such as `Bond not delivered` only says what is at risk."""
    return candidate.row is not None and any(
        _IT_CAME.search(cell.text) and not _IT_DID_NOT.search(cell.text) and not _UNSURE.search(cell.text)
        for cell in candidate.row.cells
    )


def _day(candidate: Candidate) -> str:
    published = candidate.passage.source.published_at
    return published.date().isoformat() if published is not None else dated(candidate)
