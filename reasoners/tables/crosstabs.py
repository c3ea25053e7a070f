"""Read a table of which rows and columns are both names: events by group, wards by year, and which cells are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ...text.periods import Period
from ...text.words import analyse
from .asking import Ask
from .catalog import Catalog, Column, Table, header_words, number_of
from .scope import FRAME, asked_words, header_periods, is_dated, same_terms, undated_question
from .units import name_and_unit

Kind = Literal["time", "group"]
_SIZE = re.compile(r"\s*[(\[]\s*N\s*=\s*(?P<n>\d[\d,]*)\s*[)\]]\s*$", re.IGNORECASE)
_SERIAL = re.compile(r"^\W*\d[\d.,]*\W*(?P<rest>\D*)$")
_CONTROL = re.compile(r"^(?:placebo|control|baseline|comparator|sham|vehicle|standard of care)\b", re.IGNORECASE)
_ALL = re.compile(r"^(?:all\b.*|total|overall|sum|combined)$", re.IGNORECASE)
# What people of a group are called, and what an event does to them.
_PEOPLE_WORDS = """
    patients patient participants participant subjects subject volunteers people persons person group groups arm arms
    cohort treatment treated dose dosed receiving received given taking took experienced suffered developed had because
    due cases case there occurred happened among altogether common commonest frequent frequently often rarest"""
_PEOPLE = same_terms(_PEOPLE_WORDS) | frozenset(analyse(_PEOPLE_WORDS))
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_COUNTED = re.compile(r"\btop[ -]\d+\b|\b\d+ (?:\w+ )?(?:most|largest|biggest|highest|smallest|lowest|fewest)\b", re.I)
_MOST_ROWS = 200


@dataclass(frozen=True)
class Cross:
    """What a question reads in a table of names by names.

    Attributes:
        label: The column that names the rows.
        members: The columns that stand for members of one kind, in order.
        columns: Of these the ones that the question names, in its order; empty where it names none.
        rows: The places of the rows that it names, never those that sum up others; empty where it names none.
    """

    table: Table
    kind: Kind
    label: Column
    members: tuple[Column, ...]
    columns: tuple[Column, ...]
    rows: tuple[int, ...]

    @property
    def parts(self) -> list[int]:
        """The rows that sum up no others."""
        return [row for row in range(len(self.table.rows)) if not self.table.is_total(row)]

    def name(self, row: int) -> str:
        """Return what a row is called."""
        return " ".join(self.table.texts(self.label.header)[row].split())

    def value(self, row: int, column: Column) -> Decimal | None:
        """Return the number in a cell."""
        return number_of(self.table.texts(column.header)[row])


def crosses(ask: Ask, catalog: Catalog) -> Iterator[Cross]:
    """Yield the tables of names by names that hold every word of a question, exports before tables of narratives."""
    for table in sorted(catalog.tables, key=lambda each: not each.structured):
        if (cross := _cross(ask, table)) is not None:
            yield cross


def member_name(column: Column) -> str:
    """Return what a column's member is called, without how many it counts: `40 mg (N=89)` is `40 mg`."""
    return _SIZE.sub("", " ".join(column.header.split()))


def size_of(column: Column) -> Decimal | None:
    """Return how many a column's header says that its group counts: 89 of `40 mg (N=89)`."""
    match = _SIZE.search(column.header)
    return Decimal(match["n"].replace(",", "")) if match else None


def is_whole(column: Column) -> bool:
    """Whether a column sums up the others: `Total`, `All patients`."""
    return bool(_ALL.match(member_name(column)))


def _cross(ask: Ask, table: Table) -> Cross | None:
    texts = [column for column in table.columns if column.kind != "number"]
    members = tuple(column for column in table.columns if column.kind == "number")
    if len(texts) != 1 or len(members) < 2 or not 1 < len(table.rows) <= _MOST_ROWS:
        return None
    (label,) = texts
    names = [" ".join(name.split()) for name in table.texts(label.header)]
    kind = _kind_of(members)
    if kind is None or len(set(names)) < len(names) or not all(names):
        return None
    columns = _dated(members, ask) if kind == "time" else _named(members, ask.question)
    if columns is None:
        return None
    left = asked_words(ask) - _PEOPLE - table.words - same_terms(header_words(label.header))
    for column in columns:
        # `20mg` is `20 mg`.
        name = member_name(column)
        left -= same_terms(name) | frozenset(analyse(name.replace(" ", "")))
    rows = _rows(ask.question, names, left, table)
    if not rows and not asked_words(ask):
        return None  # `What was the total?` may be that of any table.
    if rows is None or _numbers_unheld(ask.question, table, [names[row] for row in rows]):
        return None
    return Cross(table, kind, label, members, columns, rows)


