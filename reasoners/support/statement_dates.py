"""The day that a statement is of: one written before it in its passage, else that of its source."""

from __future__ import annotations

from functools import lru_cache

import regex

from ...state.records import Quote
from ...text.periods import Period, find_periods
from ..protocol import Passage


def date_of(quote: Quote, passage: Passage | None) -> str:
    """Return the date of a statement: one written before it in its passage, else the source's, else of its name."""
    if passage is None:
        return ""
    before = _last_day_before(passage.chunk.text, quote.start)
    if before:
        return before
    inside = [p for p in find_periods(quote.text[:40]) if p.kind == "day" and p.at == 0]
    if inside:
        return inside[0].start.isoformat()
    if passage.source.published_at is not None:
        return passage.source.published_at.date().isoformat()
    name = passage.source.uri.rsplit("/", 1)[-1].replace("_", " ")
    found = find_periods(regex.sub(r"(?<=\d)-(?=\D)|(?<=\D)-(?=\d)", " ", name))
    return found[0].label() if found else ""


_AMENDING = regex.compile(r"\b(?:amendment|addendum|nachtrag|avenant)\b", regex.IGNORECASE)
_HEADING_CHARS = 90


@lru_cache(maxsize=4_096)
def _last_day_before(text: str, at: int) -> str:
    """Return the last day before a character that opens a line or stands in a heading, "" where none does."""
    days = [period for period in find_periods(text[:at]) if period.kind == "day" and _dates_entry(text, period)]
    return days[-1].start.isoformat() if days else ""


def _dates_entry(text: str, day: Period) -> bool:
    """Whether a day opens its line or stands in a heading: a sentence that merely names one dates nothing else."""
    start, end = text.rfind("\n", 0, day.at) + 1, text.find("\n", day.to)
    line = text[start : end if end >= 0 else len(text)].strip()
    if _AMENDING.search(line):
        return False
    opens = not regex.search(r"\p{L}", text[start : day.at].replace("On ", "").replace("Date", ""))
    return opens or line.startswith("#") or (len(line) < _HEADING_CHARS and not line.endswith((".", ";", ",")))
