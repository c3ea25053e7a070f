"""How texts write days, months, quarters, halves, years and ranges, and the dates that each of these forms means."""

# ruff: noqa: E501 - one entry of a table on one line

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal

import regex

Kind = Literal[
    "day", "month", "quarter", "half", "year", "fiscal_quarter", "fiscal_half", "fiscal_year", "range", "decade",
    "century", "month_day", "season",
]  # fmt: skip
MONTH_NAMES = {
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
MONTHS = {name: number for number, names in MONTH_NAMES.items() for name in names.split()}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
YEARLESS = 4
"""The year that stands for none: dates without a year lie in it."""
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
YEAR = r"(?:1[0-9]\d{2}|2[01]\d{2})"
_NUM_BEFORE = r"(?<![\w.,$€£¥#/-])"
_NUM_AFTER = r"(?![\w%‰]|[.,]\d|\s?(?:%|€|£))"
_FY = r"(?:f\.?y\.?|fiscal(?:\s+years?)?|financial\s+year|geschäftsjahr|exercice|fiscal\s+year\s+ended)"
_DASH = r"\s?(?:-|–|—|to|until|through|till|bis|/)\s?"
_Make = Callable[["regex.Match[str]", "date | None"], "tuple[date, date, Kind] | None"]


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _of_day(year: int, month: int, day: int) -> tuple[date, date, Kind] | None:
    found = _day(year, month, day)
    return (found, found, "day") if found else None


def of_month(year: int, month: int) -> tuple[date, date, Kind]:
    """Return the first and the last day of a month, 1 to 12."""
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
    month, day = MONTHS[match["m"].casefold()], int(match["d"])
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
    return of_month(_full_year(match["y"]), MONTHS[match["m"].casefold()])


def _quarter(match: regex.Match[str], anchor: date | None) -> tuple[date, date, Kind] | None:
    ordinal = match["q"].casefold()
    number = ORDINALS.get(ordinal) or int(ordinal[0])
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
    return date(year, first, 1), of_month(year, last)[1], "range"


def _months_to(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    year, count = int(match["y"]), int(match["n"])
    return date(year, 1, 1), of_month(year, count)[1], "range"


def _month_range(match: regex.Match[str], _: date | None) -> tuple[date, date, Kind] | None:
    end_year = int(match["y"])
    start_year = int(match["x"]) if match["x"] else end_year
    start = date(start_year, MONTHS[match["m"].casefold()], 1)
    end = of_month(end_year, MONTHS[match["n"].casefold()])[1]
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
        return of_month(index // 12, index % 12 + 1)
    if unit == "quarter":
        index = anchor.year * 4 + (anchor.month - 1) // 3 + shift
        return _of_quarter(index // 4, index % 4 + 1, False)
    monday = anchor - timedelta(days=anchor.weekday()) + timedelta(weeks=shift)
    return monday, monday + timedelta(days=6), "range"


def compiled(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern that ignores case, with its blanks for the reader only."""
    return regex.compile(pattern, regex.IGNORECASE | regex.VERBOSE)


_COUNT_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {word: number for number, word in enumerate(_COUNT_WORDS.split(), start=1)}
_YEAR_TAIL = rf"(?:(?:\s+of)?(?:\s+|-|/|,\s?|\s?['’])(?P<fy>{_FY}\s?)?['’]?(?P<y>{YEAR}|\d{{2}}(?!\d|[.,]\d|\s?%)))"
PATTERNS: tuple[tuple[regex.Pattern[str], _Make], ...] = (
    (compiled(rf"(?<![\w-])(?P<y>{YEAR})[-/.](?P<m>0?[1-9]|1[0-2])[-/.](?P<d>[12]\d|3[01]|0?[1-9])(?!\d|[-/.]\d)"), _iso),
    (compiled(rf"(?P<y>{YEAR})年\s?(?P<m>\d{{1,2}})月\s?(?P<d>\d{{1,2}})日"), _iso),
    (compiled(rf"(?<![\w.])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s?(?:of\s+|de\s+|-)?(?P<m>{MONTH})\b\.?(?:,?(?:\s+|-|\s+de\s+)(?P<y>{YEAR}))?(?!\w)"), _named_day),
    (compiled(rf"\b(?P<m>{MONTH})\b\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d%]|[.,]\d)(?:(?:,\s?|\s)(?P<y>{YEAR}))?(?!\w)"), _named_day),
    (compiled(r"(?<![\d./-])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?![\d/]|[.]\d)"), _slashed),
    (compiled(rf"\b(?P<m>{MONTH})\b\.?(?:\s?(?:,|of|de|/|-|\s)\s?)['’]?(?P<y>{YEAR})(?!\w)"), _named_month),
    (compiled(r"\b(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[-'’](?P<y>\d{2})(?![\w-])"), _named_month),
    (compiled(rf"(?<![\w-])(?P<y>{YEAR})[-/](?P<mm>0[1-9]|1[0-2])(?![\d/-])"), lambda m, _: of_month(int(m["y"]), int(m["mm"]))),
    (compiled(rf"(?P<y>{YEAR})年\s?(?P<mm>\d{{1,2}})月(?!\s?\d+日)"), lambda m, _: of_month(int(m["y"]), min(12, max(1, int(m["mm"]))))),
    (compiled(rf"\bq(?P<q>[1-4])\b{_YEAR_TAIL}?"), _quarter),
    (compiled(r"\b(?P<fy>q)(?P<q>[1-4])(?:fy['’]?(?P<y>\d{2}|20\d{2})|(?P<y>20\d{2}))\b"), _quarter),
    (compiled(rf"\b(?P<q>[1-4])q{_YEAR_TAIL.replace('(?:s+of)?', '')}"), _quarter),
    (compiled(r"\b(?P<q>[1-4])q['’]?(?P<fy>)(?P<y>\d{2}|\d{4})\b"), _quarter),
    (compiled(rf"\b(?P<fy>)(?P<y>{YEAR})[\s-]?q(?P<q>[1-4])\b"), _quarter),
    (compiled(rf"\b(?P<q>first|second|third|fourth|[1-4](?:st|nd|rd|th))[\s-](?:fiscal[\s-])?quarter\b{_YEAR_TAIL}?"), _quarter),
    (compiled(rf"\bh(?P<h>[12])\b{_YEAR_TAIL}"), _half),
    (compiled(r"\b(?P<fy>h)(?P<h>[12])(?:fy['’]?(?P<y>\d{2}|20\d{2})|(?P<y>20\d{2}))\b"), _half),
    (compiled(r"\b(?P<h>[12])h['’]?(?P<fy>)(?P<y>\d{2}|\d{4})\b"), _half),
    (compiled(rf"\b(?P<h>first|second|1st|2nd)[\s-]half(?:[\s-]year)?\b{_YEAR_TAIL}"), _half),
    (compiled(rf"\b{_FY}[\s-]?['’]?(?P<y>{YEAR}|\d{{2}})(?:[/-](?P<z>{YEAR}|\d{{2}}))?(?!\w|[.,]\d|\s?%)"), _fiscal_year),
    (compiled(rf"{_NUM_BEFORE}(?P<y>{YEAR}){_DASH}(?P<z>{YEAR}|(?<=[-–—/])\d{{2}}){_NUM_AFTER}"), _year_range),
    (compiled(rf"\bbetween\s+(?P<y>{YEAR})\s+and\s+(?P<z>{YEAR}){_NUM_AFTER}"), _year_range),
    (compiled(rf"\b(?P<m>{MONTH})\b\.?(?:\s(?P<x>{YEAR}))?{_DASH}(?P<n>{MONTH})\b\.?,?\s(?P<y>{YEAR})(?!\w)"), _month_range),
    (compiled(rf"\b(?P<side>first|last)\s(?P<n>{'|'.join(_COUNTS)}|\d{{1,2}})\smonths\s(?:of|in)\s(?P<y>{YEAR})(?!\w)"), _months_of),
    (compiled(rf"(?<![\w.])(?P<n>[369])m[\s-]?(?P<y>{YEAR})(?!\w)"), _months_to),
    (compiled(rf"(?<![\w.-])(?P<y>{YEAR})[\s-](?P<n>[369])m(?!\w)"), _months_to),
    (compiled(r"(?<![\w.,$€£])(?P<y>1[0-9]\d0|20\d0)(?:\s?['’])?s\b"), _decade),
    (compiled(r"(?<!\w)['’](?P<y>[2-9]0)s\b"), _decade),
    (compiled(r"\b(?P<c>\d{1,2})(?:st|nd|rd|th)[\s-]century\b"), _century),
    (compiled(rf"(?P<y>{YEAR})年(?!\s?\d+月)"), _plain_year),
    (compiled(rf"{_NUM_BEFORE}(?P<y>{YEAR}){_NUM_AFTER}(?!\s(?:years?|months?|weeks?|days?|hours?|times|people|million|billion|thousand|patients|participants|units|employees|km|kg|m|metres|meters|miles|dollars|euros|women|men|children|subjects|samples|cases|items|shares)\b)"), _plain_year),
    (compiled(r"\b(?:today|yesterday|tomorrow|(?:last|previous|prior|this|current|next)\s+(?:year|month|quarter|week))\b"), _relative),
)  # fmt: skip
MAY_HOLD = regex.compile(
    rf"\d|\b(?:{MONTH}|quarter|half|today|yesterday|tomorrow|(?:last|previous|prior|this|current|next)\s)",
    regex.IGNORECASE,
)
