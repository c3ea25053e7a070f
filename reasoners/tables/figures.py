"""Answers computed over statements: measures by name and changes between periods, with the formula of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

from ...state.records import Quote
from ...text.numerals import grouped
from ...text.periods import find_periods
from ...text.words import analyse, content_words
from ..support.formulas import evaluate
from .measures import Item, Measure, Statement, definitions
from .periods import Target, header_rest, targets_of
from .statements import Figure, Line, Statements

_CHANGE = re.compile(
    r"\b(?:chang\w*|gr[oe]w\w*|growth|increas\w*|decreas\w*|declin\w*|drop\w*|ris(?:e|en|ing)|rose|fall\w*|fell|improv\w*|"
    r"deteriorat\w*|worsen\w*|fluctuat\w*|consisten\w*|stable|steady|expand\w*|contract(?:ed|ing)|shr[aiu]nk|reduc\w*|"
    r"year[- ]over[- ]year|yoy|differ\w*)\b",
    re.IGNORECASE,
)
_UP = re.compile(r"\b(?:gr[oe]w\w*|growth|increas\w*|ris(?:e|en|ing)|rose|improv\w*|expand\w*)\b", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:decreas\w*|declin\w*|drop\w*|fall\w*|fell|deteriorat\w*|worsen\w*|shr[aiu]nk|reduc\w*)\b", re.IGNORECASE
)
_STEADY = re.compile(r"\b(?:consisten\w*|stable|steady|fluctuat\w*|constant)\b", re.IGNORECASE)
_TOLERANCE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent|pp)", re.IGNORECASE)
_AVERAGE = re.compile(r"\baverage\b", re.IGNORECASE)
_YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\bis defined as\b|\bif .+? (?:is|are) not a (?:useful|relevant|meaningful)\b", re.IGNORECASE)
_SHARE_OF = re.compile(r"\bas (?:a )?(?:%|percent(?:age)?|share|proportion) of\b", re.IGNORECASE)
_FRAME_WORDS = """
    what which how much many give tell state answer question respond response relying rely details detail shown show
    information primarily using use statement statements balance sheet cash flow income financial amount total value
    year end fiscal company's company assume public equities analyst round places decimal usd million millions billion
    billions thousand dollars based data net drove driven cause caused cost costs there any between date rate report
    reported calculate compute number many unit units percents percent percentage one two three place nearest drawing
    conclusions stated only solely position quantity directly outlined period provide positive negative unadjusted"""
_FRAME = frozenset(analyse(_FRAME_WORDS))
_OTHER_WORDS = 2
_PHRASE_WORDS = 3
_CLOSING = re.compile(r"\b(?:end|closing|ending)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")
_SIGNED = re.compile(r"\b(positive|negative)\b", re.IGNORECASE)
_COUNTS = re.compile(r"\b(?:stores?|employees|number of|locations|per (?:common )?share|eps)\b", re.IGNORECASE)
_TOTAL = re.compile(r"\btotal\b", re.IGNORECASE)
_MOST_YEARS = 5
_LABEL_CHARS = 70


@dataclass(frozen=True)
class Inference:
    """A statement that shows its formulas, or one figure told from its row, with what it rests on.

    Attributes:
        subject: What it is about: the name of the measure or the label of the row.
        is_computed: Whether it holds a formula.
    """

    text: str
    quotes: tuple[Quote, ...]
    subject: str = ""
    is_computed: bool = True


@dataclass(frozen=True)
class FigureAsk:
    """A question as statements can answer it.

    Attributes:
        measures, items: That it names.
        targets: Periods that it names, the earliest first.
        change: Whether it asks how something moved; direction: `up` or `down` where it asks whether it moved so.
        steady: How far a value may move and still count as unchanged, where it asks whether it did; None elsewhere.
        average: Whether it asks for an average over its periods.
        yes_no: Whether it wants a yes or no.
        phrase: Index terms of what moved, where no definition names it and they are few.
    """

    question: str
    measures: tuple[Measure, ...] = ()
    items: tuple[Item, ...] = ()
    statements: tuple[Statement, ...] = ()
    targets: tuple[Target, ...] = ()
    change: bool = False
    direction: str = ""
    steady: Decimal | None = None
    average: bool = False
    yes_no: bool = False
    phrase: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing that a statement could tell."""
        return not (self.measures or self.items or ((self.change or self.statements) and self.phrase))

    @property
    def needed(self) -> tuple[Item, ...]:
        """The items that an answer is computed from."""
        known = definitions().items
        keys = [key for measure in self.measures for key in measure.items]
        return tuple({item.key: item for item in (*(known[key] for key in keys if key in known), *self.items)}.values())


