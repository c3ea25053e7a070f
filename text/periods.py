"""Read the dates and periods of a text: days, months, quarters, halves, years, fiscal years, ranges."""

# ruff: noqa: E501 - one entry of a table on one line

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

import regex

Kind = Literal[
    "day", "month", "quarter", "half", "year", "fiscal_quarter", "fiscal_half", "fiscal_year", "range", "decade",
    "century", "month_day", "season",
]  # fmt: skip


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


_MONTH_NAMES = {
    1: "january jan januar jänner janvier enero gennaio janeiro januari ocak",
    2: "february feb februar février febrero febbraio fevereiro februari",
    3: "march mar märz mrz mars marzo março maart",
    4: "april apr avril abril aprile",
    5: "may mai mayo maggio maio mei",
    6: "june jun juni juin junio giugno junho",
    7: "july jul juli juillet julio luglio julho",
    8: "august aug août agosto augustus",
    9: "september sep sept septembre septiembre settembre setembro",
    10: "october oct oktober okt octobre octubre ottobre outubro",
    11: "november nov novembre noviembre novembro",
    12: "december dec dezember dez décembre diciembre dicembre dezembro",
}
_MONTHS = {name: number for number, names in _MONTH_NAMES.items() for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
YEARLESS = 4
"""The year that stands for none: dates without a year lie in it."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_YEAR = r"(?:1[0-9]\d{2}|2[01]\d{2})"
_NUM_BEFORE = r"(?<![\w.,$€£¥#/-])"
_NUM_AFTER = r"(?![\w%‰]|[.,]\d|\s?(?:%|€|£))"
_FY = r"(?:f\.?y\.?|fiscal(?:\s+years?)?|financial\s+year|geschäftsjahr|exercice|fiscal\s+year\s+ended)"
_DASH = r"\s?(?:-|–|—|to|until|through|till|bis|/)\s?"
_Make = Callable[["regex.Match[str]", "date | None"], "tuple[date, date, Kind] | None"]


REMEMBERED_CHARS = 2_000
"""Texts up to this length are kept with their periods: the same lines are read for each claim and question again."""


def find_periods(text: str, anchor: date | None = None) -> list[Period]:
    """Return the periods a text names, in order, without overlap, the longest reading first.

    Args:
        anchor: The day the text speaks from; with it `yesterday`, `last year` and `March 31` get their dates.
            Without it relative words are left out and yearless days get the kind `month_day`.
    """
    return list(_remembered(text, anchor) if len(text) <= REMEMBERED_CHARS else _found(text, anchor))


@lru_cache(maxsize=8_192)
def _remembered(text: str, anchor: date | None) -> tuple[Period, ...]:
    return tuple(_found(text, anchor))


def _found(text: str, anchor: date | None) -> list[Period]:
    found: list[Period] = []
    if not _MAY_HOLD.search(text):
        return found
    # An identifier's words are parted by underscores: `fy2024_restated_usd`.
    line = text.replace("_", " ")
    for pattern, make in _PATTERNS:
        for match in pattern.finditer(line):
            dates = make(match, anchor)
            if dates is not None:
                found.append(Period(*dates, text[match.start() : match.end()], match.start(), match.end()))
    found.sort(key=lambda period: (period.at, -period.to))
    kept: list[Period] = []
    for period in found:
        if kept and period.at < kept[-1].to:
            if period.to - period.at > kept[-1].to - kept[-1].at:
                kept[-1] = period
            continue
        kept.append(period)
    return _same_stretch(text, kept)


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
    return _MONTHS.get(text.strip().rstrip(".").casefold())


def month_names(month: int) -> str:
    """Return the names of a month, 1 to 12, in the languages that we know, parted by blanks."""
    return _MONTH_NAMES[month]


def months_before(text: str, period: Period) -> list[Period]:
    """Return the months that share the year of a month named after them: April of `April and May 2024`."""
    match = _MONTHS_BEFORE.search(text[: period.at]) if period.kind == "month" else None
    if match is None:
        return []
    found = []
    for named in regex.finditer(r"\p{L}+", match.group()):
        number = _MONTHS.get(named.group().casefold())
        if number is not None:
            start, end, kind = _of_month(period.start.year, number)
            at = match.start() + named.start()
            found.append(Period(start, end, kind, f"{named.group()} {period.start.year}", at, at + len(named.group())))
    return found


def months_alone(text: str) -> list[Period]:
    """Return the months that a text names without a year, behind a preposition (`in May`), dated in the year 4."""
    found = []
    for match in _MONTH_ALONE.finditer(text):
        start, end, kind = _of_month(YEARLESS, _MONTHS[match["m"].casefold()])
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


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _of_day(year: int, month: int, day: int) -> tuple[date, date, Kind] | None:
    found = _day(year, month, day)
    return (found, found, "day") if found else None


def _of_month(year: int, month: int) -> tuple[date, date, Kind]:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]), "month"


def _of_quarter(year: int, quarter: int, fiscal: bool) -> tuple[date, date, Kind]:
    last = 3 * quarter
    end = date(year, last, calendar.monthrange(year, last)[1])
    return date(year, last - 2, 1), end, "fiscal_quarter" if fiscal else "quarter"


def _of_half(year: int, half: int, fiscal: bool) -> tuple[date, date, Kind]:
    kind: Kind = "fiscal_half" if fiscal else "half"
    return (date(year, 1, 1), date(year, 6, 30), kind) if half == 1 else (date(year, 7, 1), date(year, 12, 31), kind)


def _of_years(first: int, last: int, kind: Kind) -> tuple[date, date, Kind] | None:
    return (date(first, 1, 1), date(last, 12, 31), kind) if first <= last else None


def _full_year(digits: str) -> int:
    value = int(digits)
    return value if len(digits) == 4 else 2000 + value if value < 70 else 1900 + value


def _iso(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    return _of_day(int(match["y"]), int(match["m"]), int(match["d"]))


def _named_day(match: regex.Match[str], anchor: date | None) -> tuple[date, date, Kind] | None:
    month, day = _MONTHS[match["m"].casefold()], int(match["d"])
    if match["y"]:
        return _of_day(int(match["y"]), month, day)
    found = _day(anchor.year if anchor else 4, month, day)
    if found is None:
        return None
    return found, found, "day" if anchor else "month_day"


def _slashed(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    """Read 12/03/2021: a part above 12 tells the day; else the month comes first with slashes, last with points."""
    first, second, year = int(match["a"]), int(match["b"]), _full_year(match["y"])
    if match["sep"] == "/" and first <= 12:
        return _of_day(year, first, second)
    return _of_day(year, second, first)


def _named_month(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    return _of_month(_full_year(match["y"]), _MONTHS[match["m"].casefold()])


def _quarter(match: regex.Match[str], anchor: date | None) -> tuple[date, date, Kind] | None:
    ordinal = match["q"].casefold()
    number = _ORDINALS.get(ordinal) or int(ordinal[0])
    year = _full_year(match["y"]) if match["y"] else anchor.year if anchor else None
    return _of_quarter(year, number, bool(match["fy"])) if year and 1 <= number <= 4 else None


def _half(match: regex.Match[str], anchor: date | None) -> tuple[date, date, Kind] | None:
    ordinal = match["h"].casefold()
    number = {"first": 1, "second": 2, "1st": 1, "2nd": 2}.get(ordinal) or int(ordinal[0])
    year = _full_year(match["y"]) if match["y"] else anchor.year if anchor else None
    return _of_half(year, number, bool(match["fy"])) if year and number in (1, 2) else None


def _fiscal_year(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    year = _full_year(match["z"] or match["y"])
    return _of_years(year, year, "fiscal_year")


def _year_range(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    first = int(match["y"])
    last = int(match["y"][: 4 - len(match["z"])] + match["z"])
    return _of_years(first, last, "range") if first < last <= first + 400 else None


def _months_of(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    """Read the first nine months of 2025, or its last three."""
    count, year = _COUNTS.get(match["n"].casefold()) or int(match["n"]), int(match["y"])
    if not 1 <= count <= 12:
        return None
    first, last = (1, count) if match["side"].casefold() == "first" else (13 - count, 12)
    return date(year, first, 1), _of_month(year, last)[1], "range"


def _months_to(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    year, count = int(match["y"]), int(match["n"])
    return date(year, 1, 1), _of_month(year, count)[1], "range"


def _month_range(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    end_year = int(match["y"])
    start_year = int(match["x"]) if match["x"] else end_year
    start = date(start_year, _MONTHS[match["m"].casefold()], 1)
    end = _of_month(end_year, _MONTHS[match["n"].casefold()])[1]
    return (start, end, "range") if start <= end else None


def _decade(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    year = _full_year(match["y"]) if len(match["y"]) == 4 else 1900 + int(match["y"])
    return _of_years(year, year + 9, "decade")


def _century(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    number = int(match["c"])
    return _of_years(100 * (number - 1) + 1, 100 * number, "century") if 1 <= number <= 22 else None


def _plain_year(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    return _of_years(int(match["y"]), int(match["y"]), "year")


def _relative(match: regex.Match[str], anchor: date | None) -> tuple[date, date, Kind] | None:
    if anchor is None:
        return None
    phrase = regex.sub(r"\s+", " ", match.group().casefold())
    days = {"today": 0, "yesterday": -1, "tomorrow": 1}
    if phrase in days:
        found = anchor + timedelta(days=days[phrase])
        return found, found, "day"
    which, unit = phrase.split(" ")
    shift = {"last": -1, "previous": -1, "prior": -1, "this": 0, "current": 0, "next": 1}[which]
    if unit == "year":
        return _of_years(anchor.year + shift, anchor.year + shift, "year")
    if unit == "month":
        index = anchor.year * 12 + anchor.month - 1 + shift
        return _of_month(index // 12, index % 12 + 1)
    if unit == "quarter":
        index = anchor.year * 4 + (anchor.month - 1) // 3 + shift
        return _of_quarter(index // 4, index % 4 + 1, False)
    monday = anchor - timedelta(days=anchor.weekday()) + timedelta(weeks=shift)
    return monday, monday + timedelta(days=6), "range"


def _compile(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.IGNORECASE | regex.VERBOSE)


_COUNT_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {word: number for number, word in enumerate(_COUNT_WORDS.split(), start=1)}
_YEAR_TAIL = rf"(?:(?:\s+of)?(?:\s+|-|/|,\s?|\s?['’])(?P<fy>{_FY}\s?)?['’]?(?P<y>{_YEAR}|\d{{2}}(?!\d|[.,]\d|\s?%)))"
_PATTERNS: tuple[tuple[regex.Pattern[str], _Make], ...] = (
    (_compile(rf"(?<![\w-])(?P<y>{_YEAR})[-/.](?P<m>0?[1-9]|1[0-2])[-/.](?P<d>[12]\d|3[01]|0?[1-9])(?!\d|[-/.]\d)"), _iso),
    (_compile(rf"(?P<y>{_YEAR})年\s?(?P<m>\d{{1,2}})月\s?(?P<d>\d{{1,2}})日"), _iso),
    (_compile(rf"(?<![\w.])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s?(?:of\s+|de\s+|-)?(?P<m>{_MONTH})\b\.?(?:,?(?:\s+|-|\s+de\s+)(?P<y>{_YEAR}))?(?!\w)"), _named_day),
    (_compile(rf"\b(?P<m>{_MONTH})\b\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d%]|[.,]\d)(?:(?:,\s?|\s)(?P<y>{_YEAR}))?(?!\w)"), _named_day),
    (_compile(r"(?<![\d./-])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?![\d/]|[.]\d)"), _slashed),
    (_compile(rf"\b(?P<m>{_MONTH})\b\.?(?:\s?(?:,|of|de|/|-|\s)\s?)['’]?(?P<y>{_YEAR})(?!\w)"), _named_month),
    (_compile(r"\b(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[-'’](?P<y>\d{2})(?![\w-])"), _named_month),
    (_compile(rf"(?<![\w-])(?P<y>{_YEAR})[-/](?P<mm>0[1-9]|1[0-2])(?![\d/-])"), lambda m, _: _of_month(int(m["y"]), int(m["mm"]))),
    (_compile(rf"(?P<y>{_YEAR})年\s?(?P<mm>\d{{1,2}})月(?!\s?\d+日)"), lambda m, _: _of_month(int(m["y"]), min(12, max(1, int(m["mm"]))))),
    (_compile(rf"\bq(?P<q>[1-4])\b{_YEAR_TAIL}?"), _quarter),
    (_compile(r"\b(?P<fy>q)(?P<q>[1-4])(?:fy['’]?(?P<y>\d{2}|20\d{2})|(?P<y>20\d{2}))\b"), _quarter),
    (_compile(rf"\b(?P<q>[1-4])q{_YEAR_TAIL.replace('(?:s+of)?', '')}"), _quarter),
    (_compile(r"\b(?P<q>[1-4])q['’]?(?P<fy>)(?P<y>\d{2}|\d{4})\b"), _quarter),
    (_compile(rf"\b(?P<fy>)(?P<y>{_YEAR})[\s-]?q(?P<q>[1-4])\b"), _quarter),
    (_compile(rf"\b(?P<q>first|second|third|fourth|[1-4](?:st|nd|rd|th))[\s-](?:fiscal[\s-])?quarter\b{_YEAR_TAIL}?"), _quarter),
    (_compile(rf"\bh(?P<h>[12])\b{_YEAR_TAIL}"), _half),
    (_compile(r"\b(?P<fy>h)(?P<h>[12])(?:fy['’]?(?P<y>\d{2}|20\d{2})|(?P<y>20\d{2}))\b"), _half),
    (_compile(r"\b(?P<h>[12])h['’]?(?P<fy>)(?P<y>\d{2}|\d{4})\b"), _half),
    (_compile(rf"\b(?P<h>first|second|1st|2nd)[\s-]half(?:[\s-]year)?\b{_YEAR_TAIL}"), _half),
    (_compile(rf"\b{_FY}[\s-]?['’]?(?P<y>{_YEAR}|\d{{2}})(?:[/-](?P<z>{_YEAR}|\d{{2}}))?(?!\w|[.,]\d|\s?%)"), _fiscal_year),
    (_compile(rf"{_NUM_BEFORE}(?P<y>{_YEAR}){_DASH}(?P<z>{_YEAR}|(?<=[-–—/])\d{{2}}){_NUM_AFTER}"), _year_range),
    (_compile(rf"\bbetween\s+(?P<y>{_YEAR})\s+and\s+(?P<z>{_YEAR}){_NUM_AFTER}"), _year_range),
    (_compile(rf"\b(?P<m>{_MONTH})\b\.?(?:\s(?P<x>{_YEAR}))?{_DASH}(?P<n>{_MONTH})\b\.?,?\s(?P<y>{_YEAR})(?!\w)"), _month_range),
    (_compile(rf"\b(?P<side>first|last)\s(?P<n>{'|'.join(_COUNTS)}|\d{{1,2}})\smonths\s(?:of|in)\s(?P<y>{_YEAR})(?!\w)"), _months_of),
    (_compile(rf"(?<![\w.])(?P<n>[369])m[\s-]?(?P<y>{_YEAR})(?!\w)"), _months_to),
    (_compile(rf"(?<![\w.-])(?P<y>{_YEAR})[\s-](?P<n>[369])m(?!\w)"), _months_to),
    (_compile(r"(?<![\w.,$€£])(?P<y>1[0-9]\d0|20\d0)(?:\s?['’])?s\b"), _decade),
    (_compile(r"(?<!\w)['’](?P<y>[2-9]0)s\b"), _decade),
    (_compile(r"\b(?P<c>\d{1,2})(?:st|nd|rd|th)[\s-]century\b"), _century),
    (_compile(rf"(?P<y>{_YEAR})年(?!\s?\d+月)"), _plain_year),
    (_compile(rf"{_NUM_BEFORE}(?P<y>{_YEAR}){_NUM_AFTER}(?!\s(?:years?|months?|weeks?|days?|hours?|times|people|million|billion|thousand|patients|participants|units|employees|km|kg|m|metres|meters|miles|dollars|euros|women|men|children|subjects|samples|cases|items|shares)\b)"), _plain_year),
    (_compile(r"\b(?:today|yesterday|tomorrow|(?:last|previous|prior|this|current|next)\s+(?:year|month|quarter|week))\b"), _relative),
)  # fmt: skip
_SAME_STRETCH = _compile(
    rf"\b(?:the\s)?(?:same|corresponding|equivalent)\s(?:period|months?|quarter|half|stretch|time)\s(?:of|in)\s(?P<y>{_YEAR})(?!\w)"
)
_MONTH_ALONE = _compile(
    rf"\b(?:in|for|during|of|im|für|en|pour|a|ad|per|nel|del|de|and|und|et|y|e)\s+(?P<m>{_MONTH})\b(?!\.?,?\s*(?:of\s+|de\s+)?['’]?\d)"
)
_MONTHS_BEFORE = _compile(rf"\b(?:(?:{_MONTH})\b\.?(?:,\s*|\s+(?:and|or|und|oder|et|ou|y|o|e)\s+))+$")
_MAY_HOLD = regex.compile(
    rf"\d|\b(?:{_MONTH}|quarter|half|today|yesterday|tomorrow|(?:last|previous|prior|this|current|next)\s)",
    regex.IGNORECASE,
)
