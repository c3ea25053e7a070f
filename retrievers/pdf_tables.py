"""Recover the rows and columns of figures on one pdf page from where its characters stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..state.records import Cell as CellRecord
from ..state.records import TableRow
from .parsers.pdf_text import PDFIUM_LOCK, PageText, open_pdf, page_text
from .pdf_headers import Column, column_headers, column_of, find_columns
from .pdf_layout import Cell, Line, Word, read_lines

_MOST_HEADER_LINES = 8
_INDENT_POINTS = 2.5
_UNIT_NOTE = re.compile(
    r"\(?[^()]{0,60}\b(?:in\s+)?(?:millions|thousands|billions|trillions)\b[^()]{0,80}\)?|\$ in (?:millions|thousands)|"
    r"\((?:unaudited|percent(?:age)?s?|in percent|dollars|U\.S\. dollars)[^()]*\)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"(?:[,;–—-]|\b(?:and|or|of|to|in|for|the|a|an|on|by|with|from|per|at))\s*\Z", re.IGNORECASE)
_SUM = re.compile(r"(?:total|net|sub-?total)\b", re.IGNORECASE)
_MARK_CELL = re.compile(r"\([a-z]{1,2}\)")
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_PAGE_HEADER = re.compile(r"page(?:\s+(?:no\.?|number))?s?", re.IGNORECASE)
# Lines of a page that stand over a table and name nothing in it.
_ASIDE = re.compile(r"(?:exhibit|annex|appendix|page|schedule)\s+[\w.-]{1,6}|table of contents", re.IGNORECASE)


def recover_rows(source: Path | str | bytes, page: int, page_start: int, uri: str) -> list[TableRow]:
    """Read the figure tables of one page; its text and offsets are those of `extract`.

    Args:
        source: The file or its bytes.
        page: Page number, from 1.
        page_start: Where the page's text begins in the source's extracted text.
        uri: The source.
    Returns: Rows from top to bottom; none where the page has no figures in columns.
    Raises: pypdfium2.PdfiumError where file or page cannot be read; IndexError where there is no such page.
    """
    with PDFIUM_LOCK:
        document = open_pdf(source if isinstance(source, bytes) else str(source))
        try:
            if not 1 <= page <= len(document):
                raise IndexError(f"{uri} has no page {page}")
            sheet = document[page - 1]
            textpage = sheet.get_textpage()
            content = page_text(textpage)
            lines = read_lines(sheet, textpage, content)
            textpage.close()
            sheet.close()
        finally:
            document.close()
    return rows_of(lines, content, page, page_start, uri)


def rows_of(lines: Sequence[Line], content: PageText, page: int, page_start: int, uri: str) -> list[TableRow]:
    """Return the table rows among the lines of a page."""
    found: list[TableRow] = []
    previous: _Table | None = None
    for table in _tables(lines):
        if not any(table.headers) and previous is not None:
            table.inherit(previous)
        previous = table
        if _is_contents(table):
            continue
        for row in table.rows:
            record = _record(row, table, content, page, page_start, uri, len(found) + 1)
            if record is not None:
                found.append(record)
    return found


@dataclass
class _Row:
    """One row: its label's words, its values by column, and the words of its line."""

    label: str
    values: list[tuple[int, Cell]]
    words: list[Word]


@dataclass
class _Table:
    """One table with its columns named."""

    columns: list[Column]
    headers: list[str]
    caption: str
    rows: list[_Row] = field(default_factory=list)

    def inherit(self, other: _Table) -> None:
        """Take headers and caption from the table above where the columns stand in the same places."""
        if len(self.columns) == len(other.columns) and all(
            abs(mine.core - theirs.core) < 8 for mine, theirs in zip(self.columns, other.columns, strict=True)
        ):
            self.headers = other.headers
            self.caption = self.caption or other.caption


def _is_contents(table: _Table) -> bool:
    """Whether it is a table of contents, whose figures are page numbers: one column of rising whole numbers."""
    if len(table.columns) != 1:
        return False
    if table.headers[0]:
        return _PAGE_HEADER.fullmatch(table.headers[0]) is not None
    texts = [value.text for row in table.rows for _, value in row.values]
    if len(texts) < 3 or not all(_PAGE_NUMBER.fullmatch(text) for text in texts):
        return False
    numbers = [int(text) for text in texts]
    return numbers == sorted(numbers)