def read_figure_ask(question: str, names: Sequence[str] = ()) -> FigureAsk:
    """Read a question; the part that defines a measure (`DPO is defined as: …`) names no further ones.

    Args:
        names: Whom it is about.
    """
    asked = re.split(
        r"\bis defined as\b|\bif .+? (?:is|are) not a (?:useful|relevant|meaningful)\b", question, flags=re.I
    )[0]
    known = definitions()
    measures = known.measures_in(asked)
    rest = asked
    for measure in measures:
        rest = measure.asked.sub(" ", rest)
    up, down = bool(_UP.search(asked)), bool(_DOWN.search(asked))
    tolerance = _TOLERANCE.search(asked)
    steady = Decimal(tolerance.group(1)) if tolerance else Decimal(2)
    items = known.items_in(rest)
    others = _other_words(rest, (), names)
    if measures or _SHARE_OF.search(rest) or not _is_about(rest, items, names):
        # `X as a percent of net sales` is about X, which then has no definition here.
        items = ()
    return FigureAsk(
        question=question,
        measures=measures,
        items=items,
        statements=known.statements_in(question),
        targets=tuple(targets_of(asked)),
        change=bool(_CHANGE.search(asked)),
        direction="" if up == down else "up" if up else "down",
        steady=steady if _STEADY.search(asked) else None,
        average=bool(_AVERAGE.search(question)),
        yes_no=bool(_YES_NO.match(question.strip())),
        phrase=others if not measures and not items and 0 < len(others) <= _PHRASE_WORDS else frozenset(),
    )


def _is_about(asked: str, items: Sequence[Item], names: Sequence[str]) -> bool:
    """Whether items are what a question asks for, rather than named beside something else."""
    return bool(items) and len(_other_words(asked, items, names)) <= _OTHER_WORDS


def _other_words(asked: str, items: Sequence[Item], names: Sequence[str]) -> frozenset[str]:
    """Return the index terms of a question beside items, names, periods and words that only frame it."""
    rest = asked
    for period in reversed(find_periods(asked)):
        rest = f"{rest[: period.at]} {rest[period.to :]}"
    for item in items:
        rest = item.asked.sub(" ", rest)
    for name in names:
        rest = rest.replace(name, " ")
    rest = _POSSESSIVE.sub(" ", rest)
    rest = _CHANGE.sub(" ", rest)
    return frozenset(analyse(" ".join(content_words(rest)))) - _FRAME


def compute_figures(ask: FigureAsk, statements: Statements) -> list[Inference]:
    """Return what the statements answer, the measure asked for first; nothing where an input is missing."""
    found: list[Inference] = []
    for uri in sources_for(ask.targets, statements):
        inside = Statements(tuple(line for line in statements.lines if line.row.uri == uri))
        found += [told for measure in ask.measures if (told := _measure_told(ask, measure, inside))]
        found += [told for item in ask.items if (told := _item_told(ask, item, inside))]
        if not found and ask.phrase and (ask.change or ask.statements):
            found += phrase_told(ask, inside)
        if found:
            break
    return found


