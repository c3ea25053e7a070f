"""Check a sum that is told by its total and the number of its rows: `182.7 (sum of 12 rows)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_TOLD = re.compile(
    r"(?P<total>-?\d[\d,]*(?:\.\d+)?) \((?:sum of|Summe aus|somme de|suma de|somma di) (?P<count>\d+) "
    r"(?:rows|Zeilen|lignes|filas|righe)\)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LEAST = 2


@dataclass(frozen=True)
class ToldSum:
    """A sum of a claim.

    Attributes:
        holds: Whether some rows of the passages that share a word the claim names, and its year where that is needed,
            are as many and add up to it in one column.
    """

    text: str
    total: Decimal
    count: Decimal
    holds: bool
    start: int
    end: int


def find_sums(claim: str, passages: Sequence[str]) -> list[ToldSum]:
    """Return the sums that a claim tells by total and number of rows, in order."""
    matches = list(_TOLD.finditer(claim))
    if not matches:
        return []
    # Passages of one source overlap: a line that two of them hold is one row.
    lines = dict.fromkeys(line for passage in passages for line in passage.splitlines())
    rows = [row for line in lines if len(row := _row(line)) >= _LEAST]
    sums = {(len(group), total) for group in _groups(claim, rows) for total in _totals(group)}
    return [
        ToldSum(
            match.group(),
            total := Decimal(match["total"].replace(",", "")),
            Decimal(match["count"]),
            (int(match["count"]), total) in sums,
            match.start(),
            match.end(),
        )
        for match in matches
    ]


def _row(line: str) -> dict[str, str]:
    pairs = (part.partition(": ") for part in line.strip().lstrip("- ").split("; "))
    return {header.strip(): value.strip() for header, mark, value in pairs if mark and value.strip()}


def _groups(claim: str, rows: Sequence[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    """Yield the rows that share a word of theirs which the claim names, all of them and those of one year it names."""
    named = claim.casefold()
    keys = {
        (header, value)
        for row in rows
        for header, value in row.items()
        if _number(value) is None and len(value) > 1 and value.casefold() in named
    }
    years = set(_YEAR.findall(claim))
    for header, value in sorted(keys):
        group = [row for row in rows if row.get(header) == value]
        yield group
        for year in sorted(years):
            yield [row for row in group if any(year in _YEAR.findall(each) for each in row.values())]


def _totals(group: Sequence[dict[str, str]]) -> Iterator[Decimal]:
    for header in group[0] if group else ():
        values = [_number(row.get(header, "")) for row in group]
        if all(value is not None for value in values):
            yield sum((value for value in values if value is not None), Decimal(0))


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
