"""How a sentence gives a day, and what period its reader may take from it."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import NamedTuple

from .wordings import Wording

MONTH_FIRST = "{month} {d}, {y}"
DAY_FORMS = (MONTH_FIRST, "{d} {month} {y}")


class Told(NamedTuple):
    """The period that a sentence gives, end excluded, and the day of its document."""

    first: date
    after: date
    document: date


def told_time(wording: Wording, when: date) -> Told:
    """Return the period and the document's day of a sentence about a day."""
    month = when.replace(day=1)
    after_month = (month + timedelta(days=32)).replace(day=1)
    after = when + timedelta(days=1)
    match wording.needs:
        case "month":
            return Told(month, after_month, when + timedelta(days=19))
        case "last_month":
            return Told(month, after_month, after_month + timedelta(days=when.day % 20))
        case "today" | "now":
            return Told(when, after, when)
        case "yesterday":
            return Told(when, after, after)
        case _:
            return Told(when, after, when + timedelta(days=4))


def written_day(day: date, form: str) -> str:
    """Return a day in one of the `DAY_FORMS`."""
    return form.format(month=calendar.month_name[day.month], d=day.day, y=day.year)


def written_month(day: date) -> str:
    """Return the month of a day with its year."""
    return f"{calendar.month_name[day.month]} {day.year}"
