"""Figures that a source itself corrects: the one that holds, and the one that was told before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...state.harness import Harness
from ...state.records import Conflict, ConflictValue
from ...text.numbers import Number, find_numbers
from ...text.replaced import first_is_older
from .disagreements import Disagreement
from .lines import Line
from .unknowns import mentions

ATTRIBUTE = "corrected figure"
REASON = "the source itself says that the older figure was replaced"

_NOT = re.compile(r"[^\w]{0,3}\s*(?:and\s+)?not\s+(?:[A-Z]{3}\s+)?$", re.IGNORECASE)
_BEFORE = re.compile(
    r"\b(?:version\s+\w+|v\d+|(?:the )?(?:first|previous|earlier|prior|original|last) "
    r"(?:version|report|draft|edition|count|figure|statement|memo|release)|previously|originally|initially)\b"
    r"[^.;]{0,40}?\b(?:gave|stated|reported|said|put|named|showed|counted|had|was|were)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"\b(?:was|were|is|are|amounted|came|stood)\b|:")
MAX_SUBJECT = 60


def asks_for_corrections(question: str, harness: Harness) -> bool:
    """Whether a question asks which figures were corrected."""
    return "?" in question and mentions(question, harness.words("corrected")) and not find_numbers(question)


def corrections(lines: Sequence[Line], harness: Harness) -> Iterator[tuple[tuple[Line, ...], Disagreement]]:
    """Yield the lines that correct a figure, with the figure that holds and the one told before.

    `371 beds, not 379` and `corrected from 379 to 371` hold both; `Version 1 gave 379` corrects the sentence before it.
    """
    for at, line in enumerate(lines):
        if line.row is not None:
            continue
        before = lines[at - 1] if at and lines[at - 1].chunk_id == line.chunk_id else None
        pair = _within(line, harness) or (_against(line, before) if before is not None else None)
        if pair is None:
            continue
        holds, gone, stands = pair
        yield (
            (line,) if stands is line else (stands, line),
            Disagreement(
                Conflict(
                    subject=_subject(stands.text, holds),
                    attribute=ATTRIBUTE,
                    values=(_value(holds.text, stands), _value(gone.text, line)),
                    preferred=holds.text.rstrip(".,"),
                    reason=REASON,
                ),
                (),
            ),
        )


def _within(line: Line, harness: Harness) -> tuple[Number, Number, Line] | None:
    """Return the two figures of a line that names both."""
    if not mentions(line.text, (*harness.words("corrected"), "correction", "correct", "wrongly", "erroneously")):
        return None
    numbers = _figures(line.text)
    for first, second in pairwise(numbers):
        if first.unit != second.unit or first.value == second.value:
            continue
        older = first_is_older(line.text, first.start, first.end, second.start)
        if older is False or _NOT.search(line.text[first.end : second.start]):
            return first, second, line
        if older:
            return second, first, line
    return None


def _against(line: Line, before: Line) -> tuple[Number, Number, Line] | None:
    """Return the figure of the sentence before, and that of an older version which this line names."""
    match = _BEFORE.search(line.text)
    if match is None or before.row is not None:
        return None
    gone = next((each for each in _figures(line.text) if each.start >= match.end()), None)
    holds = next((each for each in _figures(before.text) if gone is not None and each.unit == gone.unit), None)
    return (holds, gone, before) if holds and gone and holds.value != gone.value else None


def _figures(text: str) -> list[Number]:
    return [
        number for number in find_numbers(text)
        if not number.is_year and number.kind not in ("identifier", "date") and (number.unit or number.value > 31)
    ]  # fmt: skip


def _subject(text: str, holds: Number) -> str:
    lead = text[: holds.start]
    if verb := list(_SUBJECT.finditer(lead)):
        lead = lead[: verb[-1].start()]
    lead = lead.rpartition(": ")[2] or lead
    words = " ".join(lead.split()).strip(" ,;:(-•*")
    return words[:MAX_SUBJECT].rstrip() or "figure"


def _value(text: str, line: Line) -> ConflictValue:
    return ConflictValue(
        value=text.rstrip(".,"), chunk_id=line.chunk_id, quote=line.quote, uri=line.uri, dated=line.dated
    )
