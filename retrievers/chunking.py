"""Cut an extracted text into chunks at the places where it pauses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ..state.records import Chunk, chunk_id_of
from .parsers.extraction import Block, Extraction

# How well a text can be cut before a place, the higher the better.  A line end within a paragraph is often mere layout.
_WORD, _LINE, _SENTENCE, _BLOCK, _HEADING, _PART = 1, 2, 3, 4, 5, 6
# A chunk is filled at least this far before a boundary may end it.
_LEAST_FILLED = 0.5

_SENTENCE_START = regex.compile(
    r"""(?<=[.!?…]["'”’»)\]]{0,2}\s+)(?=["'“‘«(\[]{0,2}[\p{Lu}\p{Lt}\p{Lo}\d])|(?<=[。！？；][」』”’）]{0,2})(?=\S)""",
    regex.VERBOSE,
)
_LINE_START = regex.compile(r"(?<=\n)(?=\S)")
_WORD_START = regex.compile(r"(?<=\s)(?=\S)")
_ABBREVIATION = regex.compile(
    r"(?:\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|vs|cf|e\.g|i\.e|Inc|Co|Corp|Ltd|Fig|Art|Sec|Nr|bzw|z\.B))\.\s+\Z"
)
_LOOKS_BACK = 16
# A mark or joiner belongs to the character before it, even to a space.
_CONTINUES_CLUSTER = regex.compile(r"[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u200d]")
_CLUSTER = regex.compile(r"\X")
# A character cluster is a few characters; one longer than this is no writing and may be cut.
_CLUSTER_REACH = 64
_RUN = regex.compile(r"[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u200d\p{Regional_Indicator}]")


def cut(
    extraction: Extraction, uri: str, *, chars: int = 1600, overlap: int = 320, limit: int | None = None
) -> list[Chunk]:
    """Cut a text into chunks that overlap where it runs on, and do not where a page, sheet or section ends.

    A chunk ends at the best pause in its second half: end of a page or sheet, then before a heading, then between
    blocks, sentences, lines, words; where there is none, between character clusters (Unicode UAX #29).

    Args:
        extraction: What a parser made of the source.
        uri: The source; chunk ids derive from it.
        chars: Most characters of a chunk.  A single character cluster that is longer stands whole.
        overlap: Most characters that two neighbours share; at most half of `chars` is used.
        limit: Most chunks; the rest of the text is left out.  None for no limit.
    Returns: Chunks in order; `text == extraction.text[start:end]`, together they cover all but white space.
    Raises: ValueError where `chars` is below 1 or `overlap` is negative.
    """
    if chars < 1 or overlap < 0:
        raise ValueError("chars must be 1 or more and overlap 0 or more")
    cutter = _Cutter.of(extraction, chars, min(overlap, chars // 2))
    chunks: list[Chunk] = []
    for start, end in cutter.spans():
        if limit is not None and len(chunks) >= limit:
            break
        blocks = cutter.blocks_in(start, end)
        first = blocks[0] if blocks else None
        numbers = [block.row for block in blocks if block.row is not None]
        chunks.append(
            Chunk(
                chunk_id=chunk_id_of(uri, len(chunks)),
                uri=uri,
                index=len(chunks),
                text=extraction.text[start:end],
                start=start,
                end=end,
                page=first.page if first else None,
                sheet=first.sheet if first else None,
                rows=(min(numbers), max(numbers)) if numbers else None,
                headings=first.headings if first else (),
            )
        )
    return chunks


@dataclass(frozen=True)
class _Cutter:
    """One text with the places where its blocks begin, and how good each is as the start of a chunk."""

    text: str
    blocks: tuple[Block, ...]
    starts: list[int]
    weights: list[int]
    chars: int
    overlap: int

    @classmethod
    def of(cls, extraction: Extraction, chars: int, overlap: int) -> _Cutter:
        weights: list[int] = []
        previous: Block | None = None
        for block in extraction.blocks:
            weight = _BLOCK
            if previous is None or (block.page, block.sheet) != (previous.page, previous.sheet):
                weight = _PART
            elif previous.kind == "heading":
                # A heading stays with what it heads.
                weight = _WORD
            elif block.kind == "heading":
                weight = _HEADING
            weights.append(weight)
            previous = block
        starts = [block.start for block in extraction.blocks]
        return cls(extraction.text, extraction.blocks, starts, weights, chars, overlap)

    def blocks_in(self, start: int, end: int) -> tuple[Block, ...]:
        """Return the blocks that a span touches."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        if first < len(self.blocks) and self.blocks[first].end <= start:
            first += 1
        return self.blocks[first : bisect_left(self.starts, end)]

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield start and end of each chunk, white space left out at both."""
        text = self.text
        parts = [start for start, weight in zip(self.starts, self.weights, strict=True) if weight == _PART]
        start, part, reached = _skip_space(text, 0), 0, 0
        while start < len(text):
            while part < len(parts) and parts[part] <= start:
                part += 1
            stop = parts[part] if part < len(parts) else len(text)
            end, weight = self._end(start, stop)
            shown_end = start + len(text[start:end].rstrip())
            # In tiny chunks the overlap can be all there is: what lies within the chunk before is no chunk.
            if shown_end > reached:
                yield start, shown_end
                reached = shown_end
            if end >= len(text):
                return
            start = _skip_space(text, end if weight >= _HEADING else self._following(start, shown_end))

    def _end(self, start: int, stop: int) -> tuple[int, int]:
        """Return where the chunk that begins at `start` ends, at `stop` at the latest, and how good the place is."""
        if stop - start <= self.chars:
            return stop, _PART
        first, last = start + max(1, int(self.chars * _LEAST_FILLED)), start + self.chars
        best = weight = 0
        for index in range(bisect_left(self.starts, first), bisect_right(self.starts, last)):
            if self.weights[index] >= max(weight, _BLOCK):
                best, weight = self.starts[index], self.weights[index]
        if weight:
            return best, weight
        for pattern, value in ((_SENTENCE_START, _SENTENCE), (_LINE_START, _LINE), (_WORD_START, _WORD)):
            for place in self._places(pattern, first, last):
                best, weight = place, value
            if weight:
                return best, weight
        return _cluster_end(self.text, start, last), 0

    def _following(self, start: int, end: int) -> int:
        """Return where the next chunk begins: the best pause within the overlap, the earliest of equals."""
        first = max(start + 1, end - self.overlap)
        if first >= end:
            return end
        best = weight = 0
        for index in range(bisect_left(self.starts, first), bisect_left(self.starts, end)):
            if self.weights[index] > max(weight, _WORD):
                best, weight = self.starts[index], self.weights[index]
        if weight:
            return best
        for pattern in (_SENTENCE_START, _LINE_START, _WORD_START):
            for place in self._places(pattern, first, end - 1):
                return place
        place = _cluster_end(self.text, start, first)
        if place < first:
            # The cluster that straddles the limit stays out, or the overlap would be longer than asked for.
            place = _cluster_end(self.text, place, place)
        return min(place, end)

    def _places(self, pattern: regex.Pattern[str], first: int, last: int) -> Iterator[int]:
        """Yield the places from `first` to `last` at which a sentence, line or word begins."""
        text = self.text
        for match in pattern.finditer(text, first, min(last + 1, len(text))):
            place: int = match.start()
            if place > last or _CONTINUES_CLUSTER.match(text, place):
                continue
            if pattern is _SENTENCE_START and _ABBREVIATION.search(text, max(0, place - _LOOKS_BACK), place):
                continue
            yield place


def _cluster_end(text: str, start: int, target: int) -> int:
    """Return the last end of a character cluster at or before `target`, at least one cluster past `start`.

    Reading begins a little earlier, outside a run of marks or of flags, whose pairs count from the run's start.
    """
    position = max(start, target - _CLUSTER_REACH)
    while position > start and _RUN.match(text, position):
        position -= 1
    last = start
    for match in _CLUSTER.finditer(text, position, min(len(text), target + _CLUSTER_REACH)):
        if match.end() > target:
            break
        last = match.end()
    if last > start:
        return last
    match = _CLUSTER.match(text, start)
    return match.end() if match else start + 1


def _skip_space(text: str, position: int) -> int:
    """Return the first place that is no white space; a space that carries a mark is kept."""
    while position < len(text) and text[position].isspace():
        if position + 1 < len(text) and _CONTINUES_CLUSTER.match(text, position + 1):
            return position
        position += 1
    return position
