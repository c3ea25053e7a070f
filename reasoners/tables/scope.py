"""What of a table a question is about: columns, rows and names; nothing where a word of it is none of the table's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...text.period_patterns import YEARLESS
from ...text.periods import Period, contains, find_periods, months_alone
from ...text.words import analyse, content_words
from .asking import GENERIC, Ask, is_inside
from .catalog import Catalog, Column, Table, header_words
from .row_periods import row_periods
from .same_words import same
from .units import CURRENCIES, name_and_unit
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
    concentrated concentration base trend trends over led please say says said state states stated mention mentioned"""
FRAME = frozenset(analyse(_FRAME_WORDS)) | frozenset(_FRAME_WORDS.split())
# What a question may say beside the words of a table that has none of it: whose it is, that money went or goods were
# sold, and what the rows of a register are called.
_LOOSE_WORDS = """
    municipality city town council borough firm group organisation organization association business we our us
    sold sell sales goes go went budget matters affairs purposes develop developed evolve evolved from"""
_MONEY_WORDS = "spend spending spent expenditure expenditures expense expenses cost costs"
_RECORD_WORDS = """
    contracts contract orders order entries entry items item awards award purchases purchase transactions records"""
_MONEY = same(analyse(_MONEY_WORDS))
_RECORDS = same(analyse(_RECORD_WORDS))
LOOSE = same(analyse(_LOOSE_WORDS)) | _MONEY
_TIME_WORDS = frozenset(analyse("year month quarter week day date end start beginning"))
_DONE = re.compile(r"(?<![\w-])(?P<word>[a-z]{3,}ed)(?=(?P<next>\W+\w+)?)")
_EITHER = re.compile(r"([\w-]+)\s+or\s+([\w-]+)", re.IGNORECASE)
_STOPS_AFTER_WORDS = "in on at by for from to until till between during of over under with than as and or per the a an"
_STOPS_AFTER = frozenset(_STOPS_AFTER_WORDS.split())
_UP_WORDS = "grow grew grown growth increase increased rise rose risen gain gained climb climbed expand expanded"
_DOWN_WORDS = (
    "decrease decreased decline declined fall fell fallen drop dropped shrink shrank shrunk lose lost reduce reduced"
)
UP, DOWN = frozenset(_UP_WORDS.split()), frozenset(_DOWN_WORDS.split())
# How fast something rose or fell, a table of its figures need not say.
_PACE = frozenset(analyse("fastest quickest steepest sharpest slowest"))
LIST = re.compile(r"^\W*(?:(?:in|for|at|on|of) )?(?:which|what|list|name|show)\b", re.IGNORECASE)
YES_NO = re.compile(r"^\W*(?:is|are|was|were|did|do|does|has|have|had)\b", re.IGNORECASE)
_OF_TOTAL = re.compile(r"\bthe (?:grand |overall )?total(?! (?:of|for|amount|number)\b)", re.IGNORECASE)
_TOTAL_ALONE = frozenset(analyse("total"))
_CURRENCY = re.compile(rf"\b(?:{'|'.join(sorted(CURRENCIES)).upper()})\b|[€$£¥]")
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
        """The columns of the measure that fits best."""
        return self.groups[0]


def scopes(ask: Ask, catalog: Catalog) -> Iterator[Scope]:
    """Yield the tables that hold every word a question asks for, exports before tables of narratives."""
    tables = sorted(catalog.tables, key=lambda each: not each.structured)
    found = [scope for table in tables if (scope := _scope(ask, table, catalog.whose)) is not None]
    if not found:
        # Not each word that a question says of a table stands in it; one of a kind then tells which is meant.
        loosely = [
            scope for table in tables if (scope := _scope(ask, table, catalog.whose, LOOSE | _RECORDS)) is not None
        ]
        found = loosely if len({scope.table.uri for scope in loosely}) == 1 else []
    yield from found


def asked_words(ask: Ask) -> frozenset[str]:
    """Return index terms of what a question asks for, without periods, ways to reckon and words of time."""
    paced = _PACE if ask.spelled & (UP | DOWN) else frozenset[str]()
    return _terms(_undated(ask.question)) - FRAME - paced


