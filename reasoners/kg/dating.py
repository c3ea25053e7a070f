"""When a document speaks and when what it says was so: its own date, and the times its sentences name."""

# ruff: noqa: E501 - one pattern on one line

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import regex
from dateutil import parser
from dateutil.relativedelta import relativedelta

from ...text.periods import Period, find_periods
from ...text.spans import longest_apart

Part = Literal["start", "end", "at"]

_HEAD_CHARS = 1_200
_DATED_FIELD = regex.compile(
    r"^\W*(?:date|dated|published|publication date|released?|issued|as of|posted|sent|filed)\s?[:\-–]\s*(?P<date>[^\n]{6,40})",
    regex.IGNORECASE | regex.MULTILINE,
)
_ENDED = regex.compile(
    r"\b(?P<kind>fiscal\s+year|year|quarter|quarterly\s+period|twelve\s+months|three\s+months|\d+\s+weeks)\s+(?:end(?:ed|ing)|to)\s+",
    regex.IGNORECASE,
)
_CALLED = regex.compile(r"\(?[“\"']?fiscal(?:\s+year)?\s+(?P<y>(?:19|20)\d{2})", regex.IGNORECASE)
# Years that number a law or a section, not a time.
_NUMBERED = regex.compile(r"\b(?:Section|Sections|Act\sof|U\.S\.C\.|Topic|Rule|Form|No\.|ASU|§)\s*\Z")
_FILE_DATE = regex.compile(r"(?<!\d)((?:19|20)\d{2})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_DAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)}
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_AGO = regex.compile(
    rf"\b(?P<n>\d{{1,2}}|{'|'.join(_COUNTS)})\s(?P<unit>day|week|month|year)s?\s(?P<way>ago|earlier|from\snow)\b",
    regex.IGNORECASE,
)
_WEEKDAY = regex.compile(
    rf"\b(?P<which>last|next|this|on)\s(?P<day>{'|'.join(_DAYS)})\b(?!,?\s(?:{_MONTH}|\d))", regex.IGNORECASE
)
_BARE_MONTH = regex.compile(
    rf"\b(?P<which>in|since|last|this|next|from|until|during)\s(?P<month>{_MONTH})\b(?!\s?(?:\d|of\s\d|,\s?\d))",
    regex.IGNORECASE,
)
_PART_OF_YEAR = regex.compile(
    r"\b(?P<which>earlier|later)\s(?:this|in\sthe)\s(?P<unit>year|month)\b|\b(?P<now>this\smorning|this\safternoon)\b",
    regex.IGNORECASE,
)
_YEAR_END = regex.compile(
    r"\b(?:(?:at|by)\s)?(?:the\s)?(?:(?:close|end)\sof|year[- ]end)\s(?:the\syear\s)?(?:fiscal\s)?(?P<y>(?:19|20)\d{2})\b",
    regex.IGNORECASE,
)
_YEAR_NAMED = regex.compile(
    r"\b(?P<y>(?:19|20)\d{2})\s(?:financial|fiscal|business|calendar|reporting)\syear\b", regex.IGNORECASE
)
_WITHIN = regex.compile(
    r"\b(?:with\s+effect\s+from|effective(?:\s+(?:as\s+of|from|on))?|starting(?:\s+(?:in|on|from))?|beginning(?:\s+(?:in|on))?"
    r"|as\s+of|as\s+at|as\s+from|since|from|on|in|at|during|for|over|throughout|until|till|through|by|before|after|of|the"
    r"|early|late|mid|mid-|back\sin|end\sof|close\sof)\s*(?:the\s+|its\s+|our\s+)?(?:full\s+|calendar\s+|early\s+|late\s+|mid[-\s])?\Z",
    regex.IGNORECASE,
)
_ENDS = ("until", "till", "through")
MASK = "\x01"
_EARLIEST = 1800


@dataclass(frozen=True)
class Time:
    """A time that a sentence names.

    Attributes:
        start: First day; end: last day, included.
        part: `end` where the words before it say until, `at` where they name a day on which something was counted.
        at: First character in the sentence, words before it such as `since` included; to: one past the last.
        fiscal: Whether it is a company's year or quarter.
        now: Whether it is told from the document's day (`today`, `last month`).
        words: The words before it in small letters.
    """

    start: date
    end: date
    part: Part
    at: int
    to: int
    fiscal: bool = False
    now: bool = False
    words: str = ""

    @property
    def after(self) -> date:
        """The first day after it."""
        return self.end + timedelta(days=1)

    @property
    def is_day(self) -> bool:
        """Whether it is a single day."""
        return self.start == self.end


@dataclass(frozen=True)
class FiscalYears:
    """The last days of a company's fiscal years, as its document states them."""

    ends: dict[int, date]

    def year(self, number: int) -> tuple[date, date] | None:
        """Return first and last day of a fiscal year; None where the document does not tell."""
        if number in self.ends:
            end = self.ends[number]
        elif self.ends:
            known = min(self.ends, key=lambda year: (abs(year - number), year))
            end = self.ends[known] + relativedelta(years=number - known)
        else:
            return None
        return end - relativedelta(years=1) + timedelta(days=1), end


def document_date(published: date | None, name: str, text: str, *, trusted: bool = True) -> date | None:
    """Return the day a document speaks from: what its format states, else its head, else its name; else None.

    Args:
        published: As the parser read it.
        name: The document's uri.
        text: Its text, of which the head is read.
        trusted: Whether `published` is the document's own word; the date of a PDF file tells only when the file was
            made, so that a date in the head comes first.
    """
    if published and trusted:
        return published
    head = text[:_HEAD_CHARS]
    return _stated(head) or published or _named(name)


def fiscal_years(text: str) -> FiscalYears:
    """Return the fiscal years whose last day a document names (`fiscal year ended January 28, 2023`).

    A year that ends in its first months may go by either number: the words beside its date tell (`(“fiscal 2022”)`),
    else the number that the document uses more often.
    """
    ends: dict[int, date] = {}
    head = text[:20_000]
    for match in _ENDED.finditer(head):
        if "year" not in match["kind"].casefold() and "weeks" not in match["kind"].casefold():
            continue
        following = find_periods(head[match.end() : match.end() + 40])
        if not following or following[0].kind != "day" or following[0].at != 0:
            continue
        if "weeks" in match["kind"].casefold() and not regex.match(r"5[23]", match["kind"]):
            continue
        end = following[0].end
        beside = head[match.end() + following[0].to : match.end() + following[0].to + 80]
        named = _CALLED.search(beside)
        ends.setdefault(int(named["y"]) if named else _number(end, text), end)
    return FiscalYears(ends)


def _number(end: date, text: str) -> int:
    """Return the number that a fiscal year goes by which ends on a day."""
    if end.month > 6:
        return end.year
    counts = [len(regex.findall(rf"(?i)fiscal(?:\s+year)?\s+{year}\b", text)) for year in (end.year, end.year - 1)]
    return end.year if counts[0] >= counts[1] else end.year - 1


def times_in(sentence: str, anchor: date | None, fiscal: FiscalYears | None = None) -> list[Time]:
    """Return the times that a sentence names, in order, without overlap.

    Args:
        anchor: The document's date; without it `last month` and `March 3` name no time.
        fiscal: Gives fiscal years their days.
    """
    found = [_of_period(sentence, period, fiscal) for period in find_periods(sentence, anchor)]
    times = [time for time in found if time is not None]
    times += _relative(sentence, anchor, fiscal)
    return longest_apart(times, lambda time: (time.at, time.to))


def masked(sentence: str, times: Sequence[Time]) -> str:
    """Return the sentence with its times blotted out, each by a run of `MASK`, so that no name reaches into one."""
    for time in times:
        sentence = sentence[: time.at] + MASK * (time.to - time.at) + sentence[time.to :]
    return sentence


def read_day(text: str, *, last: bool = False) -> date | None:
    """Return the first (or last) day of a date or period that is all of a text; None where it is none."""
    words = text.strip().rstrip(".")
    if not words:
        return None
    found = find_periods(words)
    if len(found) == 1 and found[0].to - found[0].at >= len(words) - 2 and found[0].kind != "month_day":
        return found[0].end if last else found[0].start
    if not regex.search(r"(?:19|20)\d{2}", words) or len(words) > 40:
        return None
    try:
        day: date = parser.parse(words, dayfirst=False).date()
    except (ValueError, OverflowError):
        return None
    return day


def _stated(head: str) -> date | None:
    for match in _DATED_FIELD.finditer(head):
        if found := read_day(match["date"]):
            return found
    # A dateline: the first full date of the first lines, unless it tells of something else in a sentence.
    for line in head.split("\n")[:8]:
        days = [period for period in find_periods(line) if period.kind == "day"]
        # Little stands around the date of a head line; a sentence that mentions a day goes on.
        if days and days[0].at <= 60 and (len(line) - days[0].to <= 30 or regex.match(r"\s*[—–-]", line[days[0].to :])):
            return days[0].start
        if days and regex.match(r"\s*\(?[\p{Lu}][\p{L}\s,.]{0,40}\Z", line[: days[0].at]) and _dash(line[days[0].to :]):
            return days[0].start
    return None


def _dash(rest: str) -> bool:
    return regex.match(r"\)?\s*(?:\([^)]{1,30}\)\s*)?[—–:-]{1,2}\s", rest) is not None


def _named(name: str) -> date | None:
    match = _FILE_DATE.search(name)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def _of_period(sentence: str, period: Period, fiscal: FiscalYears | None) -> Time | None:
    if period.kind in ("month_day", "decade", "century"):
        return None
    start, end = period.start, period.end
    if start.year < _EARLIEST or _NUMBERED.search(sentence, 0, period.at):
        return None
    if fiscal is not None and period.is_fiscal and (own := fiscal.year(start.year)):
        start, end = _fiscal(period, *own)
    ended = _ENDED.search(sentence[max(0, period.at - 40) : period.at])
    if period.kind == "day" and ended and ended.end() == min(40, period.at):
        months = 3 if regex.search(r"quarter|three", ended["kind"], regex.IGNORECASE) else 12
        start = end - relativedelta(months=months) + timedelta(days=1)
    at, words = _led(sentence, period.at if not (ended and start != end) else period.at - len(ended.group()))
    if regex.search(r"\b(?:end|close)\sof\b", words):
        start = end
    relative = not regex.search(r"\d", period.text)
    return Time(start, end, _part(words), at, period.to, period.is_fiscal, relative, words)


def _fiscal(period: Period, first: date, last: date) -> tuple[date, date]:
    """Return the days of a fiscal year, or of its quarter or half, of the same calendar number."""
    if period.kind == "fiscal_year":
        return first, last
    months = 3 if period.kind == "fiscal_quarter" else 6
    begin = first + relativedelta(months=period.start.month - 1)
    finish = begin + relativedelta(months=months) - timedelta(days=1)
    return begin, last if abs((finish - last).days) < 8 else finish


def _led(sentence: str, at: int) -> tuple[int, str]:
    """Return where the words that lead to a time begin (`with effect from`), and these words."""
    words = ""
    while match := _WITHIN.search(sentence, max(0, at - 30), at):
        if match.start() and sentence[match.start() - 1].isalnum():
            break
        words = f"{match.group().strip().casefold()} {words}".strip()
        at = match.start()
    return at, words


def _part(words: str) -> Part:
    if any(word in words.split() for word in _ENDS):
        return "end"
    return "at" if words.startswith(("as of", "as at", "at")) or "end of" in words else "start"


def _relative(sentence: str, anchor: date | None, fiscal: FiscalYears | None) -> list[Time]:
    found: list[Time] = []
    for match in _YEAR_END.finditer(sentence):
        own = fiscal.year(int(match["y"])) if fiscal and "fiscal" in match.group().casefold() else None
        day = own[1] if own else date(int(match["y"]), 12, 31)
        at, words = _led(sentence, match.start())
        found.append(Time(day, day, "at", at, match.end(), words=words or "at"))
    for match in _YEAR_NAMED.finditer(sentence):
        year = int(match["y"])
        own = fiscal.year(year) if fiscal and "fiscal" in match.group().casefold() else None
        first, last = own or (date(year, 1, 1), date(year, 12, 31))
        at, words = _led(sentence, match.start())
        found.append(Time(first, last, _part(words), at, match.end(), fiscal=True, words=words))
    if anchor is None:
        return found
    for match in _AGO.finditer(sentence):
        count = _COUNTS.get(match["n"].casefold()) or int(match["n"])
        if match["way"].casefold() == "earlier":
            continue  # earlier than what the text told, not than the day it speaks from
        sign = 1 if match["way"].casefold().startswith("from") else -1
        unit = match["unit"].casefold() + "s"
        day = anchor + relativedelta(**{unit: sign * count})  # type: ignore[arg-type]
        start, end = _around(day, unit)
        found.append(_told(sentence, match, start, end))
    for match in _WEEKDAY.finditer(sentence):
        ahead = (_DAYS[match["day"].casefold()] - anchor.weekday()) % 7
        which = match["which"].casefold()
        day = anchor + timedelta(days=ahead if which in ("next", "this") else ahead - 7 if ahead else 0)
        if which == "next" and not ahead:
            day += timedelta(days=7)
        if which == "last" and not ahead:
            day -= timedelta(days=7)
        found.append(_told(sentence, match, day, day))
    for match in _BARE_MONTH.finditer(sentence):
        month, which = _MONTHS[match["month"].casefold()], match["which"].casefold()
        if match["month"][0].islower():
            continue  # `may` and `march` are verbs
        year = anchor.year if month <= anchor.month else anchor.year - 1
        if which == "next":
            year = anchor.year if month > anchor.month else anchor.year + 1
        if which == "last" and month == anchor.month:
            year -= 1
        if which == "this":
            year = anchor.year
        first = date(year, month, 1)
        last = date(year, month, calendar.monthrange(year, month)[1])
        found.append(_told(sentence, match, first, last, words=which))
    for match in _PART_OF_YEAR.finditer(sentence):
        if match["now"]:
            found.append(_told(sentence, match, anchor, anchor))
        elif match["which"].casefold() == "earlier":
            begin = date(anchor.year, 1 if match["unit"].casefold() == "year" else anchor.month, 1)
            found.append(_told(sentence, match, begin, anchor))
    return found


def _told(sentence: str, match: regex.Match[str], start: date, end: date, words: str = "") -> Time:
    at, led = _led(sentence, match.start())
    words = words or led
    return Time(start, end, _part(words), at, match.end(), now=True, words=words)


def _around(day: date, unit: str) -> tuple[date, date]:
    """Return the days that `two months ago` may mean: the month, the year, or the very day."""
    if unit == "months":
        return date(day.year, day.month, 1), date(day.year, day.month, calendar.monthrange(day.year, day.month)[1])
    if unit == "years":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    return day, day
