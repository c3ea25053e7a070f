"""Find the columns of a table and the words above that name each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .pdf_layout import Cell, Line, Word

# Right edges closer than this many points belong to one column.
_EDGE_POINTS = 5.0
# A column that no header of a line stands over costs as much as this many points off centre.
_UNNAMED_PRICE = 2.0
# A longer text at the left is a note.
_HEADER_WORDS = 5
_STUB = re.compile(r"\bend(?:ed|ing)\b|^as of\b|^at\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d\b")
_NOTE = re.compile(r"\([^()]*\)")
_PERIOD = re.compile(
    r"(?:FY\s?)?(?:19|20)\d\d"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)


@dataclass(frozen=True)
class Column:
    """Where the values of a column stand."""

    left: float
    right: float
    core: float

    @property
    def center(self) -> float:
        return (self.left + self.right) / 2


def find_columns(rows: Sequence[Sequence[Cell]]) -> list[Column]:
    """Cluster the value cells of a table by the right edges of their figures.

    Args:
        rows: The value cells of each line.
    Returns: Columns from left to right.
    """
    edges = sorted((cell.core, index) for index, row in enumerate(rows) for cell in row)
    groups: list[list[float]] = []
    for edge, _ in edges:
        if groups and edge - groups[-1][-1] <= _EDGE_POINTS:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    cores = [sum(group) / len(group) for group in groups]
    members: list[list[tuple[int, Cell]]] = [[] for _ in cores]
    for index, row in enumerate(rows):
        for cell in row:
            nearest = min(range(len(cores)), key=lambda place: abs(cores[place] - cell.core))
            members[nearest].append((index, cell))
    merged: list[list[tuple[int, Cell]]] = []
    for group in members:
        if merged and _one_column(merged[-1], group):
            merged[-1] += group
        else:
            merged.append(group)
    return [
        Column(
            min(cell.left for _, cell in group),
            max(cell.right for _, cell in group),
            sum(cell.core for _, cell in group) / len(group),
        )
        for group in merged
    ]


def _one_column(one: Sequence[tuple[int, Cell]], other: Sequence[tuple[int, Cell]]) -> bool:
    """Whether two groups of cells never share a line and stand over each other (centred or decimal columns)."""
    if {index for index, _ in one} & {index for index, _ in other}:
        return False
    left = max(min(c.inner_left for _, c in one), min(c.inner_left for _, c in other))
    right = min(max(c.right for _, c in one), max(c.right for _, c in other))
    narrow = min(_width(one), _width(other))
    return right - left > 0.4 * narrow


def _width(group: Sequence[tuple[int, Cell]]) -> float:
    return max(c.right for _, c in group) - min(c.inner_left for _, c in group)


def column_of(cell: Cell, columns: Sequence[Column]) -> int:
    """Return the index of the column whose right edge is nearest to the cell's."""
    return min(range(len(columns)), key=lambda index: abs(columns[index].core - cell.core))


def column_headers(lines: Sequence[Line], columns: Sequence[Column]) -> tuple[list[str], list[str]]:
    """Name the columns by the header lines above them.

    Args:
        lines: Header lines from top to bottom.
    Returns: One header per column, lines joined by a space; and the texts at the left that head no column.
    """
    headers, aside = _named(lines, [() for _ in lines], columns)
    one_each = [_one_each(line.cells, columns) for line in lines]
    lost = sum(cell.text in aside for cells in one_each for cell in cells)
    if lost or (any(one_each) and _faults(headers)):
        # Figures at the right of wide columns: lines that have a header for each column tell how wide they are.
        wide = _widened(columns, [cells for cells in one_each if cells])
        other, beside = _named(lines, one_each, wide)
        if _faults(other) < _faults(headers) + lost:
            return other, beside
    return headers, aside


def _faults(headers: Sequence[str]) -> int:
    """Count columns without a name or with that of another one."""
    return len(headers) - len({header for header in headers if header})


def _named(
    lines: Sequence[Line], one_each: Sequence[Sequence[Cell]], columns: Sequence[Column]
) -> tuple[list[str], list[str]]:
    zone = columns[0].left
    levels: list[list[str]] = []
    aside: list[str] = []
    stubs: list[str] = []
    for line, known in zip(lines, one_each, strict=True):
        cells = [
            cell
            for cell in line.cells
            if cell in known or (not known and cell.right > zone - 2 and cell.left > zone - _reach(columns))
        ]
        for cell in line.cells:
            if cell not in cells:
                note = _NOTE.search(cell.text) if _STUB.search(cell.text) else None
                if note:
                    aside.append(note.group().strip())
                stub = " ".join(_NOTE.sub(" ", cell.text).split())
                (stubs if _STUB.search(stub) else aside).append(stub if note else cell.text)
        if known:
            levels.append([cell.text for cell in cells])
            continue
        pieces = [piece for cell in cells for piece in _split_over(cell, columns)]
        levels.append(assigned(pieces, columns))
    parts = _joined_levels(_periods_spread(levels))
    headers = [" ".join(part) for part in parts] or ["" for _ in columns]
    # "Years ended December 31," stands at the left once and goes with each year or date.
    stub = " ".join(stubs)
    return [f"{stub} {header}" if stub and _PERIOD.match(header) else header for header in headers], aside


