"""Which column a ranking is of and whose members it sets against each other; nothing where that is unclear."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...text.languages import detect
from ...text.words import analyse
from .asking import GENERIC, Ask, Measure, kept_rows, measures_for
from .catalog import Catalog, Column, Table, header_words
from .joins import name_column
from .scope import LOOSE, is_dated, is_money, unheld
from .wording import is_date_header

_ASKED = re.compile(
    r"(?<!\w)(?:which|what|welche[rsnm]?|quel(?:le)?s?|qu[eé]|cu[aá]l(?:es)?|qual[ei]?)\s+(?P<x>[^\W\d_]+)",
    re.IGNORECASE,
)
_ANYBODY_WORDS = """
    is are was were of one ones the had has have did does do our company companies entity entities party parties row
    rows entry item items ist sind war waren der die das hatte hat est sont était a es son fue è sono era ha"""
_ANYBODY = frozenset(_ANYBODY_WORDS.split())
# Words that only say that there is more or less of whatever the one column of figures holds.
_BARE_WORDS = """
    which what in most least largest biggest highest greatest best smallest lowest fewest strongest weakest busiest
    quietest slowest top record when who that have had be list name show rank period time"""
_BARE = frozenset(analyse(_BARE_WORDS)) | frozenset(_BARE_WORDS.split())
_NAMING = frozenset(analyse("name id code title label number no ref"))
_TIMES = frozenset(
    analyse("day date week month quarter year when")
    + analyse("tag datum woche monat quartal jahr wann")
    + analyse("jour mois trimestre année quand día mes año cuándo giorno mese anno quando")
)
_YEARS = frozenset({"year", "jahr", "année", "año", "anno"})
_WHEN = re.compile(r"(?<!\w)(?:when|wann|quand|cu[aá]ndo|quando)(?!\w)", re.IGNORECASE)
_YEARLY = re.compile(
    r"(?<!\w)(?:which|what|welche\w*|quelle|qué|quale) (?:year|jahr|année|año|anno)(?!\w)", re.IGNORECASE
)


@dataclass
class RankedColumn:
    """A column of figures over the rows that are compared; files of one shape are one field."""

    column: Column
    tables: list[Table] = field(default_factory=list)


def dimension_for(ask: Ask, table: Table) -> Column | None:
    """Return the column whose members a question compares: the one it names, else the one that names rows."""
    words = frozenset(analyse(ask.question))
    asked = _ASKED.search(ask.question)
    members = frozenset(analyse(asked["x"])) - _TIMES if asked and not _WHEN.search(ask.question) else frozenset[str]()
    plain = [column for column in table.columns if column.kind != "number" and column is not table.currency]
    # `Which segment … in the quarter ended 30 April`: the quarter is when, not what is compared.
    for column in plain:
        if column.kind == "text" and members & (column.words - _NAMING):
            return column
    if _WHEN.search(ask.question) or words & _TIMES:
        for column in plain:
            times = column.words & _TIMES
            if (times and (times & words or _WHEN.search(ask.question))) or (
                column.kind == "date" and is_date_header(column.header)
            ):
                return column
        year = next((column for column in table.columns if header_words(column.header).casefold() in _YEARS), None)
        if year is not None and asks_for_years(ask):
            return year
    for column in plain:
        own = column.words - _NAMING
        if own and own <= words and column.kind == "text":
            return column
    return (
        name_column(table)
        or next((column for column in plain if column.kind == "text"), None)
        or next(iter(plain), None)
    )


def measured_column(ask: Ask, catalog: Catalog) -> RankedColumn | None:
    """Return the one column that is meant: the best fit by words, else the only one of the table asked about."""
    plain = detect(ask.question) == "en"
    found = [
        measure
        for measure in measures_for(ask, catalog)
        if len(kept_rows(ask, measure.table)) > 1 and not (plain and _left(ask, measure, catalog))
    ]
    if asks_when(ask):
        # What is stated of one day only has no highest month.
        found = [measure for measure in found if _has_times(ask, measure.table)] or found
    if found:
        # `Which grant had the highest score`: the word behind `which` says what the rows are, the other what is meant.
        found = [measure for measure in found if not measure.column.words & ask.words <= _rows_named(ask)] or found
        top = [measure for measure in found if measure.fit > found[0].fit - 1e-9]
        # Columns of one measure are told apart by the period in their headers.
        top = [measure for measure in top if is_dated(measure.column, ask.periods)] or top
        chosen = [(measure.table, measure.column) for measure in top]
    else:
        chosen = [
            (table, numbers[0])
            for table in catalog.tables
            if table.structured
            and len(numbers := _figures(table)) == 1
            and _says_no_more(ask, table)
            and len(kept_rows(ask, table)) > 1
        ]
    shapes = {(column.header, tuple(each.header for each in table.columns)) for table, column in chosen}
    if len(shapes) != 1:
        return None
    return RankedColumn(chosen[0][1], [table for table, _ in chosen])


def _rows_named(ask: Ask) -> frozenset[str]:
    """Return the index terms of the word behind `which`."""
    asked = _ASKED.search(ask.question)
    return frozenset(analyse(asked["x"])) if asked else frozenset()


def _left(ask: Ask, measure: Measure, catalog: Catalog) -> frozenset[str]:
    """Return the words that neither the table has nor an amount of money needs: whose it is, that it was spent."""
    left = unheld(ask, measure.table, catalog.whose)
    return left - LOOSE if measure.column.words - GENERIC <= ask.words and is_money(measure.column) else left


def asks_when(ask: Ask) -> bool:
    """Whether a question wants the day, month or year of an extreme."""
    asked = _ASKED.search(ask.question)
    return bool(_WHEN.search(ask.question)) or (asked is not None and bool(frozenset(analyse(asked["x"])) & _TIMES))


def asks_for_years(ask: Ask) -> bool:
    """Whether a question compares whole years."""
    return bool(_YEARLY.search(ask.question))


def _has_times(ask: Ask, table: Table) -> bool:
    dates = [column for column in table.dates if is_date_header(column.header)]
    return bool(dates) and len({table.texts(dates[0].header)[row] for row in kept_rows(ask, table)}) > 1


def _figures(table: Table) -> list[Column]:
    return [column for column in table.columns if column.kind == "number" and column.words - GENERIC]


def _says_no_more(ask: Ask, table: Table) -> bool:
    """Whether a question names a column of words or the table, and beyond these only that there is most of it."""
    words = frozenset(analyse(ask.question))
    named = frozenset(word for column in table.columns if column.kind != "number" for word in column.words)
    named |= table.words | frozenset(word for period in ask.periods for word in analyse(period.text))
    return bool(words & named) and not words - named - _BARE


def is_of_what_is_asked(ask: Ask, table: Table, column: Column, dimension: Column) -> bool:
    """Whether `which X` asks for members of the table: X is a column, the name of the table, or names nothing."""
    match = _ASKED.search(ask.question)
    if match is None:
        return True
    asked = frozenset(analyse(match["x"]))
    own = table.words | column.words | dimension.words
    own |= frozenset(word for each in table.columns if each.kind != "number" for word in each.words)
    return not asked or match["x"].casefold() in _ANYBODY or bool(asked & (own | _TIMES | _BARE))
