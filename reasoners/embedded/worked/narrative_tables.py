"""What the tables inside reports answer by computation, where no export is among the sources."""

from __future__ import annotations

from collections.abc import Sequence

from ....state.records import Quote, TableRow
from ...protocol import Passage
from ...statements.inference import Inference
from ...support.formulas import find_formulas
from ...tables.answers import compute
from ...tables.asking import read_ask
from ...tables.catalog import catalog
from ..asked.question import Question

_WHOLE_CHUNK = 1_400
"""Characters; a shorter chunk ends where its text does, and so does the table at its end."""


def computed_of_tables(question: Question, passages: Sequence[Passage]) -> list[Inference]:
    """Return what follows from the tables of reports that were retrieved whole; nothing beside exports.

    Over exports the dataroom policy computes, which knows all of their rows.
    """
    if question.language != "en" or any(passage.source.tier == "structured" for passage in passages):
        return []
    placed = _whole_tables(passages)
    if not placed:
        return []
    rows = [row for row, _ in placed.values()]
    tables = catalog(rows, {row.uri: True for row in rows})
    found = []
    for answer in compute(read_ask(question.text), tables):
        quotes = [placed[row.uri, row.start, row.end][1] for row in answer.rows]
        if quotes and (answer.is_whole or find_formulas(answer.text)):
            found.append(Inference(answer.text, tuple(dict.fromkeys(quotes))))
    return found


def _whole_tables(passages: Sequence[Passage]) -> dict[tuple[str, int, int], tuple[TableRow, Quote]]:
    """Return the rows of tables of which all rows are at hand, in order, each with its place in a passage."""
    found: dict[tuple[str, int, int], tuple[TableRow, Passage]] = {}
    for passage in passages:
        for row in passage.rows:
            if row.page is None and passage.chunk.start <= row.start and row.end <= passage.chunk.end:
                found.setdefault((row.uri, row.start, row.end), (row, passage))
    tables: dict[tuple[object, ...], list[tuple[TableRow, Passage]]] = {}
    for key in sorted(found):
        row, passage = found[key]
        headers = tuple(cell.header for cell in row.cells)
        tables.setdefault((row.uri, row.sheet, row.caption, headers), []).append((row, passage))
    whole: dict[tuple[str, int, int], tuple[TableRow, Quote]] = {}
    for members in tables.values():
        last, passage = members[-1]
        behind = passage.chunk.text[last.end - passage.chunk.start :].strip()
        if [row.row for row, _ in members] != list(range(1, len(members) + 1)) or not (
            behind or len(passage.chunk.text) < _WHOLE_CHUNK
        ):
            continue
        whole |= {(row.uri, row.start, row.end): (row, _quote(row, holder)) for row, holder in members}
    return whole


def _quote(row: TableRow, passage: Passage) -> Quote:
    start, end = row.start - passage.chunk.start, row.end - passage.chunk.start
    return Quote(chunk_id=passage.chunk.chunk_id, start=start, end=end, text=passage.chunk.text[start:end])
