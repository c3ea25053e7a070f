"""Say the cells of an export in words: `principal_outstanding: 3000000` as `principal outstanding is EUR 3,000,000`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...state.records import Cell, TableRow
from ...text.periods import find_periods
from .catalog import date_of, header_words, number_of
from .units import CURRENCIES, amount, in_small, name_and_unit

_CURRENCY_HEADERS = frozenset({"currency", "ccy"})
# Figures under such headers are no amounts of money, whatever the currency of their row.
_NO_MONEY = re.compile(
    r"\b(?:percent|pct|rate|ratio|share|count|number|quantity|qty|headcount|employees|contracts|units|id|year|months?)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\b(?:on|by|at|until|from|to|since|in)$|^as of$", re.IGNORECASE)
_DONE = re.compile(r"^\w+(?:ed|igned|ld|nt|pt)$", re.IGNORECASE)
_PERIOD_TOKEN = re.compile(r"^(?:fy|q|h)\d{1,4}$", re.IGNORECASE)
_DATE_HEADER = re.compile(
    r"^(?:as of(?: date)?|date|day|week|month|quarter|year|(?:period|week|month|quarter|year)(?: (?:start|end))?|at|"
    r"(?:balance|reporting|snapshot) date|(?:fiscal|financial) (?:year|quarter)|stand|datum|stichtag|tag|woche|monat|"
    r"quartal|jahr|geschäftsjahr|zeitraum|jour|semaine|mois|trimestre|année|période|fecha|día|semana|mes|año|periodo|"
    r"giorno|settimana|mese|anno)$",
    re.IGNORECASE,
)
_ONE_TIME = re.compile(r"^(?:(?:fiscal|financial) )?(?:year|quarter|jahr|année|año|anno)$", re.IGNORECASE)
_REMARK = re.compile(r"^(?:comments?|notes?|remarks?)$", re.IGNORECASE)
STATES = frozenset({"status", "state", "stage", "result", "outcome", "approval"})
"""Words of a header whose cells say how something stands."""
_CODE = re.compile(r"^(?=\S*\d)[\w./-]{1,16}$")
_NAMES = (
    "name", "title", "item", "legal entity", "entity", "facility", "customer", "counterparty", "company", "account",
    "product", "subject", "project", "matter", "description", "action", "task", "measure", "risk", "issue", "finding",
    "milestone", "requirement",
)  # fmt: skip
_OPENS_SO = re.compile(r"for\b", re.IGNORECASE)
# `Requested in`, `listed in`: of a `first patient in` it is no verb that the value belongs to.
_IN = re.compile(r"\bin$", re.IGNORECASE)
_MADE = re.compile(r"(?:^|\b(?:\w+ed|born|held|built|sold|kept|made|paid|sent|won|is|are|was|were) )in$", re.IGNORECASE)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,4}\b")
_SMALL = re.compile(r"(?<![\w.])[a-z]{2,5}(?![\w_:])")
_LEAST_GROUPED = 10_000
_MAX_NAME = 80


@dataclass(frozen=True)
class Spelling:
    """How the words of headers are spelled: `arr` as `ARR` where the question has it so."""

    known: frozenset[str] = frozenset()

    @classmethod
    def of(cls, *texts: str) -> Spelling:
        """Learn the acronyms of some texts: short words in capitals that none of them spells in small letters."""
        capitals = {word for text in texts for word in _ACRONYM.findall(text)}
        small = {word.upper() for text in texts for word in _SMALL.findall(text)} if capitals else set()
        return cls(frozenset(capitals - small))

    def in_capitals(self, text: str) -> str:
        """Return a sentence with the acronyms that are known in capitals."""
        return re.sub(r"(?<![\w.])[a-z][a-z0-9]{1,4}(?![\w_])", lambda match: self(match[0]), text)

    def __call__(self, words: str) -> str:
        """Return words with those in capitals that are known or name a period."""
        return " ".join(
            word.upper() if word.upper() in self.known or _PERIOD_TOKEN.match(word) else word for word in words.split()
        )


def header_and_value(cell: Cell, row: TableRow, spelling: Spelling | None = None) -> tuple[str, str]:
    """Return a cell's header in words, without its unit, and its value with it, figures of money in groups of three.

    `arr_usd: 17640000` is `("arr", "USD 17,640,000")`, `interest_rate_percent: 9.75` is `("interest rate", "9.75%")`.
    """
    words = header_words(_line(cell.header)).split()
    text = _line(cell.text)
    value = number_of(text)
    name, of = name_and_unit(_line(cell.header))
    if value is not None:
        words = in_small(name if of else " ".join(words)).split()
    if value is not None and of:
        shown = amount(text if of == "%" else _grouped(text), of)
    elif value is not None and (unit := currency_of(row)) and not _NO_MONEY.search(" ".join(words)):
        shown = f"{unit} {_grouped(text)}"
    else:
        shown = text
    return (spelling or Spelling())(" ".join(words)), shown


def measure_words(header: str, spelling: Spelling | None = None, language: str = "en") -> str:
    """Return a measured column's header in words, its unit in brackets: `arr_usd` is `ARR (USD)`."""
    name, unit = name_and_unit(_line(header))
    # Elsewhere than in English a capital may belong to the word.
    said = (spelling or Spelling())(in_small(name) if language == "en" else name)
    return f"{said} ({unit})" if unit else said


