"""Rules over tables and dated records: a row states what its headers name."""

# ruff: noqa: E501 - one header or pattern on one line

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import regex

from ...retrievers.kg.records import Mention
from ...state.records import Cell, TableRow
from ...text.numbers import find_numbers
from ...text.numerals import trimmed
from ...text.periods import Period, find_periods
from .dating import FiscalYears, read_day
from .names import DocumentNames
from .people import roles_of
from .reading import Found

_HEADERS: dict[str, str] = {
    "company": r"company|organi[sz]ation|business|firm|entity|issuer|group|employer|name of company",
    "person": r"person|name|executive|officer|holder|incumbent|appointee",
    "role": r"role|title|position|post|office",
    "from": r"from|start(?:ed)?(?: date)?|since|appointed(?: on)?|begin|effective(?: from| date)?|valid from|from date|in office from",
    "to": r"to|until|end(?:ed)?(?: date)?|left(?: on)?|valid to|to date|in office until",
    "product": r"product|model|item|product name|product line",
    "launched": r"launch(?:ed)?(?: date| on)?|introduced(?: on)?|release(?:d)?(?: date)?|on sale since|market entry",
    "discontinued": r"discontinued(?: on)?|withdrawn(?: on)?|end of (?:production|sale|life)|production ended",
    "supplier": r"supplier|vendor|supplied by",
    "customer": r"customer|buyer|client",
    "good": r"good|goods|component|part|material|supply|input",
    "period": r"year|period|fiscal year|financial year|quarter|month|date|as of|reporting (?:year|date)|year end(?:ed)?",
    "revenue": r"(?:total |net )?(?:revenues?|sales)|turnover",
    "employees": r"(?:number of )?employees|headcount|staff|workforce",
    "target": r"target|acquired company|acquisition|subsidiary",
    "acquirer": r"acquirer|bought by|acquired by|parent",
    "when": r"date|closed(?: on)?|completed(?: on)?|acquired(?: on)?|date of acquisition|closing date",
    "place": r"place|city|location|seat|headquarters|head office|hq",
}
_KINDS = {kind: regex.compile(rf"(?:{pattern})", regex.IGNORECASE) for kind, pattern in _HEADERS.items()}
_UNIT = regex.compile(r"\s*[(\[,]\s*(?P<unit>[^)\]]{1,40})[)\]]?\s*$")
_REVENUE_LABEL = regex.compile(
    r"^(?:total\s)?(?:net\s|consolidated\s|group\s)*(?:revenues?|sales|turnover|net sales)(?:,?\snet(?:\sof\sinterest\sexpense)?)?(?:\s\(.{1,30}\))?$",
    regex.IGNORECASE,
)
_EMPLOYEES_LABEL = regex.compile(
    r"^(?:total\s|number of\s)?(?:employees|headcount|workforce)(?:\sat\s(?:year|period)[\s-]end)?$", regex.IGNORECASE
)
# Columns that make a row tell of a part of a company.
_PART = regex.compile(
    r"\b(?:segment|region|country|product|division|category|department|channel|customer|store|site|plan|tier|team)\b",
    regex.IGNORECASE,
)
_SCALES = {
    "thousand": 1_000,
    "thousands": 1_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "billion": 10**9,
    "billions": 10**9,
}
_SCALE_WORD = regex.compile(
    r"\b(thousands?|millions?|billions?)\b|(?:[$€£]|USD|EUR|GBP)\s?(m|mn|bn|k)\b|\b(mn|bn)\b", regex.IGNORECASE
)
_SHORT = {"m": 1_000_000, "mn": 1_000_000, "bn": 10**9, "k": 1_000}
_CURRENCY = regex.compile(
    r"US\$|[$€£]|\b(?:USD|EUR|GBP|NOK|SEK|DKK|CHF|JPY|CAD|AUD|dollars?|euros?|pounds?)\b", regex.IGNORECASE
)
_CODES = {"us$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pound": "GBP", "pounds": "GBP"}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """What a document tells about its tables.

    Attributes:
        scale: What figures without scale of their own are multiplied with, as a note near the table says.
        unit: Currency of figures without one.
        own: Whether a table may be read as about the document's own organisation where no column names one.
    """

    names: DocumentNames
    spoken: date | None
    fiscal: FiscalYears
    scale: int = 1
    unit: str = ""


def facts_of_row(row: TableRow, told: Told) -> Iterator[Found]:
    """Give what a row states, with characters of the source as places."""
    cells = _by_kind(row.cells)
    yield from _roles(row, cells, told)
    yield from _products(row, cells, told)
    yield from _supplies(row, cells, told)
    yield from _acquisitions(row, cells, told)
    yield from _seats(row, cells, told)
    yield from _figures(row, cells, told)
    if "period" not in cells:
        yield from _across(row, told)


