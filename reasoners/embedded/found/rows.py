"""Say a table row as a sentence: its label, and of its cells those that the question is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....state.records import Cell, TableRow
from ....text.numbers import find_numbers
from ....text.periods import find_periods, same_period
from ....text.words import analyse
from ...tables.catalog import date_of, header_words
from ...tables.lookups import undated
from ...tables.wording import (
    STATES,
    Spelling,
    aside,
    clause,
    follow_on,
    header_and_value,
    in_brackets,
    is_link,
    is_remark,
    is_unit,
    subject_of,
)
from ..asked.question import Question

_MAX_CELLS = 4
_DIGITS = re.compile(r"\d+")
# How a language says that a value is that of a header: for whom, is, and.
_VERBS = {
    "en": ("For", "is", "and"),
    "de": ("Für", "ist", "und"),
    "fr": ("Pour", "est", "et"),
    "es": ("Para", "es", "y"),
    "it": ("Per", "è", "e"),
}
_MAX_LABEL = 160
_SHORT_ROW, _SHORT_ROW_CHARS = 6, 240
# A record that is asked for as one of a list is told whole.
_LISTED_ROW, _LISTED_ROW_CHARS = 10, 360
STATES_OF_A_ROW = STATES | {"decision", "verdict"}


def row_statement(
    question: Question, row: TableRow, siblings: Sequence[TableRow] = (), spelling: Spelling | None = None
) -> tuple[str, tuple[Cell, ...]]:
    """Return a row as `Label: 21.6% (2022), 24.6% (2021).` and the cells it names; empty where no cell bears on it.

    Cells are all of a short row that says something in words, where no figure is asked for; else those under a header
    of a period asked for, else those whose header or text shares words with the
    question and the figures beside them, else the first few figures.

    Args:
        siblings: Other rows of the table; words that tell the row from them belong to its name.
        spelling: How words of headers are spelled.
    """
    spelling = spelling or Spelling.of(question.text)
    cells = [cell for cell in row.cells if cell.text.strip() and cell.text.strip() != row.label.strip()]
    chosen = (
        _in_words(question, cells)
        or _of_status(question, cells)
        or _of_periods(question, cells)
        or _of_words(question, cells)
        or _figures(cells)
    )
    if not chosen:
        return "", ()
    label = _line(row.label)[:_MAX_LABEL].rstrip(" :.") or _line(row.caption)[:_MAX_LABEL].rstrip(" :.")
    sentence = _sentence(question, row, label, chosen, siblings, spelling)
    if sentence:
        return sentence, tuple(chosen)
    if question.language == "en" and (told := _over_time(row, label, chosen, spelling)):
        return told, tuple(chosen)
    parts = [_say(cell, row, spelling) for cell in chosen]
    short = all(find_periods(cell.header) for cell in chosen) or not any(cell.header for cell in chosen)
    said = (", " if short else "; ").join(parts)
    # `Status: Status: DRAFT`: a row named by the header of its only cell says it once.
    named = label and not said.casefold().startswith(f"{label.casefold()}:")
    line = f"{label}: {said}" if named else said
    return (line if line.endswith((".", "!", "?", "。")) else f"{line}."), tuple(chosen)


def _sentence(
    question: Question,
    row: TableRow,
    label: str,
    chosen: Sequence[Cell],
    siblings: Sequence[TableRow],
    spelling: Spelling,
) -> str:
    """Return a row of an export as a sentence, `For Kelm, net debt is 318 and status is final.`; else empty.

    A page's table is told by label and periods instead.  The words are the source's own, identifiers cut into words.
    """
    words = _VERBS.get(question.language)
    if words is None or row.page is not None or any(not cell.header or find_periods(cell.header) for cell in chosen):
        return ""
    if question.language == "en":
        return _english(question, row, label, chosen, siblings, spelling)
    lead, is_, and_ = words
    parts = [f"{header_words(_line(cell.header))} {is_} {_line(cell.text)}" for cell in chosen]
    said = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {and_} {parts[-1]}"
    named = label and label.casefold() not in {_line(cell.header).casefold() for cell in chosen}
    return _stopped(f"{lead} {label}, {said}" if named else f"{said[:1].upper()}{said[1:]}")


def _english(
    question: Question,
    row: TableRow,
    label: str,
    chosen: Sequence[Cell],
    siblings: Sequence[TableRow],
    spelling: Spelling,
) -> str:
    """Say what is asked of a row in a sentence and what else it was chosen for in brackets behind it."""
    subject = subject_of(row.model_copy(update={"label": label}), siblings)
    told = [cell for cell in chosen if cell not in subject.cells and not is_unit(cell)]
    if not told:
        return ""
    main, beside = _asked_first(question, told)
    parts = [clause(*header_and_value(cell, row, spelling)) for cell in main]
    said = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    line = f"{subject.lead}, {said}" if subject.lead else f"{said[:1].upper()}{said[1:]}"
    return _stopped(line + in_brackets(aside(*header_and_value(cell, row, spelling)) for cell in beside))


def _asked_first(question: Question, cells: Sequence[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Part cells into those that make the sentence and those that stand beside it."""
    asked = set(question.terms)
    main: list[Cell] = []
    if question.answer_type == "yes_no":
        main = [cell for cell in cells if STATES_OF_A_ROW & set(header_words(cell.header).casefold().split())]
    elif question.answer_type not in ("list", "explanation"):
        main = [cell for cell in cells if asked & set(analyse(header_words(cell.header)))]
        if question.answer_type in ("number", "date", "comparison"):
            main = [cell for cell in main if find_numbers(cell.text)] or main
    main = main or [cell for cell in cells if not is_remark(cell.header)]
    plain = [cell for cell in main if not is_link(header_words(cell.header))]
    main = plain or main or list(cells)
    return main, follow_on(cells, main)


