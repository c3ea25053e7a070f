"""The table rows of a chunk: stored ones, or those recovered from the PDF pages it lies on."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from ..state.records import Chunk, TableRow
from .corpus_records import Held
from .corpus_store import CorpusStore

PDF = "application/pdf"


def recover(store: CorpusStore, chunk: Chunk, held: Held | None) -> tuple[TableRow, ...]:
    """Return the rows that touch a chunk, in order.

    Rows and columns of a PDF are read from the positions of its characters, which takes time: only for the pages
    of chunks that were asked for, once.  Where the file is gone or changed there are none.
    """
    if held is None:
        return ()
    if held.source.media_type != PDF or not held.path:
        return tuple(store.table_rows(chunk.uri, chunk.start, chunk.end))
    rows: list[TableRow] = []
    for page in _pages_of(chunk, held):
        rows += _page_rows(store, held, page)
    return tuple(row for row in rows if row.start < chunk.end and row.end > chunk.start)


def _pages_of(chunk: Chunk, held: Held) -> list[int]:
    numbers = sorted(held.pages)
    ends = [held.pages[number] for number in numbers[1:]] + [chunk.end + 1]
    return [
        number
        for number, end in zip(numbers, ends, strict=True)
        if held.pages[number] < chunk.end and end > chunk.start
    ]


def _page_rows(store: CorpusStore, held: Held, page: int) -> list[TableRow]:
    uri = held.source.uri
    known = store.recovered_page(uri, page)
    if known is not None:
        return known
    try:
        data = Path(held.path).read_bytes()
    except OSError:
        return []
    if sha256(data).hexdigest() != held.source.sha256:
        return []
    from pypdfium2 import PdfiumError

    from .pdf_tables import recover_rows

    try:
        rows = recover_rows(data, page, held.pages[page], uri)
    except (PdfiumError, IndexError):
        rows = []
    store.keep_page(uri, page, rows)
    return rows
