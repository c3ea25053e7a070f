"""Budgets that were exceeded: rows of a table in which what was spent is more than what was granted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...state.records import Quote
from ...text.numerals import trimmed
from ..protocol import Passage
from ..tables.catalog import Catalog, Column, Table, header_words, number_of
from ..tables.joins import name_column
from .lines import line_of
from .unknowns import mentions

GRANTED = ("budget", "budgeted", "granted", "approved amount", "allocated", "allocation", "planned cost", "ceiling")
SPENT = ("spent", "spend", "actual", "actuals", "cost to date", "used", "outturn", "expenditure", "incurred", "billed")


def asks_for_overruns(question: str) -> bool:
    """Whether a question asks which budgets were exceeded."""
    return mentions(question, ("budget", "budgets")) and mentions(
        question, ("exceeded", "exceed", "exceeds", "over budget", "overrun", "overruns", "overspent")
    )


def overruns(catalog: Catalog, passages: Sequence[Passage]) -> Iterator[tuple[str, Quote]]:
    """Yield a sentence and its row for each row that spent more than it was granted, in the order of the tables."""
    for table in catalog.tables:
        label = name_column(table)
        pair = _pair(table)
        if label is None or pair is None:
            continue
        granted, spent = pair
        for place, row in enumerate(table.rows):
            asked, used = (number_of(table.texts(column.header)[place]) for column in pair)
            quote = line_of(row, passages)
            if asked is None or used is None or used <= asked or asked <= 0 or quote is None:
                continue
            headers = f"{_words(spent)} less {_words(granted)}"
            yield (
                f"{table.texts(label.header)[place]} is over budget by {trimmed(used)} - {trimmed(asked)} = "
                f"{trimmed(used - asked)} ({headers}).",
                quote,
            )


def _pair(table: Table) -> tuple[Column, Column] | None:
    """Return the column of what was granted and that of what was spent, where there is one of each."""
    numbers = [column for column in table.columns if column.kind == "number"]
    granted = [column for column in numbers if mentions(header_words(column.header), GRANTED)]
    spent = [column for column in numbers if mentions(header_words(column.header), SPENT) and column not in granted]
    return (granted[0], spent[0]) if len(granted) == len(spent) == 1 else None


def _words(column: Column) -> str:
    return header_words(column.header)