def _one_each(cells: Sequence[Cell], columns: Sequence[Column]) -> tuple[Cell, ...]:
    """Return the cells of a line that has one for each column, in order; none where it has not.

    Where figures stand at the right of wide columns, a header centred over its column may not meet them; it still lies
    between the figures of the column before and the end of its own.
    """
    if len(columns) < 2:
        return ()
    pitch = min(b.right - a.right for a, b in pairwise(columns))
    own = tuple(cells[1:]) if len(cells) == len(columns) + 1 else tuple(cells)
    if len(own) != len(columns) or len(own[0].words) > _HEADER_WORDS:
        return ()
    if columns[0].left - own[0].right > max(20.0, 0.6 * pitch):
        return ()
    for place, (cell, column) in enumerate(zip(own, columns, strict=True)):
        middle = (cell.left + cell.right) / 2
        if middle > column.right + 6 or (place and middle <= columns[place - 1].right):
            return ()
    return own


def _widened(columns: Sequence[Column], lines: Sequence[Sequence[Cell]]) -> list[Column]:
    """Return columns as wide as the headers that stand one over each."""
    return [
        Column(
            min([column.left, *(cells[place].left for cells in lines)]),
            max([column.right, *(cells[place].right for cells in lines)]),
            column.core,
        )
        for place, column in enumerate(columns)
    ]


def _periods_spread(levels: Sequence[list[str]]) -> list[list[str]]:
    """Give "Year ended December 31," to each neighbouring year below it, not only to the one it is centred over."""
    spread = [list(level) for level in levels]
    for number, level in enumerate(levels[:-1]):
        below = [
            " ".join(filter(None, (lower[column] for lower in levels[number + 1 :]))) for column in range(len(level))
        ]
        for column, text in enumerate(level):
            if not text or _YEAR.search(text) or not _STUB.search(text):
                continue
            for step in (-1, 1):
                place = column + step
                while 0 <= place < len(level) and not level[place] and _YEAR.match(below[place]):
                    spread[number][place] = text
                    place += step
    return spread


def _joined_levels(levels: Sequence[Sequence[str]]) -> list[list[str]]:
    """Collect the texts of each column from top to bottom, a repeated one once."""
    return [list(dict.fromkeys(text for text in column if text)) for column in zip(*levels, strict=True)]


def _reach(columns: Sequence[Column]) -> float:
    """How far a header may stand out to the left of the first column: about half a column, since it is centred."""
    pitch = min((b.center - a.center for a, b in pairwise(columns)), default=columns[0].right - columns[0].left + 40)
    return max(20.0, pitch * 0.6)


def _split_over(cell: Cell, columns: Sequence[Column]) -> list[Cell]:
    """Part a header cell whose words name several columns, at word gaps that lie between two columns.

    A phrase over several columns stays whole: its gaps are spaces, or its words do not each meet a column.
    """
    over = [column for column in columns if column.left < cell.right and column.right > cell.left]
    if len(over) < 2 or len(cell.words) < 2:
        return [cell]
    groups: dict[int, list[Word]] = {}
    for word in cell.words:
        center = (word.left + word.right) / 2
        nearest = min(range(len(over)), key=lambda index: abs(over[index].center - center))
        groups.setdefault(nearest, []).append(word)
    pieces = [groups[index] for index in sorted(groups)]
    gaps = [second.left - first.right for first, second in pairwise(cell.words)]
    between = [piece[0].left - before[-1].right for before, piece in pairwise(pieces)]
    smallest = min(gaps)
    apart = all(gap > max(1.5 * smallest, smallest + 1.0) for gap in between) if len(set(between)) else False
    alike = len(pieces) > 1 and len({piece[0].text for piece in pieces}) == 1
    years = len(pieces) > 1 and all(any(char.isdigit() for char in piece[-1].text) for piece in pieces)
    return [Cell(tuple(piece)) for piece in pieces] if apart or alike or years else [cell]


