"""What a question asks of tables: an operation, a measure, a period, values to keep."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...text.numbers import Number, find_numbers
from ...text.periods import Period, contains, find_periods, stands_in
from ...text.words import analyse, content_words
from .catalog import Catalog, Column, Table, header_words, number_of
from .row_periods import row_periods
from .same_words import with_units
from .wording import is_date_header

_WORDS = {
    "share": r"(?<!per )shares?|percentage(?! points?\b)|(?<!how many )percent(?! points?\b)|proportion|"
    "concentration|concentrated|anteil|prozent|pourcentage",
    "rank": "largest|biggest|highest|greatest|top|smallest|lowest|fewest|busiest|quietest|strongest|weakest|"
    r"(?<!at )(?:most|least)(?! (?:recent\w*|important\w*|likely|common|of)\b)|"
    r"best(?=[ -]selling| (?:day|week|month|quarter|year)\b)|"
    "größte[rnms]?|höchste[rnms]?|meisten|kleinste[rnms]?|niedrigste[rnms]?|geringste[rnms]?|wenigsten|"
    "(?:le|la|les) (?:plus|moins)|plus grande?s?|mayor(?:es)?|menor(?:es)?|(?:el|la|los|las) (?:más|menos)|más|menos|"
    "maggior[ei]?|minor[ei]?|(?:il|la|i|gli|le) (?:più|meno)|più|meno",
    "sum": "total of|sum|combined|altogether|in total|in all|aggregate|add up|summe|insgesamt|somme",
    "change": "compare|compared|comparison|versus|"
    "changed?|growth|grow|grew|grown|increased?|decreased?|declined?|rise|risen|rose|fall|fell|difference|"
    "veränderung|wachstum|croissance",
}
_ASCENDING = re.compile(
    r"\b(?:smallest|lowest|least|fewest|quietest|weakest|kleinste\w*|niedrigste\w*|geringste\w*|wenigsten|moins|menor\w*|"
    r"menos|minor\w*|meno)\b",
    re.IGNORECASE,
)
COUNTERPARTY = re.compile(
    r"\b(?:customers?|clients?|suppliers?|counterpart\w*|accounts?|groups?|parent|entity|company|kunden?)\b",
    re.IGNORECASE,
)
_ORDINAL = r"(?:first|second|third|fourth|last|1st|2nd|3rd|4th)"
_TWO_QUARTERS = re.compile(
    rf"\bthe (?P<one>{_ORDINAL})(?: quarter)? (?P<link>and|to) (?:the )?(?P<other>{_ORDINAL}) quarters?"
    r"(?P<year> of (?:the )?(?:FY ?\d{2,4}|fiscal(?: year)? \d{4}|\d{4}))?",
    re.IGNORECASE,
)
_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_TWO_MONTHS = re.compile(
    rf"\b(?P<one>{_MONTH}) (?P<link>and|to) (?P<other>{_MONTH}) (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE
)
_MONEY = ("arr", "revenue", "sales", "turnover", "fee", "amount", "spend", "umsatz", "balance")
_LEAST_NAME = 3
_KEYED = re.compile(
    r"\b(?:at|after|with|for|under|beyond|of|from|until|to|by)\s+"
    r"(?:about\s+|an?\s+(?P<noun>\w+(?: \w+){0,2})\s+of\s+)?$",
    re.IGNORECASE,
)
_TIMES = frozenset(analyse("last latest current currently fiscal recent end date today now much many company state"))
_SIZES = frozenset(
    analyse(
        "largest biggest highest greatest top smallest lowest main major concentration concentrated share name which"
    )
)
_COMPARES = frozenset(analyse("compare compared comparison versus change changed difference between"))
GENERIC = frozenset(analyse("usd eur gbp chf total value amount of id date year month number count as at per"))


@dataclass(frozen=True)
class Ask:
    """A question as tables can answer it.

    Attributes:
        operations: Of `share`, `rank`, `sum`, `change`, in that order.
        counterparty: Whether it is about customers, suppliers or groups.
        dated: Whether it names a period, a company's own year among them.
        wanted: Words that say what is asked for, without periods and words like `last`.
        fiscal: The periods of a company's own year that it names.
    """

    question: str
    words: frozenset[str]
    operations: tuple[str, ...]
    periods: tuple[Period, ...]
    counterparty: bool
    ascending: bool = False
    dated: bool = False
    wanted: frozenset[str] = frozenset()
    fiscal: tuple[Period, ...] = ()

    @property
    def spelled(self) -> frozenset[str]:
        """The words of the question as they are spelled, in small letters."""
        return frozenset(re.findall(r"[a-z]+", self.question.casefold()))


@dataclass(frozen=True)
class Measure:
    """A column of figures that the question may be about, and how well it fits."""

    table: Table
    column: Column
    fit: float


def read_ask(question: str) -> Ask:
    """Read a question; without a word that asks for a computation it has no operation, and none is made."""
    question = _each_quarter_whole(question)
    operations = tuple(
        name for name, words in _WORDS.items() if re.search(rf"(?<!\w)(?:{words})(?!\w)", question, re.IGNORECASE)
    )
    if "rank" in operations and "share" not in operations and _by_size(question):
        # How large the largest is, the whole says.
        operations = ("share", *operations)
    periods = find_periods(question)
    fiscal = tuple(period for period in periods if period.is_fiscal)
    labels = " ".join(label for period in fiscal for label in fiscal_labels(period))
    return Ask(
        question=question,
        words=with_units(frozenset(analyse(f"{question} {labels}")) - GENERIC),
        operations=operations,
        # The dates of a company's year are not known; its rows are found by their label.
        periods=tuple(period for period in periods if not period.is_fiscal),
        counterparty=bool(COUNTERPARTY.search(question)),
        ascending=bool(_ASCENDING.search(question)),
        dated=bool(periods),
        wanted=_wanted(question),
        fiscal=fiscal,
    )


def fiscal_labels(period: Period) -> tuple[str, ...]:
    """Return how exports label a period of a company's year: `FY2025`, and `Q3` or `H1` of it."""
    label = period.label()
    return tuple(label.split("-")) if label.startswith("FY") else ()