def currency_of(row: TableRow) -> str:
    """Return the currency that a row states for its amounts, empty where it states none."""
    stated = [cell.text.strip() for cell in row.cells if header_words(cell.header).casefold() in _CURRENCY_HEADERS]
    return stated[0] if len(stated) == 1 and stated[0].casefold() in CURRENCIES else ""


def clause(header: str, value: str) -> str:
    """Return header and value as a clause: `status is final`, `signed on 2023-11-08`, `requested by counsel`."""
    if is_link(header):
        return f"{header} {value}"
    if date_of(value) and _DONE.match(header.split()[-1]) and not header.endswith("ed date"):
        return f"{header} on {value}"
    if _IN.search(header):
        return f"{header}: {value}"
    return f"{header} {verb_of(header)} {value}"


def aside(header: str, value: str) -> str:
    """Return header and value as they stand in brackets beside a sentence."""
    if is_link(header):
        return f"{header} {value}"
    if date_of(value) and _DONE.match(header.split()[-1]):
        return f"{header} on {value}"
    return f"{header}: {value}"


def verb_of(header: str, *, past: bool = False) -> str:
    """Return the form of `be` that a header takes."""
    words = header.casefold().split()
    while len(words) > 1 and _DONE.match(words[-1]):
        words.pop()  # `tickets sold`
    last = words[-1] if words else ""
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is", "yes", "news"))
    if past:
        return "were" if plural else "was"
    return "are" if plural else "is"


def is_link(header: str) -> bool:
    """Whether a header leads to its value by itself: `requested by`, `as of`."""
    return bool((_MADE if _IN.search(header) else _LINK).search(header))


def is_remark(header: str) -> bool:
    """Whether a header announces words about the row rather than a value of it."""
    return bool(_REMARK.match(header_words(header)))


def is_date_header(header: str) -> bool:
    """Whether a header gives the day that its row speaks of rather than a date of something in it."""
    return bool(_DATE_HEADER.match(header_words(header)))


def is_unit(cell: Cell) -> bool:
    """Whether a cell only says in which currency the row is."""
    return header_words(cell.header).casefold() in _CURRENCY_HEADERS


def follow_on(cells: Sequence[Cell], main: Sequence[Cell]) -> list[Cell]:
    """Return the cells beside the main ones; those that follow them in the row come first."""
    after = max((cells.index(cell) for cell in main), default=-1)
    rest = [(place, cell) for place, cell in enumerate(cells) if cell not in main]
    return [cell for _, cell in sorted(rest, key=lambda each: each[0] < after)]


def in_brackets(parts: Iterable[str]) -> str:
    """Return parts in brackets behind a sentence, empty where there are none."""
    told = "; ".join(part for part in parts if part)
    return f" ({told})" if told else ""


@dataclass(frozen=True)
class Subject:
    """What a row is about.

    Attributes:
        lead: Words that open its sentence: `At 2025-03-31`, `For Venture loan (D-01)`; empty where nothing names it.
        name: The words after `For`.
        cells: The cells it is made of.
    """

    lead: str
    name: str
    cells: tuple[Cell, ...]


