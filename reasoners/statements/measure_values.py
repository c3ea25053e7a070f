"""The values of a measure in the periods asked for, each with its formula filled in from rows, and their wording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from ...text.numerals import grouped
from ..support.formulas import evaluate
from .figure_ask import AVERAGE, FigureAsk
from .inference import difference, short_label, signed, verb_of_move
from .lines import Figure, Statements
from .measures import Measure, definitions
from .periods import Target

_MOST_YEARS = 5
_WRITTEN_UNITS = {"%": "%", "days": " days", "x": "", "": ""}


@dataclass(frozen=True)
class Value:
    """A measure in one period, with the figures that its formula was filled in with; without one it was stated."""

    formula: str
    value: Decimal
    figures: tuple[Figure, ...]

    @property
    def period(self) -> str:
        """The period as the header of the first figure writes it."""
        return self.figures[0].period


def values_of(
    ask: FigureAsk, measure: Measure, targets: Sequence[Target], statements: Statements
) -> Iterator[list[Value]]:
    """Yield the values of a measure by each form that can be filled in for all periods, or by a row that states it."""
    stated = _stated(measure, targets, statements)
    if stated and measure.stated and measure.unit == "%" and not _is_formula_first(measure):
        yield stated
    averages = measure.average if AVERAGE.search(ask.question) else ()
    for form in (*averages, *measure.forms):
        periods: Sequence[Target | None] = targets or _all_years(ask, form, statements)
        values = [_value_at(form, target, statements) for target in periods]
        if values and all(values):
            yield [value for value in values if value]
    if stated:
        yield stated


def _is_formula_first(measure: Measure) -> bool:
    """Whether inputs are stated more surely than the rate itself; a tax rate is stated by the statement's notes."""
    return measure.name != "effective tax rate"


def _stated(measure: Measure, targets: Sequence[Target], statements: Statements) -> list[Value]:
    for line in statements.lines:
        if line.is_part or not any(pattern.fullmatch(line.folded) for pattern in measure.stated):
            continue
        figures = [line.at(target) for target in targets] if targets else [line.latest()]
        if all(figure and figure.is_percent for figure in figures):
            return [Value("", figure.value, (figure,)) for figure in figures if figure]
    return []


def _all_years(ask: FigureAsk, form: str, statements: Statements) -> list[Target | None]:
    """Return the years of the first item's line: all of them where steadiness is asked, two for a change, else one."""
    first = next(iter(re.findall(r"[a-z_]{3,}", re.sub(r"\b(?:avg|delta)\b", "", form))), "")
    lines = statements.find(definitions().items[first]) if first else []
    if not lines:
        return []
    years = sorted({when.year for when in lines[0].whens if when and when.months in (0, 12)})
    keep = _MOST_YEARS if ask.steady is not None else 2 if ask.change else 1
    return [Target(year) for year in years[-keep:]]


def _value_at(form: str, target: Target | None, statements: Statements) -> Value | None:
    """Fill in a form for one period; None where an input is missing."""
    if target is None:
        return None
    used: list[Figure] = []

    def figure(key: str, back: bool) -> Figure | None:
        item = definitions().items[key]
        when = target.before() if back else target
        for line in statements.find(item):
            found = line.at(when)
            if found is None and back and not target.quarter:
                now = line.at(target)
                found = line.earlier(now) if now else None
            if found is not None:
                used.append(found)
                return found
        return None

    def number(key: str, back: bool = False) -> str:
        found = figure(key, back)
        if found is None:
            raise LookupError(key)
        if found.value < 0 and not definitions().items[key].outflow:
            return f"(0 - {found.shown})"
        return found.shown

    try:
        text = re.sub(r"avg\((\w+)\)", lambda m: f"(({number(m[1])} + {number(m[1], True)}) / 2)", form)
        text = re.sub(r"delta\((\w+)\)", lambda m: f"({number(m[1])} - {number(m[1], True)})", text)
        text = re.sub(r"(?<![\w.,])[a-z_]{3,}(?!\w)", lambda m: number(m[0]), text)
    except LookupError:
        return None
    value = evaluate(text)
    return None if value is None else Value(text, value, tuple(used))


def result_of(measure: Measure, value: Value) -> Decimal:
    """Return a value as it is told: a rate in percent to one place, days and ratios to two, an amount as it is."""
    if not value.formula:
        return value.value
    if measure.unit == "%":
        return (value.value * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
    if measure.unit:
        return value.value.quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    return value.value


def shown_value(measure: Measure, value: Value) -> str:
    """Return `formula = result (period)`."""
    result = result_of(measure, value)
    if not value.formula:
        return f"{grouped(result)}% ({value.period})"
    simple = re.fullmatch(r"[\d.,]+", value.formula)
    return f"{'' if simple else value.formula + ' = '}{grouped(result)}{_WRITTEN_UNITS[measure.unit]} ({value.period})"


def named_with_inputs(measure: Measure, values: Sequence[Value]) -> str:
    """Return `Gross margin (of Gross profit; Revenue)`, the inputs by their rows' own labels."""
    labels = dict.fromkeys(short_label(figure.line.label) for figure in values[-1].figures)
    name = measure.name[:1].upper() + measure.name[1:]
    if not values[-1].formula:
        return name
    return f"{name} (of {'; '.join(labels)})"


def fell_or_rose(measure: Measure, first: Value, last: Value) -> str:
    """Say how a measure moved between two periods, with the formulas of both values."""
    before, after, unit = result_of(measure, first), result_of(measure, last), _WRITTEN_UNITS[measure.unit]
    verb = verb_of_move(before, after)
    text = f"{named_with_inputs(measure, (first, last))} {verb} from {grouped(before)}{unit} ({first.period})"
    text += f" to {grouped(after)}{unit} ({last.period})"
    ends = ((first, before), (last, after))
    formulas = [f"{value.formula} = {grouped(result)}{unit}" for value, result in ends if value.formula]
    return f"{text}: {'; '.join(formulas)}" if formulas else text


def moved(measure: Measure, first: Value, last: Value) -> str:
    """Return the change between two periods with its formula, in percentage points where the measure is a rate."""
    points = " percentage points" if measure.unit == "%" else ""
    return f"change {difference(result_of(measure, last), result_of(measure, first))}{points}"


def averaged(measure: Measure, values: Sequence[Value]) -> str:
    """Return the mean of the values with its formula."""
    results = [result_of(measure, value) for value in values]
    is_rate = measure.unit == "%"
    mean = (sum(results, Decimal(0)) / len(results)).quantize(Decimal("0.1" if is_rate else "0.01"), ROUND_HALF_EVEN)
    terms = " + ".join(map(signed, results))
    return f"average ({terms}) / {len(results)} = {grouped(mean)}{' percent' if is_rate else ''}"
