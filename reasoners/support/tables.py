"""Tie a claim's figures to their own row and column, so that last year's figure does not pass for this year's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

from ...state.records import TableRow
from ...text.numbers import Number, find_numbers
from ...text.periods import Period, find_periods, overlaps
from .exact import Finding, carries, is_label, scales_of
from .reading import Reading, read

_PAIR = regex.compile(r"\s*(?P<header>[^:;|\n]{1,80}):\s+(?P<value>[^;\n]*?)\s*(?:;|$)")
_ROW_LINE = regex.compile(r"^[^\n]*$", regex.MULTILINE)

_CODE = regex.compile(r"\p{Lu}[\p{Lu}\d]*(?:[-/.]\w+)+")
_LAST_WORD = regex.compile(r"(\p{L}+)[\s_-]*$")
_NEXT_WORD = regex.compile(r"[\s_-]*(\p{L}+)")
_COMPARED = regex.compile(r"\b(?:compared|versus|vs|against|from|gegenüber|verglichen|contre)\b", regex.IGNORECASE)


@dataclass(frozen=True)
class Figure:
    """One cell: its header, its words, its place in the passage."""

    header: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Row:
    """One row of a table inside a passage."""

    passage: int
    label: str
    cells: tuple[Figure, ...]
    start: int
    end: int
    caption: str = ""


def rows_of(passage: int, text: str, given: Sequence[TableRow] = ()) -> list[Row]:
    """Return the rows of a passage: those handed in, else the lines that read `Header: value; …` or `| … |`."""
    if given:
        return [
            Row(
                passage,
                row.label,
                tuple(Figure(cell.header, cell.text, cell.start, cell.end) for cell in row.cells),
                row.start,
                row.end,
                row.caption,
            )
            for row in given
        ]
    return [*_written_rows(passage, text), *_piped_rows(passage, text)]


def check_rows(
    claim: Reading, rows: Sequence[Row], narrative: Sequence[Reading], sentences: Sequence[Reading] = ()
) -> tuple[list[Finding], list[Row]]:
    """Check each figure of a claim that stands in a table; return what is wrong and the rows that carry the claim.

    Args:
        narrative: Sentences outside the tables that carry half of the claim.
        sentences: All sentences, for notes such as `(in millions)`.

    A figure that a sentence outside the tables carries together with most of the claim is left to that sentence.
    """
    findings: list[Finding] = []
    used: list[Row] = []
    if not rows:
        return findings, used
    paired = pair_periods(claim)
    scales = scales_of([*sentences, *(read(row.caption) for row in rows if row.caption)])
    for number, period in paired:
        if (
            is_label(number, claim.text)
            or _is_of_header(claim, number, rows)
            or any(carries(other, number, scales) for sentence in narrative for other in sentence.numbers)
        ):
            continue
        places = [
            (row, cell)
            for row in rows
            for cell in row.cells
            if any(carries(other, number, scales) for other in find_numbers(cell.text))
        ]
        if not places or any(_is_code(claim, number, cell) for _, cell in places):
            continue
        wrong = _wrong_row(claim, number, places, rows)
        if wrong is None:
            fitting = _fitting(claim, places)
            wrong = _wrong_column(claim, number, period, fitting)
            used.extend(row for row, _ in fitting)
        if wrong is not None:
            findings.append(wrong)
    return findings, used


def _is_of_header(claim: Reading, number: Number, rows: Sequence[Row]) -> bool:
    """Whether a number with the word beside it names a column, `28 day mean`, and so tells of no cell."""
    before, after = _LAST_WORD.search(claim.text[: number.start]), _NEXT_WORD.match(claim.text[number.end :])
    digits = regex.escape(number.text.strip().split()[0])
    beside = [rf"{digits}[\s_-]*{regex.escape(after[1])}"] if after else []
    beside += [rf"{regex.escape(before[1])}[\s_-]*{digits}"] if before else []
    if len(words := number.text.split()) > 1:
        beside.append(r"[\s_-]*".join(map(regex.escape, words)))
    named = regex.compile(rf"(?<![\d.,\p{{L}}])(?:{'|'.join(beside)})(?![\d\p{{L}}])", regex.IGNORECASE)
    return bool(beside) and any(named.search(header) for header in {cell.header for row in rows for cell in row.cells})


def _is_code(claim: Reading, number: Number, cell: Figure) -> bool:
    """Whether a number is part of a code, `P-25-022`, which the claim says as its cell does: it tells which row."""
    code = cell.text.strip()
    if not _CODE.fullmatch(code):
        return False
    at = claim.text.find(code)
    return 0 <= at <= number.start and number.end <= at + len(code)


def pair_periods(claim: Reading) -> list[tuple[Number, Period | None]]:
    """Return each number of a claim with the period it is said of: in turn, by order, or the nearest one.

    A period behind `compared to` or `against` is not that of a figure before these words.
    """
    numbers, periods = claim.numbers, claim.periods
    if not periods:
        return [(number, None) for number in numbers]
    if len(numbers) == len(periods):
        apart = numbers[-1].end <= periods[0].at or periods[-1].to <= numbers[0].start
        in_turn = all(p.at >= n.end for n, p in zip(numbers, periods, strict=True)) or all(
            p.to <= n.start for n, p in zip(numbers, periods, strict=True)
        )
        if apart or in_turn:
            return list(zip(numbers, periods, strict=True))
    return [(number, _nearest(number, periods, claim.text)) for number in numbers]


def _nearest(number: Number, periods: Sequence[Period], text: str) -> Period | None:
    own = [p for p in periods if p.at < number.end or not _COMPARED.search(text, number.end, p.at)]
    return min(own, key=lambda p: (min(abs(p.at - number.end), abs(number.start - p.to)), p.at), default=None)


def _label_words(row: Row) -> dict[str, float]:
    return {word.stem: word.weight for word in read(row.label).content}


def _label_score(claim: Reading, row: Row) -> float:
    return _share_named(claim, _label_words(row))


def _fitting(claim: Reading, places: Sequence[tuple[Row, Figure]]) -> list[tuple[Row, Figure]]:
    best = max(_label_score(claim, row) for row, _ in places)
    return [(row, cell) for row, cell in places if _label_score(claim, row) >= best - 1e-9]


def _wrong_row(
    claim: Reading, number: Number, places: Sequence[tuple[Row, Figure]], rows: Sequence[Row]
) -> Finding | None:
    """The figure stands in a row that the claim does not name, while another row is named."""
    own = max(_label_score(claim, row) for row, _ in places)
    named = [row for row in rows if row.label and _label_score(claim, row) > own + 0.2]
    if own < 0.75 and named:
        best = max(named, key=lambda row: _label_score(claim, row))
        holder = max((row for row, _ in places), key=lambda row: _label_score(claim, row))
        if set(_label_words(best)) - set(_label_words(holder)):
            return Finding("row", f"{number.text} belongs to {holder.label}, not to {best.label}", True, number.start)
    return None


def _wrong_column(
    claim: Reading, number: Number, period: Period | None, places: Sequence[tuple[Row, Figure]]
) -> Finding | None:
    """The figure stands under another period or another name than the claim gives it."""
    dated = [(cell, find_periods(cell.header)) for _, cell in places]
    told = period is not None and bool(dated) and all(periods for _, periods in dated)
    if told and period and not any(overlaps(period, other) for _, periods in dated for other in periods):
        detail = f"{number.text} is the figure of {dated[0][1][0].text}, not of {period.text}"
        return Finding("column", detail, True, number.start)
    for row, cell in places:
        if _header_score(claim, cell) > 0 or not _header_words(cell):
            return None
        rivals = [other for other in row.cells if other is not cell and _header_score(claim, other) == 1.0]
        if not rivals:
            return None
    if places:
        row, cell = places[0]
        rival = next(other for other in row.cells if other is not cell and _header_score(claim, other) == 1.0)
        return Finding("column", f"{number.text} is {cell.header}, not {rival.header}", True, number.start)
    return None


def _header_words(cell: Figure) -> dict[str, float]:
    return {word.stem: word.weight for word in read(cell.header).content if not word.text[0].isdigit()}


def _header_score(claim: Reading, cell: Figure) -> float:
    return _share_named(claim, _header_words(cell))


def _share_named(claim: Reading, words: Mapping[str, float]) -> float:
    """Return the weighted share of some words that a claim has; 0 where there are none."""
    total = sum(words.values())
    return sum(weight for stem, weight in words.items() if stem in claim.stems) / total if total else 0.0


def _written_rows(passage: int, text: str) -> Iterator[Row]:
    for line in _ROW_LINE.finditer(text):
        if line.group().count(": ") < 2 or ";" not in line.group():
            continue
        cells = [
            Figure(m.group("header").strip(), m.group("value"), m.start("value"), m.end("value"))
            for m in _PAIR.finditer(text, line.start(), line.end())
            if m.group("value")
        ]
        if len(cells) < 2:
            continue
        label = " ".join(cell.text for cell in cells if not find_numbers(cell.text))
        figures = tuple(cell for cell in cells if find_numbers(cell.text))
        if figures:
            yield Row(passage, label or cells[0].text, figures, line.start(), line.end())


def _piped_rows(passage: int, text: str) -> Iterator[Row]:
    headers: list[str] = []
    for line in _ROW_LINE.finditer(text):
        if line.group().count("|") < 2:
            headers = []
            continue
        cells: list[Figure] = []
        for match in regex.finditer(r"[^|\n]+", text[line.start() : line.end()]):
            value = match.group()
            if value.strip() or cells:
                first = line.start() + match.start() + len(value) - len(value.lstrip())
                cells.append(Figure("", value.strip(), first, first + len(value.strip())))
        if all(set(cell.text) <= set("-: ") for cell in cells):
            continue
        if not headers:
            headers = [cell.text for cell in cells]
            continue
        named = [
            Figure(headers[index] if index < len(headers) else "", cell.text, cell.start, cell.end)
            for index, cell in enumerate(cells)
        ]
        figures = tuple(cell for cell in named[1:] if find_numbers(cell.text))
        if figures and named:
            yield Row(passage, named[0].text, figures, line.start(), line.end())
