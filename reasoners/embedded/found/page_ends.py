"""A sentence that a page's end cuts in two: its second half is told with the first, each at its own place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import regex

from ....state.records import Quote
from ....text.sentences import is_table_row, sentences
from ...protocol import Passage
from .candidates import Candidate, index_terms

_STOPS = regex.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_GOES_ON = regex.compile(r"[\p{Ll}\d(£$€]")
_RUNS_ON = regex.compile(r",$|\b(?:of|the|and|in|for|to|a|an|by|with|at|on|or|as|from|that|which)$", regex.IGNORECASE)
_OPENS_PHRASE = regex.compile(r"^(?:on|in|at|for|from|where|if|when|the|a|an|no|each|every)\b", regex.IGNORECASE)
_ITEM = regex.compile(r"\(?(?:\d{1,2}(?:\.\d{1,2})*|[a-z])[.)]?\s+\p{Lu}|\d{1,3}\s*(?:\n|$)")
_MOST_CHARS = 400


def with_page_ends(candidates: Sequence[Candidate], passages: Iterable[Passage]) -> list[Candidate]:
    """Return candidates, the second half of a sentence with its first; the first by itself is left out."""
    at = {(each.chunk.uri, each.chunk.index): each for each in passages}
    found: list[Candidate] = []
    told: set[tuple[str, int, int]] = set()
    for each in candidates:
        chunk = each.passage.chunk
        before = at.get((chunk.uri, chunk.index - 1))
        begun = _begun(before, each) if before is not None and each.start == 0 and each.row is None else None
        if begun is not None:
            told.add((begun.chunk_id, begun.start, begun.end))
            each = replace(each, begun=begun, terms=each.terms | index_terms(begun.text))
        found.append(each)
    return [each for each in found if each.key not in told]


def _begun(before: Passage, candidate: Candidate) -> Quote | None:
    """Return the words that end the page before in the middle of a sentence that goes on in a candidate."""
    page, text = candidate.passage.chunk.page, before.chunk.text
    if page is None or before.chunk.page is None or before.chunk.page >= page:
        return None
    cut = sentences(text)
    if not cut or cut[-1][1] - cut[-1][0] > _MOST_CHARS:
        return None
    start, end = cut[-1]
    half = text[start:end]
    if _STOPS.search(half) or is_table_row(half.rsplit("\n", 1)[-1]) or not half[:1].isupper():
        return None
    if _ITEM.match(candidate.text) or not (_GOES_ON.match(candidate.text) or _RUNS_ON.search(half)):
        return None
    if candidate.text[0].isdigit() and not (_RUNS_ON.search(half) or _OPENS_PHRASE.match(half)):
        return None
    return Quote(chunk_id=before.chunk.chunk_id, start=start, end=end, text=half)
