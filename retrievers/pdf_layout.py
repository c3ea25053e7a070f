"""Turn the characters of a pdf page into words, lines and cells by where they stand."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import pypdfium2 as pdfium

from .parsers.pdf_text import PageText

# A gap wider than this part of the line's height parts two cells; a space between words is about a quarter.
_CELL_GAP = 0.8
# Words whose middles differ by less than this part of the height stand on one line.
_SAME_LINE = 0.45
_SUPERSCRIPT_HEIGHT = 0.8
_MOST_CHARS = 60_000
# Lines around one with a commentary that may belong to it.
_COMMENTARY_REACH = 8

_FIGURE = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_VALUE = re.compile(
    rf"""(?:US|C|A|HK)?[$€£¥]?[-–—−+]?\(?[-–—−+]?[$€£¥]?\(?(?:{_FIGURE})\)?(?:%|x|pp|bps|pts|¢)?\)?%?(?:\([a-z0-9]\))*
    |[$€£¥]?[-–—−]{{1,3}}%?|[$€£¥]?\#%?|\*+|N/?[AM]|n/?[am]|N\.[AM]\.|n\.[am]\.|NM|nm""",
    re.VERBOSE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_BEFORE = re.compile(r"[$€£¥]|\(|[$€£¥]\(|US\$")
_AFTER = re.compile(r"%|\)|\)%|%\)|x|pp|bps|pts")
_NOTE_MARK = re.compile(r"(?:\([a-z]{1,2}\)(?:,?\s?))+")
_MARK = re.compile(r"(?:\(?[a-z0-9]{1,2}\)?|[*†‡§]+)(?:,?\(?[a-z0-9]{1,2}\)?)*")


def is_value(text: str) -> bool:
    """Whether a text without spaces is a figure, a year, a dash or a mark that stands for one."""
    return text.count("(") == text.count(")") and _VALUE.fullmatch(text) is not None


@dataclass(frozen=True)
class Word:
    """Characters without white space between them; offsets count the page's text."""

    text: str
    start: int
    end: int
    left: float
    right: float
    middle: float
    height: float


@dataclass(frozen=True)
class Cell:
    """Words of one line that belong together.

    Attributes:
        core: Right edge of the figure without `)` and `%`, by which columns align.
    """

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        return self.words[0].left

    @property
    def right(self) -> float:
        return self.words[-1].right

    @property
    def start(self) -> int:
        return min(word.start for word in self.words)

    @property
    def end(self) -> int:
        return max(word.end for word in self.words)

    @property
    def is_value(self) -> bool:
        return is_value("".join(word.text for word in self.words))

    @property
    def is_year(self) -> bool:
        return len(self.words) == 1 and _YEAR.fullmatch(self.words[0].text) is not None

    @property
    def is_figure(self) -> bool:
        """Whether it is a value that is no year."""
        return self.is_value and not self.is_year

    @property
    def core(self) -> float:
        last = next(
            (word for word in reversed(self.words) if re.search(r"[\d\-–—−#*A-Za-z]", word.text)), self.words[-1]
        )
        tail = len(last.text) - len(re.sub(r"(?:\([a-z0-9]\)|[)%]|bps|pts|pp|x)+\Z", "", last.text))
        return last.right - tail * (last.right - last.left) / max(1, len(last.text))

    @property
    def inner_left(self) -> float:
        """Left edge without a currency sign that stands apart."""
        return self.words[1].left if len(self.words) > 1 and _BEFORE.fullmatch(self.words[0].text) else self.left


@dataclass(frozen=True)
class Line:
    """Cells that stand beside each other, from left to right."""

    cells: tuple[Cell, ...]
    middle: float
    height: float

    @property
    def left(self) -> float:
        return self.cells[0].left

    @property
    def right(self) -> float:
        return max(cell.right for cell in self.cells)

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)


def read_lines(page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, content: PageText) -> list[Line]:
    """Return the lines of a page from top to bottom, footnote marks left out."""
    words = _words(textpage, content, page.get_rotation())
    return without_commentary([_line(group) for group in _grouped(words) if group])


def without_commentary(lines: Sequence[Line]) -> list[Line]:
    """Take away a column of prose at the right of figures ("Drivers of change"), which would tear their rows apart.

    It shows in lines whose figures are followed by words that begin at one place.
    """
    followed = [(index, place) for index, line in enumerate(lines) if (place := _prose_after(line)) is not None]
    kept = list(lines)
    for index, place in followed:
        if not any(other != index and abs(x - place) < 6 and abs(other - index) < 25 for other, x in followed):
            continue
        for near in range(max(0, index - _COMMENTARY_REACH), min(len(lines), index + _COMMENTARY_REACH)):
            cells = tuple(cell for cell in kept[near].cells if cell.left < place - 6 or cell.is_value)
            kept[near] = Line(cells, kept[near].middle, kept[near].height)
    return [line for line in kept if line.cells]


