"""A price that a later row of its list replaces: rows alike but for one figure and the day from which it holds."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import Cell
from ....text.numbers import find_numbers
from ....text.periods import find_periods
from ...tables.catalog import date_of, header_words
from ..asked.question import Question
from ..found.findings import Finding
from ..found.rows import row_statement
from ..found.weights import holds

# The day from which, not the day of, which would make a row one of a series.
_FROM_DAY = regex.compile(
    r"\b(?:valid|effective|in force|starting|applies|applicable) ?(?:from|since|as of|date|on)?\b|\bsince\b|"
    r"\bgültig ab\b|\bab\b|\bvalable (?:dès|depuis|à partir)\b|\bvigente desde\b|\bvalido da\b",
    regex.IGNORECASE,
)


def same_but_later(question: Question, findings: Sequence[Finding]) -> list[tuple[Finding, Cell]]:
    """Return the rows of one thing by the day from which they hold, the latest first, each with the figure asked for.

    Nothing where there are not two, where they differ in more than that day and figures, or where they agree.
    """
    dated: dict[tuple[str, ...], list[tuple[str, Finding, Cell]]] = {}
    for finding in findings:
        row = finding.candidate.row
        if row is None:
            continue
        days = [cell for cell in row.cells if _FROM_DAY.search(header_words(cell.header)) and _day(cell.text)]
        figures = [cell for cell in row_statement(question, row)[1] if cell not in days and find_numbers(cell.text)]
        if len(days) != 1 or len(figures) != 1:
            continue
        rest = (
            cell.text.casefold() for cell in row.cells if cell not in (*days, *figures) and not find_numbers(cell.text)
        )
        dated.setdefault(tuple(rest), []).append((_day(days[0].text), finding, figures[0]))
    for rows in dated.values():
        named = [each for each in rows if _names_all(question, each[1])]
        ordered = sorted(named, key=lambda each: each[0], reverse=True)
        if len({day for day, _, _ in ordered}) > 1 and ordered[0][2].text != ordered[1][2].text:
            return [(finding, cell) for _, finding, cell in ordered]
    return []


def _names_all(question: Question, finding: Finding) -> bool:
    row = finding.candidate.row
    known = finding.candidate.known
    settled = {word for pair in question.glosses for word in pair}
    return row is not None and all(holds(known, term) for term in question.terms if term not in settled)


def _day(text: str) -> str:
    day = date_of(text.strip())
    if day is not None:
        return day.isoformat()
    told = [period for period in find_periods(text) if period.kind in ("day", "month")]
    return told[0].start.isoformat() if len(told) == 1 else ""
