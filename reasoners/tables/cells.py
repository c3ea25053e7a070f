"""The figures of a table in the scope of a question: picked, named, said with their units, and whether they add up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from ...text.numerals import grouped, percent
from ...text.period_patterns import YEARLESS
from ...text.periods import Period, find_periods
from .catalog import Column, Table, header_words, number_of
from .joins import name_column
from .scope import Scope, header_periods, measure_of, row_times
from .units import amount, in_small, name_and_unit

_MOST_NAMES = 12
_STATE_NAMES = 3
# Figures of which a sum says nothing, and figures of which a sum over time says nothing.
_RATE = re.compile(
    r"\b(?:rate|ratio|percent\w*|pct|share|margin|average|avg|mean|median|price|temperature|index|score|rating|age|"
    r"yield|density|quote)\b|%|/",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"\b(?:balance|outstanding|arr|mrr|stock|inventory|headcount|employees|staff|population|level|cash|subscribers|members|"
    r"capacity|debt|backlog|open|at (?:year|month) end|customers|accounts|users|stores|shops|sites|branches|vehicles|"
    r"trucks|buses|cars|ships|boats|machines|beds|rooms|tenants|residents|students|pupils|licen[cs]es|animals)\b",
    re.IGNORECASE,
)
_ARRIVING = re.compile(
    r"\b(?:new|added|lost|gained|sold|bought|opened|closed|joined|left|served|treated)\b", re.IGNORECASE
)
_AS_OF = re.compile(r"^as of\b|\b(?:balance|reporting|snapshot) date\b", re.IGNORECASE)
_SPLIT_YEAR = re.compile(r"^\d{4}[/-]\d{2}(?:\d{2})?$")
_STATUS = re.compile(r"\b(?:status|state|quality|basis)\b", re.IGNORECASE)
_PLANNED_WORDS = "actual budget budgeted draft forecast plan planned estimate estimated preliminary final audited"
_PLANNED = frozenset(_PLANNED_WORDS.split())


def never_adds(column: Column, *, over_time: bool, table: Table | None = None) -> bool:
    """Whether a sum of a column says nothing: rates never add up, states of a day do not over time."""
    name, _ = name_and_unit(column.header)
    if is_rate(column.header):
        return True
    as_of = table is not None and any(_AS_OF.search(header_words(each.header)) for each in table.columns)
    return over_time and (as_of or bool(_STOCK.search(name) and not _ARRIVING.search(name)))


def is_rate(header: str) -> bool:
    """Whether a name says that its figures are rates: `response (%)`, `average age`."""
    name, unit = name_and_unit(header)
    return bool(_RATE.search(name) or _RATE.search(unit))


@dataclass(frozen=True)
class Member:
    """One thing with two figures that are compared."""

    name: str
    row: int
    first: Decimal
    second: Decimal


def members_of(scope: Scope, one: Column, other: Column) -> list[Member]:
    """Return the rows with both figures, by what names them; nothing where a name stands twice."""
    label = scope.key or name_column(scope.table) or next((c for c in scope.table.columns if c.kind == "text"), None)
    if label is None:
        return []
    names, first, second = (scope.table.texts(column.header) for column in (label, one, other))
    found = []
    for row in scope.rows:
        a, b = number_of(first[row]), number_of(second[row])
        if a is not None and b is not None and names[row]:
            found.append(Member(names[row], row, a, b))
    return found if len({each.name for each in found}) == len(found) else []


def compared(each: Member, one: Column, other: Column) -> str:
    """Say both figures of a thing with their difference and its formula."""
    a, b = with_unit(each.first, one), with_unit(each.second, other)
    worked = less(each.first, each.second)
    if measure_of(one) == measure_of(other):
        said = f"{name_of(one)} {a} ({period_of(one)}), {b} ({period_of(other)})"
    else:
        said = f"{name_of(one)} {a}, {name_of(other)} {b}"
    return f"{each.name}, {said}: {worked}"


def ends_of(scope: Scope) -> tuple[Column, Column] | None:
    """Return the first and the last column of the measure, where they differ by the period in their headers."""
    dated = [(column, header_periods(column)) for column in scope.columns]
    if len(dated) < 2 or not all(len(named) == 1 for _, named in dated):
        return None
    ordered = sorted(dated, key=lambda each: (each[1][0].start, each[1][0].end))
    return ordered[0][0], ordered[-1][0]


def one_column(scope: Scope) -> Column | None:
    """Return the one column that is meant; of several states the latest, where the question names no period."""
    if len(scope.groups) > 1 and len(measure_of(scope.groups[0][0])) <= len(measure_of(scope.groups[1][0])):
        return None
    if len(scope.columns) == 1:
        return scope.columns[0]
    ends = ends_of(scope)
    return ends[1] if ends and not scope.periods else None


def is_column_of(column: Column, period: Period) -> bool:
    """Whether the header of a column names just this period."""
    return any((each.start, each.end) == (period.start, period.end) for each in header_periods(column))


def figures_of(scope: Scope, column: Column) -> tuple[list[int], list[Decimal]]:
    """Return the rows that a question keeps and that have a figure in a column, and the figures."""
    rows = scope.table.with_figures(column.header, scope.rows)
    return rows, scope.table.figures(column.header, rows)


def by_time(scope: Scope, column: Column) -> list[tuple[str, list[Decimal]]]:
    """Return the terms of a sum by the time of their rows, in the order of time."""
    times, texts = row_times(scope.table), scope.table.texts(column.header)
    found: dict[str, list[Decimal]] = {}
    for row in scope.rows:
        value = number_of(texts[row])
        if value is not None:
            found.setdefault(label_of(times[row][0]), []).append(value)
    return sorted(found.items())


def by_name(scope: Scope, column: Column) -> list[tuple[str, list[Decimal]]]:
    """Return the terms of a long sum by the names in a column of few, in the order of the table."""
    texts = scope.table.texts(column.header)
    for each in scope.table.columns:
        names = scope.table.texts(each.header)
        kinds = {names[row] for row in scope.rows}
        if each.kind == "text" and 1 < len(kinds) <= _MOST_NAMES and not _STATUS.search(header_words(each.header)):
            found: dict[str, list[Decimal]] = {}
            for row in scope.rows:
                value = number_of(texts[row])
                if value is not None:
                    found.setdefault(names[row], []).append(value)
            return list(found.items())
    return []


def caveat(scope: Scope, rows: Sequence[int]) -> str:
    """Return which of the rows stand under another status than most, e.g. `(2025-12: preliminary)`."""
    return "; ".join(caveats(scope, rows)) and f" ({'; '.join(caveats(scope, rows))})"


def caveats(scope: Scope, rows: Sequence[int]) -> Iterator[str]:
    """Yield, for each status that few rows of a table have, whose it is: `2025-12: preliminary`."""
    times = row_times(scope.table) if scope.timed else []
    for column in scope.table.columns:
        if column.kind != "text" or not times:
            continue
        texts = scope.table.texts(column.header)
        if not _STATUS.search(header_words(column.header)) and not {each.casefold() for each in texts} <= _PLANNED:
            continue
        known = [texts[row] for row in range(len(scope.table.rows))]
        usual = max(sorted(set(known)), key=known.count)
        for status in sorted({texts[row] for row in rows if texts[row] and texts[row] != usual}):
            of = sorted({label_of(times[row][0]) for row in rows if texts[row] == status})
            if len(of) <= _STATE_NAMES:
                yield f"{', '.join(of)}: {status}"


def of_what(scope: Scope) -> str:
    """Return the members and the periods that a question names, as they follow the name of a measure."""
    named = f" of {' and '.join(scope.named)}" if scope.named else ""
    return f"{named}{when_of_scope(scope)}"


def when_of_scope(scope: Scope) -> str:
    """Return the periods asked for, where the name of the column does not say them already."""
    name = name_of(scope.columns[0])
    said = [each.label() for each in find_periods(name)]
    labels = [label_of(period) for period in scope.periods if period.label() not in said]
    return f", {' and '.join(labels)}" if labels else ""


def name_of(column: Column) -> str:
    """Return what a column measures in words, without its unit and without the one period of its header."""
    name = in_small(name_and_unit(column.header)[0])
    periods = header_periods(column)
    if (
        len(periods) == 1
        and periods[0].text in name
        and not re.search(r"\b(?:to|until|at|from|by)\s+\S*\d|\bto\b", name)
    ):
        name = " ".join(name.replace(periods[0].text, " ").split())
    return name or in_small(name_and_unit(column.header)[0])


def period_of(column: Column) -> str:
    """Return the period that a header names, as it writes it; empty where it names none."""
    return next((period.text for period in header_periods(column)), "")


def label_of(period: Period) -> str:
    """Return a period in figures, which any row of it holds: `2025`, `2024/25`, `Q2 2025`, `2025-06`, `2022 to 24`."""
    if period.kind == "quarter":
        return f"Q{(period.start.month + 2) // 3} {period.start.year}"
    if period.kind == "range" and _SPLIT_YEAR.match(period.text.strip()):
        return period.text.strip()
    if period.kind == "range" and (whole := _whole_parts(period)):
        return whole
    if period.kind == "range":
        return f"{period.start:%Y-%m} to {period.end:%Y-%m}"
    if period.start.year == YEARLESS:
        return period.text
    return period.label()


def _whole_parts(period: Period) -> str:
    """Return a range of years or of quarters as `2022 to 2024` or `Q1 to Q3 2025`; empty where it is none."""
    first, last = period.start, period.end
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return f"{first.year} to {last.year}"
    quarters = first.month % 3 == 1 and last.month % 3 == 0 and first.year == last.year
    if not quarters or first.month + 2 == last.month:
        return ""
    return f"Q{(first.month + 2) // 3} to Q{last.month // 3} {first.year}"


def with_unit(value: Decimal, column: Column) -> str:
    """Return a figure with the unit that the header of its column states."""
    return amount(grouped(value), name_and_unit(column.header)[1])


def terms_of(values: Sequence[Decimal], write: Callable[[Decimal], str] = grouped) -> str:
    """Return the terms of a sum: `2 + 3 - 1`."""
    first, *rest = values
    return write(first) + "".join(f" {'-' if value < 0 else '+'} {write(abs(value))}" for value in rest)


def summed(values: Sequence[Decimal], write: Callable[[Decimal], str] = grouped) -> str:
    """Return `2 + 3 - 1 = 4`, or a single figure alone."""
    terms = terms_of(values, write)
    return f"{terms} = {write(sum(values, Decimal(0)))}" if len(values) > 1 else terms


def less(high: Decimal, low: Decimal, write: Callable[[Decimal], str] = grouped) -> str:
    """Return `5 - 3 = 2`, and `5 - (-3) = 8` of a negative figure."""
    return f"{write(high)} - {bracketed(low, write)} = {write(high - low)}"


def rate_of_change(before: Decimal, after: Decimal, write: Callable[[Decimal], str] = grouped) -> str:
    """Return `(6 - 5) / 5 = 20.0%`."""
    rate = percent(after - before, before)
    return f"({write(after)} - {write(before)}) / {write(before)} = {rate}%"


def bracketed(value: Decimal, write: Callable[[Decimal], str] = grouped) -> str:
    """Return a figure as it stands behind a sign: a negative one in brackets."""
    return f"({write(value)})" if value < 0 else write(value)


def rounded(value: Decimal, values: Sequence[Decimal]) -> Decimal:
    """Round to two places more than the terms have; needless zeros go."""
    places = max(-int(each.as_tuple().exponent) for each in values)
    return value.quantize(Decimal(1).scaleb(-max(places, 0) - 2), ROUND_HALF_EVEN).normalize()


def capital(text: str) -> str:
    """Return a text with its first letter large."""
    return f"{text[:1].upper()}{text[1:]}"