def _record(
    row: _Row, table: _Table, content: PageText, page: int, page_start: int, uri: str, number: int
) -> TableRow | None:
    cells = []
    for column, value in row.values:
        start, end = value.start, value.end
        if end - start > len(value.text) + 2 * len(value.words):
            # The sign stands elsewhere in the text: the figure alone is quoted.
            figure = max(value.words, key=lambda word: sum(char.isdigit() for char in word.text))
            start, end = figure.start, figure.end
        cells.append(
            CellRecord(
                header=table.headers[column],
                text=content.text[start:end],
                start=page_start + start,
                end=page_start + end,
            )
        )
    if not cells:
        return None
    return TableRow(
        uri=uri,
        label=row.label,
        cells=tuple(cells),
        caption=table.caption,
        page=page,
        row=number,
        start=page_start + min(word.start for word in row.words),
        end=page_start + max(word.end for word in row.words),
    )


def _figures(line: Line) -> list[Cell]:
    """Return the value cells at the right end of a line of figures, or none where it is no such line.

    The first cell is the label even where it is a figure (a year in a table of maturities), unless it stands alone.
    """
    cells = list(line.cells)
    tail: list[Cell] = []
    while cells and cells[-1].is_value:
        tail.insert(0, cells.pop())
    if not cells and len(tail) > 1 and tail[0].is_year and any(cell.is_figure for cell in tail[1:]):
        tail = tail[1:]
    return tail if any(cell.is_figure for cell in tail) else []


def _tables(lines: Sequence[Line]) -> list[_Table]:
    """Cut the lines of a page into tables."""
    tables: list[_Table] = []
    index = floor = 0
    while index < len(lines):
        if not _starts(lines, index):
            index += 1
            continue
        stop = _stop(lines, index)
        values = [_figures(line) for line in lines[index:stop]]
        if sum(bool(row) for row in values) < 2 and max(len(row) for row in values) < 2:
            index = max(stop, index + 1)
            continue
        tables.append(_table(lines, floor, index, stop))
        index = floor = stop
    return tables


def _starts(lines: Sequence[Line], index: int) -> bool:
    return bool(_figures(lines[index])) and len(lines[index].cells) > 1


def _stop(lines: Sequence[Line], first: int) -> int:
    """Return where the table that begins at `first` ends: at prose, at new headers, at a wide gap."""
    cells = _figures(lines[first])
    zone = min(cell.left for cell in cells)
    edges = [cell.core for cell in cells]
    last = first
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if lines[index - 1].middle - line.middle > 4.5 * max(line.height, 6):
            break
        figures = _figures(line)
        # A page's foot stands in no column; a second row may open further ones.
        apart = min((abs(cell.core - edge) for cell in figures for edge in edges), default=0.0)
        labelled = len(line.cells) > len(figures) and (apart < 15 or len(figures) > 1 or last == first)
        if figures and (labelled or apart < 6):
            zone = min(zone, *(cell.left for cell in figures))
            edges += [cell.core for cell in figures]
            last = index
        elif line.right > zone + 3 or index - last > 4:
            break
    return last + 1


def _table(lines: Sequence[Line], floor: int, first: int, stop: int) -> _Table:
    values = [_figures(line) for line in lines[first:stop]]
    columns = find_columns(values)
    top, header_lines = _header_lines(lines, floor, first, columns[0].left)
    headers, aside = column_headers(header_lines, columns)
    above = first - len(header_lines) if not header_lines else lines.index(header_lines[0])
    caption = _caption(lines, floor, above, aside)
    table = _Table(columns, headers, caption)
    _fill(table, lines[top:stop])
    return table


