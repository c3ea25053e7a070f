"""Which day a file is of: the one it states, that of its first lines or records, its name's, the one it was made on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePosixPath

import regex

from ...state.records import Source, TableRow
from ...text.periods import find_periods
from .extraction import Extraction
from .json_records import is_date_key
from .letterhead import letterhead_day
from .markdown import iso_date

_RUN_TOGETHER = regex.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)")
_JOINED = regex.compile(r"_|(?<=\d)-(?=\p{L})|(?<=\p{L})-(?=\d)")
_OF_THE_NAME = ("day", "month")


def source_date(found: Extraction, source: Source, *, read_at: datetime | None = None) -> datetime | None:
    """Return the day that a file or page is of; None where nothing tells.

    What it states of itself (a mail header, front matter, a field such as `as_of`) goes before its first lines, these
    before its name and what the server says of a page.  The day on which a PDF was made is the last resort: it is left
    aside where the name tells a month, and where it is the day of reading, on which the file was merely exported.

    Args:
        source: Its uri, and the date that came with it, as from the server of a page.
        read_at: When it is read; now where it is not given.
    """
    stated = found.published_at or (letterhead_day(found.text) if found.tier == "narrative" else None)
    stated = stated or _of_all_records(found.rows)
    if stated is not None:
        return stated
    stem = _RUN_TOGETHER.sub(r" \g<year>-\g<month>-\g<day> ", PurePosixPath(source.uri).stem)
    told = find_periods(_JOINED.sub(" ", stem))
    days = {period.start for period in told if period.kind == "day"}
    if len(days) == 1:
        return _at(days.pop())
    if source.published_at is not None:
        return source.published_at
    if found.made_at is None or any(period.kind in _OF_THE_NAME for period in told):
        return None
    made = found.made_at if found.made_at.tzinfo else found.made_at.replace(tzinfo=UTC)
    now = read_at or datetime.now(UTC)
    return None if made > now - timedelta(days=1) else found.made_at


def _of_all_records(rows: Sequence[TableRow]) -> datetime | None:
    """Return the one day that a column such as `as_of` gives in every row of a table."""
    texts = {cell.text.strip() for row in rows for cell in row.cells if is_date_key(cell.header)}
    days = {day.date() for text in texts if (day := iso_date(text)) is not None}
    return _at(days.pop()) if len(texts) == len(days) == 1 else None


def _at(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), UTC)
