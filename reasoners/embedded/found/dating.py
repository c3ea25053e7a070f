"""The day that a statement is of: one it opens with, the one it happened on, its heading's, its source's."""

from __future__ import annotations

from pathlib import PurePosixPath

import regex

from ....text.periods import Period, find_periods
from .candidates import Candidate

_OPENS = regex.compile(r"^(?:On|In|As of|At|Am|Im|Le|El|Il)?\s*$", regex.IGNORECASE)
_HAPPENED = regex.compile(r"\b(?:on|in|since|from|dated|am|im)\s+(?:the\s+)?$", regex.IGNORECASE)
PLANNED = regex.compile(
    r"\b(?:plan(?:s|ned)?|scheduled|due|set for|expect(?:s|ed)|hopes?|intend(?:s|ed)|originally|initially|targets?|"
    r"geplant|vorgesehen|prévue?|previst[oa]|will|shall|(?:is|are|was|were) to|wird|soll)\b",
    regex.IGNORECASE,
)
# A line of a letterhead that gives the day, or one that is nothing but a day.
_DATE_LINE = regex.compile(
    r"^\s*(?:(?:date|sent|datum|gesendet|fecha|data)\s*:\s*)?(?P<day>[^\n]{6,40})$", regex.IGNORECASE | regex.MULTILINE
)
_AMENDS = regex.compile(r"\b(?:amendment|addendum|rider|nachtrag|avenant)\b.*\d", regex.IGNORECASE)
_SIGNED = regex.compile(
    r"^\W*(?:dated|signed|agreed|made)(?: on)?:? (?P<day>[^\n]{6,60})", regex.IGNORECASE | regex.MULTILINE
)
_DATES = frozenset({"day", "month", "quarter", "year"})


def stated_on(candidate: Candidate) -> Period | None:
    """Return when a statement was made, or what it tells of happened; None where nothing says so."""
    text = candidate.text
    own = [period for period in find_periods(text) if period.kind in _DATES]
    opening = [period for period in own if _OPENS.match(text[: period.at])]
    planned = PLANNED.search(text)
    ahead = planned.start() if planned else len(text)
    happened = [period for period in own if period.at < ahead and _HAPPENED.search(text[: period.at])]
    if opening or happened:
        return (opening or happened)[0]
    chunk = candidate.passage.chunk
    places = [candidate.heading, candidate.section]
    lines = [chunk.text[slice(*place)] for place in places if place]
    lines += _days_before(chunk.text[: candidate.start])[-1:]
    source = candidate.passage.source
    lines += [*reversed(chunk.headings), candidate.title, source.title]
    if source.published_at is not None:
        lines.append(source.published_at.date().isoformat())
    lines += [_first_line(chunk.text) if chunk.index == 0 else "", _name_of(source.uri)]
    if any(_AMENDS.search(line) for line in (candidate.title, lines[-2])):
        # The title of an amendment names the day of what it amends.
        signed = _SIGNED.search(chunk.text[: candidate.start]) if chunk.index == 0 else None
        lines = [signed["day"]] if signed else [_name_of(source.uri)]
    for line in lines:
        for period in find_periods(line):
            if period.kind in _DATES:
                return period
    return None


def dated(candidate: Candidate) -> str:
    """Return the day of a statement as ISO 8601, as far as it is known; empty where it is not."""
    period = stated_on(candidate)
    return period.label() if period is not None else ""


def is_older(one: Candidate, other: Candidate) -> bool:
    """Whether one statement is of an earlier day than another, as far as both days are known."""
    mine, theirs = _days(one, other)
    return bool(mine and theirs) and mine < theirs


def is_later(one: Candidate, other: Candidate) -> bool:
    """Whether one statement is of a later day than another, as far as both days are known."""
    mine, theirs = _days(one, other)
    return bool(mine and theirs) and mine > theirs


def _days(one: Candidate, other: Candidate) -> tuple[str, str]:
    """Return the days of two statements: those of their sources where both have one, else those that they tell."""
    days = [each.passage.source.published_at for each in (one, other)]
    if all(days):
        return days[0].date().isoformat(), days[1].date().isoformat()  # type: ignore[union-attr]
    return dated(one), dated(other)


def _days_before(text: str) -> list[str]:
    """Return the days that stand in lines of their own, in order."""
    found = []
    for match in _DATE_LINE.finditer(text):
        periods = find_periods(match["day"])
        if len(periods) == 1 and not regex.search(r"\p{L}{2}|\d", match["day"].replace(periods[0].text, "")):
            found.append(match["day"])
    return found


def _first_line(text: str) -> str:
    return text.lstrip().split("\n", 1)[0][:80]


def _name_of(uri: str) -> str:
    name = PurePosixPath(uri).stem.replace("_", " ")
    return str(regex.sub(r"(?<=\d)-(?=\D)|(?<=\D)-(?=\d)", " ", name))
