"""The time that a row of an export is of, by its cells under `date`, `month` or `year`, else by its headers."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

import regex

from ...state.records import TableRow
from ...text.numbers import find_numbers
from ...text.period_patterns import YEARLESS
from ...text.periods import Period, find_periods, month_of
from .catalog import header_words
from .wording import is_date_header

_YEAR = regex.compile(r"^(?:19|20|21)\d{2}$")
_MONTH_NUMBER = regex.compile(r"^(?:0?[1-9]|1[0-2])$")
_QUARTER = regex.compile(r"^(?:Q|T)?\s?([1-4])\.?(?:\s?(?:Q|quarter|quartal|trimestre))?$", regex.IGNORECASE)
_MONTH_HEADER = regex.compile(r"\b(?:month|monat|mois|mes|mese)\b", regex.IGNORECASE)
_QUARTER_HEADER = regex.compile(r"\b(?:quarter|quartal|trimestre)\b", regex.IGNORECASE)


def row_periods(row: TableRow) -> tuple[Period, ...]:
    """Return the periods that a row is of, by its cells under `date`, `month`, `year`; else by its headers."""
    return _row_periods(tuple((cell.header, cell.text.strip()) for cell in row.cells))


@lru_cache(maxsize=16_384)
def _row_periods(cells: tuple[tuple[str, str], ...]) -> tuple[Period, ...]:
    dated = [(header_words(header), text) for header, text in cells if text and is_date_header(header)]
    year = next((int(text) for _, text in dated if _YEAR.match(text)), None)
    month = next((named for header, text in dated if (named := _month(header, text))), None)
    quarter = next((named for header, text in dated if (named := _quarter(header, text))), None)
    if month is not None:
        return tuple(find_periods(f"{year or YEARLESS:04d}-{month:02d}")) or _yearless(month)
    if quarter is not None and year is not None:
        return tuple(find_periods(f"Q{quarter} {year}"))
    found = [period for _, text in dated for period in find_periods(text)]
    if not found:
        heads = [period for header, text in cells if find_numbers(text) for period in find_periods(header)]
        found = heads if len(heads) > 1 else []
    return tuple(found)


def _month(header: str, text: str) -> int | None:
    named = month_of(text)
    if named is None and _MONTH_HEADER.search(header) and _MONTH_NUMBER.match(text):
        return int(text)
    return named


def _quarter(header: str, text: str) -> int | None:
    match = _QUARTER.match(text) if _QUARTER_HEADER.search(header) else None
    return int(match[1]) if match else None


def _yearless(month: int) -> tuple[Period, ...]:
    start = date(YEARLESS, month, 1)
    return (Period(start, start.replace(day=28), "month", "", 0, 0),)
