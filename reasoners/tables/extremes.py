"""Who or what has the most or the least of a column, beside the next; nothing where the column is unclear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ...state.records import TableRow
from ...text.languages import detect
from ...text.words import analyse
from .asking import _GENERIC, Ask, kept_rows, latest, measures_for
from .catalog import Catalog, Column, Table, date_of, header_words, number_of
from .cells import never_adds
from .joins import name_column
from .lookups import _TOTAL
from .scope import is_dated, unheld
from .units import in_small
from .wording import Spelling, is_date_header, measure_words, verb_of

MAX_TERMS = 40
"""Rows that a sum may be written out of, and entries that may share one place."""
_MOST_NAMED = 5
_COUNT_WORDS = {
    word: number
    for number, words in {
        2: "two zwei deux dos due", 3: "three drei trois tres tre", 4: "four vier quatre cuatro quattro",
        5: "five fünf cinq cinco cinque", 6: "six sechs", 7: "seven sieben sept siete sette",
        8: "eight acht huit ocho otto", 9: "nine neun neuf nueve nove", 10: "ten zehn dix diez dieci",
    }.items()
    for word in words.split()
}  # fmt: skip
_COUNT = rf"(\d{{1,2}}|{'|'.join(_COUNT_WORDS)})"
_SUPERLATIVE = (
    r"(?:most|least|largest|biggest|highest|greatest|best|smallest|lowest|fewest|strongest|größten|höchsten|kleinsten|"
    r"niedrigsten|umsatzstärksten|plus (?:grands?|grandes?|élevée?s?)|mayores|menores|maggiori|minori)"
)
_TOP = re.compile(
    rf"\btop[ -]{_COUNT}\b|(?<!\w){_COUNT} (?:\w+ )?{_SUPERLATIVE}(?!\w)|\b(?:which|what|welche) {_COUNT}(?= )",
    re.IGNORECASE,
)
# Figures that rows of several dates or parts do not add up to.
_NO_SUM = re.compile(
    r"\b(?:rate|ratio|percent\w*|pct|share|margin|average|avg|mean|median|price|temperature|index|score|rating|age|"
    r"balance|outstanding|arr|mrr|stock|inventory|headcount|employees|staff|population|level|quote|preis|bestand|"
    r"durchschnitt|prix|taux|precio|prezzo)\b",
    re.IGNORECASE,
)
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
_QUARTERLY = re.compile(
    r"(?<!\w)(?:which|what|welche\w*|quel|qué|quale) (?:quarter|quartal|trimestre)(?!\w)", re.IGNORECASE
)
_QUARTER_MONTHS = 3
_YEARLY = re.compile(
    r"(?<!\w)(?:which|what|welche\w*|quelle|qué|quale) (?:year|jahr|année|año|anno)(?!\w)", re.IGNORECASE
)
# By language: the whole, the extremes, a sum, what comes next.  The first says what is compared and of what.
_SAID: dict[str, dict[str, str]] = {
    "en": {
        "head": "By {by}{of}, {measure} {verb} {kind} for {names}", "high": "highest", "low": "lowest",
        "sum": "the sum of {measure}", "of": ", for {told}", "and": "and", "next": ", before {names} with {value}",
    },
    "de": {
        "head": "Nach {by}{of}: {kind} Wert von {measure} bei {names}", "high": "höchster", "low": "niedrigster",
        "sum": "der Summe von {measure}", "of": " ({told})", "and": "und", "next": ", vor {names} mit {value}",
    },
    "fr": {
        "head": "Par {by}{of} : valeur {kind} de {measure} pour {names}", "high": "la plus haute",
        "low": "la plus basse", "sum": "la somme de {measure}", "of": " ({told})", "and": "et",
        "next": ", devant {names} avec {value}",
    },
    "es": {
        "head": "Por {by}{of}: valor {kind} de {measure} en {names}", "high": "más alto", "low": "más bajo",
        "sum": "la suma de {measure}", "of": " ({told})", "and": "y", "next": ", ante {names} con {value}",
    },
    "it": {
        "head": "Per {by}{of}: valore {kind} di {measure} per {names}", "high": "più alto", "low": "più basso",
        "sum": "la somma di {measure}", "of": " ({told})", "and": "e", "next": ", davanti a {names} con {value}",
    },
}  # fmt: skip


@dataclass(frozen=True)
class _Entry:
    """One member of what is ranked: its name, its value and the rows that give it."""

    name: str
    values: tuple[Decimal, ...]
    rows: tuple[TableRow, ...]

    @property
    def value(self) -> Decimal:
        return sum(self.values, Decimal(0))


@dataclass(frozen=True)
class Extreme:
    """The answer in words and the rows that it names."""

    text: str
    rows: tuple[TableRow, ...]


@dataclass
class _Field:
    """A column of figures over the rows that are compared; files of one shape are one field."""

    column: Column
    tables: list[Table] = field(default_factory=list)


def find_extreme(ask: Ask, catalog: Catalog, spelling: Spelling) -> Extreme | None:
    """Return the members with the most or the least of the column that a question names, ties and the next among them.

    None where several columns fit equally well, where what is asked for is no column, where amounts are in several
    units, or where fewer than two members are left to compare.
    """
    measured = _measured(ask, catalog)
    if measured is None:
        return None
    first = measured.tables[0]
    dimension = dimension_for(ask, first)
    if dimension is None or not _is_of_what_is_asked(ask, first, measured.column, dimension):
        return None
    entries: list[_Entry] = []
    units: set[str] = set()
    added = False
    told: list[str] = []
    for table in measured.tables:
        rows = [row for row in kept_rows(ask, table) if not _is_total(table, row)]
        found, summed = _entries(ask, table, measured.column, dimension, rows)
        entries += found
        added = added or summed
        told += _filters(ask, table, dimension, rows)
        if table.currency is not None:
            units |= {table.texts(table.currency.header)[row] for row in rows}
    if len(entries) < 2 or len(units) > 1:
        return None
    return _told(ask, measured.column, dimension, entries, added, list(dict.fromkeys(told)), "".join(units), spelling)


def unranked_sources(ask: Ask, catalog: Catalog) -> tuple[str, ...]:
    """Return the files with the column that a ranking is asked of; where none was made, their rows are no answer."""
    if "rank" not in ask.operations or "share" in ask.operations:
        return ()
    return tuple(dict.fromkeys(measure.table.uri for measure in measures_for(ask, catalog)))


def dimension_for(ask: Ask, table: Table) -> Column | None:
    """Return the column whose members a question compares: the one it names, else the one that names rows."""
    words = frozenset(analyse(ask.question))
    plain = [column for column in table.columns if column.kind != "number" and column is not table.currency]
    if _WHEN.search(ask.question) or words & _TIMES:
        for column in plain:
            times = column.words & _TIMES
            if (times and (times & words or _WHEN.search(ask.question))) or (
                column.kind == "date" and is_date_header(column.header)
            ):
                return column
        year = next((column for column in table.columns if header_words(column.header).casefold() in _YEARS), None)
        if year is not None and _YEARLY.search(ask.question):
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


def _measured(ask: Ask, catalog: Catalog) -> _Field | None:
    """Return the one column that is meant: the best fit by words, else the only one of the table asked about."""
    plain = detect(ask.question) == "en"
    found = [
        measure
        for measure in measures_for(ask, catalog)
        if len(kept_rows(ask, measure.table)) > 1 and not (plain and unheld(ask, measure.table, catalog.whose))
    ]
    if asks_when(ask):
        # What is stated of one day only has no highest month.
        found = [measure for measure in found if _has_times(ask, measure.table)] or found
    if found:
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
    return _Field(chosen[0][1], [table for table, _ in chosen])


def asks_when(ask: Ask) -> bool:
    """Whether a question wants the day, month or year of an extreme."""
    asked = _ASKED.search(ask.question)
    return bool(_WHEN.search(ask.question)) or (asked is not None and bool(frozenset(analyse(asked["x"])) & _TIMES))


def _has_times(ask: Ask, table: Table) -> bool:
    dates = [column for column in table.columns if column.kind == "date" and is_date_header(column.header)]
    return bool(dates) and len({table.texts(dates[0].header)[row] for row in kept_rows(ask, table)}) > 1


def _figures(table: Table) -> list[Column]:
    return [column for column in table.columns if column.kind == "number" and column.words - _GENERIC]


def _says_no_more(ask: Ask, table: Table) -> bool:
    """Whether a question names a column of words or the table, and beyond these only that there is most of it."""
    words = frozenset(analyse(ask.question))
    named = frozenset(word for column in table.columns if column.kind != "number" for word in column.words)
    named |= table.words | frozenset(word for period in ask.periods for word in analyse(period.text))
    return bool(words & named) and not words - named - _BARE


def _is_of_what_is_asked(ask: Ask, table: Table, column: Column, dimension: Column) -> bool:
    """Whether `which X` asks for members of the table: X is a column, the name of the table, or names nothing."""
    match = _ASKED.search(ask.question)
    if match is None:
        return True
    asked = frozenset(analyse(match["x"]))
    own = table.words | column.words | dimension.words
    own |= frozenset(word for each in table.columns if each.kind != "number" for word in each.words)
    return not asked or match["x"].casefold() in _ANYBODY or bool(asked & (own | _TIMES | _BARE))


def _is_total(table: Table, row: int) -> bool:
    return any(
        table.texts(column.header)[row].strip().casefold() in _TOTAL
        for column in table.columns
        if column.kind == "text"
    )


def _entries(
    ask: Ask, table: Table, column: Column, dimension: Column, rows: Sequence[int]
) -> tuple[list[_Entry], bool]:
    """Return the members of one table, and whether their values are sums of rows."""
    texts, names = table.texts(column.header), table.texts(dimension.header)
    yearly = dimension.kind == "date" and bool(_YEARLY.search(ask.question))

    quarterly = _is_quarterly(ask, dimension)

    def name_of(row: int) -> str:
        day = date_of(names[row]) if yearly or quarterly else None
        if day and quarterly:
            return f"Q{(day.month + 2) // 3} {day.year}"
        return str(day.year) if day else " ".join(names[row].split())

    used = [row for row in rows if number_of(texts[row]) is not None and names[row].strip()]
    groups: dict[str, list[int]] = {}
    for row in used:
        groups.setdefault(name_of(row), []).append(row)
    if quarterly:
        if never_adds(column, over_time=True, table=table):
            return [], False
        # A quarter of which months are missing would seem small.
        groups = {name: each for name, each in groups.items() if len({names[row] for row in each}) >= _QUARTER_MONTHS}
    repeated = any(len(members) > 1 for members in groups.values())
    if repeated and _NO_SUM.search(header_words(column.header)):
        # The last state of each counts; where it has several parts they are compared one by one.
        used = latest(table, used)
        groups = {}
        for row in used:
            groups.setdefault(name_of(row), []).append(row)
        if any(len(members) > 1 for members in groups.values()):
            groups = {f"{name_of(row)} ({_apart(table, row, dimension, column)})": [row] for row in used}
        repeated = False
    if any(len(members) > MAX_TERMS for members in groups.values()):
        return [], False
    entries = [
        _Entry(
            name,
            tuple(number_of(texts[row]) or Decimal(0) for row in members),
            tuple(table.rows[row] for row in members),
        )
        for name, members in groups.items()
    ]
    return entries, repeated


def _is_quarterly(ask: Ask, dimension: Column) -> bool:
    """Whether rows of single months are to be brought together by quarter."""
    return dimension.kind == "date" and bool(_QUARTERLY.search(ask.question))


def _apart(table: Table, row: int, dimension: Column, column: Column) -> str:
    """Return the other words of a row, which tell it from others of its name."""
    texts = (table.texts(each.header)[row] for each in table.columns if each not in (dimension, column))
    return ", ".join(text for text in texts if text and number_of(text) is None)


def _filters(ask: Ask, table: Table, dimension: Column, rows: Sequence[int]) -> list[str]:
    """Return the values, in words or dates, that the compared rows have in common because the question names them."""
    asked = ask.question.casefold()
    found = []
    for column in table.columns:
        if column is dimension or column.kind != "text" or column is table.currency:
            continue
        kept = {table.texts(column.header)[row] for row in rows}
        if (
            len(kept) == 1
            and len(set(table.texts(column.header))) > 1
            and (value := next(iter(kept))).casefold() in asked
        ):
            found.append(value)
    dates = [column for column in table.columns if column.kind == "date" and is_date_header(column.header)]
    if dates and dates[0] is not dimension and rows and ask.periods:
        days = sorted({table.texts(dates[0].header)[row] for row in rows})
        found.append(days[0] if len(days) == 1 else f"{days[0]} – {days[-1]}")
    return found


def wanted_places(question: str) -> int:
    """Return how many places of a ranking a question asks for: `top 3`, `the three largest`; else 1."""
    match = _TOP.search(question)
    if match is None:
        return 1
    text = next(group for group in match.groups() if group).casefold()
    return max(1, _COUNT_WORDS.get(text) or int(text))


def _told(
    ask: Ask,
    column: Column,
    dimension: Column,
    entries: Sequence[_Entry],
    added: bool,
    told: Sequence[str],
    unit: str,
    spelling: Spelling,
) -> Extreme | None:
    """Say the first places, each with its value, then who comes next and by how much."""
    language = detect(ask.question)
    said = _SAID.get(language, _SAID["en"])
    ordered = sorted(entries, key=lambda entry: entry.value, reverse=not ask.ascending)
    places = min(wanted_places(ask.question), len(ordered))
    last = ordered[places - 1].value
    first = [entry for entry in ordered if (entry.value <= last if ask.ascending else entry.value >= last)]
    if len(first) > max(places, _MOST_NAMED):
        return None
    rest = ordered[len(first) :]
    following = [entry for entry in rest if entry.value == rest[0].value] if rest else []
    measure = measure_words(column.header, spelling, language)
    measure = f"{measure} ({unit})" if unit and f"({unit})" not in measure else measure
    verb = "is" if added else verb_of(" ".join(measure.split("(")[0].split()))
    by = header_words(dimension.header)
    if language == "en":
        by = "quarter" if _is_quarterly(ask, dimension) else "date" if by.startswith("as of") else in_small(by)
    head = said["head"].format(
        by=by,
        of=said["of"].format(told=", ".join(told)) if told else "",
        measure=said["sum"].format(measure=measure) if added else measure,
        verb=verb,
        kind=said["low" if ask.ascending else "high"],
        names=_listed(first, said["and"]),
    )
    text = f"{head[:1].upper()}{head[1:]}"
    used = [row for entry in first for row in entry.rows]
    if following and len(following) <= _MOST_NAMED:
        sums = f" {said['and']} ".join(entry.name for entry in following)
        text += said["next"].format(names=sums, value=_amount(following[0]))
        above, below = (first[-1].value, following[0].value)
        above, below = (below, above) if ask.ascending else (above, below)
        text += f": {_shown(above)} - {_shown(below)} = {_shown(above - below)}"
        used += [row for entry in following for row in entry.rows]
    return Extreme(f"{text}.", tuple(dict.fromkeys(used)))


def _listed(entries: Sequence[_Entry], and_: str) -> str:
    """Return names with their values; those of one value share it."""
    parts: list[str] = []
    for value in dict.fromkeys(entry.value for entry in entries):
        same = [entry for entry in entries if entry.value == value]
        parts.append(f"{f' {and_} '.join(entry.name for entry in same)}: {_amount(same[0])}")
    return "; ".join(parts)


def _amount(entry: _Entry) -> str:
    terms = [_shown(value) for value in entry.values]
    return f"{' + '.join(terms)} = {_shown(entry.value)}" if len(terms) > 1 else terms[0]


def _shown(value: Decimal) -> str:
    return f"{value.normalize():,f}"
