"""The one figure of an export that a question asks for: measure, row and period, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...state.records import Cell, TableRow
from ...text.languages import detect
from ...text.periods import contains, find_periods, overlaps
from ...text.words import analyse
from .asking import GENERIC, Ask, kept_rows, latest, numbered_keys
from .catalog import TOTAL_LABELS, Catalog, Column, Table, header_words, number_of
from .cells import label_of
from .joins import name_column
from .row_periods import row_periods
from .scope import LOOSE, is_money
from .units import in_small, name_and_unit
from .wording import Spelling, aside, header_and_value, in_brackets, is_date_header, is_period, verb_of

_ANNOUNCING_WORDS = "restated as first reported fy year ended ending audited unaudited actual estimate at in of to on"
_ANNOUNCING = frozenset(_ANNOUNCING_WORDS.split()) | {""}
# What a year amounts to is no figure of such a part of it.
_PARTS = ("month", "quarter", "half", "range")
_NUMBERED = re.compile(r"^(?P<number>\d+(?:[.,]\d+)*)\s?(?P<word>[^\W\d_]+)")
_LONG_NUMBER = re.compile(r"[1-9]\d{4,}(?:\.\d+)?")
_CODE_HEADER = re.compile(r"\b(?:id|no|number|code|ref|zip|postcode|phone|year)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"(?<=\s)[A-ZÀ-Þ]\w+")


@dataclass(frozen=True)
class Lookup:
    """A cell of a structured export that answers.

    Attributes:
        superseded: A cell of the same row and period whose header says that it was replaced.
        words: Index terms that name what was measured.
        unit: Currency that the row or header states, empty where neither does.
    """

    table: Table
    row: TableRow
    cell: Cell
    value: Decimal
    text: str
    words: frozenset[str]
    when: str
    unit: str = ""
    superseded: Cell | None = None


def look_up(
    ask: Ask, catalog: Catalog, superseded: Sequence[str] = (), spelling: Spelling | None = None
) -> Lookup | None:
    """Return the figure that a question asks for, where exactly one row and one column of an export hold it.

    Args:
        superseded: Words of a header that say that its figures were replaced, e.g. `first reported`.
        spelling: How words of headers are spelled.
    """
    spelling = spelling or Spelling.of(ask.question)
    best: tuple[float, Lookup] | None = None
    # Whom all sources are about need not be named in a table: `Acme's revenue`.
    named_all = frozenset(term for word in _CAPITAL.findall(ask.question) for term in analyse(word)) & catalog.whose
    if ask.wanted - named_all:
        ask = replace(ask, wanted=ask.wanted - named_all)
    for table in catalog.tables:
        if not table.structured:
            continue
        rows = kept_rows(ask, table)
        keys = numbered_keys(ask.question, table)
        named = frozenset(word for column, value in keys for word in (*column.words, *analyse(f"{value}")))
        ask_of = replace(ask, wanted=ask.wanted - named, words=ask.words - named) if keys else ask
        if not ask.dated and len(rows) > 1:
            # Without a period the last state of a series answers, where each date has one row.
            rows = latest(table, rows)
        if len(rows) > 1:
            rows = _labelled(ask, table, rows) or total_row(table, rows) or rows
        if len(rows) != 1 or len(table.rows) < 2:
            continue
        for fit, lookup in _cells(ask_of, table, rows[0], superseded, spelling):
            if best is None or fit > best[0] + 1e-9 or (fit > best[0] - 1e-9 and _follows(ask, lookup, best[1])):
                best = (fit, lookup)
    return best[1] if best else None


def _follows(ask: Ask, lookup: Lookup, other: Lookup) -> bool:
    """Whether a figure is the later one of two lists of one shape, where no time is asked for."""
    shapes = {tuple(column.header for column in each.table.columns) for each in (lookup, other)}
    return not ask.dated and len(shapes) == 1 and "" not in (lookup.when, other.when) and lookup.when > other.when


def _labelled(ask: Ask, table: Table, rows: Sequence[int]) -> list[int]:
    """Return the one row whose label says just what is asked for: of revenue `Total revenue`, no `Cost of revenue`."""
    label = name_column(table) or _label_column(table)
    if label is None or not ask.wanted:
        return []
    texts = table.texts(label.header)
    found = [place for place in rows if frozenset(analyse(texts[place])) - GENERIC == ask.wanted]
    return found if len(found) == 1 else []


def total_row(table: Table, rows: Sequence[int]) -> list[int]:
    """Return the row that the table itself states as the total of others, where there is one."""
    label = name_column(table) or _label_column(table)
    if label is None:
        return []
    texts = table.texts(label.header)
    return [place for place in rows if texts[place].strip().casefold() in TOTAL_LABELS]


def _cells(
    ask: Ask, table: Table, place: int, superseded: Sequence[str], spelling: Spelling
) -> list[tuple[float, Lookup]]:
    row = table.rows[place]
    label = name_column(table) or _label_column(table)
    label_text = table.texts(label.header)[place] if label else ""
    label_words = frozenset(analyse(label_text)) & ask.words - GENERIC
    found = []
    fitting = [(column, _fit(ask, table, column, label_words)) for column in table.columns if column.kind == "number"]
    replaced = [column for column, fit in fitting if fit and _says(column, superseded)]
    for column, fit in fitting:
        cell = table.cell(place, column.header)
        value = number_of(cell.text) if cell else None
        if not fit or cell is None or value is None or column in replaced:
            continue
        fit += 0.1 * len(table.words & ask.words)
        when = next((table.texts(each.header)[place] for each in table.dates), "")
        older = next((table.cell(place, each.header) for each in replaced if _period(each) == _period(column)), None)
        words = ((column.words | label_words) & ask.words) - _period(column)
        lookup = Lookup(
            table=table,
            row=row,
            cell=cell,
            value=value,
            text=_said(label, label_text, when, column, cell, table, place, ask.question, spelling),
            words=frozenset(words),
            when=when or " ".join(sorted(_period(column))),
            unit=_unit(table, place, column),
            superseded=older if older and older.text != cell.text else None,
        )
        found.append((fit, lookup))
    return found


def _fit(ask: Ask, table: Table, column: Column, label_words: frozenset[str]) -> float:
    """Return how well a column is what was asked for; its own words, or those of its row and the period, must be."""
    own = column.words - GENERIC
    shared = own & ask.words
    if not shared or _of_other_time(ask, column):
        return 0.0
    if _of_other_number(ask, column):
        return 0.0
    if shared <= _period(column) and not label_words:
        return 0.0
    wanted = ask.wanted
    if own <= ask.words and is_money(column):
        # Whose money it is and that it was spent need not stand in the header.
        wanted = ask.wanted - LOOSE or ask.wanted
    named = (own | label_words | table.words) & wanted
    if 2 * len(named) < len(wanted) or not (own | label_words) & wanted:
        return 0.0
    return (len(shared) + len(label_words)) / (len(own) + len(label_words))


def undated(header: str) -> str:
    """Return what a header says beside its periods and words that only announce them."""
    for period in reversed(find_periods(header)):
        header = f"{header[: period.at]} {header[period.to :]}"
    return " ".join(word for word in header.split() if word.strip("()[],:").casefold() not in _ANNOUNCING)


def _of_other_time(ask: Ask, column: Column) -> bool:
    """Whether a header names a period and the question others only, or mere parts of it."""
    named = find_periods(header_words(column.header))
    if not named or not ask.periods:
        return False
    return not any(
        overlaps(asked, each) and (contains(asked, each) or asked.kind not in _PARTS or not contains(each, asked))
        for asked in ask.periods
        for each in named
    )


def _of_other_number(ask: Ask, column: Column) -> bool:
    """Whether a header opens with a number and a word, `40 mg`, and the question has another number before it."""
    match = _NUMBERED.match(header_words(column.header))
    if match is None or find_periods(match[0]):
        return False
    said = re.findall(rf"(?<![\w.,])(\d+(?:[.,]\d+)*)\s?{re.escape(match['word'])}(?!\w)", ask.question, re.IGNORECASE)
    return bool(said) and match["number"] not in said


def _period(column: Column) -> frozenset[str]:
    return frozenset(word for word in column.words if any(sign.isdigit() for sign in word))


def _says(column: Column, phrases: Sequence[str]) -> bool:
    return any(phrase in header_words(column.header).casefold() for phrase in phrases)


def _label_column(table: Table) -> Column | None:
    return next((column for column in table.columns if column.kind == "text"), None)


def _unit(table: Table, place: int, column: Column) -> str:
    if table.currency is not None:
        return table.texts(table.currency.header)[place]
    last = header_words(column.header).split()[-1:]
    if last and last[0].casefold() in {"percent", "percentage", "pct", "%"}:
        return "%"
    return last[0].upper() if last and last[0].casefold() in {"usd", "eur", "gbp", "chf", "jpy"} else ""


def _time_of(row: TableRow, column: Column) -> str:
    """Return the one time that a row is of by its cells under `year` or `month`, not by the header of the column."""
    if find_periods(header_words(column.header)) or not any(is_date_header(cell.header) for cell in row.cells):
        return ""
    periods = row_periods(row)
    return label_of(periods[0]) if len(periods) == 1 and periods[0].kind != "day" else ""


def _names_row(cell: Cell, answer: Cell, dates: Sequence[Column], asked: str) -> bool:
    """Whether a cell of words is one by which the question tells the row from others."""
    text = cell.text.strip()
    dated = any(cell.header == column.header for column in dates)
    return cell is not answer and not dated and len(text) > 2 and number_of(text) is None and text.casefold() in asked


def _said(
    label: Column | None,
    label_text: str,
    when: str,
    column: Column,
    cell: Cell,
    table: Table,
    place: int,
    question: str,
    spelling: Spelling,
) -> str:
    """Say a row by its label, its date and the cell, in the headers' own words; in English as a sentence."""
    parts = [f"{label.header}: {label_text}"] if label is not None and label_text else []
    dates = table.dates
    if when:
        parts.insert(0, f"{dates[0].header}: {when}")
    if table.currency is not None and table.currency is not label:
        parts.append(f"{table.currency.header}: {table.texts(table.currency.header)[place]}")
    if detect(question) != "en":
        return "; ".join([*parts, f"{column.header}: {cell.text}"])
    row = table.rows[place]
    named, value = header_and_value(cell, row, spelling)
    if _LONG_NUMBER.fullmatch(value) and not _CODE_HEADER.search(named):
        value = f"{Decimal(value):,f}"
    asked = question.casefold()
    keys = {each.header for each, _ in numbered_keys(question, table)}
    beside = [
        each
        for each in row.cells
        if each.text.strip()
        and (
            each.header in keys
            or (label is not None and each.header == label.header)
            or _names_row(each, cell, dates, asked)
        )
    ]
    told = in_brackets(aside(*header_and_value(each, row, spelling)) for each in beside)
    if is_period(column.header) and beside:
        if measure := undated(name_and_unit(column.header)[0]):
            said = spelling(in_small(measure))
            time = " ".join(period.text for period in find_periods(header_words(column.header)))
            return f"{said[:1].upper()}{said[1:]} of {' '.join(label_text.split())}, {time}: {value}."
        # `fy2025_usd` names no measure; the row's label does.
        return f"{' '.join(label_text.split())}: {value} ({named})."
    states = when and is_date_header(dates[0].header)
    time = "" if states else _time_of(row, column)
    if when and not states:
        told = in_brackets(
            [
                *(aside(*header_and_value(each, row, spelling)) for each in beside),
                f"{header_words(dates[0].header)}: {when}",
            ]
        )
    lead = f"At {when}, {named}" if states else f"In {time}, {named}" if time else f"{named[:1].upper()}{named[1:]}"
    return f"{lead} {verb_of(named, past=True)} {value}{told}."
