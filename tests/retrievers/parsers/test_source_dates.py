"""A file is of the day it states or its name gives; the day on which a PDF was made comes last."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from citewell.retrievers.parsers import extract
from citewell.retrievers.parsers.source_dates import source_date
from citewell.state.records import Source
from documents import make_pdf

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def _day(data: bytes, name: str, published_at: datetime | None = None) -> str:
    source = Source(uri=name, kind="file", published_at=published_at)
    found = source_date(extract(data, name=name), source, read_at=NOW)
    return found.date().isoformat() if found else ""


def _pdf(lines: list[str], made: str) -> bytes:
    page = [(40, 700 - 14 * at, line) for at, line in enumerate(lines)]
    return make_pdf([page], info=f"<< /CreationDate (D:{made}090000Z) >>")


@pytest.mark.parametrize(
    ("lines", "name", "made", "day"),
    [
        (
            ["Appraisal of bids", "Final, version 2.0, 31 January 2025. Author: A. Berg"],
            "a.pdf",
            "20260104",
            "2025-01-31",
        ),
        (["Appraisal of bids", "Four bids were received."], "2025-02-07_appraisal.pdf", "20260104", "2025-02-07"),
        (["Appraisal of bids", "Four bids were received."], "appraisal-20250207.pdf", "20260104", "2025-02-07"),
        (["Appraisal of bids", "Four bids were received."], "appraisal.pdf", "20260104", "2026-01-04"),
        (["Appraisal of bids", "Four bids were received."], "appraisal.pdf", "20260504", ""),
        (["Appraisal of bids", "Four bids were received."], "appraisal_2025-02.pdf", "20260104", ""),
    ],
)
def test_the_day_on_which_a_pdf_was_made_is_the_last_resort(lines: list[str], name: str, made: str, day: str) -> None:
    assert _day(_pdf(lines, made), name) == day


@pytest.mark.parametrize(
    ("text", "name", "day"),
    [
        ('{"as_of": "2025-06-30", "items": [{"id": 1, "due": "2025-09-01"}]}', "register.json", "2025-06-30"),
        ('{"metadata": {"Last-Updated": "2025-06-30"}, "items": [{"id": 1}]}', "register.json", "2025-06-30"),
        ("berth,free,as_of\nA,3,2025-06-30\nB,4,2025-06-30\n", "berths.csv", "2025-06-30"),
        ("berth,free,as_of\nA,3,2025-06-30\nB,4,2025-07-31\n", "berths.csv", ""),
        ("berth,free,due\nA,3,2025-06-30\nB,4,2025-06-30\n", "berths_2025-07-02.csv", "2025-07-02"),
        ("berth,free\nA,3\nB,4\n", "berths_2025.csv", ""),
    ],
)
def test_records_are_of_the_day_that_a_field_of_all_of_them_gives(text: str, name: str, day: str) -> None:
    assert _day(text.encode(), name) == day


def test_the_first_lines_of_a_page_go_before_what_its_server_says() -> None:
    served = datetime(2026, 2, 1, tzinfo=UTC)
    assert _day(b"<h1>Bath</h1><p>Last updated 22 July 2025</p>", "bath.html", served) == "2025-07-22"
    assert _day(b"<h1>Bath</h1><p>Open all day.</p>", "bath.html", served) == "2026-02-01"
