"""What a corpus stores and holds, and how it lies in the rows of the database."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..state.records import Chunk, Source, TableRow
from ..state.seals import Sealed, seal
from .folder import printable

# How the reason of a source begins that another one makes superfluous.
DUPLICATE = "the same content as "
Outcome = Literal["added", "updated", "unchanged"]
HELD_COLUMNS = "uri, record, content, cut, root, path, pages, seal"
_CHUNK_COLUMNS = "chunk_id, uri, i, text, start, end, page, sheet, row_first, row_last, headings"
SEALED_CHUNK = f"{_CHUNK_COLUMNS}, seal"


@dataclass(frozen=True)
class Intake:
    """A source ready to be stored.

    Attributes:
        content: What makes two sources one by content; empty where that is not asked.
        cut: How it was cut; the same content cut another way is stored anew.
        root: The root it was found under, empty for texts and pages.
        path: The file on this machine, empty for texts and pages.
        pages: Where each page begins in the text, by page number.
    """

    source: Source
    text: str = ""
    chunks: Sequence[Chunk] = ()
    rows: Sequence[TableRow] = ()
    content: str = ""
    cut: str = ""
    root: str = ""
    path: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pages: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Held:
    """What the corpus holds of a source, enough to tell whether it changed."""

    source: Source
    content: str
    cut: str
    root: str
    path: str
    pages: Mapping[int, int]


def sealed_row(uri: str, chunk: Chunk) -> tuple[Sealed, ...]:
    """Return the values of `SEALED_CHUNK`."""
    row = (
        chunk.chunk_id,
        uri,
        chunk.index,
        chunk.text,
        chunk.start,
        chunk.end,
        chunk.page,
        chunk.sheet,
        *(chunk.rows or (None, None)),
        json.dumps(chunk.headings, ensure_ascii=False),
    )
    return (*row, seal(*row))


def held_of(row: tuple[Any, ...]) -> Held:
    """Return what is held of a source from its `HELD_COLUMNS` without the seal."""
    _, record, content, cut, root, path, pages = row
    starts = {int(page): start for page, start in json.loads(pages).items()}
    return Held(Source.model_validate_json(record), content, cut, root, os.fsdecode(path), starts)


def stored_path(path: str) -> str | bytes:
    """Return a path as the database takes it: one that is no UTF-8 as the bytes that it is on this machine."""
    return path if printable(path) == path else os.fsencode(path)


def chunk_of(row: tuple[Any, ...]) -> Chunk:
    """Return a chunk from its `SEALED_CHUNK` without the seal."""
    chunk_id, uri, index, text, start, end, page, sheet, first, last, headings = row
    return Chunk(
        chunk_id=chunk_id,
        uri=uri,
        index=index,
        text=text,
        start=start,
        end=end,
        page=page,
        sheet=sheet,
        rows=None if first is None else (first, last),
        headings=tuple(json.loads(headings)),
    )
