"""Find the header rows of a grid of cells and write its rows so that each reads by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .extraction import TextBuilder, one_line
from .limits import MAX_CELLS

_FIGURE = re.compile(
    r"""(?:ca\.\s?|~|<|>|≈|≤|≥)?\s?\(?\s*[-+−–]?\s*(?:[A-Z]{2,3}\$?\s?|[$€£¥₹]\s?)?[-+−–]?\s?
    (?:\d[\d.,'\u00a0\u202f ]*|\.\d+)\s*
    (?:%|pp|bps|[kKmMbB]n?|(?:thousand|million|billion|trillion|Mio\.?|Mrd\.?|Tsd\.?)(?:\s[A-Z]{3})?|[A-Z]{3}|[$€£¥₹x×])?
    \s*\)?\s*%?[*†‡¹²³]*""",
    re.VERBOSE,
)
_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[/-]\d\d(?:\d\d)?)?[EA]?|[QH][1-4]\s?(?:(?:19|20)?\d\d)?|FY\s?\d\d[EA]?")
_DASH = re.compile(r"[-–—−]+|n/?a|n\.a\.|#|\*+", re.IGNORECASE)
_SIGN = re.compile(r"[$€£¥₹]|US\$|\(|[$€£¥₹]\s?\(")
_CLOSING = re.compile(r"\)|%|\)\s?%|%\s?\)|pp|bps|x")
_LONGEST_HEADER = 120
_MOST_HEADER_ROWS = 4


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

    A header has no figures (years count as names) and stands above a column of figures or dates.  A table of words
    only has a header where it is at least three columns wide and its first row names them all.
    """
    if len(grid) < 2 or any(len(cell) > _LONGEST_HEADER for cell in grid[0]):
        return 0
    limit = min(_MOST_HEADER_ROWS, len(grid) - 1)
    count = 0
    while count < limit and _words_only(grid[count]):
        count += 1
    if count == 0:
        return 0
    width = max(len(row) for row in grid)
    values = _value_columns(grid, count)
    if not values:
        return 1 if width >= 3 and _names_columns(grid[0], width) else 0
    # Below the header, rows of words are data whose figures come later: only rows above value columns name them.
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


def filled_right(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Repeat a name over the empty cells to its right, as a merged header cell of a sheet means it.

    The last row names single columns and stays as it is; so does a row's start, which heads the labels.
    """
    filled = []
    for row in rows[:-1]:
        current, out = "", []
        for cell in row:
            current = cell or current
            out.append(current)
        filled.append(out)
    return [*filled, *(list(row) for row in rows[-1:])]


def glued(row: Sequence[str]) -> list[str]:
    """Join what typesetting splits: a lone `$` or `(` with the figure after it, a lone `)` or `%` with the one before.

    The joined figure stands in the place of the figure; the sign's place is left empty.
    """
    out = list(row)
    for index, cell in enumerate(out):
        if cell and _SIGN.fullmatch(cell):
            following = next((i for i in range(index + 1, min(index + 4, len(out))) if out[i]), None)
            if following is not None and is_value(out[following].rstrip(")") + ")" * out[following].count("(")):
                out[index], out[following] = "", f"{cell}{out[following]}"
    for index, cell in enumerate(out):
        if cell and _CLOSING.fullmatch(cell):
            before = next((i for i in range(index - 1, max(-1, index - 4), -1) if out[i]), None)
            if before is not None and any(char.isdigit() for char in out[before]):
                out[before], out[index] = f"{out[before]}{cell}", ""
    return out


def add_table(
    builder: TextBuilder,
    rows: Iterable[Sequence[str]],
    *,
    spread: Iterable[Sequence[str]] | None = None,
    headers: int | None = None,
    caption: str = "",
    page: int | None = None,
    sheet: str | None = None,
    first_number: int = 1,
    merged_right: bool = False,
) -> int:
    """Append a table that fits in memory.

    Args:
        rows: Cells as text, a cell that spans columns once, where it begins.
        spread: The same rows with such a cell repeated over its columns; read for the header.
        headers: Header rows where the format tells, else they are found by `header_rows`.
        first_number: Number of the first data row.
        merged_right: Whether an empty header cell belongs to the name at its left.
    Returns: The number after the last data row.
    """
    pairs = [
        ([one_line(cell) for cell in row], [one_line(cell) for cell in wide]) for row, wide in _paired(rows, spread)
    ]
    pairs = [(row, wide) for row, wide in pairs if any(row)]
    builder.part()
    captions = [one_line(caption)] if caption else []
    while headers is None and len(pairs) > 1 and len(pairs[0][0]) > 1 and pairs[0][0][0] and _is_alone(pairs[0][0]):
        captions.append("".join(pairs.pop(0)[0]))
    for text in captions:
        builder.block(text, "caption", page=page, sheet=sheet)
    grid, wides = [row for row, _ in pairs], [wide for _, wide in pairs]
    count = header_rows(wides) if headers is None else min(headers, len(grid))
    if count and count == len(grid):
        for row in grid:
            builder.block("; ".join(dict.fromkeys(filter(None, row))), "row", page=page, sheet=sheet)
        return first_number
    heads = filled_right(wides[:count]) if merged_right else wides[:count]
    names = column_names(heads, max((len(row) for row in wides), default=0))
    return _write_body(builder, [glued(row) for row in grid[count:]], names, captions, page, sheet, first_number)


def _paired(
    rows: Iterable[Sequence[str]], spread: Iterable[Sequence[str]] | None
) -> Iterable[tuple[Sequence[str], Sequence[str]]]:
    return ((row, row) for row in rows) if spread is None else zip(rows, spread, strict=True)


def _is_alone(row: Sequence[str]) -> bool:
    """Whether a row holds one cell only, as titles and subheadings within tables do."""
    return sum(bool(cell) for cell in row) == 1


def _write_body(
    builder: TextBuilder,
    body: Sequence[list[str]],
    names: list[str],
    captions: list[str],
    page: int | None,
    sheet: str | None,
    number: int,
) -> int:
    key_value = not any(names) and _key_value(body)
    above = ""
    for row in body:
        if not key_value and len(row) > 1 and _is_alone(row) and row[0] and not is_value(row[0]) and len(body) > 1:
            above = row[0].rstrip(":")
            builder.block(row[0], "caption", page=page, sheet=sheet)
            continue
        caption = " · ".join([*captions, *([above] if above else [])])
        keep = len(builder.rows) * max(1, len(names)) <= MAX_CELLS
        if key_value:
            key, value = (cell for cell in row if cell)
            key = key.rstrip(":")
            builder.row([key], [value], caption=caption, page=page, sheet=sheet, number=number, label=key, keep=keep)
        else:
            builder.row(names, row, caption=caption, page=page, sheet=sheet, number=number, keep=keep)
        number += 1
    builder.part()
    return number


def _key_value(body: Sequence[Sequence[str]]) -> bool:
    """Whether the rows read as names with values: two cells each, the first short, distinct and no figure."""
    filled = [[cell for cell in row if cell] for row in body]
    if not filled or not all(len(row) == 2 and row[0] and len(row[0]) <= 60 and not is_value(row[0]) for row in filled):
        return False
    keys = [row[0] for row in filled]
    return len(set(keys)) == len(keys)
