"""The securities that the cover of a report registers, in its own words, and whether debt is among them."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Quote
from ...protocol import Passage
from ...statements.inference import Inference

_ASKED = regex.compile(r"\bregistered\b.{0,80}\bexchange|\bsecurities\b.{0,40}\bregistered\b", regex.IGNORECASE)
_DEBT = regex.compile(r"\b(?:debt|notes?|bonds?|debentures?)\b", regex.IGNORECASE)
# A debt security is told by what it pays and when it is due.
_IS_DEBT = regex.compile(r"\b(?:notes?|bonds?|debentures?)\b|\d\s?%|\bdue (?:19|20)\d\d\b", regex.IGNORECASE)
_LIST = regex.compile(
    r"Securities\s+registered\s+pursuant\s+to\s+Section\s+12\(b\)\s+of\s+the\s+(?:Securities\s+Exchange\s+)?Act[^:]*:"
    r"(?P<list>.{10,1500}?)(?=Securities\s+registered\s+pursuant\s+to\s+Section\s+12\(g\)|Indicate\s+by\s+check|\Z)",
    regex.IGNORECASE | regex.DOTALL,
)
NONE = "Inference: there are none; no debt security is among the securities registered pursuant to Section 12(b): "


def registered_securities(question: str, passages: Sequence[Passage]) -> list[Inference]:
    """Return the list of a cover page where a question asks for registered securities; nothing where none was found."""
    if not _ASKED.search(question):
        return []
    for passage in sorted(passages, key=lambda each: (each.chunk.uri, each.chunk.start)):
        found = told(passage, wants_debt=bool(_DEBT.search(question)))
        if found is not None:
            return [found]
    return []


def told(passage: Passage, *, wants_debt: bool) -> Inference | None:
    """Return what the list in one passage says; that it holds no debt only where all of it lies in the passage."""
    text = passage.chunk.text
    match = _LIST.search(text)
    if match is None:
        return None
    span = Quote(chunk_id=passage.chunk.chunk_id, start=match.start(), end=match.end(), text=match.group())
    listed = " ".join(match["list"].split())
    whole = match.end() < len(text)
    if wants_debt and whole and not _IS_DEBT.search(listed):
        return Inference(f"{NONE}{listed}", (span,), "registered securities")
    return Inference(" ".join(match.group().split()), (span,), "registered securities")


def lacks_debt(claim: str, cited: Sequence[Passage]) -> bool:
    """Whether a claim that no debt security is registered follows from the cover page that it cites."""
    return claim.startswith(NONE) and any(
        (found := told(passage, wants_debt=True)) is not None and found.text == claim for passage in cited
    )
