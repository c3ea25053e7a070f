"""Cut an extracted text into chunks at the places where it pauses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import regex

from ..state.records import Chunk, chunk_id_of
from .parsers.extraction import Block, Extraction

# How well a text can be cut at a place, the higher the better.
_WORD, _SENTENCE, _LINE, _BLOCK, _HEADING, _PART = 1, 2, 3, 4, 5, 6
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


@dataclass(frozen=True)
class _Boundary:
    """Places where a chunk may begin, sorted, and how good each is."""

    places: list[int]
    weights: list[int]

    def within(self, first: int, last: int) -> range:
        """Return the indexes of the places from `first` to `last`, both included."""
        return range(bisect_left(self.places, first), bisect_right(self.places, last))


def cut(
    extraction: Extraction, uri: str, *, chars: int = 1600, overlap: int = 320, limit: int | None = None
) -> list[Chunk]:
    """Cut a text into chunks that overlap where it runs on, and do not where a page, sheet or section ends.

    A chunk ends at the best pause in its second half: end of a page or sheet, then before a heading, then between
    blocks, lines, sentences, words; where there is none, between character clusters (Unicode UAX #29).

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
    text = extraction.text
    spans = _spans(text, _boundaries(text, extraction.blocks), chars, min(overlap, chars // 2))
    starts = [block.start for block in extraction.blocks]
    chunks: list[Chunk] = []
    for start, end in spans:
        if limit is not None and len(chunks) >= limit:
            break
        blocks = _blocks_in(extraction.blocks, starts, start, end)
        first = blocks[0] if blocks else None
        numbers = [block.row for block in blocks if block.row is not None]
        chunks.append(
            Chunk(
                chunk_id=chunk_id_of(uri, len(chunks)),
                uri=uri,
                index=len(chunks),
                text=text[start:end],
                start=start,
                end=end,
                page=first.page if first else None,
                sheet=first.sheet if first else None,
                rows=(min(numbers), max(numbers)) if numbers else None,
                headings=first.headings if first else (),
            )
        )
    return chunks


def _blocks_in(blocks: tuple[Block, ...], starts: list[int], start: int, end: int) -> tuple[Block, ...]:
    first = max(bisect_right(starts, start) - 1, 0)
    if first < len(blocks) and blocks[first].end <= start:
        first += 1
    return blocks[first : bisect_left(starts, end)]


def _boundaries(text: str, blocks: tuple[Block, ...]) -> _Boundary:
    """Collect where a chunk may begin; the best weight of a place counts."""
    weights: dict[int, int] = {}
    for match in _WORD_START.finditer(text):
        weights[match.start()] = _WORD
    for match in _SENTENCE_START.finditer(text):
        if not _ABBREVIATION.search(text, max(0, match.start() - 12), match.start()):
            weights[match.start()] = _SENTENCE
    for match in _LINE_START.finditer(text):
        weights[match.start()] = _LINE
    previous: Block | None = None
    for block in blocks:
        weight = _HEADING if block.kind == "heading" and (not previous or previous.kind != "heading") else _BLOCK
        if previous and previous.kind == "heading" and block.kind != "heading":
            # A heading stays with what it heads.
            weight = _WORD
        if previous and (block.page, block.sheet) != (previous.page, previous.sheet):
            weight = _PART
        weights[block.start] = weight
        previous = block
    places = sorted(weights)
    return _Boundary(places, [weights[place] for place in places])


def _spans(text: str, boundary: _Boundary, chars: int, overlap: int) -> list[tuple[int, int]]:
    parts = [place for place, weight in zip(boundary.places, boundary.weights, strict=True) if weight == _PART]
    spans: list[tuple[int, int]] = []
    start = _skip_space(text, 0)
    part = 0
    while start < len(text):
        while part < len(parts) and parts[part] <= start:
            part += 1
        stop = parts[part] if part < len(parts) else len(text)
        end, weight = _end(text, boundary, start, stop, chars)
        spans.append((start, len(text[start:end].rstrip()) + start))
        if end >= len(text):
            break
        following = end if weight >= _HEADING else _overlapping(text, boundary, start, end, overlap)
        start = _skip_space(text, following)
    return [span for span in spans if span[1] > span[0]]


def _end(text: str, boundary: _Boundary, start: int, stop: int, chars: int) -> tuple[int, int]:
    """Return where the chunk that begins at `start` ends, and how good the place is."""
    if stop - start <= chars:
        return stop, _PART
    best, best_weight = 0, 0
    for index in boundary.within(start + max(1, int(chars * _LEAST_FILLED)), start + chars):
        if boundary.weights[index] >= best_weight:
            best, best_weight = boundary.places[index], boundary.weights[index]
    if best:
        return best, best_weight
    return _cluster_end(text, start, start + chars), 0


def _overlapping(text: str, boundary: _Boundary, start: int, end: int, overlap: int) -> int:
    """Return where the next chunk begins: the best pause within the overlap, the earliest of equals."""
    best, best_weight = end, 0
    for index in boundary.within(max(start + 1, end - overlap), end - 1):
        if boundary.weights[index] > best_weight:
            best, best_weight = boundary.places[index], boundary.weights[index]
    if best_weight == 0 and overlap:
        best = _cluster_end(text, start, max(start + 1, end - overlap))
    return best if start < best <= end else end


_CLUSTER = regex.compile(r"\X")
# A character cluster is a few characters; one longer than this is no writing and may be cut.
_CLUSTER_REACH = 64


def _cluster_end(text: str, start: int, target: int) -> int:
    """Return the last end of a character cluster at or before `target`, at least one cluster past `start`."""
    position = max(start, target - _CLUSTER_REACH)
    last = position if position > start else start
    for match in _CLUSTER.finditer(text, position, min(len(text), target + _CLUSTER_REACH)):
        if match.end() > target:
            break
        last = match.end()
    if last > start:
        return last
    match = _CLUSTER.match(text, start)
    return match.end() if match else start + 1


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
