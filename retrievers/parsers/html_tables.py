"""Lay the cells of an HTML table out on a grid, spans resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from .extraction import one_line

# Pages state absurd spans; a wider table is cut.
_MOST_COLUMNS = 200
_BLOCKS_OF_LAYOUT = ("table", "ul", "ol", "h1", "h2", "h3", "h4", "form", "article", "section")


@dataclass(frozen=True)
class Grid:
    """A table in two readings.

    Attributes:
        rows: Each cell's text once, where it begins; a row span repeats it in each row.
        spread: Each cell's text in every column that it covers, for headers.
        headers: Header rows where the markup tells, else None.
    """

    rows: list[list[str]]
    spread: list[list[str]]
    headers: int | None
    caption: str


def is_data_table(table: HtmlElement) -> bool:
    """Whether a table holds data rather than the layout of a page."""
    if table.get("role") in ("presentation", "none"):
        return False
    if any(next(table.iterdescendants(tag), None) is not None for tag in ("th", "caption", "thead")):
        return not any(next(cell.iterdescendants("table"), None) is not None for cell in _cells(table))
    rows = [list(_row_cells(row)) for row in _rows(table)]
    if not rows or max(len(row) for row in rows) < 2:
        return False
    return not any(next(cell.iterdescendants(*_BLOCKS_OF_LAYOUT), None) is not None for row in rows for cell in row)


def _rows(table: HtmlElement) -> Iterator[HtmlElement]:
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def _row_cells(row: HtmlElement) -> Iterator[HtmlElement]:
    return (cell for cell in row if cell.tag in ("td", "th"))


def _cells(table: HtmlElement) -> Iterator[HtmlElement]:
    return (cell for row in _rows(table) for cell in _row_cells(row))


def as_grid(table: HtmlElement, read: Callable[[HtmlElement], str]) -> Grid:
    """Return the table's cells; `read` gives the visible text of one."""
    rows: list[list[str]] = []
    spread: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}
    header_rows, heads_end = 0, False
    for element in _rows(table):
        once: list[str] = []
        wide: list[str] = []
        cells = list(_row_cells(element))
        for cell in cells:
            _fill(once, wide, hanging)
            text = read(cell)
            columns, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for offset in range(min(columns, _MOST_COLUMNS - len(once))):
                if down > 1:
                    hanging[len(once)] = (down - 1, text if offset == 0 else "")
                once.append(text if offset == 0 else "")
                wide.append(text)
        _fill(once, wide, hanging, rest=True)
        rows.append(once)
        spread.append(wide)
        parent = element.getparent()
        in_head = parent is not None and parent.tag == "thead"
        if not heads_end and cells and (in_head or all(cell.tag == "th" for cell in cells)):
            header_rows += 1
        else:
            heads_end = True
    caption = table.find("caption")
    title = one_line("".join(caption.itertext())) if caption is not None else ""
    return Grid(rows, spread, header_rows if header_rows else _by_first_column(table), title)


def _by_first_column(table: HtmlElement) -> int | None:
    """Return 0 where each row is named by a leading `th` (an info box has no header row), else None."""
    firsts = [next(_row_cells(row), None) for row in _rows(table)]
    named = [cell for cell in firsts if cell is not None]
    return 0 if len(named) > 1 and all(cell.tag == "th" for cell in named) else None


def _fill(once: list[str], wide: list[str], hanging: dict[int, tuple[int, str]], *, rest: bool = False) -> None:
    """Put in the cells that hang down from rows above, up to the next free column (or all the rest)."""
    while len(once) in hanging or (rest and hanging and len(once) <= max(hanging)):
        left, text = hanging.pop(len(once), (0, ""))
        if left > 1:
            hanging[len(once)] = (left - 1, text)
        once.append(text)
        wide.append(text)


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(max(int(value), 1), _MOST_COLUMNS) if value.isascii() and value.isdigit() and len(value) < 6 else 1
