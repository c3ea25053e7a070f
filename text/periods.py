"""Read the dates and periods of a text: days, months, quarters, halves, years, fiscal years, ranges."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import regex

from .period_patterns import MAY_HOLD, MONTH, MONTH_NAMES, MONTHS, PATTERNS, YEAR, YEARLESS, Kind, compiled, of_month
from .spans import longest_apart


@dataclass(frozen=True)
class Period:
    """A stretch of time that a text names.

    Attributes:
        start: First day; end: last day, included.
        kind: What was named.  A `month_day` has no year (`March 31`): its dates lie in the anchor's year, else in 4.
            A fiscal period is given the dates of the calendar period of the same name, since its own are not known.
        text: The characters it was read from.
        at: First character in the text; to: one past the last.
    """

    start: date
    end: date
    kind: Kind
    text: str
    at: int
    to: int

    @property
    def is_fiscal(self) -> bool:
        """Whether it belongs to a company's year, which may differ from the calendar's."""
        return self.kind.startswith("fiscal")

    def label(self) -> str:
        """Return a short name: `2022`, `2022-Q1`, `2022-H1`, `2022-03`, `2022-03-12`, `FY2022`, `2019/2021`."""
        year, month = self.start.year, self.start.month
        names = {
            "day": self.start.isoformat(),
            "month": f"{year:04d}-{month:02d}",
            "quarter": f"{year}-Q{(month + 2) // 3}",
            "half": f"{year}-H{1 if month == 1 else 2}",
            "year": f"{year}",
            "fiscal_quarter": f"FY{year}-Q{(month + 2) // 3}",
            "fiscal_half": f"FY{year}-H{1 if month == 1 else 2}",
            "fiscal_year": f"FY{year}",
            "decade": f"{year}s",
            "month_day": f"--{month:02d}-{self.start.day:02d}",
        }
        return names.get(self.kind, f"{self.start.isoformat()}/{self.end.isoformat()}")


REMEMBERED_CHARS = 2_000
"""Texts up to this length are kept with their periods: the same lines are read for each claim and question again."""


def find_periods(text: str, anchor: date | None = None) -> list[Period]:
    """Return the periods a text names, in order, without overlap, the longest reading first.

    Args:
        anchor: The day the text speaks from; with it `yesterday`, `last year` and `March 31` get their dates.
            Without it relative words are left out and yearless days get the kind `month_day`.
    """
    return list(_remembered(text, anchor) if len(text) <= REMEMBERED_CHARS else _found(text, anchor))


def stands_in(at: int, periods: Iterable[Period]) -> bool:
    """Whether a character of a text stands in one of the periods of that text."""
    return any(period.at <= at < period.to for period in periods)


@lru_cache(maxsize=8_192)
def _remembered(text: str, anchor: date | None) -> tuple[Period, ...]:
    return tuple(_found(text, anchor))


def _found(text: str, anchor: date | None) -> list[Period]:
    found: list[Period] = []
    if not MAY_HOLD.search(text):
        return found
    # An identifier's words are parted by underscores: `fy2024_restated_usd`.
    line = text.replace("_", " ")
    for pattern, make in PATTERNS:
        for match in pattern.finditer(line):
            dates = make(match, anchor)
            if dates is not None:
                found.append(Period(*dates, text[match.start() : match.end()], match.start(), match.end()))
    return _same_stretch(text, longest_apart(found, lambda period: (period.at, period.to)))


def _same_stretch(text: str, periods: list[Period]) -> list[Period]:
    """Give `the same period of 2024` the months of the part of a year that another period names."""
    parts = [each for each in periods if each.kind in ("month", "quarter", "half", "range")]
    parts = [each for each in parts if each.start.year == each.end.year]
    matches = list(_SAME_STRETCH.finditer(text)) if len(parts) == 1 else []
    for match in matches:
        year = int(match["y"])
        last = calendar.monthrange(year, parts[0].end.month)[1]
        end = date(year, parts[0].end.month, last)
        moved = Period(
            date(year, parts[0].start.month, 1), end, parts[0].kind, match.group(), match.start(), match.end()
        )
        periods = [moved if match.start() <= each.at and each.to <= match.end() else each for each in periods]
    return periods


def month_of(text: str) -> int | None:
    """Return the month that a text names and nothing else, by its name in a language that we know: 5 for `Mai`."""
    return MONTHS.get(text.strip().rstrip(".").casefold())


def month_names(month: int) -> str:
    """Return the names of a month, 1 to 12, in the languages that we know, parted by blanks."""
    return MONTH_NAMES[month]


def months_before(text: str, period: Period) -> list[Period]:
    """Return the months that share the year of a month named after them: April of `April and May 2024`."""
    match = _MONTHS_BEFORE.search(text[: period.at]) if period.kind == "month" else None
    if match is None:
        return []
    found = []
    for named in regex.finditer(r"\p{L}+", match.group()):
        number = MONTHS.get(named.group().casefold())
        if number is not None:
            start, end, kind = of_month(period.start.year, number)
            at = match.start() + named.start()
            found.append(Period(start, end, kind, f"{named.group()} {period.start.year}", at, at + len(named.group())))
    return found


def months_alone(text: str) -> list[Period]:
    """Return the months that a text names without a year, behind a preposition (`in May`), dated in the year 4."""
    found = []
    for match in _MONTH_ALONE.finditer(text):
        start, end, kind = of_month(YEARLESS, MONTHS[match["m"].casefold()])
        found.append(Period(start, end, kind, match["m"], match.start("m"), match.end("m")))
    return found


def overlaps(a: Period, b: Period) -> bool:
    """Whether two periods share a day; a day without a year is compared by day and month."""
    if "month_day" in (a.kind, b.kind):
        if not {a.kind, b.kind} <= {"day", "month_day"}:
            return True
        return (a.start.month, a.start.day) == (b.start.month, b.start.day)
    return a.start <= b.end and b.start <= a.end


def contains(outer: Period, inner: Period) -> bool:
    """Whether every day of one period lies in another."""
    if "month_day" in (outer.kind, inner.kind):
        return overlaps(outer, inner)
    return outer.start <= inner.start and inner.end <= outer.end


def same_period(a: Period, b: Period) -> bool:
    """Whether two periods name the same stretch of time; a fiscal year equals the calendar year of its number."""
    if "month_day" in (a.kind, b.kind):
        return overlaps(a, b) and {a.kind, b.kind} <= {"day", "month_day"}
    return (a.start, a.end) == (b.start, b.end)


_SAME_STRETCH = compiled(
    rf"\b(?:the\s)?(?:same|corresponding|equivalent)\s(?:period|months?|quarter|half|stretch|time)\s(?:of|in)\s(?P<y>{YEAR})(?!\w)"
)
_MONTH_ALONE = compiled(
    rf"\b(?:in|for|during|of|im|für|en|pour|a|ad|per|nel|del|de|and|und|et|y|e)\s+(?P<m>{MONTH})\b(?!\.?,?\s*(?:of\s+|de\s+)?['’]?\d)"
)
_MONTHS_BEFORE = compiled(rf"\b(?:(?:{MONTH})\b\.?(?:,\s*|\s+(?:and|or|und|oder|et|ou|y|o|e)\s+))+$")