def phrase_told(ask: FigureAsk, statements: Statements) -> list[Inference]:
    """Tell how something moved that no definition names: rows, or columns of one kind, that hold all its words.

    Of several rows that hold them in their columns' headers (`Total stores at end of year`) the total is told.
    """
    found: list[tuple[tuple[int, ...], Line]] = []
    for line in statements.lines:
        named = ask.phrase <= frozenset(analyse(line.label))
        kinds = dict.fromkeys(header_rest(cell.header) for cell in line.row.cells)
        for kind in kinds:
            if named or (ask.phrase <= frozenset(analyse(kind)) and _TOTAL.search(line.label)):
                ends = len(kinds) == 1 or bool(_CLOSING.search(kind))
                extra = len(line.words - ask.phrase) if named else 0
                key = (int(line.is_part), int(not named), int(not ends), extra, line.row.page or 0)
                found.append((key, line.of_kind(kind) if len(kinds) > 1 else line))
    for _, line in sorted(found, key=lambda pair: pair[0]):
        if told := line_told(ask, line):
            return [told]
    return []


def missing_items(ask: FigureAsk, statements: Statements) -> list[Item]:
    """Return the items of the question that no line was found for."""
    return [item for item in ask.needed if not statements.find(item)]


@dataclass
class _Value:
    """A measure in one period."""

    formula: str
    value: Decimal
    figures: list[Figure] = field(default_factory=list)

    @property
    def period(self) -> str:
        return self.figures[0].period


def sources_for(targets: Sequence[Target], statements: Statements) -> list[str]:
    """Return the sources to compute from, the one whose columns fit the periods asked for first."""
    uris = list(dict.fromkeys(line.row.uri for line in statements.lines))
    wanted = targets[-1] if targets else None

    def fit(uri: str) -> tuple[int, ...]:
        calendar = next(line.calendar for line in statements.lines if line.row.uri == uri)
        interim = bool(wanted and wanted.quarter)
        other_kind = calendar.interim != interim
        away = abs(calendar.year - wanted.year) if wanted and calendar.year else 9
        return (int(other_kind), away)

    return sorted(uris, key=lambda uri: (fit(uri), uri))


def _measure_told(ask: FigureAsk, measure: Measure, statements: Statements) -> Inference | None:
    targets = list(ask.targets)
    moves = ask.change or ask.steady is not None
    if len(targets) == 1 and moves:
        targets = [targets[0].before(), targets[0]]
    for values in _filled(ask, measure, targets, statements):
        if len(values) == 2 and not ask.average:
            text = _fell_or_rose(measure, values[0], values[1])
        else:
            text = f"{_words(measure, values)}: " + "; ".join(_shown(measure, value) for value in reversed(values))
        if ask.average and len(values) > 1 and not moves:
            text += f"; {_averaged(measure, values)}"
        elif len(values) > 1:
            first = values[-2] if ask.steady is not None else values[0]
            text += f"; {_moved(measure, first, values[-1])}"
        verdict = _verdict(ask, [_result(measure, value) for value in values], percent=measure.unit == "%")
        quotes = [figure.line.quote for value in reversed(values) for figure in value.figures]
        scale = values[-1].figures[0].line.scale if not measure.unit else ""
        return Inference(_led(verdict, text, scale), tuple(dict.fromkeys(quotes)), measure.name)
    return None


def _filled(
    ask: FigureAsk, measure: Measure, targets: Sequence[Target], statements: Statements
) -> Iterator[list[_Value]]:
    """Yield the values of a measure by each form that can be filled in for all periods, or by a row that states it."""
    stated = _stated(measure, targets, statements, ask)
    if stated and measure.stated and measure.unit == "%" and not _is_formula_first(measure):
        yield stated
    averages = measure.average if _AVERAGE.search(ask.question) else ()
    for form in (*averages, *measure.forms):
        periods: Sequence[Target | None] = targets or _all_years(ask, form, statements)
        values = [_value(form, target, statements) for target in periods]
        if values and all(values):
            yield [value for value in values if value]
    if stated:
        yield stated


def _is_formula_first(measure: Measure) -> bool:
    """Whether inputs are stated more surely than the rate itself; a tax rate is stated by the statement's notes."""
    return measure.name != "effective tax rate"


