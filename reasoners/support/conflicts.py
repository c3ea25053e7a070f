"""Find measurements of one thing that disagree, and say which to prefer and why."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import regex

from ...state.records import Conflict, ConflictValue, Fact, Quote, TableRow
from ...text.numbers import Number, find_numbers, same_unit, same_value
from ...text.periods import Period, find_periods, same_period
from ..protocol import Passage
from .exact import is_label
from .reading import Reading, read
from .tables import pair_periods

_CORRECTS = regex.compile(
    r"\b(?:correct(?:s|ed|ing|ion)|restat(?:es|ed|ing|ement)|revis(?:es|ed|ing|ion)|supersed(?:es|ed|ing)|"
    r"replac(?:es|ed|ing)|updat(?:es|ed|ing)|amend(?:s|ed|ing|ment)|errat(?:um|a)|instead of|no longer|korrigiert)\b",
    regex.IGNORECASE,
)
# Words that name how a figure was defined; two of one line on the two sides are a difference of definition.
_DEFINITIONS: tuple[tuple[str, ...], ...] = (
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
_DEFINING = frozenset(word for line in _DEFINITIONS for word in line)
_WEAK_DEFINITIONS = frozenset(
    {"unaudited", "unvalidated", "estimated", "estimate", "preliminary", "planned", "budgeted", "forecast", "target"}
)
_LOOSE_UNITS = frozenset(
    {
        "",
        "%",
        "pp",
        "bp",
        "x",
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "CHF",
        "CNY",
        "INR",
        "yr",
        "mo",
        "wk",
        "d",
        "h",
        "min",
        "s",
        "g",
        "mg",
        "µg",
        "ml",
    }
)
_AUDITED = regex.compile(r"(?<!\bnot\s)(?<!\bnot yet\s)(?<!\byet to be\s)\baudited\b", regex.IGNORECASE)
_CHANGE_WORDS = regex.compile(
    r"\b(?:by|growth|grew|rose|fell|increase[ds]?|decrease[ds]?|change[ds]?|up|down)\b", regex.IGNORECASE
)


_HEADER_UNITS = {code.lower(): code for code in ("USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR")} | {
    "pct": "%",
    "percent": "%",
}
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
    r"contre|au\slieu\sde|en\slugar\sde)\s(?:(?:a|an|the|about|some|around|only|eine[mnr]?|un|una)\s)?(?:\p{Sc}|\p{Lu}{3}\s)?$",
    regex.IGNORECASE,
)
_NOW = regex.compile(r"^[^.;]{0,40}?\b(?:to|auf|à|a)\s(?:\p{Sc}|\p{Lu}{3}\s)?\d", regex.IGNORECASE)
_PLAN_REACH = 90
_CLAUSE_ENDS = regex.compile(r"[.;]\s|,\s(?:of\swhich|while|whereas)\b")
_SIBLING_LABEL = 3
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


def find_conflicts(facts: Sequence[Fact], passages: Sequence[Passage]) -> tuple[Conflict, ...]:
    """Return the disagreements among facts: one entity, attribute and period, different values.

    A figure rounded from another is no conflict, figures of different periods neither.  Preferred is the structured
    source over the narrative one, then the statement that says it corrects the other, then the later one.  Where the
    two name different definitions of the figure (booked against recognised), that is the reason given, and neither is
    preferred unless one is a mere estimate.  Nothing is averaged.

    Args:
        facts: Their quotes name chunks; entity, attribute, period and value are used where they are filled.
        passages: The chunks quoted, for tiers, dates and uris.
    """
    by_id = {passage.chunk.chunk_id: passage for passage in passages}
    groups: list[list[Measurement]] = []
    for measurement in (found for fact in facts for found in _measurements(fact, by_id)):
        home = next((group for group in groups if _comparable(group[0], measurement)), None)
        if home is None:
            groups.append([measurement])
        elif not any(_same_place(measurement, other) for other in home):
            home.append(measurement)
    return tuple(_conflict(group) for group in groups if _differs(group))


def disagreements(facts: Sequence[Fact], passages: Sequence[Passage]) -> tuple[Conflict, ...]:
    """Return the conflicts between two statements: the figures of one sentence do not contradict each other."""
    return tuple(each for each in find_conflicts(facts, passages) if _is_between_statements(each))


def _is_between_statements(conflict: Conflict) -> bool:
    places = {(value.chunk_id, value.quote.start if value.quote else None) for value in conflict.values}
    return len(places) > 1


def _measurements(fact: Fact, by_id: dict[str, Passage]) -> Iterator[Measurement]:
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
            dated=_date_of(quote, passage),
            planned=number in ahead,
            row=row,
        )


def is_planned(text: str, number: Number) -> bool:
    """Whether a figure of a sentence is one that was budgeted, forecast or expected rather than one that came."""
    starts = [match.end() for match in _CLAUSE_ENDS.finditer(text, 0, number.start)]
    planned = list(_PLANNED.finditer(text, max([0, *starts, number.start - _PLAN_REACH]), number.start))
    return bool(planned) and not any(
        planned[-1].end() <= other.start < number.start and not other.is_year and not is_former(text, other)
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
    return [(n, p) for n, p in pair_periods(reading) if not is_label(n, reading.text) and n.kind != "ordinal"]


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
        and not any(period.at <= word.start < period.to for period in words.periods)
    )


def _comparable(a: Measurement, b: Measurement) -> bool:
    if _one_statement(a, b) or not same_unit(a.number, b.number) or bool(a.number.unit) != bool(b.number.unit):
        return False
    if not _periods_agree(a, b) or not _subjects_agree(a, b) or a.planned is not b.planned:
        return False
    if _of_several(a, b) or _of_several(b, a):
        return False
    if bool(_CHANGE_WORDS.search(_around(a))) != bool(_CHANGE_WORDS.search(_around(b))) and a.number.unit == "%":
        return False
    shared, every = len(a.attribute & b.attribute), len(a.attribute | b.attribute)
    if a.number.unit not in _LOOSE_UNITS and shared:
        return True  # a measure such as cubic metres tells what was measured
    # A column header is short and to the point; the words of a sentence hold more than the name of its figure.
    named = [m.attribute for m in (a, b) if m.row is not None]
    if named:
        return all(header and len(header & a.attribute & b.attribute) >= 0.5 * len(header) for header in named)
    return shared > 0.5 * every


def _one_statement(a: Measurement, b: Measurement) -> bool:
    """Whether two figures stand in one sentence or in rows of one table, which tell different things apart."""
    if a.quote.chunk_id == b.quote.chunk_id and a.quote.start < b.quote.end and b.quote.start < a.quote.end:
        return True
    return a.row is not None and b.row is not None and a.row.uri == b.row.uri and a.row.sheet == b.row.sheet


def _of_several(row: Measurement, told: Measurement) -> bool:
    """Whether a sentence names several members of the table that a row stands in: its figure is theirs together."""
    if row.row is None or told.row is not None or row.passage is None:
        return False
    labels = {regex.sub(r"\s*\([^()]*\)", "", each.label).strip() for each in row.passage.rows}
    named = [label for label in labels if len(label) >= _SIBLING_LABEL and label in told.words]
    return len(named) > 1


def _around(measurement: Measurement) -> str:
    text, number = measurement.words, measurement.number
    return text[max(0, number.start - 24) : number.start]


def _periods_agree(a: Measurement, b: Measurement) -> bool:
    if a.period is None or b.period is None:
        return True
    if same_period(a.period, b.period):
        return True
    # The state at a day is the state at the end of its month.
    day, month = sorted((a.period, b.period), key=lambda period: period.end - period.start)
    return day.kind == "day" and month.kind == "month" and day.start == month.end


def _subjects_agree(a: Measurement, b: Measurement) -> bool:
    if not a.subject and not b.subject:
        return bool(a.attribute & b.attribute)
    if not a.subject or not b.subject:
        other = (a.subject or b.subject) & (a.attribute | b.attribute)
        return bool(other) or len(a.attribute & b.attribute) >= 2
    shared = len(a.subject & b.subject)
    if shared >= 1 and shared >= 0.5 * min(len(a.subject), len(b.subject)):
        return True
    return _is_told_of(a, b) or _is_told_of(b, a)


def _is_told_of(a: Measurement, b: Measurement) -> bool:
    """Whether a paper whose title names its author, as an auditor's does, tells of whom the other one is about."""
    if a.row is not None or a.passage is None or any(name in a.words for name in a.names):
        return False
    return bool(b.names) and all(name in a.passage.chunk.text for name in b.names)


