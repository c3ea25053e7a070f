"""What of a table a question is about: columns, rows and names; nothing where a word of it is none of the table's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...text.periods import YEARLESS, Period, contains, find_periods, months_alone
from ...text.words import analyse, content_words
from .asking import _GENERIC, Ask
from .catalog import Catalog, Column, Table, header_words
from .row_periods import row_periods
from .units import name_and_unit
from .wording import is_date_header

# Words that say how to reckon, of what time, or only that something is so.
_FRAME_WORDS = """
    what which who how much many was were is are did do does has have had there total number amount value values sum
    overall altogether combined together aggregate average averaged mean median monthly yearly annual annually quarterly
    weekly daily per month months year years quarter quarters week weeks day days time period between each every all
    whole full only difference gap change changed changes grow grew grown growth increase increased decrease decreased
    decline declined rise rose risen fall fell fallen drop dropped shrink shrank shrunk shrinking percent percentage
    percentages point points share shares proportion rate more less fewer higher lower larger smaller bigger greater
    highest lowest largest smallest most least fewest biggest greatest best top over under above below beyond within
    exceed exceeded exceeds exceeding than compare compared comparison versus figure figures use used using uses make
    made makes get got take took taken record recorded report reported reach reached show shown list name give tell
    calculate compute work out one two three four five six seven eight nine ten both first last start end until since
    come came go went stand stood company put same different pay pays paid earn earns earned generate generates
    generated produce produces produced bring brings brought see saw attract attracts attracted receive receives
    received deliver delivers delivered hold holds held contain contains perform performed achieve achieved need needs
    require requires lost lose gain gained
    concentrated concentration base please say says said state states stated mention mentioned"""
FRAME = frozenset(analyse(_FRAME_WORDS)) | frozenset(_FRAME_WORDS.split())
# One thing done is called by several forms that no stemmer brings together.
_SAME = {"spend": "spent", "sell": "sale", "sold": "sale", "cost": "cost", "bought": "purchas", "buy": "purchas"}
_DONE = re.compile(r"(?<![\w-])(?P<word>[a-z]{3,}ed)(?=(?P<next>\W+\w+)?)")
_EITHER = re.compile(r"([\w-]+)\s+or\s+([\w-]+)", re.IGNORECASE)
_STOPS_AFTER_WORDS = "in on at by for from to until till between during of over under with than as and or per the a an"
_STOPS_AFTER = frozenset(_STOPS_AFTER_WORDS.split())
_UP_WORDS = "grow grew grown growth increase increased rise rose risen gain gained climb climbed expand expanded"
_DOWN_WORDS = (
    "decrease decreased decline declined fall fell fallen drop dropped shrink shrank shrunk lose lost reduce reduced"
)
UP, DOWN = frozenset(_UP_WORDS.split()), frozenset(_DOWN_WORDS.split())
LIST = re.compile(r"^\W*(?:(?:in|for|at|on|of) )?(?:which|what|list|name|show)\b", re.IGNORECASE)
YES_NO = re.compile(r"^\W*(?:is|are|was|were|did|do|does|has|have|had)\b", re.IGNORECASE)
_LEAST_NAME = 3
UNITS = frozenset(analyse("litres liters tonnes tons units pieces size count hours total net gross kilometres miles"))
"""Terms of a header that a question leaves out without meaning another column."""


@dataclass(frozen=True)
class Scope:
    """A table as a question reads it.

    Attributes:
        groups: Columns of figures by what they measure, the best named first; those of one group differ by period.
        rows: Places of the rows that are of the periods and names asked for.
        key: The column of words whose values the question names, or that names rows; None where there is none.
        named: Values of `key` that the question names, in its order.
        periods: What the question asks for, once rows or headers are known to be of it.
        timed: Whether each row says of what time it is.
        unsaid: Whether the question names no measure and the table has but one.
        of_all_times: Rows of the names asked for, of whatever period.
    """

    table: Table
    groups: tuple[tuple[Column, ...], ...]
    rows: tuple[int, ...]
    key: Column | None
    named: tuple[str, ...]
    periods: tuple[Period, ...]
    timed: bool
    unsaid: bool = False
    of_all_times: tuple[int, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.groups[0]


def scopes(ask: Ask, catalog: Catalog) -> Iterator[Scope]:
    """Yield the tables that hold every word a question asks for, exports before tables of narratives."""
    for table in sorted(catalog.tables, key=lambda each: not each.structured):
        scope = _scope(ask, table, catalog.whose)
        if scope is not None:
            yield scope


def asked_words(ask: Ask) -> frozenset[str]:
    """Return index terms of what a question asks for, without periods, ways to reckon and words of time."""
    return _terms(_undated(ask.question)) - FRAME


def measure_of(column: Column) -> frozenset[str]:
    """Return the terms of what a column measures, without its periods and unit."""
    return _terms(_undated(name_and_unit(column.header)[0])) - _GENERIC


def header_periods(column: Column) -> list[Period]:
    """Return the periods that a column's header names."""
    return find_periods(header_words(column.header))


def is_dated(column: Column, periods: Sequence[Period]) -> bool:
    """Whether the header of a column names one of the periods."""
    return any(_same(period, named) for period in periods for named in header_periods(column))