def _numbers_unheld(question: str, table: Table, names: Sequence[str]) -> frozenset[str]:
    """Return the numbers of a question, but for how many it wants, that neither title, headers nor the rows have."""
    asked = _DIGITS.findall(_COUNTED.sub(" ", undated_question(question)))
    title = f"{table.uri} {table.rows[0].caption} {table.rows[0].sheet or ''}"
    held = " ".join([title, *(column.header for column in table.columns), *names])
    return frozenset(asked) - frozenset(_DIGITS.findall(held))


def _kind_of(members: Sequence[Column]) -> Kind | None:
    """Return whether columns are times of one figure, or groups; None where they are figures of several kinds."""
    dated = [header_periods(column) for column in members]
    if all(len(each) == 1 for each in dated):
        rests = {_without(column, periods[0]) for column, periods in zip(members, dated, strict=True)}
        return "time" if len(rests) == 1 else None
    if all(name_and_unit(column.header)[1] for column in members):
        return None
    sized = sum(size_of(column) is not None for column in members)
    plain = [member_name(column) for column in members if not is_whole(column)]
    serial = {match["rest"].strip().casefold() for name in plain if (match := _SERIAL.match(name))}
    doses = sum(bool(_SERIAL.match(name)) for name in plain)
    control = any(_CONTROL.match(name) for name in plain)
    if sized == len(members) or (control and doses + 1 >= len(plain) - 1) or (doses == len(plain) and len(serial) == 1):
        return "group"
    return "group" if control else None


def _without(column: Column, period: Period) -> str:
    words = header_words(column.header)
    return " ".join(words.replace(period.text, " ").split()).casefold()


def _dated(members: Sequence[Column], ask: Ask) -> tuple[Column, ...] | None:
    """Return the columns of the periods asked for; None where a period has none."""
    periods = [*ask.periods, *ask.fiscal]
    found = [column for column in members if is_dated(column, periods)]
    if periods and not found:
        return None
    spans = [period for period in periods if period.kind == "range"]
    covered = all(any(is_dated(column, [each]) for column in members) for each in periods)
    return tuple(found) if covered or spans else None


def _named(members: Sequence[Column], question: str) -> tuple[Column, ...] | None:
    places = {column: at for column in members if (at := _place(member_name(column), question)) >= 0}
    return tuple(sorted(places, key=lambda column: places[column]))


def _place(name: str, question: str) -> int:
    """Return where a question has a name, with or without a blank behind its number and its brackets."""
    for written in dict.fromkeys((name, _BRACKETS.sub("", name))):
        pattern = r"\s*".join(re.escape(part) for part in re.findall(r"\d+(?:[.,]\d+)*|[^\d\s]+|\S", written))
        match = re.search(rf"(?<![\w.]){pattern}(?!\w)", question, re.IGNORECASE) if pattern else None
        if match:
            return match.start()
    return -1


def _rows(question: str, names: Sequence[str], left: frozenset[str], table: Table) -> tuple[int, ...] | None:
    """Return the rows that are named: whole, or by every word that is left to say; None where a word says nothing."""
    parts = [row for row in range(len(names)) if not table.is_total(row)]
    terms = {row: same_terms(name) for row, name in enumerate(names)}
    whole = [row for row in parts if _place(names[row], question) >= 0]
    whole = [row for row in whole if not any(terms[row] < terms[other] for other in whole)]
    if whole and not left - frozenset[str]().union(*(terms[row] for row in whole)):
        return tuple(sorted(whole, key=lambda row: _place(names[row], question)))
    if not left:
        return ()
    # A word of the table's title may stand in its rows too: of `serious adverse events` only the first tells.
    fits = [row for row in parts if left <= terms[row]]
    exact = [row for row in fits if terms[row] - table.words - FRAME == left]
    fits = exact or fits
    return (fits[0],) if len(fits) == 1 else None
