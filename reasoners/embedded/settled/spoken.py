"""Tell what was said in an interview with its speaker; a short turn is told whole."""

from __future__ import annotations

from ....state.records import Quote
from ..found.candidates import Candidate
from ..found.turns import turn_at

_WHOLE_CHARS = 480


def turn_told(candidate: Candidate) -> tuple[str, tuple[Quote, ...]] | None:
    """Return what a reply says and its places, the candidate's last; None for what is no reply in an interview.

    Of a longer turn the sentence alone is told, behind its speaker's label.
    """
    text = candidate.passage.chunk.text
    turn = turn_at(text, candidate.start) if candidate.row is None else None
    if turn is None or turn.asked is None or candidate.end > turn.end:
        return None
    span = _quote(candidate, candidate.start, candidate.end)
    if turn.end - turn.start <= _WHOLE_CHARS:
        start = turn.start if len(turn.speaker) > 1 else turn.words  # `A:` names nobody
        places = [(min(start, candidate.start), candidate.start), (candidate.end, turn.end)]
        told = " ".join(text[min(start, candidate.start) : turn.end].split())
        return told, (*(_quote(candidate, *place) for place in places if text[slice(*place)].strip()), span)
    line = " ".join(candidate.text.split())
    if candidate.start < turn.words or len(turn.speaker) < 2:
        return line, (span,)
    label = _quote(candidate, turn.start, turn.start + len(turn.speaker))
    return f"{turn.speaker}: {line}", (label, span)


def _quote(candidate: Candidate, start: int, end: int) -> Quote:
    text = candidate.passage.chunk.text
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(text[start:end].rstrip())
    return Quote(chunk_id=candidate.chunk_id, start=start, end=end, text=text[start:end])