def subject_of(row: TableRow, siblings: Sequence[TableRow] = ()) -> Subject:
    """Return what a row is about: its name, its code in brackets, and what tells it from other rows of that name.

    Args:
        siblings: Other rows of its table that are at hand.
    """
    cells = [cell for cell in row.cells if cell.text.strip()]
    label = _line(row.label).rstrip(" :.")
    used = [cell for cell in cells if _line(cell.text).rstrip(" :.") == label][:1]
    dated = [cell for cell in cells if _DATE_HEADER.match(header_words(cell.header)) and date_of(cell.text.strip())]
    if len({cell.text for cell in dated}) > 1:
        dated = []
    name = "" if date_of(label) or (used and used[0].header == row.label) else label
    if name and cells and cells[0] not in used and _ONE_TIME.match(header_words(cells[0].header)):
        # A row that opens with its year is called by it, not by the first of its words.
        name = f"{_line(cells[0].text)} ({name})"
        used = [cells[0], *used]
        return Subject(f"For {name}", name, tuple(used))
    if name and _CODE.match(name) and (called := _name_cell(cells, used)):
        told = _line(called.text)
        name = f"{told}, {name}" if told.endswith(")") else f"{told} ({name})"
        used.append(called)
    elif name:
        for cell in _telling(row, cells, used, siblings):
            name = f"{name}, {_line(cell.text)}"
            used.append(cell)
    if used and is_date_header(used[0].header):
        # Of a month the year alone says too little, and the month no year.
        for cell in (each for each in cells if each not in used and each not in dated and is_date_header(each.header)):
            name = f"{name}, {header_words(cell.header)} {_line(cell.text)}"
            used.append(cell)
    parts = []
    if dated:
        parts.append(f"at {_line(dated[0].text)}")
        used += [cell for cell in dated if cell not in used]
    if name:
        parts.append(f"{'for' if parts else 'For'} {name}")
    told = ", ".join(parts)
    if told.startswith("For ") and _OPENS_SO.match(name):
        told = name  # `For-cause audit of site 12`
    return Subject(f"{told[:1].upper()}{told[1:]}", name, tuple(used))


def in_words(row: TableRow, spelling: Spelling | None = None) -> str:
    """Return a whole row as a sentence; empty where it has no subject or nothing is said of it."""
    subject = subject_of(row)
    cells = [cell for cell in row.cells if cell.text.strip() and cell not in subject.cells and not is_unit(cell)]
    main = [cell for cell in cells if not is_remark(cell.header) and not is_link(header_words(cell.header))] or cells
    if not main or not subject.lead:
        return ""
    parts = [clause(*header_and_value(cell, row, spelling)) for cell in main]
    said = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    beside = in_brackets(aside(*header_and_value(cell, row, spelling)) for cell in follow_on(cells, main))
    return f"{subject.lead}, {said}{beside}."


def record_in_words(row: TableRow) -> str:
    """Return what a record is and where it stands: `Polder Sensors B.V. (L-01): in negotiation`."""
    subject = subject_of(row)
    state = next(
        (
            cell
            for cell in row.cells
            if cell.text.strip() and STATES & set(header_words(cell.header).casefold().split())
        ),
        None,
    )
    named = subject.name or _line(row.label)
    return f"{named}: {_line(state.text)}" if state is not None else named


def _name_cell(cells: Sequence[Cell], used: Sequence[Cell]) -> Cell | None:
    """Return the cell by which people call a row that a code labels."""
    headers = {header_words(cell.header).casefold(): cell for cell in reversed(cells) if cell not in used}
    for header in _NAMES:
        cell = headers.get(header)
        if cell is not None and len(cell.text) <= _MAX_NAME and number_of(cell.text) is None:
            return cell
    return None


def _telling(row: TableRow, cells: Sequence[Cell], used: Sequence[Cell], siblings: Sequence[TableRow]) -> list[Cell]:
    """Return the short cells of words that tell a row from others with its label, as few as do."""
    headers = tuple(cell.header for cell in row.cells)
    rivals = [
        other
        for other in siblings
        if other != row and other.label == row.label and other.uri == row.uri and _alike(headers, other)
    ]
    found: list[Cell] = []
    for cell in cells:
        if not rivals:
            break
        if cell in used or date_of(cell.text.strip()) or number_of(cell.text) is not None or len(cell.text) > 24:
            continue
        left = [other for other in rivals if _text_under(other, cell.header) == cell.text]
        if len(left) < len(rivals):
            found.append(cell)
            rivals = left
    return found


def _alike(headers: tuple[str, ...], other: TableRow) -> bool:
    return len(set(headers) & {cell.header for cell in other.cells}) * 2 > len(headers)


def _text_under(row: TableRow, header: str) -> str:
    return next((cell.text for cell in row.cells if cell.header == header), "")


def _grouped(text: str) -> str:
    """Return a whole number of five digits or more in groups of three; another as it is."""
    match = re.fullmatch(r"(-?)(\d+)(\.\d+)?", text)
    if match is None or int(match[2]) < _LEAST_GROUPED or match[2].startswith("0"):
        return text
    return f"{match[1]}{int(match[2]):,}{match[3] or ''}"


def is_period(header: str) -> bool:
    """Whether a header names a period, alone or with a word about it: `2022`, `fy2024_restated_usd`."""
    return bool(find_periods(header))


def _line(text: str) -> str:
    return " ".join(text.split())
