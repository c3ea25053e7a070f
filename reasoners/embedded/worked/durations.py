"""How long something lasted of which a passage gives the clock times of start and end."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Quote
from ....text.sentences import sentences
from ...protocol import Passage
from ...statements.inference import Inference
from ..asked.question import Question
from ..found.candidates import context_terms, index_terms, passage_terms
from ..found.findings import Finding
from ..found.needed import LOOSE
from ..found.weights import holds_all, holds_any

_LASTS = regex.compile(r"\bhow long\b", regex.IGNORECASE)
_STATES_LENGTH = regex.compile(r"\b(?:last(?:ed|s)?|took|takes|duration)\b[^.;]{0,30}\d", regex.IGNORECASE)
_CLOCKS = regex.compile(
    r"\b(?:start\w*|beg[aiu]n\w*|from|opened|opens|leaves?|departs?|sets? off|sails?)\b"
    r"(?P<day>[^\d.;]{0,20}(?:on )?\d{1,2} \p{Lu}\p{Ll}{2,8}(?: \d{4})?,?)?\W{0,3}(?:at )?"
    r"(?P<h1>[01]?\d|2[0-3]):(?P<m1>[0-5]\d)"
    r"[^\d]{1,60}?\b(?:end\w*|until|to|till|finish\w*|over|closed|closes|restored|arrives?|reaches|lands?)\b"
    r"\W{0,3}(?:at )?(?P<h2>[01]?\d|2[0-3]):(?P<m2>[0-5]\d)",
    regex.IGNORECASE,
)


def duration(question: Question, about: Sequence[Finding], passages: Sequence[Passage]) -> list[Inference]:
    """Return how long something lasted of which a passage gives the clock times of start and end."""
    if not _LASTS.search(question.text) or any(_STATES_LENGTH.search(each.candidate.text) for each in about):
        return []
    needed = [term for term in question.terms if term not in LOOSE]
    for passage in passages:
        known = passage_terms(passage) | context_terms(passage)
        match = _told_of(needed, passage.chunk.text)
        if match is None or not needed or not holds_all(known, needed):
            continue
        start, end = (int(match["h1"]), int(match["m1"])), (int(match["h2"]), int(match["m2"]))
        if end <= start:
            continue
        borrowed = end[1] < start[1]
        hours, minutes = end[0] - start[0] - borrowed, end[1] - start[1] + 60 * borrowed
        of_hours = f"{end[0]} - {start[0]}{' - 1' if borrowed else ''} = {hours} hours"
        of_minutes = f"{end[1]}{' + 60' if borrowed else ''} - {start[1]} = {minutes} minutes"
        quote = Quote(chunk_id=passage.chunk.chunk_id, start=match.start(), end=match.end(), text=match.group())
        said = " ".join(match.group().split())
        return [Inference(f"Duration: {of_hours}, {of_minutes}. {said}.", (quote,), "duration")]
    return []


def _told_of(needed: Sequence[str], text: str) -> regex.Match[str] | None:
    """Return the one start and end in a text; of several, the one in whose sentence a word of the question stands."""
    matches = list(_CLOCKS.finditer(text))
    if len(matches) < 2:
        return matches[0] if matches else None
    within = [
        match
        for start, end in sentences(text)
        for match in matches
        if start <= match.start() < end and holds_any(index_terms(text[start:end]), needed)
    ]
    return within[0] if len(within) == 1 else None
