"""Answers computed over statements: measures by name and changes between periods, with the formula of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

from ...text.numerals import grouped
from ...text.words import analyse
from .figure_ask import DOWN, UP, FigureAsk, qualifiers
from .inference import Inference, cell_text, concluded, difference, short_label, signed, verb_of_move
from .lines import Figure, Line, Statements
from .measure_values import averaged, fell_or_rose, moved, named_with_inputs, result_of, shown_value, values_of
from .measures import Item, Measure
from .periods import Target, header_rest

_CLOSING = re.compile(r"\b(?:end|closing|ending)\b", re.IGNORECASE)
_SIGNED = re.compile(r"\b(positive|negative)\b", re.IGNORECASE)
_COUNTS = re.compile(r"\b(?:stores?|employees|number of|locations|per (?:common )?share|eps)\b", re.IGNORECASE)
_TOTAL = re.compile(r"\btotal\b", re.IGNORECASE)


def compute_figures(ask: FigureAsk, statements: Statements) -> list[Inference]:
    """Return what the statements answer, the measure asked for first; nothing where an input is missing."""
    found: list[Inference] = []
    for uri in sources_for(ask.targets, statements):
        inside = Statements(tuple(line for line in statements.lines if line.row.uri == uri))
        meant = replace(ask, targets=inside.lines[0].calendar.meant(ask.targets))
        found += [told for item in ask.part_of_year if (told := _part_of_year(meant, item, inside))]
        found += [told for measure in ask.measures if (told := _measure_told(meant, measure, inside))]
        in_full = [told for line in _named_in_full(ask, inside) if (told := line_told(meant, line))]
        found += in_full[:1] or [told for item in ask.items if (told := _item_told(meant, item, inside))]
        if not found and ask.phrase:
            found += phrase_told(meant, inside)
        if found:
            break
    return found


def phrase_told(ask: FigureAsk, statements: Statements) -> list[Inference]:
    """Tell how something moved that no definition names: rows, or columns of one kind, that hold all its words.

    Of several rows that hold them in their columns' headers (`Total stores at end of year`) the total is told.  Where
    no movement and no statement is asked for, a row must be called so and its columns name nothing but periods.
    """
    exactly = not (ask.change or ask.statements)
    found: list[tuple[tuple[int, ...], Line]] = []
    for line in statements.lines:
        label = frozenset(analyse(line.label))
        named = ask.phrase == label and bool(ask.targets) if exactly else ask.phrase <= label
        kinds = dict.fromkeys(header_rest(cell.header) for cell in line.row.cells)
        if exactly and (line.is_part or not named):
            continue
        for kind in [each for each in kinds if not each] if exactly else kinds:
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
    for values in values_of(ask, measure, targets, statements):
        if len(values) == 2 and not ask.average:
            text = fell_or_rose(measure, values[0], values[1])
        else:
            text = f"{named_with_inputs(measure, values)}: " + "; ".join(
                shown_value(measure, value) for value in reversed(values)
            )
        if ask.average and len(values) > 1 and not moves:
            text += f"; {averaged(measure, values)}"
        elif len(values) > 1:
            first = values[-2] if ask.steady is not None else values[0]
            text += f"; {moved(measure, first, values[-1])}"
        verdict = _verdict(ask, [result_of(measure, value) for value in values], percent=measure.unit == "%")
        quotes = [figure.line.quote for value in reversed(values) for figure in value.figures]
        scale = values[-1].figures[0].line.scale if not measure.unit else ""
        return Inference(concluded(verdict, text, scale), tuple(dict.fromkeys(quotes)), measure.name)
    return None


def _item_told(ask: FigureAsk, item: Item, statements: Statements) -> Inference | None:
    """Tell an item's value, or its change where the question asks for one."""
    qualified = qualifiers(ask.question, item, ask.names)
    lines = (line for line in statements.find(item) if qualified <= line.words | line.caption_words)
    return next((told for line in lines if (told := line_told(ask, line))), None)