def _each_quarter_whole(question: str) -> str:
    """Return `the third and the fourth quarter of FY2025` with its quarters and their year said of each."""

    def whole(match: re.Match[str]) -> str:
        year = match["year"] or ""
        return f"the {match['one']} quarter{year} {match['link']} the {match['other']} quarter{year}"

    question = _TWO_MONTHS.sub(r"\g<one> \g<year> \g<link> \g<other> \g<year>", question)
    return _TWO_QUARTERS.sub(whole, question)


def _wanted(question: str) -> frozenset[str]:
    for period in reversed(find_periods(question)):
        question = f"{question[: period.at]} {question[period.to :]}"
    return frozenset(analyse(" ".join(content_words(question)))) - GENERIC - _TIMES


def measures_for(ask: Ask, catalog: Catalog) -> list[Measure]:
    """Return the columns of figures that share words with the question, best first; ties in the order of the tables.

    A question about the concentration of customers names no measure; then a column of money will do.
    """
    found = []
    for table in catalog.tables:
        if not table.structured:
            continue
        for column in table.columns:
            if column.kind != "number":
                continue
            own = frozenset(word for word in column.words - GENERIC if not word.isdigit())
            shared = own & ask.words
            fit = len(shared) / len(own) if own else 0.0
            if shared:
                fit += 0.1 * len(table.words & ask.words)
            elif "change" in ask.operations and ask.wanted and ask.wanted - _COMPARES <= table.words:
                # `Compare headcount`: the table is named for what its columns count.
                fit = 0.1
            elif "share" in ask.operations and ask.counterparty and own & set(analyse(" ".join(_MONEY))):
                fit = 0.2 + 0.1 * len(table.words & ask.words)
            if fit > 0:
                found.append(Measure(table, column, fit))
    return sorted(found, key=lambda measure: -measure.fit)


def _by_size(question: str) -> bool:
    """Whether a question about the largest counterparty names no measure of it."""
    named = COUNTERPARTY.findall(question)
    return bool(named) and not _wanted(question) - _SIZES - frozenset(analyse(" ".join(named)))