def scale_near(text: str) -> tuple[int, str]:
    """Return the scale and currency that a note such as `(in millions, USD)` gives to the figures of a table."""
    return _scale(text), _currency(text)


def _by_kind(cells: Sequence[Cell]) -> dict[str, Cell]:
    """Name cells by what their headers say; a header that is no known word names none."""
    found: dict[str, Cell] = {}
    for cell in cells:
        header = " ".join(_UNIT.sub("", cell.header).replace("_", " ").split())
        for kind, pattern in _KINDS.items():
            if pattern.fullmatch(header):
                found.setdefault(kind, cell)
    return found


def _company(cells: Mapping[str, Cell], told: Told) -> Mention | None:
    name = told.names.org(cells["company"].text) if "company" in cells else told.names.main
    return told.names.mention(name) if name else None


def _roles(row: TableRow, cells: Mapping[str, Cell], told: Told) -> Iterator[Found]:
    if not {"person", "role"} <= cells.keys() or not {"from", "to"} & cells.keys():
        return
    person, org = told.names.person(cells["person"].text), _company(cells, told)
    begin, finish = _begin(cells.get("from")), _after(cells.get("to"))
    if not person or org is None or not (begin or finish):
        return
    for role in roles_of(cells["role"].text):
        yield Found(
            Mention(name=person, kind="person"), "HOLDS_ROLE", row.start, row.end, object=org, value=role, exclusive=True,
            valid_at=begin, invalid_at=finish,
        )  # fmt: skip


def _products(row: TableRow, cells: Mapping[str, Cell], told: Told) -> Iterator[Found]:
    if "product" not in cells or not {"launched", "discontinued"} & cells.keys():
        return
    org, named = _company(cells, told), cells["product"].text.strip()
    if org is None or not named:
        return
    for kind, predicate in (("launched", "LAUNCHED"), ("discontinued", "DISCONTINUED")):
        if kind in cells and (begin := _begin(cells[kind])) and (finish := _after(cells[kind])):
            yield Found(
                org, predicate, row.start, row.end, object=Mention(name=named, kind="product"), temporal="STATIC",  # type: ignore[arg-type]
                valid_at=begin, invalid_at=finish,
            )  # fmt: skip


def _supplies(row: TableRow, cells: Mapping[str, Cell], told: Told) -> Iterator[Found]:
    if not {"supplier", "good"} <= cells.keys() or not {"from", "to"} & cells.keys():
        return
    supplier = told.names.org(cells["supplier"].text)
    customer = told.names.org(cells["customer"].text) if "customer" in cells else told.names.main
    begin, finish = _begin(cells.get("from")), _after(cells.get("to"))
    if supplier and customer and supplier != customer and (begin or finish):
        yield Found(
            told.names.mention(supplier), "SUPPLIES", row.start, row.end, object=told.names.mention(customer),
            value=cells["good"].text.strip(), valid_at=begin, invalid_at=finish,
        )  # fmt: skip


def _acquisitions(row: TableRow, cells: Mapping[str, Cell], told: Told) -> Iterator[Found]:
    if "target" not in cells or "when" not in cells:
        return
    part = told.names.org(cells["target"].text)
    whole = told.names.org(cells["acquirer"].text) if "acquirer" in cells else told.names.main
    begin = _begin(cells["when"])
    if part and whole and part != whole and begin:
        yield Found(
            told.names.mention(part), "PART_OF", row.start, row.end, object=told.names.mention(whole), exclusive=True,
            valid_at=begin,
        )  # fmt: skip


def _seats(row: TableRow, cells: Mapping[str, Cell], told: Told) -> Iterator[Found]:
    if "place" not in cells or "from" not in cells:
        return
    if not regex.search(r"head|seat|hq", f"{cells['place'].header} {row.caption}", regex.IGNORECASE):
        return
    org, begin, place = _company(cells, told), _begin(cells["from"]), cells["place"].text.split(",")[0].strip()
    if org is not None and begin and place:
        yield Found(
            org, "LOCATED_IN", row.start, row.end, object=Mention(name=place, kind="place"), value="headquarters",
            exclusive=True, valid_at=begin, invalid_at=_after(cells.get("to")),
        )  # fmt: skip