def _part_of_year(ask: FigureAsk, item: Item, statements: Statements) -> Inference | None:
    """Tell what share of a year's amount came in one of its quarters, from one row with a column for each."""
    quarter = next(target for target in ask.targets if target.quarter)
    for line in statements.find(item):
        part, whole = line.at(quarter), line.at(replace(quarter, quarter=0))
        if part is None or whole is None or not 0 < part.value <= whole.value or part.place == whole.place:
            continue
        share = (part.value / whole.value * 100).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        label = short_label(line.label)
        text = (
            f"Inference: {label}, {cell_text(part)} ({part.period}) as a share of {cell_text(whole)} ({whole.period}): "
            f"{part.shown} / {whole.shown} = {share}%."
        )
        return Inference(text, (line.quote,), label)
    return None


def _named_in_full(ask: FigureAsk, statements: Statements) -> list[Line]:
    """Return the lines that a question names word for word and whose names hold several of its items, best first.

    `Total revenues net of interest expense` asks for neither revenue nor interest.
    """
    asked = " ".join(ask.question.casefold().split())
    found = [
        line
        for line in statements.lines
        if sum(bool(item.asked.search(line.folded)) for item in ask.items) > 1
        and re.search(rf"(?<!\w){re.escape(line.folded)}(?!\w)", asked)
    ]
    return sorted(found, key=lambda line: (line.is_part, -len(line.folded), line.row.page or 0))


def line_told(ask: FigureAsk, line: Line) -> Inference | None:
    """Tell what a question asks of one line: its figure, or how it moved between two periods."""
    figures = [line.at(target) for target in ask.targets] if ask.targets else [line.latest()]
    if not all(figures):
        return None
    known = [figure for figure in figures if figure]
    if ask.change and len(known) == 1:
        before = line.earlier(known[0])
        known = [before, known[0]] if before else known
    label = short_label(line.label)
    if len({figure.place for figure in known}) < len(known):
        return None  # two periods that the columns do not tell apart
    if len(known) < 2 or not ask.change:
        told = ", ".join(f"{cell_text(figure)} ({figure.period})" for figure in reversed(known))
        return Inference(f"{label}: {told}{_scaled(line, known[-1])}.", (line.quote,), label)
    first, last = known[0], known[-1]
    text = f"{label} {verb_of_move(first.value, last.value)} from {cell_text(first)} ({first.period})"
    text += f" to {cell_text(last)} ({last.period})"
    text += f": {difference(last.value, first.value)}"
    if last.is_percent:
        text += " percentage points"
    elif first.value > 0:
        text += f"; {_rate(first.value, last.value)}"
    verdict = _verdict(ask, [figure.value for figure in known], percent=last.is_percent)
    scale = "" if last.is_percent or _COUNTS.search(f"{line.label} {last.cell.header}") else line.scale
    return Inference(concluded(verdict, text, scale), (line.quote,), label)


def _rate(before: Decimal, after: Decimal) -> str:
    rate = (after - before) / before * 100
    rate = rate.quantize(Decimal("0.1") if abs(rate) >= 10 else Decimal("0.01"), ROUND_HALF_EVEN)
    return f"({signed(after)} - {grouped(before)}) / {grouped(before)} = {rate}%"


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
        both = UP.search(ask.question) and DOWN.search(ask.question)
        return "" if both else "Yes" if values[-1] != values[0] else "No"
    return "Yes" if values[-1] != values[0] and up == (ask.direction == "up") else "No"


def _step(before: Decimal, after: Decimal, percent: bool) -> Decimal:
    """Return how far a value moved: in points where it is a rate, else in percent."""
    if percent:
        return abs(after - before)
    return abs((after - before) / before * 100) if before else Decimal(100)


def _scaled(line: Line, figure: Figure) -> str:
    plain_count = figure.is_percent or _COUNTS.search(f"{line.label} {figure.cell.header}")
    return f", in {line.scale}" if line.scale and not plain_count else ""
