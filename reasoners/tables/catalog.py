"""Tables out of rows: typed columns in DuckDB, each cell still tied to its place in the source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from ...state.records import Cell, TableRow
from ...text.numbers import find_numbers
from ...text.words import analyse

if TYPE_CHECKING:
    import duckdb

ColumnKind = Literal["number", "date", "text"]
_MOSTLY = 0.9
"""Share of the filled cells that must read as a number or date for the column to be one."""
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}$")
_MONTH = re.compile(r"\d{4}-\d{2}$")
_CURRENCY_WORDS = frozenset({"currency", "ccy", "curr", "waehrung", "wahrung", "devise", "moneda", "unit"})
_PARTIAL = re.compile(
    r"\b(?:top|largest|biggest|main|major|principal|leading|key|selected|selection|sample|examples?|excerpt|notable)\b",
    re.IGNORECASE,
)
TOTAL_LABELS = frozenset(
    {"total", "all", "sum", "overall", "group total", "grand total", "gesamt", "summe", "insgesamt", "totale"}
)
"""Cells that say, folded, that their row sums up the others."""


@dataclass(frozen=True)
class Column:
    """A column: its header as written, its words, and what its cells are."""

    header: str
    kind: ColumnKind

    @cached_property
    def words(self) -> frozenset[str]:
        """Index terms of the header, an identifier cut at its underscores and capitals."""
        return frozenset(analyse(header_words(self.header)))


@dataclass(frozen=True)
class Table:
    """Rows of one source with the same headers."""

    name: str
    uri: str
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    structured: bool = True

    def place(self, header: str) -> int:
        """Return the position of a column."""
        return next(index for index, column in enumerate(self.columns) if column.header == header)

    def cell(self, row: int, header: str) -> Cell | None:
        """Return a cell by row position and header."""
        return next((cell for cell in self.rows[row].cells if cell.header == header), None)

    def texts(self, header: str) -> Sequence[str]:
        """Return the cells of a column as written, empty where a row has none."""
        if header not in self._texts:
            cells = (self.cell(row, header) for row in range(len(self.rows)))
            self._texts[header] = tuple("" if cell is None else cell.text.strip() for cell in cells)
        return self._texts[header]

    def with_figures(self, header: str, rows: Iterable[int]) -> list[int]:
        """Return those of some rows in which a column has a figure."""
        texts = self.texts(header)
        return [row for row in rows if number_of(texts[row]) is not None]

    def figures(self, header: str, rows: Iterable[int]) -> list[Decimal]:
        """Return the figures of a column in some rows, in their order; a cell without one is left out."""
        texts = self.texts(header)
        return [figure for row in rows if (figure := number_of(texts[row])) is not None]

    @cached_property
    def _texts(self) -> dict[str, tuple[str, ...]]:
        """What was read of the columns so far: every question of every run reads them again."""
        return {}

    @cached_property
    def words(self) -> frozenset[str]:
        """Index terms of the file name and the caption."""
        stem = PurePosixPath(self.uri).stem
        return frozenset(analyse(header_words(f"{stem} {self.rows[0].caption if self.rows else ''}")))

    @cached_property
    def is_partial(self) -> bool:
        """Whether the title or file says that the rows are some of all there are: `Top customers`, `sample`."""
        titles = (PurePosixPath(self.uri).stem, self.rows[0].caption, self.rows[0].sheet or "") if self.rows else ()
        return any(says_partial(header_words(title)) for title in titles)

    @cached_property
    def kind_words(self) -> frozenset[str]:
        """Index terms by which several values of a column are called, of whatever kind they are: `food waste`."""
        found: set[str] = set()
        for column in self.columns:
            if column.kind == "text":
                seen = Counter(term for value in set(self.texts(column.header)) for term in frozenset(analyse(value)))
                found |= {term for term, count in seen.items() if count > 1}
        return frozenset(found)

    @cached_property
    def dates(self) -> tuple[Column, ...]:
        """The columns of dates, in order."""
        return tuple(column for column in self.columns if column.kind == "date")

    def is_total(self, row: int) -> bool:
        """Whether a row sums up the others."""
        texts = (self.texts(column.header)[row] for column in self.columns if column.kind == "text")
        return any(text.casefold() in TOTAL_LABELS for text in texts)

    def is_mixed(self, rows: Sequence[int]) -> bool:
        """Whether rows are in several currencies or units, which are never added up."""
        return self.currency is not None and len({self.texts(self.currency.header)[row] for row in rows}) > 1

    @cached_property
    def currency(self) -> Column | None:
        """The column that says in which currency or unit a row is, where there is one."""
        for column in self.columns:
            if column.kind == "text" and set(header_words(column.header).casefold().split()) & _CURRENCY_WORDS:
                return column
        return None


@dataclass
class Catalog:
    """All tables of a run, loaded into one DuckDB that reads no file and reaches no host."""

    tables: tuple[Table, ...]
    whose: frozenset[str] = frozenset()
    """Index terms of the titles of the sources: whom or what they are all about."""
    _connection: duckdb.DuckDBPyConnection | None = field(default=None, repr=False)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The database, filled when first asked for."""
        if self._connection is None:
            import duckdb

            settings: dict[str, str | bool | int | float | list[str]] = {
                "threads": 1,
                "memory_limit": "1GB",
                "enable_external_access": False,
            }
            self._connection = duckdb.connect(":memory:", config=settings)
            for table in self.tables:
                _load(self._connection, table)
        return self._connection