def _figures(row: TableRow, cells: Mapping[str, Cell], told: Told) -> Iterator[Found]:
    """Read a row of a year with columns of figures."""
    if "period" not in cells or not {"revenue", "employees"} & cells.keys():
        return
    periods = [
        cell for cell in row.cells if _KINDS["period"].fullmatch(" ".join(cell.header.replace("_", " ").split()))
    ]
    if len(periods) > 1 or any(_PART.search(cell.header) for cell in row.cells):
        return
    org, span = _company(cells, told), _span(cells["period"].text, told)
    if org is None or span is None:
        return
    if "revenue" in cells:
        yield from _revenue(row, org, cells["revenue"], span, told)
    if "employees" in cells:
        yield from _employees(row, org, cells["employees"], span)


def _across(row: TableRow, told: Told) -> Iterator[Found]:
    """Read a row of figures under years (`Total revenues` under `2022`, `2021`)."""
    label = " ".join(regex.sub(r"[:.]+$|\s*\d$", "", row.label).split())
    revenue, employees = _REVENUE_LABEL.match(label), _EMPLOYEES_LABEL.match(label)
    if not told.names.main or not (revenue or employees):
        return
    org = told.names.mention(told.names.main)
    seen: set[date] = set()
    for cell in row.cells:
        span = _span(cell.header, told)
        if (
            span is None
            or span[0] in seen
            or regex.search(
                r"%|percent|change|vs\.?|increase|q[1-4]\b|three|quarter|six|nine", cell.header, regex.IGNORECASE
            )
        ):
            continue
        seen.add(span[0])
        yield from _revenue(row, org, cell, span, told) if revenue else _employees(row, org, cell, span)


def _revenue(row: TableRow, org: Mention, cell: Cell, span: tuple[date, date], told: Told) -> Iterator[Found]:
    numbers = find_numbers(cell.text)
    if (
        len(numbers) != 1
        or numbers[0].unit in ("%", "pp")
        or regex.search(r"[\p{L}]{4,}", cell.text.replace("million", "").replace("billion", "").replace("thousand", ""))
    ):
        return
    number, about = numbers[0], f"{cell.header} {row.caption}"
    scaled = regex.search(r"million|billion|thousand|\d\s?(?:m|bn|k)\b", cell.text, regex.IGNORECASE)
    factor = 1 if scaled else _scale(about) if _scale(about) > 1 else told.scale
    unit = number.unit or _currency(about) or told.unit
    if unit and len(unit) == 3:
        yield Found(
            org, "HAS_REVENUE", row.start, row.end, value=trimmed(number.value * factor), unit=unit, temporal="STATIC",
            valid_at=span[0], invalid_at=span[1],
        )  # fmt: skip


def _employees(row: TableRow, org: Mention, cell: Cell, span: tuple[date, date]) -> Iterator[Found]:
    numbers = find_numbers(cell.text)
    if len(numbers) == 1 and not numbers[0].unit and numbers[0].value == int(numbers[0].value) > 0:
        yield Found(
            org, "HAS_A", row.start, row.end, object=Mention(name="employees", kind="thing"),
            value=trimmed(numbers[0].value), exclusive=True, valid_at=span[1] - timedelta(days=1),
        )  # fmt: skip


def _period(text: str) -> Period | None:
    found = [period for period in find_periods(text) if period.kind not in ("month_day", "decade", "century")]
    return found[0] if len(found) == 1 else None


def _span(text: str, told: Told) -> tuple[date, date] | None:
    """Return first day and the day after of the year or quarter that a header or cell names."""
    found = _period(text)
    if found is None:
        return None
    if found.kind == "day":  # `Year ended December 31, 2022`
        begin = (
            date(found.end.year - 1, found.end.month, found.end.day)
            if (found.end.month, found.end.day) != (2, 29)
            else date(found.end.year - 1, 2, 28)
        )
        ended = regex.search(r"year|twelve|december 31|june 30", text, regex.IGNORECASE)
        return (begin + timedelta(days=1), found.end + timedelta(days=1)) if ended else None
    if found.kind in ("fiscal_year", "year") and (own := told.fiscal.year(found.start.year)):
        return own[0], own[1] + timedelta(days=1)
    if found.kind in ("year", "fiscal_year", "quarter", "fiscal_quarter", "half", "month"):
        return found.start, found.end + timedelta(days=1)
    return None


def _begin(cell: Cell | None) -> date | None:
    return read_day(cell.text) if cell else None


def _after(cell: Cell | None) -> date | None:
    day = read_day(cell.text, last=True) if cell else None
    return day + timedelta(days=1) if day else None


def _scale(text: str) -> int:
    match = _SCALE_WORD.search(text)
    if match is None:
        return 1
    return _SCALES[match[1].casefold()] if match[1] else _SHORT[(match[2] or match[3]).casefold()]


def _currency(text: str) -> str:
    match = _CURRENCY.search(text)
    return _CODES.get(match.group().casefold(), match.group().upper()) if match else ""
