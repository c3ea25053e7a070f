"""Say a table row as a sentence: its label, and of its cells those that the question is about."""

from __future__ import annotations

from collections.abc import Sequence

from ...state.records import Cell, TableRow
from ...text.numbers import find_numbers
from ...text.periods import find_periods, same_period
from ...text.words import analyse
from ..tables.catalog import header_words
from .question import Question

_MAX_CELLS = 4
# How a language says that a value is that of a header: for whom, is, are, and.
_VERBS = {
    "en": ("For", "is", "are", "and"),
    "de": ("Für", "ist", "sind", "und"),
    "fr": ("Pour", "est", "sont", "et"),
    "es": ("Para", "es", "son", "y"),
    "it": ("Per", "è", "sono", "e"),
}
_MAX_LABEL = 160
_SHORT_ROW, _SHORT_ROW_CHARS = 6, 240


def row_statement(question: Question, row: TableRow) -> tuple[str, tuple[Cell, ...]]:
    """Return a row as `Label: 21.6% (2022), 24.6% (2021).` and the cells it names; empty where no cell bears on it.

    Cells are all of a short row that says something in words, where no figure is asked for; else those under a header
    of a period asked for, else those whose header or text shares words with the
    question and the figures beside them, else the first few figures.
    """
    cells = [cell for cell in row.cells if cell.text.strip() and cell.text.strip() != row.label.strip()]
    chosen = _in_words(question, cells) or _of_periods(question, cells) or _of_words(question, cells) or _figures(cells)
    if not chosen:
        return "", ()
    label = _line(row.label)[:_MAX_LABEL].rstrip(" :.") or _line(row.caption)[:_MAX_LABEL].rstrip(" :.")
    sentence = _sentence(question, row, label, chosen)
    if sentence:
        return sentence, tuple(chosen)
    parts = [_say(cell) for cell in chosen]
    short = all(find_periods(cell.header) for cell in chosen) or not any(cell.header for cell in chosen)
    said = (", " if short else "; ").join(parts)
    # `Status: Status: DRAFT`: a row named by the header of its only cell says it once.
    named = label and not said.casefold().startswith(f"{label.casefold()}:")
    line = f"{label}: {said}" if named else said
    return (line if line.endswith((".", "!", "?", "。")) else f"{line}."), tuple(chosen)


def _sentence(question: Question, row: TableRow, label: str, chosen: Sequence[Cell]) -> str:
    """Return a row of an export as a sentence, `For Kelm, net debt is 318 and status is final.`; else empty.

    A page's table is told by label and periods instead.  The words are the source's own, identifiers cut into words.
    """
    words = _VERBS.get(question.language)
    if words is None or row.page is not None or any(not cell.header or find_periods(cell.header) for cell in chosen):
        return ""
    lead, is_, are, and_ = words
    parts = []
    for cell in chosen:
        header = header_words(_line(cell.header))
        plural = question.language == "en" and header.endswith("s") and not header.endswith(("ss", "us", "is"))
        parts.append(f"{header} {are if plural else is_} {_line(cell.text)}")
    said = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {and_} {parts[-1]}"
    named = label and label.casefold() not in {_line(cell.header).casefold() for cell in chosen}
    line = f"{lead} {label}, {said}" if named else f"{said[:1].upper()}{said[1:]}"
    return line if line.endswith((".", "!", "?")) else f"{line}."


def header_period(cell: Cell) -> str:
    """Return the label of the one period that a header names, empty where there is none or several."""
    found = find_periods(cell.header)
    return found[0].label() if len(found) == 1 else ""


def _say(cell: Cell) -> str:
    header, text = _line(cell.header), _line(cell.text)
    if not header:
        return text
    return f"{text} ({header})" if find_periods(header) else f"{header}: {text}"


def _in_words(question: Question, cells: list[Cell]) -> list[Cell]:
    """Return all cells of a short row that has a value in words, such as a status, where no figure is asked for."""
    if question.answer_type in ("number", "date", "comparison") or len(cells) > _SHORT_ROW:
        return []
    worded = any(len(cell.text.split()) > 1 and cell.header and not find_numbers(cell.text) for cell in cells)
    return cells if worded and sum(len(cell.text) for cell in cells) <= _SHORT_ROW_CHARS else []


def _of_periods(question: Question, cells: list[Cell]) -> list[Cell]:
    """Return the cells under headers that name one period asked for and nothing else, in the order of the row."""
    if not question.periods:
        return []
    chosen: list[Cell] = []
    seen: set[str] = set()
    for cell in cells:
        named = find_periods(cell.header)
        if len(named) != 1 or not find_numbers(cell.text):
            continue
        fits = any(
            same_period(named[0], asked)
            or (named[0].end.year == asked.end.year and {named[0].kind, asked.kind} <= _YEARLY)
            for asked in question.periods
        )
        if fits and cell.header not in seen:
            seen.add(cell.header)
            chosen.append(cell)
    return chosen[: _MAX_CELLS + 2]


_YEARLY = {"year", "fiscal_year", "day"}


def _of_words(question: Question, cells: list[Cell]) -> list[Cell]:
    asked = set(question.terms)
    named = [cell for cell in cells if asked & set(analyse(cell.header))]
    identifying = [cell for cell in cells if cell not in named and asked & set(analyse(cell.text))]
    if not named and not identifying:
        return []
    if not any(find_numbers(cell.text) for cell in named):
        named.extend(_figures([cell for cell in cells if cell not in named and cell not in identifying]))
    keep = [cell for cell in cells if cell in named[:_MAX_CELLS] or cell in identifying[:2]]
    return keep[: _MAX_CELLS + 2]


def _figures(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if find_numbers(cell.text)][:_MAX_CELLS]


def _line(text: str) -> str:
    return " ".join(text.split())
