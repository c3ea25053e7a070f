"""A title that leads a sentence of its own passage: both stand there word for word, so the sentence alone is judged."""

from __future__ import annotations

from collections.abc import Sequence

from ...text.matching import comparable
from ..protocol import Passage

_MARK = ": "


def without_title(claim: str, cited: Sequence[Passage]) -> str:
    """Return a claim without the title before a sentence, where one cited passage holds both; else the claim.

    `Trial of filters: Lead was not measured.` says no more than the sentence under that title does; laid beside the
    passage as one sentence, the words of the title would stand too far from it.
    """
    at = claim.find(_MARK)
    while at > 0:
        lead, told = comparable(claim[:at]), comparable(claim[at + len(_MARK) :])
        if told and any(lead in titles_of(passage) and told in comparable(passage.chunk.text) for passage in cited):
            return claim[at + len(_MARK) :]
        at = claim.find(_MARK, at + 1)
    return claim


def titles_of(passage: Passage) -> frozenset[str]:
    """Return what a passage is headed by, in comparable form: its source's title, its first line."""
    first = passage.chunk.text.split("\n", 1)[0].lstrip("# ") if passage.chunk.index == 0 else ""
    return frozenset(filter(None, (comparable(passage.source.title), comparable(first))))
