"""Which column of a statement a question means: the end of a period, its length, a company's own years and quarters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache

from ...text.period_patterns import ORDINALS
from ...text.periods import Period, find_periods

_LENGTHS = (
    (
        3,
        re.compile(r"\b(?:three|3)[\s-]months?\b|\b(?:13|14|thirteen|fourteen)[\s-]weeks?\b|\bquarters? ended\b", re.I),
    ),
    (6, re.compile(r"\b(?:six|6)[\s-]months?\b|\b(?:26|27|twenty-six)[\s-]weeks?\b", re.I)),
    (9, re.compile(r"\b(?:nine|9)[\s-]months?\b|\b(?:39|40|thirty-nine)[\s-]weeks?\b", re.I)),
    (12, re.compile(r"\byears? ended\b|\b(?:twelve|12)[\s-]months?\b|\b(?:52|53|fifty-\w+)[\s-]weeks?\b", re.I)),
)
_NO_PERIOD = re.compile(r"\b(?:change|vs\.?|variance|increase|growth)\b|%\s*chg", re.IGNORECASE)
_QUARTER = re.compile(
    r"\bq([1-4])\b|\b([1-4])q\b|\b(first|second|third|fourth)[\s-](?:fiscal[\s-])?quarter\b|\bq([1-4])(?=(?:19|20)?\d\d\b)",
    re.I,
)
# Retailers call the year that ended in January 2023 fiscal 2022 or fiscal 2023; so do others that end in spring.
_EARLY_CLOSING = (1, 2, 3)
_FISCAL = re.compile(r"\b(?:fiscal(?: year)?|fy)\s?'?((?:19|20)?\d\d)\b", re.IGNORECASE)
_FISCAL_ENDED = re.compile(
    r"\bfiscal(?: year)? (?P<named>(?:19|20)\d\d)\b[^.;]{0,60}?\b(?:ended|ending|ends)\b[^.;]{0,12}?"
    r"\b(?:january|february|march) \d{1,2}, (?P<ends>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_SLACK = timedelta(days=12)
_FAR = timedelta(days=40)


@dataclass(frozen=True)
class When:
    """What a header says of time.

    Attributes:
        year: Of the end.
        end: The last day, where it is stated.
        months: Length; 0 for a point in time, or where it is not told.
        quarter: The quarter that the words of the header name, 0 where they name none.
    """

    year: int
    end: date | None
    months: int
    quarter: int = 0


@dataclass(frozen=True)
class Target:
    """A period that a question asks for: a year, or a quarter (1 to 4) of it.

    Attributes:
        fiscal: Whether it is a company's own year.
        named: What the company calls it, where that is not the year in which it ends; else 0.
    """

    year: int
    quarter: int = 0
    fiscal: bool = field(default=False, compare=False)
    named: int = field(default=0, compare=False)

    def before(self) -> Target:
        """Return the same period one year earlier."""
        return Target(self.year - 1, self.quarter, self.fiscal, self.named and self.named - 1)

    def is_year_of(self, when: When) -> bool:
        """Whether a column is of its year: one with a day by the year in which it ends, else by its name."""
        return when.year == (self.year if when.end or not self.named else self.named)


@dataclass(frozen=True)
class Calendar:
    """The periods that a source reports on.

    Attributes:
        last: The latest day that its columns name.
        quarter: The quarter that its name states, 0 where it states none; of the year `year`.
        closing: Month in which its year ends, 0 where unknown.
        interim: Whether it has columns for parts of a year.
        ahead: By how many years the end of its year lies ahead of the year's name: 1 where fiscal 2022 ends in 2023.
    """

    last: date | None = None
    year: int = 0
    quarter: int = 0
    closing: int = 0
    interim: bool = False
    ahead: int = 0

    @property
    def last_year(self) -> int:
        """The year in which its latest own year ends, 0 where unknown."""
        return _closing_year(self.last, self.closing) if self.last else 0

    def meant(self, targets: Sequence[Target]) -> tuple[Target, ...]:
        """Return periods by the years in which they end, where the source names its own years otherwise.

        A year that would end after the last one reported is not meant by the source's name for it.
        """
        own = bool(targets) and all(target.fiscal for target in targets)
        if not self.ahead or not own or max(target.year for target in targets) + self.ahead > self.last_year:
            return tuple(targets)
        return tuple(Target(each.year + self.ahead, each.quarter, True, each.year) for each in targets)


@lru_cache(maxsize=4_096)
def when_of(header: str) -> When | None:
    """Read a header; None where it names no period, several, or a change between two."""
    if _NO_PERIOD.search(header):
        return None
    found = [
        period
        for period in find_periods(header)
        if period.kind in ("day", "month", "year", "fiscal_year", "quarter", "fiscal_quarter")
    ]
    days = [period for period in found if period.kind == "day"]
    named = days or found
    if len({(period.start, period.end) for period in named}) != 1:
        return None
    period = named[0]
    months = next((length for length, pattern in _LENGTHS if pattern.search(header)), 0)
    if not months and period.kind in ("quarter", "fiscal_quarter"):
        months = 3
    day = period.end if period.kind in ("day", "month", "quarter") else None
    return When(period.end.year, day, months, 0 if day else _quarter_in(header))


def header_rest(header: str) -> str:
    """Return what a header says beside its period: `Comparable Sales Three Months Ended July 29, 2023` is sales."""
    rest = header
    for period in reversed(find_periods(header)):
        rest = f"{rest[: period.at]} {rest[period.to :]}"
    for _, pattern in _LENGTHS:
        rest = pattern.sub(" ", rest)
    return " ".join(
        re.sub(r"\b(?:ended|ending|as of|at|for the|fiscal|years?|unaudited)\b|[(),]", " ", rest, flags=re.I).split()
    )


def calendar_of(uri: str, headers: Iterable[str], texts: Iterable[str] = ()) -> Calendar:
    """Return what the columns, the name and the words of one source say of its periods."""
    whens = [when for header in dict.fromkeys(headers) if (when := when_of(header))]
    ends = sorted({when.end for when in whens if when.end})
    last = ends[-1] if ends else None
    name = re.sub(r"[_/\-.]+", " ", uri)
    stated = next((period for period in find_periods(name) if period.kind in ("quarter", "fiscal_quarter")), None)
    quarter = (stated.start.month + 2) // 3 if stated else 0
    interim = 0 < quarter < 4 or any(0 < when.months < 12 for when in whens)
    years = sorted({period.end.year for period in find_periods(name)})
    yearly = [when.end for when in whens if when.months == 12 and when.end]
    points = [when.end for when in whens if not when.months and when.end]
    # Beside the day of the quarter, a balance sheet shows that of the last year's end.
    apart = [end for end in points if last and interim and _apart(end, last)]
    closing = (max(yearly) if yearly else max(apart) if apart else last) if last else None
    month = closing.month if closing else 0
    year = stated.end.year if stated else (years[-1] if years else 0)
    ahead = _ahead(_closing_year(last, month), texts) if last and month in _EARLY_CLOSING else 0
    if last and year and year + ahead <= _closing_year(last, month):
        year += ahead
    return Calendar(last, year, quarter, month, interim, ahead)


def _closing_year(last: date, closing: int) -> int:
    """Return the year in which the company's year of a day ends."""
    return last.year + int(last.month > closing > 0)


