"""Figures with what they are said of: whose, what, when, and in which row or words."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import regex

from ...state.records import Fact, Quote, TableRow
from ...text.numbers import Number, find_numbers
from ...text.periods import Period, find_periods, stands_in
from ..protocol import Passage
from .exact import is_label
from .reading import Reading, read
from .statement_dates import date_of
from .tables import pair_periods

# Words that name how a figure was defined; two of one line on the two sides are a difference of definition.
DEFINITIONS: tuple[tuple[str, ...], ...] = (
    ("booked", "recognised", "recognized", "billed", "invoiced", "collected", "contracted", "deferred"),
    ("gross", "net"),
    ("audited", "unaudited"),
    ("validated", "unvalidated", "estimated", "estimate", "preliminary"),
    ("adjusted", "reported", "gaap", "non-gaap", "ifrs", "underlying", "statutory", "organic"),
    ("nominal", "real"),
    ("basic", "diluted"),
    ("parent", "subsidiary", "consolidated", "standalone"),
    ("average", "median", "mean", "maximum", "minimum", "peak"),
    ("planned", "budgeted", "forecast", "actual", "target"),
    ("pre-tax", "after-tax"),
    ("including", "excluding"),
)
_DEFINING = frozenset(word for line in DEFINITIONS for word in line)
_HEADER_UNITS = {code.lower(): code for code in ("USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR")}
_HEADER_UNITS |= {"pct": "%", "percent": "%"}
# How a figure moved does not tell what it measures.
_MOVED = frozenset(
    """
    increase increases increased increasing decrease decreases decreased decreasing rise rises rose risen fall falls
    fell fallen grow grows grew grown decline declines declined improve improves improved drop drops dropped reach
    reaches reached compared compares versus driven due primarily partially mainly
""".split()
)
# Words of a sentence that lead to a figure without saying what it is of.
_LEADING = frozenset(
    """
    came come comes amount amounts amounted amounting stood stands reported reports posted posts recorded records
    achieved achieves generated generates totalled totaled totals company group year years full after before during
""".split()
)
_PLANNED = regex.compile(
    r"\b(?:budget(?:ed)?|forecasts?|forecasted|targets?|targeted|guidance|outlook|plan(?:s|ned)?|expect(?:s|ed|ation)?|"
    r"estimated?|estimates|projected|anticipate[sd]?|aims?|aimed|geplant|erwartet|Prognose|Budget|prévu|budget|previsto|"
    r"presupuesto)\b",
    regex.IGNORECASE,
)
_FORMERLY = regex.compile(
    r"\b(?:from|instead\sof|rather\sthan|compared\s(?:with|to)|against|versus|previously|formerly|after|statt|gegenüber|"
    r"contre|au\slieu\sde|en\slugar\sde)\s(?:(?:a|an|the|about|some|around|only|eine[mnr]?|un|una)\s)?(?:\p{Sc}|\p{Lu}{3}\s)?|"
    r"\(\s*(?:before|previously|formerly|earlier|bisher|zuvor|auparavant|antes|prima)\b[^()]*$",
    regex.IGNORECASE,
)
_NOW = regex.compile(r"^[^.;]{0,40}?\b(?:to|auf|à|a)\s(?:\p{Sc}|\p{Lu}{3}\s)?\d", regex.IGNORECASE)
# A figure that was put forward is none that was settled.
_CONSIDERED = regex.compile(
    r"\b(?:consider(?:s|ed|ing)?|propos(?:e|es|ed|al|ing)|suggest(?:s|ed|ing)?|discuss(?:es|ed|ing)?|"
    r"recommend(?:s|ed|ing)?|(?:asked|requested|invited)\sto|vorgeschlagen|erwogen|envisagé|proposé|propuesto)\b",
    regex.IGNORECASE,
)
# `9.4 The Contractor is not liable`: the number of the clause.
_CLAUSE_MARK = regex.compile(r"^\W*(?:§\s*)?\d{1,3}(?:\.\d{1,3})+\.?(?=\s+[\p{Lu}\"“„«‘'(])")
_PLAN_REACH = 90
_CLAUSE_ENDS = regex.compile(r"[.;]\s|,\s(?:of\swhich|while|whereas)\b")
_WORDS_BEFORE, _WORDS_AFTER = 5, 2
"""How many words beside a figure say what it measures."""


@dataclass(frozen=True)
class Measurement:
    """One figure with what it is said of."""

    fact: Fact
    quote: Quote
    number: Number
    period: Period | None
    subject: frozenset[str]
    names: tuple[str, ...]
    attribute: frozenset[str]
    words: str
    passage: Passage | None
    dated: str
    planned: bool = False
    row: TableRow | None = None

    @property
    def tier(self) -> str:
        """What kind of source it stands in: `structured` or `narrative`."""
        return self.passage.source.tier if self.passage else "narrative"


def measurements_in(fact: Fact, by_id: Mapping[str, Passage]) -> Iterator[Measurement]:
    """Yield the figures of a fact's quote, each with what is said of it; planned and former ones only where alone."""
    if not fact.quotes:
        return
    # A title may stand before the sentence that it leads.
    quote = next((each for each in fact.quotes if _figures_in(read(each.text))), fact.quotes[0])
    reading = read(quote.text)
    passage = by_id.get(quote.chunk_id)
    row = _row_of(quote, passage)
    pairs = [(n, p) for n, p in _figures_in(reading) if not is_former(reading.text, n)]
    ahead = {n for n, _ in pairs if row is None and is_planned(reading.text, n)}
    if row is None and len(ahead) < len(pairs):
        # Beside what came to be, a budget or forecast of the same sentence is another figure.
        pairs = [(n, p) for n, p in pairs if n not in ahead]
    if fact.value is not None:
        chosen = [(n, p) for n, p in pairs if abs(float(n.value)) == abs(fact.value)]
        pairs = chosen[:1] or pairs
    stated = find_periods(fact.period) if fact.period else []
    units = [number.unit for number, _ in pairs]
    for number, period in pairs:
        if fact.value is None and units.count(number.unit) > 1 and period is None:
            continue  # several figures of one unit: which is meant is not told
        said = _said_of(number, reading, quote, row, passage)
        entity = read(fact.entity) if fact.entity else None
        named = read(row.label) if row else entity or reading
        spans = [(found.at, found.to) for found in named.periods]
        keys = [
            word
            for word in (named.content if row or entity else named.names)
            if word.weight > 0 and not any(start <= word.start < end for start, end in spans)
        ]
        subject = frozenset(word.stem for word in keys)
        yield Measurement(
            fact=fact,
            quote=quote,
            number=_with_unit(number, said),
            period=stated[0] if stated else period,
            subject=subject,
            names=tuple(word.text for word in keys),
            attribute=_attribute(said),
            words=reading.text,
            passage=passage,
            dated=date_of(quote, passage),
            planned=number in ahead,
            row=row,
        )


