"""The day of a letter, a release or minutes, by the lines that open them."""

from __future__ import annotations

from datetime import UTC, datetime

import regex

from ...text.periods import Period, find_periods

_LINES = 12
_MOST_CHARS = 110
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
# What may stand before the day: nothing, where it was written, which meeting it was, or that the line is the date.
_BEFORE = regex.compile(
    r"^[#>*\s]*(?:(?:date|dated|datum|fecha|data|sent|issued|published|released)\s*:?\s*(?:on\s)?|"
    r"(?:[^\n.;:?!]{1,40}(?:[Mm]eeting|[Ss]ession|[Ss]itting|[Mm]inutes|[Ss]itzung)[^\n.;:?!]{0,40}|"
    r"(?:[Mm]eeting|[Ss]ession|[Ss]itting|[Mm]inutes|[Ss]itzung)[^\n;:?!]{0,40}|\p{Lu}[\p{L}'’.\- ]{1,30}"
    r"(?:,\s\p{Lu}[\p{L}'’.\- ]{1,30})?)(?:,|\sof|\son)\s?)?"
    rf"(?:(?i:{_WEEKDAY}),?\s)?(?:(?:the|den|dem|le|el|il|on)\s)?$"
)
_OF_ANOTHER = regex.compile(
    r"\b(?:amendment|addendum|amend\w*|supplement|nachtrag|avenant|replaces|supersedes|until|valid|in force|effective|"
    r"agreement of|contract of|regulation|expires?|due|received|your (?:letter|mail|e-mail))\b",
    regex.IGNORECASE,
)


def letterhead_day(text: str) -> datetime | None:
    """Return the one day that a line among the first gives as that of the whole text; None where none or several do.

    A day of which the line says that something else is of it, starts or ends on it, is not taken.
    """
    lines = [line.strip() for line in text[:4_000].split("\n") if line.strip()][:_LINES]
    found = [day for line in lines if (day := _day_of(line)) is not None]
    days = {day.start for day in found}
    return datetime.combine(days.pop(), datetime.min.time(), UTC) if len(days) == 1 else None


def _day_of(line: str) -> Period | None:
    if len(line) > _MOST_CHARS or _OF_ANOTHER.search(line):
        return None
    days = [period for period in find_periods(line) if period.kind == "day"]
    if len(days) != 1 or not _BEFORE.search(line[: days[0].at]):
        return None
    behind = line[days[0].to :]
    return days[0] if regex.match(r"^\W*$|^\s?[,–—:-]|^\s\(|^\*", behind) else None