def _ahead(ends: int, texts: Iterable[str]) -> int:
    """Return 1 where a source names its years by the calendar year in which they begin, else 0.

    It says so, or it speaks more often of the year two before the one in which its last year ends (the one that it
    compares with) than of that one by the year of its end.
    """
    named: Counter[int] = Counter()
    told: Counter[int] = Counter()
    for text in texts:
        told.update(int(match["ends"]) - int(match["named"]) for match in _FISCAL_ENDED.finditer(text))
        named.update(int(match[1]) % 100 for match in _FISCAL.finditer(text))
    if told[0] != told[1]:
        return int(told[1] > told[0])
    return int(named[(ends - 2) % 100] > named[ends % 100])


def targets_of(question: str) -> list[Target]:
    """Return the years and quarters that a question asks for, in the order of time, each once.

    A range of years asks for each of them.
    """
    targets: list[Target] = []
    text = re.sub(r"\b(Q[1-4])\s?'?(?=(?:19|20)\d\d\b)", r"\1 ", question)
    text = re.sub(r"\b(Q[1-4])\s+(?:of\s+)?(?:the\s+)?(FY|fiscal year|fiscal)\s?'?", r"\1 \2", text, flags=re.I)
    spans = find_periods(text)
    for period in spans:
        quarter = _quarter_in(period.text)
        if quarter and period.kind in ("quarter", "fiscal_quarter"):
            targets.append(Target(period.end.year, quarter, period.is_fiscal))
        elif period.kind in ("year", "fiscal_year", "range") and period.end.year - period.start.year <= 6:
            fiscal = period.is_fiscal or bool(_FISCAL.match(period.text))
            targets.extend(Target(year, 0, fiscal) for year in range(period.start.year, period.end.year + 1))
        elif period.kind in ("day", "month"):
            targets.append(Target(period.end.year))
    if len(targets) == 2 and not any(t.quarter for t in targets) and _SPAN.search(text):
        fiscal = all(t.fiscal for t in targets)
        ends = min(t.year for t in targets), max(t.year for t in targets)
        targets = [Target(year, 0, fiscal) for year in range(ends[0], ends[1] + 1)]
    lone = _lone_quarter(text, spans)
    if lone and targets and not any(target.quarter for target in targets):
        targets = [
            replace(target, quarter=lone) if place == len(targets) - 1 else target
            for place, target in enumerate(targets)
        ]
    return sorted(dict.fromkeys(targets), key=lambda target: (target.year, target.quarter))


