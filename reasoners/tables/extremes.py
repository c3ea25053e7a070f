"""Who or what has the most or the least of a column, beside the next; nothing where the column is unclear."""

from __future__ import annotations

from .asking import Ask, kept_rows, measures_for
from .catalog import Catalog
from .members import Entry, entries_of, filters_of
from .places import Extreme, told_places
from .ranked import dimension_for, is_of_what_is_asked, measured_column
from .wording import Spelling


def find_extreme(ask: Ask, catalog: Catalog, spelling: Spelling) -> Extreme | None:
    """Return the members with the most or the least of the column that a question names, ties and the next among them.

    None where several columns fit equally well, where what is asked for is no column, where amounts are in several
    units, or where fewer than two members are left to compare.
    """
    measured = measured_column(ask, catalog)
    if measured is None:
        return None
    first = measured.tables[0]
    dimension = dimension_for(ask, first)
    if dimension is None or not is_of_what_is_asked(ask, first, measured.column, dimension):
        return None
    entries: list[Entry] = []
    units: set[str] = set()
    added = False
    told: list[str] = []
    for table in measured.tables:
        rows = [row for row in kept_rows(ask, table) if not table.is_total(row)]
        found, summed = entries_of(ask, table, measured.column, dimension, rows)
        entries += found
        added = added or summed
        told += filters_of(ask, table, dimension, rows)
        if table.currency is not None:
            units |= {table.texts(table.currency.header)[row] for row in rows}
    if len(entries) < 2 or len(units) > 1:
        return None
    return told_places(
        ask, measured.column, dimension, entries, added, list(dict.fromkeys(told)), "".join(units), spelling
    )


def unranked_sources(ask: Ask, catalog: Catalog) -> tuple[str, ...]:
    """Return the files with the column that a ranking is asked of; where none was made, their rows are no answer."""
    if "rank" not in ask.operations or "share" in ask.operations:
        return ()
    return tuple(dict.fromkeys(measure.table.uri for measure in measures_for(ask, catalog)))