def _prose_after(line: Line) -> float | None:
    """Return where words begin that follow at least two figures of a line, else None."""
    if len(line.cells) < 3 or line.cells[-1].is_value or len(line.cells[-1].words) < 3:
        return None
    values = [cell for cell in line.cells[:-1] if cell.is_value]
    return line.cells[-1].left if len(values) > 1 and line.cells[-2].is_value else None


def _words(textpage: pdfium.PdfTextPage, content: PageText, rotation: int) -> list[Word]:
    box = pdfium.raw.FS_RECTF()
    place = ctypes.byref(box)
    words: list[Word] = []
    first = -1
    left = right = bottom = top = 0.0
    text, origins = content.text[:_MOST_CHARS], content.origins()

    def close(end: int) -> None:
        nonlocal first
        if first >= 0:
            words.append(Word(text[first:end], first, end, left, right, (bottom + top) / 2, max(top - bottom, 0.1)))
            first = -1

    for index, char in enumerate(text):
        if char.isspace():
            close(index)
            continue
        if not pdfium.raw.FPDFText_GetLooseCharBox(textpage, origins[index], place):
            continue
        x0, x1, y0, y1 = _upright(box.left, box.right, box.bottom, box.top, rotation)
        if first >= 0 and (x0 - right > (y1 - y0) or x0 < left - 1 or abs((y0 + y1) - (bottom + top)) > (y1 - y0)):
            close(index)
        if first < 0:
            first, left, right, bottom, top = index, x0, x1, y0, y1
        else:
            right, bottom, top = max(right, x1), min(bottom, y0), max(top, y1)
    close(len(text))
    return words


def _upright(left: float, right: float, bottom: float, top: float, rotation: int) -> tuple[float, float, float, float]:
    """Turn a box as the page is turned when shown; returns left, right, bottom, top."""
    if rotation == 90:
        return bottom, top, -right, -left
    if rotation == 180:
        return -right, -left, -top, -bottom
    if rotation == 270:
        return -top, -bottom, left, right
    return left, right, bottom, top


def _grouped(words: Sequence[Word]) -> list[list[Word]]:
    """Group words to lines from top to bottom, each from left to right."""
    groups: list[list[Word]] = []
    middle = height = 0.0
    small = _SUPERSCRIPT_HEIGHT * median(word.height for word in words) if words else 0.0
    words = [word for word in words if word.height >= small or not _NOTE_MARK.fullmatch(word.text)]
    for word in sorted(words, key=lambda word: (-word.middle, word.left, word.start)):
        if groups and middle - word.middle < _SAME_LINE * max(height, word.height):
            groups[-1].append(word)
            if word.height > height:
                middle, height = word.middle, word.height
        else:
            groups.append([word])
            middle, height = word.middle, word.height
    return [sorted(_without_marks(group), key=lambda word: (word.left, word.start)) for group in groups]


def _without_marks(group: list[Word]) -> list[Word]:
    """Drop small raised marks that point to footnotes."""
    usual = median(word.height for word in group)
    tallest = max(word.height for word in group)
    least = _SUPERSCRIPT_HEIGHT * max(usual, tallest * 0.9)
    kept = [word for word in group if word.height >= least or not _MARK.fullmatch(word.text)]
    return kept if any(word.height >= _SUPERSCRIPT_HEIGHT * tallest for word in kept) else group


def _line(words: Sequence[Word]) -> Line:
    height = median(word.height for word in words)
    cells: list[list[Word]] = []
    for index, word in enumerate(words):
        if cells and _belongs(cells[-1], word, words[index + 1] if index + 1 < len(words) else None, height):
            cells[-1].append(word)
        else:
            cells.append([word])
    middle = median(word.middle for word in words)
    return Line(tuple(Cell(tuple(cell)) for cell in _signs_joined(cells, height)), middle, height)


def _belongs(cell: list[Word], word: Word, following: Word | None, height: float) -> bool:
    """Whether a word continues the cell at its left."""
    gap = word.left - cell[-1].right
    if gap > _CELL_GAP * height:
        return False
    # Values stand one per cell even where columns are tight, but a date or range is one text.
    here, before = is_value(word.text), is_value("".join(part.text for part in cell))
    if before and (here or (_BEFORE.fullmatch(word.text) and following is not None)):
        return False
    opens = _BEFORE.fullmatch(word.text) and following is not None and is_value(following.text)
    return not (opens and gap > 0.5 * height)


def _signs_joined(cells: list[list[Word]], height: float) -> list[list[Word]]:
    """Join a currency sign or bracket with the figure after it, `%` and `)` with the one before."""
    joined: list[list[Word]] = []
    for cell in cells:
        text = "".join(word.text for word in cell)
        if joined:
            before = "".join(word.text for word in joined[-1])
            whole = f"{before}{text})" if before.endswith("(") and not text.endswith(")") else before + text
            opened = _BEFORE.fullmatch(before) and is_value(whole)
            closed = (
                _AFTER.fullmatch(text) and cell[0].left - joined[-1][-1].right < 3 * height and is_value(before + text)
            )
            if opened or closed:
                joined[-1] = [*joined[-1], *cell]
                continue
        joined.append(list(cell))
    return joined