_SPAN = re.compile(
    r"\b(?:FY\s?)?(?:19|20)\d\d\s*(?:-|–|to|through)\s*(?:FY\s?)?(?:19|20)?\d\d\b|\b\d[\s-]year average\b", re.I
)


def cell_place(whens: Sequence[When | None], target: Target, calendar: Calendar) -> int | None:
    """Return the place of the column that is meant, None where there is none."""
    if target.quarter:
        end = _quarter_end(target, calendar)
        fits = [place for place, when in enumerate(whens) if when and _is_quarter(when, target, end)]
        three = [place for place in fits if (when := whens[place]) and when.months == 3]
        points = [place for place in fits if (when := whens[place]) and not when.months]
        return next(iter([*three, *points]), None)
    whole = [place for place, when in enumerate(whens) if when and target.is_year_of(when) and when.months == 12]
    if whole:
        return whole[0]
    points = [place for place, when in enumerate(whens) if when and target.is_year_of(when) and not when.months]
    closing = [p for p in points if whens[p].end and whens[p].end.month == calendar.closing]  # type: ignore[union-attr]
    return closing[0] if closing else points[0] if points else None


def _is_quarter(when: When, target: Target, end: date | None) -> bool:
    if when.end:
        return end is not None and abs(when.end - end) <= _SLACK
    return target.is_year_of(when) and when.quarter == target.quarter


def newest(whens: Sequence[When | None]) -> int | None:
    """Return the place of the latest column; of columns to the same day the shortest period comes first."""
    dated = [(when.end or date(when.year, 12, 31), -when.months, -place) for place, when in enumerate(whens) if when]
    return -max(dated)[2] if dated else None


def _quarter_end(target: Target, calendar: Calendar) -> date | None:
    if calendar.last is None:
        return None
    if calendar.quarter:
        if calendar.quarter != target.quarter:
            return None
        return _years_before(calendar.last, calendar.year - target.year)
    if target.fiscal and calendar.closing:
        return _own_quarter_end(target, calendar, calendar.last)
    # The calendar quarter, where the source's own quarters follow the calendar.
    month = 3 * target.quarter
    end = date(target.year, month, 30 if month in (6, 9) else 31)
    for years in (0, 1, 2):
        shifted = _years_before(calendar.last, years)
        if abs(shifted - end) <= _FAR:
            return shifted
    return None


def _own_quarter_end(target: Target, calendar: Calendar, last: date) -> date | None:
    """Return the end of a quarter of a company's own year, counted back from the latest day that is reported."""
    months = calendar.closing - 3 * (4 - target.quarter)
    year, month = (target.year, months) if months > 0 else (target.year - 1, months + 12)
    back = (last.year - year) * 12 + last.month - month
    if back < -1:
        return None
    return last - timedelta(days=round(back / 3) * 91.3)


def _years_before(day: date, years: int) -> date:
    return day - timedelta(days=round(365.25 * years))


def _apart(one: date, other: date) -> bool:
    """Whether two days are not about the same day of the year."""
    days = abs((one - other).days) % 365
    return min(days, 365 - days) > 20


def _quarter_in(text: str) -> int:
    match = _QUARTER.search(text)
    if not match:
        return 0
    digit = match.group(1) or match.group(2) or match.group(4)
    return int(digit) if digit else ORDINALS[match.group(3).lower()]


def _lone_quarter(text: str, spans: Sequence[Period]) -> int:
    for match in _QUARTER.finditer(text):
        if not any(period.at <= match.start() < period.to and period.kind.endswith("quarter") for period in spans):
            return _quarter_in(match.group())
    return 0
