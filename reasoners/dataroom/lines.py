"""Passages as lines: each sentence and each table row with its place, its source's tier and its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ...reasoners.protocol import Passage
from ...state.records import Quote, TableRow
from ...text.sentences import sentences
from ...text.words import analyse

_GAP = 4
_MARKER = re.compile(r"(?:[-•*]\s+)?")
"""What a list puts before its items; it is no word of theirs."""


@dataclass(frozen=True)
class Line:
    """A sentence or row of a passage."""

    text: str
    uri: str
    chunk_id: str
    start: int
    end: int
    structured: bool
    dated: str
    row: TableRow | None = None
    gap: str = ""
    """The first characters behind it in its chunk."""

    @cached_property
    def words(self) -> frozenset[str]:
        """Index terms; an identifier is cut at its underscores."""
        return frozenset(analyse(self.text.replace("_", " ")))

    def gap_to(self, other: Line) -> str:
        """Return the few characters between it and the line behind it; a dash where there are more."""
        return self.gap[: other.start - self.end] if other.start - self.end <= _GAP else "–"

    @property
    def quote(self) -> Quote:
        """The line as a quote of its chunk."""
        return Quote(chunk_id=self.chunk_id, start=self.start, end=self.end, text=self.text)


def lines_of(passages: Sequence[Passage]) -> list[Line]:
    """Return the lines of passages, in the order given, each place of a source once."""
    found: dict[tuple[str, int, int], Line] = {}
    for passage in passages:
        chunk, source = passage.chunk, passage.source
        rows = {(row.start - chunk.start, row.end - chunk.start): row for row in passage.rows}
        dated = source.published_at.date().isoformat() if source.published_at else ""
        spans = [*rows, *(span for span in sentences(chunk.text) if not _inside(span, rows))]
        for begin, end in sorted(set(spans)):
            start = begin + _MARKER.match(chunk.text[begin:end]).end()  # type: ignore[union-attr]
            if start < 0 or end > len(chunk.text) or not chunk.text[start:end].strip():
                continue
            line = Line(
                text=chunk.text[start:end],
                uri=chunk.uri,
                chunk_id=chunk.chunk_id,
                start=start,
                end=end,
                structured=source.tier == "structured",
                dated=dated,
                row=rows.get((start, end)),
                gap=chunk.text[end : end + _GAP],
            )
            found.setdefault((chunk.uri, chunk.start + start, chunk.start + end), line)
    return list(found.values())


def line_of(row: TableRow, passages: Sequence[Passage]) -> Quote | None:
    """Return a table row as a quote of the retrieved chunk that holds all of it, or None where none does."""
    for passage in passages:
        chunk = passage.chunk
        if chunk.uri == row.uri and chunk.start <= row.start and row.end <= chunk.end:
            start, end = row.start - chunk.start, row.end - chunk.start
            return Quote(chunk_id=chunk.chunk_id, start=start, end=end, text=chunk.text[start:end])
    return None


def _inside(span: tuple[int, int], rows: dict[tuple[int, int], TableRow]) -> bool:
    return any(start <= span[0] < end or span[0] <= start < span[1] for start, end in rows)