def kept_rows(ask: Ask, table: Table) -> list[int]:
    """Return the rows that the question is about.

    A period of the question keeps the rows dated in it; a value of a text column that the question names keeps its
    rows.  A table whose dates all lie elsewhere keeps none.
    """
    rows = list(range(len(table.rows)))
    dates = table.dates
    if ask.periods and dates:
        texts = table.texts(dates[-1].header if _ends(dates[-1]) else dates[0].header)
        rows = [row for row in rows if any(is_inside(texts[row], period) for period in ask.periods)]
    elif ask.periods and any(is_date_header(column.header) for column in table.columns):
        times = [row_periods(row) for row in table.rows]
        if all(times):
            rows = [row for row in rows if any(_is_within(told, each) for told in times[row] for each in ask.periods)]
    labels = [label for period in ask.fiscal for label in fiscal_labels(period)]
    asked = _plain(" ".join([ask.question, *labels]))
    for column in table.columns:
        if column.kind != "text":
            continue
        texts = table.texts(column.header)
        named = {
            text
            for text in texts
            if ((len(text) >= _LEAST_NAME or text in labels) and _plain(text) in asked)
            or is_code_in(text, ask.question)
        }
        if named and len(named) < len(set(texts)):
            rows = [row for row in rows if texts[row] in named]
    for column, value in numbered_keys(ask.question, table):
        texts = table.texts(column.header)
        rows = [row for row in rows if number_of(texts[row]) == value]
    return rows


def numbered_keys(question: str, table: Table) -> list[tuple[Column, Decimal]]:
    """Return the columns of figures of which a question names one value: `after 2,000 cycles`, `at a dose of 5 mg`.

    The number must stand behind a preposition and beside a word of the header or its unit, and be no part of a period.
    """
    periods = find_periods(question)
    found = []
    for number in find_numbers(question):
        if number.is_year or stands_in(number.start, periods):
            continue
        before, behind = question[: number.start], question[number.end - len(_unit_in(number)) :]
        keyed = _KEYED.search(before)
        if keyed is None:
            continue
        beside = frozenset(analyse(" ".join([keyed["noun"] or "", *behind.split()[:1]])))
        unit = behind.split()[0].strip("°?.,").casefold() if behind.split() else ""
        for column in table.columns:
            if column.kind == "number" and (
                (column.words - GENERIC) & beside or unit in header_words(column.header).casefold().split()
            ):
                found.append((column, number.value))
                break
    return found


def _unit_in(number: Number) -> str:
    match = re.search(r"\d\s?([^\d\s]+)$", number.text)
    return match[1] if match else ""


def latest(table: Table, rows: Sequence[int]) -> list[int]:
    """Return the rows of the last date among them; all of them where no column says which day a row speaks of.

    The day on which a contract was signed or a matter opened makes no later state of it.
    """
    dates = [column for column in table.dates if is_date_header(column.header)]
    if not dates or not rows:
        return list(rows)
    texts = table.texts(dates[0].header)
    last = max(texts[row] for row in rows)
    return [row for row in rows if texts[row] == last]


def is_code_in(name: str, text: str) -> bool:
    """Whether a text has a name of two signs, `IT`, `M2`, just as it is written; `it` is none."""
    written = len(name) == _LEAST_NAME - 1 and re.search(r"[A-Z0-9]", name) is not None and not name.isdigit()
    return written and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _plain(text: str) -> str:
    """Return words between single spaces, folded, so that a value matches whole."""
    words = re.sub(r"[\W_]+", " ", text).casefold().split()
    return f" {' '.join(words)} "


def _is_within(told: Period, asked: Period) -> bool:
    return told.is_fiscal == asked.is_fiscal and contains(asked, told)


def _ends(column: Column) -> bool:
    return "end" in column.header.casefold()


def is_inside(text: str, period: Period) -> bool:
    """Whether what a date cell says lies in a period, or is the month that holds it."""
    found = find_periods(text)
    return any(period.start <= each.start and each.end <= period.end for each in found) or any(
        each.start <= period.start and period.end <= each.end and (each.end - each.start).days <= 31 for each in found
    )