def _stopped(line: str) -> str:
    return line if line.endswith((".", "!", "?")) else f"{line}."


def header_period(cell: Cell) -> str:
    """Return the label of the one period that a header names, empty where there is none or several."""
    found = find_periods(cell.header)
    return found[0].label() if len(found) == 1 else ""


def _say(cell: Cell, row: TableRow, spelling: Spelling) -> str:
    header, text = _line(cell.header), _line(cell.text)
    if not header:
        return text
    if row.page is not None:
        return f"{text} ({header})" if find_periods(header) else f"{header}: {text}"
    header, text = header_and_value(cell, row, spelling)
    return f"{text} ({header})" if find_periods(header) and not undated(header) else f"{header}: {text}"


def _over_time(row: TableRow, label: str, chosen: Sequence[Cell], spelling: Spelling) -> str:
    """Return cells of one measure at several times as `Employees of Sales: 318 (2024), 342 (2025).`; else empty."""
    told = [header_and_value(cell, row, spelling) for cell in chosen]
    names = {undated(header) for header, _ in told}
    times = [[period.text for period in find_periods(header)] for header, _ in told]
    if row.page is not None or not label or len(chosen) < 2 or len(names) != 1 or any(len(each) != 1 for each in times):
        return ""
    (name,) = names
    lead = f"{name[:1].upper()}{name[1:]} of {label}" if name else ""
    said = ", ".join(f"{text} ({time})" for (_, text), (time,) in zip(told, times, strict=True))
    return f"{lead}: {said}." if lead else ""


def _in_words(question: Question, cells: list[Cell]) -> list[Cell]:
    """Return all cells of a short row that has a value in words, such as a status, where no figure is asked for."""
    listed = question.answer_type == "list"
    most, chars = (_LISTED_ROW, _LISTED_ROW_CHARS) if listed else (_SHORT_ROW, _SHORT_ROW_CHARS)
    if question.answer_type in ("number", "date", "comparison") or len(cells) > most:
        return []
    worded = any(len(cell.text.split()) > 1 and cell.header and not find_numbers(cell.text) for cell in cells)
    return cells if worded and sum(len(cell.text) for cell in cells) <= chars else []


def _of_status(question: Question, cells: list[Cell]) -> list[Cell]:
    """Return the cell that says how something stands, with its dates, where a yes or no is asked for."""
    stated = [cell for cell in cells if STATES_OF_A_ROW & set(header_words(cell.header).casefold().split())]
    if question.answer_type != "yes_no" or not stated:
        return []
    return [cell for cell in cells if cell in stated or date_of(cell.text.strip())][:_MAX_CELLS]


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
    named = [cell for cell in cells if asked & set(analyse(header_words(cell.header)))]
    identifying = [cell for cell in cells if cell not in named and asked & set(analyse(cell.text))]
    if question.answer_type == "date" and (named or identifying):
        dated = [cell for cell in cells if date_of(cell.text.strip())]
        chosen = [cell for cell in dated if cell in named] or dated
        if chosen:
            return chosen[:_MAX_CELLS]
    if question.answer_type == "number":
        named = _with_the_numbers_asked(question, named)
    if not named and not identifying:
        return []
    if not any(find_numbers(cell.text) for cell in named):
        named.extend(_figures([cell for cell in cells if cell not in named and cell not in identifying]))
    elif question.answer_type == "number" and any(header_words(cell.header) != cell.header for cell in named):
        identifying = []
    keep = [cell for cell in cells if cell in named[:_MAX_CELLS] or cell in identifying[:2]]
    return keep[: _MAX_CELLS + 2]


def _with_the_numbers_asked(question: Question, named: list[Cell]) -> list[Cell]:
    """Leave out, of `overdue_31_90_days` and `overdue_over_90_days`, the one with a number that is not asked for."""
    asked = set(_DIGITS.findall(question.text))
    exact = [cell for cell in named if set(_DIGITS.findall(cell.header)) == asked]
    return exact if asked and exact else named


def _figures(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if find_numbers(cell.text)][:_MAX_CELLS]


def _line(text: str) -> str:
    return " ".join(text.split())