def measure_of(column: Column) -> frozenset[str]:
    """Return the terms of what a column measures, without its periods and unit."""
    terms = _terms(_undated(name_and_unit(column.header)[0]))
    return terms - GENERIC or terms


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
    held |= table.words | frozenset(term for name in names for term in analyse(name)) | table.kind_words
    held |= same(held)
    left = asked_words(ask) - held
    if not left:
        return left
    # In a report, a table that says nothing of what was done may count something else.
    loose = frozenset(
        term
        for match in (_DONE.finditer(ask.question) if table.structured else ())
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


def _scope(ask: Ask, table: Table, whose: frozenset[str], loose: frozenset[str] = frozenset()) -> Scope | None:
    left = unheld(ask, table, whose)
    if left - loose:
        return None
    asked = asked_words(ask)
    groups: dict[frozenset[str], list[Column]] = {}
    for column in table.columns:
        if left & _MONEY and table.currency is None and not is_money(column):
            continue
        if column.kind == "number" and (measure := measure_of(column)) and not is_date_header(column.header):
            groups.setdefault(measure, []).append(column)
    fits = sorted(groups, key=lambda each: (-len(each & asked), len(each)))
    values = _named(ask, table)
    anchored = bool(values) or any(
        _terms(header_words(column.header)) & asked for column in table.columns if column.kind == "text"
    )
    # `Revenue` alone is no more that of roaming than any other, unless the question speaks of the table's members.
    whole = [measure for measure in fits if measure & asked and measure - UNITS - _TIME_WORDS <= asked]
    chosen = [measure for measure in fits if measure & asked] if anchored and not left else whole
    # `Closing ARR` names one column, though `opening ARR` has a word of it too.
    said = frozenset[str]().union(*whole)
    chosen = [measure for measure in chosen if measure in whole or not measure & asked <= said]
    if not chosen and _OF_TOTAL.search(ask.question):
        chosen = [measure for measure in fits if measure == _TOTAL_ALONE]
    if not chosen and values:
        # `The total amount`: the one column of money, whatever it is called.
        words = frozenset(analyse(ask.question))
        chosen = [measure for measure in fits if measure <= GENERIC and measure & words]
        chosen = chosen if len(chosen) == 1 else []
    if not chosen and anchored and len(groups) > 1:
        # `Tonnages by stream` says of which of its figures a stream is asked.
        titled = _titled_measures(table, fits)
        chosen = titled if len(titled) == 1 else []
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
    elif periods and (days := _only_days(table)):
        rows = [row for row in rows if any(is_inside(days[row], period) for period in periods)]
        if not rows:
            return None
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


def _titled_measures(table: Table, measures: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the measures that the title or file of a table names."""
    title = same(table.words)
    return [measure for measure in measures if measure <= title]


def _only_days(table: Table) -> Sequence[str]:
    """Return the days of the one column that has some, `award_date`; empty where there is none or several."""
    dates = table.dates
    return table.texts(dates[0].header) if len(dates) == 1 else ()


def _of_periods(columns: Sequence[Column], periods: Sequence[Period]) -> tuple[Column, ...]:
    """Return the columns that are of the periods asked for: each needs one of its own, or they all name none."""
    covered = all(any(is_dated(column, [period]) for column in columns) for period in periods)
    return tuple(column for column in columns if is_dated(column, periods)) if covered else ()


def _same(asked: Period, named: Period) -> bool:
    if asked.kind == "range":
        return contains(asked, named)
    return (asked.start, asked.end) == (named.start, named.end) or (
        "fiscal" in asked.kind + named.kind
        and asked.end.year == named.end.year
        and asked.kind[-4:] == named.kind[-4:]
        and asked.end.month == named.end.month
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


def is_money(column: Column) -> bool:
    """Whether a header says that its figures are amounts of money."""
    return is_amount(column.header)


def is_amount(header: str) -> bool:
    """Whether a header names a currency: `roads_eur`, `Revenue (USD m)`."""
    return bool(_CURRENCY.search(name_and_unit(header)[1]))


def is_record_word(term: str) -> bool:
    """Whether an index term is what people call the rows of any register: contract, order, entry."""
    return term in _RECORDS


def in_period(ask: Ask, table: Table) -> list[int]:
    """Return the rows of the periods asked for, by the one column of days or by their headers; all where none is."""
    rows = list(range(len(table.rows)))
    periods = list(ask.periods) or list(ask.fiscal)
    if not periods:
        return rows
    if times := row_times(table):
        return [row for row in rows if any(is_of(period, told) for period in periods for told in times[row])]
    if days := _only_days(table):
        return [row for row in rows if any(is_inside(days[row], period) for period in periods)]
    return rows if _titled(table, periods) else []


def undated_question(text: str) -> str:
    """Return a text without its periods."""
    return _undated(text)


def same_terms(text: str) -> frozenset[str]:
    """Return the index terms of a text, different words for one thing brought together."""
    return _terms(text)


def _terms(text: str) -> frozenset[str]:
    return same(term for term in analyse(" ".join(content_words(text))) if not term.isdigit())