def unheld(ask: Ask, table: Table, whose: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the terms asked for that neither headers, nor names, nor the table's title or file hold."""
    names = [value for _, values in _named(ask, table) for value in values]
    held = {term for column in table.columns for term in _terms(header_words(column.header))}
    held |= frozenset(analyse(header_words(table.uri.replace("/", " "))))
    held |= table.words | frozenset(term for name in names for term in analyse(name))
    held |= frozenset(_SAME.get(term, term) for term in held)
    left = asked_words(ask) - held
    if not left:
        return left
    loose = frozenset(
        term
        for match in _DONE.finditer(ask.question)
        if not match["next"] or match["next"].split()[-1].strip().casefold() in _STOPS_AFTER
        for term in _terms(match["word"])
    )
    capital = frozenset(term for word in re.findall(r"(?<=\s)[A-ZÀ-Þ]\w+", ask.question) for term in analyse(word))
    spare = frozenset[str]()
    for pair in _EITHER.findall(ask.question):
        # Of `ARR or revenue` one will do.
        one, other = (_terms(word) for word in pair)
        spare |= (other if one <= held else frozenset()) | (one if other <= held else frozenset())
    return left - loose - spare - (capital & whose)


def row_times(table: Table) -> list[tuple[Period, ...]]:
    """Return the periods of each row of a table by its cells under a date; empty where it has no such column."""
    if not any(is_date_header(column.header) for column in table.columns):
        return []
    times = [row_periods(row) for row in table.rows]
    return times if all(times) else []


def is_of(asked: Period, told: Period) -> bool:
    """Whether what a row is of lies in a period asked for."""
    if YEARLESS in (asked.start.year, told.start.year):
        return (asked.start.month, asked.end.month) == (told.start.month, told.end.month)
    if asked.is_fiscal != told.is_fiscal:
        return False
    return contains(asked, told) or (contains(told, asked) and (told.end - told.start).days <= 31)


def _scope(ask: Ask, table: Table, whose: frozenset[str]) -> Scope | None:
    if unheld(ask, table, whose):
        return None
    asked = asked_words(ask)
    groups: dict[frozenset[str], list[Column]] = {}
    for column in table.columns:
        if column.kind == "number" and (measure := measure_of(column)) and not is_date_header(column.header):
            groups.setdefault(measure, []).append(column)
    fits = sorted(groups, key=lambda each: (-len(each & asked), len(each)))
    values = _named(ask, table)
    anchored = bool(values) or any(
        _terms(header_words(column.header)) & asked for column in table.columns if column.kind == "text"
    )
    # `Revenue` alone is no more that of roaming than any other, unless the question speaks of the table's members.
    chosen = [measure for measure in fits if measure & asked and (anchored or measure - UNITS <= asked)]
    unsaid = not chosen and len(groups) == 1 and anchored
    if unsaid:
        chosen = fits
    if not chosen:
        return None
    rows = list(range(len(table.rows)))
    for column, names in values:
        texts = table.texts(column.header)
        rows = [row for row in rows if texts[row] in names]
    of_all_times = tuple(rows)
    periods = list(ask.periods) or list(ask.fiscal) or months_alone(ask.question)
    times = row_times(table)
    columns = {measure: tuple(groups[measure]) for measure in chosen}
    if periods and times:
        if any(not any(is_of(period, told) for row in rows for told in times[row]) for period in periods):
            return None
        rows = [row for row in rows if any(is_of(period, told) for period in periods for told in times[row])]
    elif periods:
        columns = {measure: _of_periods(each, periods) for measure, each in columns.items()}
        columns = {measure: each for measure, each in columns.items() if each}
        if not columns and not _titled(table, periods):
            return None
        columns = columns or {measure: tuple(groups[measure]) for measure in chosen}
    key = values[0][0] if values else None
    named = tuple(values[0][1]) if values else ()
    return Scope(
        table, tuple(columns.values()), tuple(rows), key, named, tuple(periods), bool(times), unsaid, of_all_times
    )


def _of_periods(columns: Sequence[Column], periods: Sequence[Period]) -> tuple[Column, ...]:
    """Return the columns that are of the periods asked for: each needs one of its own, or they all name none."""
    covered = all(any(is_dated(column, [period]) for column in columns) for period in periods)
    return tuple(column for column in columns if is_dated(column, periods)) if covered else ()


def _same(asked: Period, named: Period) -> bool:
    if asked.kind == "range":
        return contains(asked, named)
    return (asked.start, asked.end) == (named.start, named.end) or (
        "fiscal" in asked.kind + named.kind and asked.end.year == named.end.year and asked.kind[-4:] == named.kind[-4:]
    )


def _titled(table: Table, periods: Sequence[Period]) -> bool:
    """Whether the title or file of a table names the periods."""
    title = header_words(f"{table.uri.rsplit('.', 1)[0]} {table.rows[0].caption}")
    named = find_periods(title)
    return all(any(contains(each, period) for each in named) for period in periods)


def _named(ask: Ask, table: Table) -> list[tuple[Column, list[str]]]:
    """Return, by column of words, its values that a question names, in the question's order; not where it names all."""
    found = []
    for column in table.columns:
        if column.kind != "text":
            continue
        places = {
            value: at
            for value in dict.fromkeys(table.texts(column.header))
            if value and (at := _place(value, ask.question)) >= 0
        }
        if places:
            found.append((column, sorted(places, key=lambda value: places[value])))
    return found


def _place(value: str, question: str) -> int:
    """Return where a question names a value: whole, and a short one only as it is written."""
    flags = re.IGNORECASE if len(value) >= _LEAST_NAME else re.NOFLAG
    if len(value) < _LEAST_NAME and not re.search(r"[A-Z0-9]", value):
        return -1
    match = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question, flags)
    return match.start() if match else -1


def _undated(text: str) -> str:
    for period in reversed(find_periods(text)):
        text = f"{text[: period.at]} {text[period.to :]}"
    for period in reversed(months_alone(text)):
        text = f"{text[: period.at]} {text[period.to :]}"
    return text


def _terms(text: str) -> frozenset[str]:
    return frozenset(_SAME.get(term, term) for term in analyse(" ".join(content_words(text))) if not term.isdigit())