def assigned(cells: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    """Give each header cell of one line the column it stands over, or the run of columns it is centred over.

    Where the cells part all columns into runs that they are centred over, they are headers of groups.  Else a cell
    that is aligned with one column names that one, and the others take the runs between that fit best.
    """
    texts = ["" for _ in columns]
    if not cells:
        return texts
    pitch = min((b.center - a.center for a, b in pairwise(columns)), default=60.0)
    runs = _runs(cells, columns, price=float("inf"), worst=max(5.0, 0.1 * pitch))
    if runs is None:
        runs = _anchored_runs(cells, columns)
    for cell, (first, stop) in zip(cells, runs, strict=True):
        for place in range(first, stop):
            texts[place] = f"{texts[place]} {cell.text}".strip()
    return texts


def _anchored_runs(cells: Sequence[Cell], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Place aligned cells on their columns, then the cells between them on the columns between."""
    anchors: list[tuple[int, int]] = []
    for index, cell in enumerate(cells):
        place = _aligned_column(cell, columns)
        if place is not None and (not anchors or anchors[-1][1] < place):
            anchors.append((index, place))
    runs: list[tuple[int, int]] = [(0, 0)] * len(cells)
    for index, place in anchors:
        runs[index] = (place, place + 1)
    borders = [(-1, -1), *anchors, (len(cells), len(columns))]
    for (cell_before, column_before), (cell_after, column_after) in pairwise(borders):
        between = cells[cell_before + 1 : cell_after]
        free = columns[column_before + 1 : column_after]
        placed = _runs(between, free, price=_UNNAMED_PRICE, worst=float("inf")) if between else []
        for offset, cell in enumerate(between):
            if placed is None:
                nearest = _nearest_column(cell, columns)
                runs[cell_before + 1 + offset] = (nearest, nearest + 1)
            else:
                first, stop = placed[offset]
                runs[cell_before + 1 + offset] = (first + column_before + 1, stop + column_before + 1)
    return runs


def _aligned_column(cell: Cell, columns: Sequence[Column]) -> int | None:
    """Return the column whose right edge or middle is the cell's, unless the cell is far wider than it."""
    if _STUB.search(cell.text):
        return None
    place = _nearest_column(cell, columns)
    column = columns[place]
    middle = (cell.left + cell.right) / 2
    aligned = min(abs(cell.right - column.right), abs(cell.right - column.core), abs(middle - column.center)) <= 4.0
    inside = cell.left >= column.left - 2 and cell.right <= column.right + 6
    narrow = cell.right - cell.left <= 1.4 * (column.right - column.left) + 8
    return place if (aligned and narrow) or inside else None


def _nearest_column(cell: Cell, columns: Sequence[Column]) -> int:
    def distance(place: int) -> float:
        column = columns[place]
        return min(abs(column.center - (cell.left + cell.right) / 2), abs(column.right - cell.right))

    return min(range(len(columns)), key=distance)


def _runs(
    cells: Sequence[Cell], columns: Sequence[Column], *, price: float, worst: float
) -> list[tuple[int, int]] | None:
    """Place each cell, in order, on a run of neighbouring columns with the least total misfit, or None.

    Args:
        price: Cost of a column that no cell stands over; infinite where all must be covered.
        worst: Largest misfit of a single cell.
    Source: dynamic programming over (cells placed, columns passed).
    """
    infinite = float("inf")
    count, width = len(cells), len(columns)
    best = [[infinite] * (width + 1) for _ in range(count + 1)]
    back: list[list[int]] = [[-1] * (width + 1) for _ in range(count + 1)]
    best[0][0] = 0.0
    for j in range(count + 1):
        for i in range(1, width + 1):
            best[j][i] = best[j][i - 1] + price
            if j == 0:
                continue
            for first in range(i):
                misfit = _misfit(cells[j - 1], columns[first:i])
                if misfit <= worst and best[j - 1][first] + misfit < best[j][i]:
                    best[j][i], back[j][i] = best[j - 1][first] + misfit, first
    if best[count][width] == infinite:
        return None
    runs: list[tuple[int, int]] = []
    j, i = count, width
    while i > 0:
        first = back[j][i]
        if first < 0:
            i -= 1
        else:
            runs.insert(0, (first, i))
            i, j = first, j - 1
    return runs


def _misfit(cell: Cell, run: Sequence[Column]) -> float:
    """Distance between the middles of a header and a run of columns; infinite where they do not meet."""
    left, right = run[0].left, run[-1].right
    if cell.right < left - 12 or cell.left > right + 12:
        return float("inf")
    centered = abs((cell.left + cell.right) / 2 - (left + right) / 2)
    return min(centered, abs(cell.right - right)) if len(run) == 1 else centered
