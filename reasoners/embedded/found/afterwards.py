"""What happened after something that a row of a log tells, a table in order of time: the rows behind that one."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....state.records import TableRow
from ....text.periods import find_periods
from ..asked.question import Question
from .candidates import Candidate
from .weights import holds

_AFTER = regex.compile(
    r"^\W*what (?:(?:else )?happened|(?:came|followed|was done|did (?:they|we|the \p{L}+) do)(?: next)?) (?:\p{L}+ )?"
    r"(?:after|following|once|when)\b|^\W*what (?:happened|came) next\b",
    regex.IGNORECASE,
)
_CLOCK = regex.compile(r"\b(?:[01]?\d|2[0-3])[:.h][0-5]\d\b")
_MOSTLY = 0.6
_MOST_ROWS = 4


def happened_after(question: Question, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the rows that tell what came next, in order; none where no row of a table in order of time tells of it.

    The row that tells what is asked about has most of the question's words and a time; the rows behind it in the same
    table have one too.
    """
    if not _AFTER.search(question.text) or not question.terms:
        return []
    timed = [each for each in candidates if each.row is not None and _is_timed(each.row)]

    def held(candidate: Candidate) -> int:
        return sum(holds(candidate.terms, term) for term in question.terms)

    told = max(timed, key=lambda each: (held(each), -each.start), default=None)
    if told is None or told.row is None or held(told) < _MOSTLY * len(question.terms):
        return []
    heads = [cell.header for cell in told.row.cells]
    behind = [
        each
        for each in timed
        if each.row is not None
        and each.row.uri == told.row.uri
        and each.row.start > told.row.start
        and [cell.header for cell in each.row.cells] == heads
    ]
    return sorted(behind, key=lambda each: each.start)[:_MOST_ROWS]


def _is_timed(row: TableRow) -> bool:
    first = row.cells[0].text if row.cells else row.label
    return bool(_CLOCK.search(first) or find_periods(first))