def catalog(rows: Iterable[TableRow], structured: Mapping[str, bool]) -> Catalog:
    """Group rows into tables: same source, same sheet, same page, same headers.

    Args:
        rows: Rows of any sources, in order.
        structured: Whether a source is a structured export, by uri.
    """
    groups: dict[tuple[object, ...], list[TableRow]] = {}
    for row in rows:
        headers = tuple(cell.header for cell in row.cells)
        if any(headers) and len(set(headers)) == len(headers):
            key: tuple[object, ...] = (row.uri, row.sheet or "", row.caption, row.page or 0, _shape(headers, row))
            groups.setdefault(key, []).append(row)
    tables = []
    for number, (place, members) in enumerate(groups.items()):
        uri = str(place[0])
        names = list(dict.fromkeys(cell.header for row in members for cell in row.cells))
        raw = Table(f"t{number}", uri, tuple(Column(name, "text") for name in names), tuple(members))
        columns = tuple(Column(name, _kind(raw.texts(name))) for name in names)
        tables.append(Table(f"t{number}", uri, columns, tuple(members), structured.get(uri, False)))
    return Catalog(tuple(tables))


def says_partial(text: str) -> bool:
    """Whether a text speaks of some, mostly the largest, rather than of all."""
    return bool(_PARTIAL.search(text))


@lru_cache(maxsize=4_096)
def header_words(header: str) -> str:
    """Return an identifier as words: `arrUsd_2024` is `arr Usd 2024`, while `kWh` is one."""
    return " ".join(re.sub(r"(?<=[a-z]{2})(?=[A-Z])", " ", header).replace("_", " ").replace("-", " ").split())


@lru_cache(maxsize=16_384)
def number_of(text: str) -> Decimal | None:
    """Return the number that a cell is, or None where it is more or less than one."""
    plain = text.strip()
    found = find_numbers(plain)
    if len(found) == 1 and found[0].kind in ("cardinal", "fraction") and _fills(plain, found[0].text):
        return found[0].value
    return None


@lru_cache(maxsize=16_384)
def date_of(text: str) -> date | None:
    """Return the day that a cell is; a month stands for its first day."""
    plain = text.strip()
    try:
        if _ISO.match(plain):
            return date.fromisoformat(plain)
        if _MONTH.match(plain):
            return date.fromisoformat(f"{plain}-01")
    except ValueError:
        return None
    return None


def _shape(headers: Sequence[str], row: TableRow) -> tuple[str, ...]:
    # An export may leave out empty cells; the rows of a file still belong together.
    return () if row.page is None else tuple(headers)


def _kind(texts: Sequence[str]) -> ColumnKind:
    filled = [text for text in texts if text]
    if not filled:
        return "text"
    if sum(date_of(text) is not None for text in filled) >= _MOSTLY * len(filled):
        return "date"
    if sum(number_of(text) is not None for text in filled) >= _MOSTLY * len(filled):
        return "number"
    return "text"


def _fills(text: str, number: str) -> bool:
    rest = text.replace(number, "", 1)
    return not re.search(r"\w", rest)


def _load(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    import numpy as np

    columns: dict[str, object] = {"_row": np.arange(len(table.rows), dtype=np.int64)}
    for place, column in enumerate(table.columns):
        texts = table.texts(column.header)
        if column.kind == "number":
            numbers = [number_of(text) for text in texts]
            columns[f"c{place}"] = np.array([np.nan if each is None else float(each) for each in numbers])
        else:
            columns[f"c{place}"] = np.array([text or None for text in texts], dtype=object)
    connection.register("incoming", columns)
    typed = ", ".join(
        f"CAST(c{place} AS {'DOUBLE' if column.kind == 'number' else 'VARCHAR'}) AS c{place}"
        for place, column in enumerate(table.columns)
    )
    connection.execute(f"CREATE TABLE {table.name} AS SELECT _row, {typed} FROM incoming")
    for place, column in enumerate(table.columns):
        if column.kind == "number":
            connection.execute(f"UPDATE {table.name} SET c{place} = NULL WHERE isnan(c{place})")
    connection.unregister("incoming")