def _stated(measure: Measure, targets: Sequence[Target], statements: Statements, ask: FigureAsk) -> list[_Value]:
    for line in statements.lines:
        if line.is_part or not any(pattern.fullmatch(line.folded) for pattern in measure.stated):
            continue
        figures = [line.at(target) for target in targets] if targets else [line.latest()]
        if all(figure and figure.is_percent for figure in figures):
            return [_Value("", figure.value, [figure]) for figure in figures if figure]
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


def _value(form: str, target: Target | None, statements: Statements) -> _Value | None:
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
    return None if value is None else _Value(text, value, used)


def _result(measure: Measure, value: _Value) -> Decimal:
    if not value.formula:
        return value.value
    if measure.unit == "%":
        return (value.value * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
    if measure.unit:
        return value.value.quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    return value.value


def _shown(measure: Measure, value: _Value) -> str:
    result = _result(measure, value)
    unit = {"%": "%", "days": " days", "x": "", "": ""}[measure.unit]
    if not value.formula:
        return f"{grouped(result)}% ({value.period})"
    simple = re.fullmatch(r"[\d.,]+", value.formula)
    return f"{'' if simple else value.formula + ' = '}{grouped(result)}{unit} ({value.period})"


def _words(measure: Measure, values: Sequence[_Value]) -> str:
    """Return `Gross margin (Gross profit, Revenue): `, the inputs by their rows' own labels."""
    labels = dict.fromkeys(_short(figure.line.label) for figure in values[-1].figures)
    name = measure.name[:1].upper() + measure.name[1:]
    if not values[-1].formula:
        return name
    return f"{name} (of {'; '.join(labels)})"


def _fell_or_rose(measure: Measure, first: _Value, last: _Value) -> str:
    before, after = _result(measure, first), _result(measure, last)
    unit = {"%": "%", "days": " days", "x": "", "": ""}[measure.unit]
    verb = _verb(before, after)
    text = f"{_words(measure, (first, last))} {verb} from {grouped(before)}{unit} ({first.period})"
    text += f" to {grouped(after)}{unit} ({last.period})"
    formulas = [
        f"{value.formula} = {grouped(_result(measure, value))}{unit}" for value in (first, last) if value.formula
    ]
    return f"{text}: {'; '.join(formulas)}" if formulas else text


def _verb(before: Decimal, after: Decimal) -> str:
    return "rose" if after > before else "fell" if after < before else "stayed the same,"


def _moved(measure: Measure, first: _Value, last: _Value) -> str:
    before, after = _result(measure, first), _result(measure, last)
    unit = " percentage points" if measure.unit == "%" else ""
    return f"change {_difference(after, before)}{unit}"


def _difference(after: Decimal, before: Decimal) -> str:
    """Return `a - b = c`, a negative number written as taken from nothing."""
    left = grouped(after) if after >= 0 else f"(0 - {grouped(-after)})"
    right = grouped(before) if before >= 0 else f"(0 - {grouped(-before)})"
    return f"{left} - {right} = {grouped(after - before)}"


def _averaged(measure: Measure, values: Sequence[_Value]) -> str:
    results = [_result(measure, value) for value in values]
    shown = " + ".join(grouped(each) if each >= 0 else f"(0 - {grouped(-each)})" for each in results)
    unit = "%" if measure.unit == "%" else ""
    mean = (sum(results, Decimal(0)) / len(results)).quantize(
        Decimal("0.1") if unit else Decimal("0.01"), ROUND_HALF_EVEN
    )
    return f"average ({shown}) / {len(results)} = {grouped(mean)}{' percent' if unit else ''}"


def _item_told(ask: FigureAsk, item: Item, statements: Statements) -> Inference | None:
    """Tell an item's value, or its change where the question asks for one."""
    for line in statements.find(item):
        if (told := line_told(ask, line)) is not None:
            return told
    return None


def line_told(ask: FigureAsk, line: Line) -> Inference | None:
    """Tell what a question asks of one line: its figure, or how it moved between two periods."""
    figures = [line.at(target) for target in ask.targets] if ask.targets else [line.latest()]
    if not all(figures):
        return None
    known = [figure for figure in figures if figure]
    if ask.change and len(known) == 1:
        before = line.earlier(known[0])
        known = [before, known[0]] if before else known
    label = _short(line.label)
    if len({figure.place for figure in known}) < len(known):
        return None  # two periods that the columns do not tell apart
    if len(known) < 2 or not ask.change:
        told = ", ".join(f"{_cell(figure)} ({figure.period})" for figure in reversed(known))
        return Inference(f"{label}: {told}{_scaled(line, known[-1])}.", (line.quote,), label, is_computed=False)
    first, last = known[0], known[-1]
    text = f"{label} {_verb(first.value, last.value)} from {_cell(first)} ({first.period})"
    text += f" to {_cell(last)} ({last.period})"
    text += f": {_difference(last.value, first.value)}"
    if last.is_percent:
        text += " percentage points"
    elif first.value > 0:
        text += f"; {_rate(first.value, last.value)}"
    verdict = _verdict(ask, [figure.value for figure in known], percent=last.is_percent)
    scale = "" if last.is_percent or _COUNTS.search(f"{line.label} {last.cell.header}") else line.scale
    return Inference(_led(verdict, text, scale), (line.quote,), label)


def _rate(before: Decimal, after: Decimal) -> str:
    rate = (after - before) / before * 100
    rate = rate.quantize(Decimal("0.1") if abs(rate) >= 10 else Decimal("0.01"), ROUND_HALF_EVEN)
    left = grouped(after) if after >= 0 else f"(0 - {grouped(-after)})"
    return f"({left} - {grouped(before)}) / {grouped(before)} = {rate}%"


def _verdict(ask: FigureAsk, values: Sequence[Decimal], *, percent: bool) -> str:
    """Return `Yes` or `No` where the question asks whether something moved, and which way."""
    if ask.yes_no and values and not ask.change and (sign := _SIGNED.search(ask.question)):
        return "Yes" if (values[-1] > 0) == (sign[1].casefold() == "positive") else "No"
    if not ask.yes_no or len(values) < 2:
        return ""
    if ask.steady is not None:
        moves = [_step(a, b, percent) for a, b in pairwise(values)]
        return "Yes" if all(move <= ask.steady for move in moves) else "No"
    if not ask.change:
        return ""
    up = values[-1] > values[0]
    if not ask.direction:
        # `Did it increase or decrease?` is no question of yes and no.
        both = _UP.search(ask.question) and _DOWN.search(ask.question)
        return "" if both else "Yes" if values[-1] != values[0] else "No"
    return "Yes" if values[-1] != values[0] and up == (ask.direction == "up") else "No"


def _step(before: Decimal, after: Decimal, percent: bool) -> Decimal:
    """Return how far a value moved: in points where it is a rate, else in percent."""
    if percent:
        return abs(after - before)
    return abs((after - before) / before * 100) if before else Decimal(100)


def _led(verdict: str, text: str, scale: str) -> str:
    unit = f", in {scale}" if scale else ""
    return f"{verdict + '. ' if verdict else ''}Inference: {text}{unit}."


def _cell(figure: Figure) -> str:
    text = figure.cell.text
    return re.sub(r"(?<=\d)\s+%", "%", re.sub(r"([$€£])\s+", r"\1", " ".join(text.split())))


def _scaled(line: Line, figure: Figure) -> str:
    plain_count = figure.is_percent or _COUNTS.search(f"{line.label} {figure.cell.header}")
    return f", in {line.scale}" if line.scale and not plain_count else ""


def _short(label: str) -> str:
    """Return a label without what it includes or leaves out, at a length that reads."""
    cut = re.split(r",? (?:less|including|includes|net of)\b|\s\(includes\b", label)[0]
    return cut if len(cut) <= _LABEL_CHARS else f"{cut[:_LABEL_CHARS].rsplit(' ', 1)[0]}"