def _same_place(a: Measurement, b: Measurement) -> bool:
    return a.quote.chunk_id == b.quote.chunk_id and a.quote.text == b.quote.text and a.number.text == b.number.text


def _differs(group: Sequence[Measurement]) -> bool:
    first = group[0].number
    return any(not same_value(first, other.number, ignore_sign=True) for other in group[1:])


def _conflict(group: Sequence[Measurement]) -> Conflict:
    distinct: list[Measurement] = []
    for measurement in group:
        if not any(
            same_value(measurement.number, kept.number, ignore_sign=True) and _tier(kept) == _tier(measurement)
            for kept in distinct
        ):
            distinct.append(measurement)
    preferred, reason = _prefer(distinct)
    period = next((m.period for m in group if m.period is not None), None)
    named = max(group, key=lambda m: len(m.names))
    return Conflict(
        subject=next((m.fact.entity for m in group if m.fact.entity), "") or " ".join(dict.fromkeys(named.names)),
        attribute=next((m.fact.attribute for m in group if m.fact.attribute), "") or _shared_attribute(group),
        period=period.text if period else "",
        values=tuple(
            ConflictValue(
                value=m.number.text.rstrip("."),
                chunk_id=m.quote.chunk_id,
                quote=m.quote,
                uri=m.passage.chunk.uri if m.passage else "",
                tier=_tier(m),
                dated=m.dated,
            )
            for m in distinct
        ),
        preferred=preferred.number.text.rstrip(".") if preferred else "",
        reason=reason,
    )