def is_planned(text: str, number: Number) -> bool:
    """Whether a figure of a sentence is one that was budgeted, forecast or expected rather than one that came."""
    starts = [match.end() for match in _CLAUSE_ENDS.finditer(text, 0, number.start)]
    reach = max([0, *starts, number.start - _PLAN_REACH]), number.start
    planned = [*_PLANNED.finditer(text, *reach), *_CONSIDERED.finditer(text, *reach)]
    last = max((match.end() for match in planned), default=0)
    return bool(planned) and not any(
        last <= other.start < number.start and not other.is_year and not is_former(text, other)
        for other in find_numbers(text)
    )


def is_former(text: str, number: Number) -> bool:
    """Whether a sentence names a figure as the one that another has replaced: `lowered from 28 to 27`."""
    before, after = text[: number.start], text[number.end :]
    match = _FORMERLY.search(before)
    if match is None:
        return False
    lead = match.group().split()[0].casefold()
    return bool(_NOW.search(after)) if lead in ("from", "after") else not _PLANNED.search(before[match.start() :])


def _figures_in(reading: Reading) -> list[tuple[Number, Period | None]]:
    mark = _CLAUSE_MARK.match(reading.text)
    of_text = mark.end() if mark else 0
    return [
        (n, p)
        for n, p in pair_periods(reading)
        if n.start >= of_text and not is_label(n, reading.text) and n.kind != "ordinal"
    ]


def _row_of(quote: Quote, passage: Passage | None) -> TableRow | None:
    """Return the table row that a quote lies in."""
    if passage is None:
        return None
    start, end = passage.chunk.start + quote.start, passage.chunk.start + quote.end
    return next((row for row in passage.rows if row.start < end and start < row.end), None)


def _said_of(number: Number, reading: Reading, quote: Quote, row: TableRow | None, passage: Passage | None) -> Reading:
    """Return the words that say what a figure measures: its column and row, or those next to it in its sentence."""
    if row is not None and passage is not None:
        at = passage.chunk.start + quote.start + number.start
        cell = next((cell for cell in row.cells if cell.start <= at < cell.end), None)
        return read(cell.header.replace("_", " ") if cell else row.label)
    telling = [word for word in reading.content if word.folded not in _MOVED and not word.text[0].isdigit()]
    before = [word.start for word in telling if word.end <= number.start][-_WORDS_BEFORE:]
    stop = regex.compile(r"[,;:]\s").search(reading.text, number.end)
    end = stop.start() if stop else len(reading.text)
    after = [word.end for word in telling if number.end <= word.start < end][:_WORDS_AFTER]
    return read(reading.text[before[0] if before else 0 : after[-1] if after else number.end])


def _with_unit(number: Number, said: Reading) -> Number:
    """Give a bare figure the unit that its column header names."""
    unit = next((_HEADER_UNITS[word.folded] for word in said.words if word.folded in _HEADER_UNITS), "")
    return number if number.unit or not unit else replace(number, unit=unit)


def _attribute(words: Reading) -> frozenset[str]:
    """Return what was measured; how it was defined is weighed later, how it moved is beside the point."""
    return frozenset(
        word.stem
        for word in words.content
        if not any(char.isdigit() for char in word.stem)
        and word.folded not in _HEADER_UNITS
        and word.folded not in _DEFINING
        and word.folded not in _MOVED
        and word.folded not in _LEADING
        and not _PLANNED.fullmatch(word.text)
        and not stands_in(word.start, words.periods)
    )
