"""Find the header rows of a grid of cells and write its rows so that each reads by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .extraction import TextBuilder, one_line

_FIGURE = re.compile(
    r"""\(?\s*[-+−–]?\s*(?:[A-Z]{3}\s?|[$€£¥₹]\s?)?[-+−–]?\d[\d.,'\u00a0\u202f ]*\s*
    (?:%|pp|bps|[kKmMbB]n?|[A-Z]{3}|[$€£¥₹x×])?\s*\)?""",
    re.VERBOSE,
)
_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[/-]\d\d(?:\d\d)?)?[EA]?|[QH][1-4]\s?(?:(?:19|20)?\d\d)?")
_DASH = re.compile(r"[-–—−]|n/?a|#")
_LONGEST_HEADER = 120
_MOST_HEADER_ROWS = 3


def is_value(text: str) -> bool:
    """Whether a cell holds a figure, date or dash rather than words."""
    return bool(_FIGURE.fullmatch(text) or _DATE.fullmatch(text) or _DASH.fullmatch(text))


def is_year(text: str) -> bool:
    """Whether a cell is a year or quarter, which stands in headers as often as in data."""
    return bool(_YEAR.fullmatch(text))


def _words_only(row: Sequence[str]) -> bool:
    return all(not cell or is_year(cell) or not is_value(cell) for cell in row)


def header_rows(grid: Sequence[Sequence[str]]) -> int:
    """Count the leading rows that name columns rather than hold values.

    A header has no figures (years count as names), and figures or dates below it in some column; a table of words
    only has a header where it is at least three columns wide or where the first row is told apart by its caller.
    """
    if len(grid) < 2:
        return 0
    limit = min(_MOST_HEADER_ROWS, len(grid) - 1)
    count = 0
    while count < limit and _words_only(grid[count]) and any(grid[count]):
        count += 1
    if count == 0 or any(len(cell) > _LONGEST_HEADER for cell in grid[0]):
        return 0
    width = max(len(row) for row in grid)
    values = _value_columns(grid, count)
    if not values:
        return 1 if width >= 3 and _names_columns(grid[0], width) else 0
    # Rows of words that follow the header may be data whose figures come later: a header row names value columns.
    named = [index for index in range(count) if any(i < len(grid[index]) and grid[index][i] for i in values)]
    return named[-1] + 1 if named else 0


def _value_columns(grid: Sequence[Sequence[str]], first: int) -> set[int]:
    body = grid[first : first + 40]
    width = max((len(row) for row in body), default=0)
    found = set()
    for column in range(width):
        cells = [row[column] for row in body if column < len(row) and row[column]]
        if cells and sum(is_value(cell) for cell in cells) * 2 > len(cells):
            found.add(column)
    return found


def _names_columns(row: Sequence[str], width: int) -> bool:
    named = [cell for cell in row if cell]
    return len(named) >= width - 1 and len(set(named)) == len(named) and all(len(cell) <= 60 for cell in named)


def column_names(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Join header rows by a space for each column; a name repeated downwards is said once."""
    names = []
    for column in range(width):
        parts: list[str] = []
        for row in rows:
            part = row[column] if column < len(row) else ""
            if part and part not in parts:
                parts.append(part)
        names.append(" ".join(parts))
    return names


def add_table(
    builder: TextBuilder,
    rows: Iterable[Sequence[str]],
    *,
    headers: int | None = None,
    caption: str = "",
    page: int | None = None,
    sheet: str | None = None,
) -> None:
    """Append a table that fits in memory.

    Args:
        rows: Cells as text, a merged cell repeated in each place it covers.
        headers: Header rows where the format tells, else they are found by `header_rows`.
    """
    grid = [[one_line(cell) for cell in row] for row in rows]
    grid = [row for row in grid if any(row)]
    if not grid:
        return
    if caption:
        builder.block(one_line(caption), "caption", page=page, sheet=sheet)
    width = max(len(row) for row in grid)
    while len(grid) > 1 and width > 1 and len(set(filter(None, grid[0]))) == 1 and headers is None:
        caption = grid.pop(0)[0] or caption
        builder.block(caption, "caption", page=page, sheet=sheet)
    count = header_rows(grid) if headers is None else min(headers, len(grid))
    if count and count == len(grid):
        for row in grid:
            builder.block("; ".join(dict.fromkeys(filter(None, row))), "row", page=page, sheet=sheet)
        return
    names = column_names(grid[:count], width)
    body = grid[count:]
    if not count and width == 2 and _key_value(body):
        for number, (key, value) in enumerate(body, start=1):
            builder.row([key.rstrip(":")], [value], caption=caption, page=page, sheet=sheet, number=number)
        return
    for number, row in enumerate(body, start=1):
        builder.row(names, row, caption=caption, page=page, sheet=sheet, number=number)


def _key_value(body: Sequence[Sequence[str]]) -> bool:
    """Whether two columns read as names with values: short, distinct names, none of them a figure."""
    keys = [row[0] for row in body]
    return (
        all(len(row) == 2 and row[0] and row[1] and len(row[0]) <= 60 and not is_value(row[0]) for row in body)
        and len(set(keys)) == len(keys)
        and len(body) > 1
    )