def _header_lines(lines: Sequence[Line], floor: int, first: int, zone: float) -> tuple[int, list[Line]]:
    """Walk up from the first row; return where the body begins and the header lines from top to bottom.

    Label lines between header and first row (a parent, a label that wraps) belong to the body.
    """
    index = first - 1
    body = first
    while index >= floor and first - index <= 4 and lines[index].right <= zone + 3 and _near(lines, index):
        body = index
        index -= 1
    heads: list[Line] = []
    while index >= floor and len(heads) < _MOST_HEADER_LINES and _near(lines, index) and _is_header(lines[index], zone):
        if not _ASIDE.fullmatch(lines[index].text):
            heads.insert(0, lines[index])
        index -= 1
    return (body, heads) if heads else (first, [])


def _near(lines: Sequence[Line], index: int) -> bool:
    return lines[index].middle - lines[index + 1].middle < 2.6 * max(lines[index].height, lines[index + 1].height)


def _is_header(line: Line, zone: float) -> bool:
    """Whether a line names columns: something stands over them, and it is neither prose nor a row of figures."""
    if line.right <= zone - 2 or any(cell.is_figure and len(cell.text) > 1 for cell in line.cells):
        return False
    crossing = [cell for cell in line.cells if cell.left < zone - 60 and cell.right > zone + 20]
    return not any(len(cell.words) > 7 or cell.text.endswith(".") for cell in crossing) and not any(
        len(cell.words) > 14 for cell in line.cells
    )


def _caption(lines: Sequence[Line], floor: int, above: int, aside: Sequence[str]) -> str:
    """Return the title over the header and the unit note beside or over it."""
    titles: list[str] = []
    index = above - 1
    while index >= floor and above - index <= 3 and _near(lines, index):
        text = lines[index].text
        if len(text) > 140 or text.endswith((".", ",")) or _figures(lines[index]):
            break
        titles.insert(0, text)
        index -= 1
    parts = [*titles, *aside]
    if not any(_UNIT_NOTE.search(part) for part in parts):
        # A statement's unit often stands under the page's title only.
        heads = [line.text for line in lines[: min(above, 8)] if len(line.text) < 90 and not _figures(line)]
        parts += [text for text in heads if _UNIT_NOTE.search(text)][:1]
    return " ".join(dict.fromkeys(part for part in parts if part))


def _fill(table: _Table, lines: Sequence[Line]) -> None:
    """Write the rows: labels that wrap are joined, labels without figures become parents of deeper ones."""
    parents: list[tuple[float, str]] = []
    waiting: list[Line] = []
    for line in lines:
        values = _figures(line)
        if not values:
            waiting.append(line)
            continue
        label_cells = line.cells[: len(line.cells) - len(values)]
        label = " ".join(cell.text for cell in label_cells[:1] + _without_marks(label_cells[1:]))
        left = line.left if label_cells else 0.0
        words = [word for cell in line.cells for word in cell.words]
        wrapped = _wrapped(waiting, label)
        for parent in waiting[: len(waiting) - len(wrapped)]:
            parents = [(x, text) for x, text in parents if x < parent.left - _INDENT_POINTS]
            parents.append((parent.left, parent.text.rstrip(":")))
        if wrapped:
            left = wrapped[0].left
            label = " ".join([*(part.text for part in wrapped), label]).strip()
            words = [word for part in wrapped for cell in part.cells for word in cell.words] + words
        waiting = []
        if label:
            parents = [(x, text) for x, text in parents if x < left - _INDENT_POINTS]
        if parents and _SUM.match(label) and parents[-1][1].lower() in label.lower():
            # "Total interest expense" closes "Interest expense": what follows stands under it no more.
            parents.pop()
        named = ": ".join([*(text for _, text in parents), label]) if label else ""
        table.rows.append(_Row(named, [(column_of(cell, table.columns), cell) for cell in values], words))


def _without_marks(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Leave out footnote marks that stand where values would, such as `(b)`."""
    return tuple(cell for cell in cells if not _MARK_CELL.fullmatch(cell.text))


def _wrapped(waiting: Sequence[Line], label: str) -> list[Line]:
    """Return the lines just above a row that its label continues."""
    wrapped: list[Line] = []
    following = label
    for line in reversed(waiting):
        text = line.text
        opened = text.count("(") > text.count(")")
        continues = following[:1].islower() or opened or _UNFINISHED.search(text) is not None or not following
        if text.endswith(":") or not continues:
            break
        wrapped.insert(0, line)
        following = text
    return wrapped