def _shared_attribute(group: Sequence[Measurement]) -> str:
    shared = frozenset.intersection(*(m.attribute for m in group))
    words = [word.text for word in read(group[0].words).content if word.stem in shared]
    return " ".join(dict.fromkeys(words)) or group[0].number.unit


def _prefer(group: Sequence[Measurement]) -> tuple[Measurement | None, str]:
    """Return the measurement to prefer, or None, and the reason."""
    definition = _definition(group)
    if definition is not None:
        return definition
    structured = [m for m in group if _tier(m) == "structured"]
    if structured and len(structured) < len(group):
        if len(structured) == 1:
            return structured[0], "a structured export outranks a narrative source"
        group = structured
    correcting = [m for m in group if _CORRECTS.search(_nearby(m))]
    if len(correcting) == 1 and not any(other.dated > correcting[0].dated for other in group if correcting[0].dated):
        older = next(m for m in group if m is not correcting[0])
        when = f" of {correcting[0].dated}" if correcting[0].dated else ""
        return correcting[0], f"the statement{when} says it corrects the older figure {older.number.text}".rstrip()
    dated = sorted((m for m in group if m.dated), key=lambda m: m.dated)
    if len(dated) == len(group) and dated[-1].dated > dated[-2].dated:
        return dated[-1], f"stated later ({dated[-1].dated} against {dated[-2].dated}); it does not say why it differs"
    return None, "the sources have equal rank and nothing tells which is right"


def _definition(group: Sequence[Measurement]) -> tuple[Measurement | None, str] | None:
    """Return the verdict where the sources name different definitions of the figure."""
    audited = [m for m in group if _AUDITED.search(m.words)]
    if len(audited) == 1 and len(group) > 1:
        return audited[0], "an audited figure outranks one that is not"
    for line in _DEFINITIONS:
        said = [
            next((word for word in line if regex.search(rf"\b{word}\b", m.words, regex.IGNORECASE)), "") for m in group
        ]
        distinct = {_spelling(word) for word in said if word}
        weak = [word in _WEAK_DEFINITIONS for word in said]
        if any(weak) and not all(weak):
            strong = [m for m, is_weak in zip(group, weak, strict=True) if not is_weak]
            name = next(word for word in said if word in _WEAK_DEFINITIONS)
            if len(strong) == 1:
                return strong[0], f"the other figure is {name}, as its source says"
        if len(distinct) > 1:
            names = " against ".join(dict.fromkeys(word for word in said if word))
            return None, f"the figures are defined differently: {names}"
    return None


def _spelling(word: str) -> str:
    return word.replace("recognized", "recognised")


def _tier(measurement: Measurement) -> str:
    return measurement.passage.source.tier if measurement.passage else "narrative"


def _nearby(measurement: Measurement) -> str:
    """Return the quote with the rest of its paragraph, where a correction is announced."""
    if measurement.passage is None:
        return measurement.words
    text = measurement.passage.chunk.text
    end = text.find("\n\n", measurement.quote.end)
    return text[measurement.quote.start : min(end if end >= 0 else len(text), measurement.quote.end + 200)]


def _date_of(quote: Quote, passage: Passage | None) -> str:
    """Return the date of a statement: one written before it in its passage, else the source's, else of its name."""
    if passage is None:
        return ""
    before = _last_day_before(passage.chunk.text, quote.start)
    if before:
        return before
    inside = [p for p in find_periods(quote.text[:40]) if p.kind == "day" and p.at == 0]
    if inside:
        return inside[0].start.isoformat()
    if passage.source.published_at is not None:
        return passage.source.published_at.date().isoformat()
    name = passage.source.uri.rsplit("/", 1)[-1].replace("_", " ")
    found = find_periods(regex.sub(r"(?<=\d)-(?=\D)|(?<=\D)-(?=\d)", " ", name))
    return found[0].label() if found else ""


_AMENDING = regex.compile(r"\b(?:amendment|addendum|nachtrag|avenant)\b", regex.IGNORECASE)
_HEADING_CHARS = 90


@lru_cache(maxsize=4_096)
def _last_day_before(text: str, at: int) -> str:
    """Return the last day before a character that opens a line or stands in a heading, "" where none does."""
    days = [period for period in find_periods(text[:at]) if period.kind == "day" and _dates_entry(text, period)]
    return days[-1].start.isoformat() if days else ""


def _dates_entry(text: str, day: Period) -> bool:
    """Whether a day opens its line or stands in a heading: a sentence that merely names one dates nothing else."""
    start, end = text.rfind("\n", 0, day.at) + 1, text.find("\n", day.to)
    line = text[start : end if end >= 0 else len(text)].strip()
    if _AMENDING.search(line):
        return False
    opens = not regex.search(r"\p{L}", text[start : day.at].replace("On ", "").replace("Date", ""))
    return opens or line.startswith("#") or (len(line) < _HEADING_CHARS and not line.endswith((".", ";", ",")))
