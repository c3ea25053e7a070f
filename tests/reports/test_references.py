from __future__ import annotations

import pytest
from citewell.reports.references import (
    citation_order,
    distinct_sources,
    place,
    references,
    safe_link,
    segments,
    telling_title,
    web_address,
)
from citewell.reports.wording import words_for
from citewell.state.records import Quote, Source
from report_builder import ANNUAL, EXPORT, TEXTS, WIKI, evidence, quote, sample_answer, sample_report, source

SPELLINGS = [
    "https://wiki.test/Set_(mathematics)",
    "https://wiki.test/Set_(mathematics)#History",
    "https://wiki.test/Set_(mathematics)/?utm_source=nl&utm_medium=mail",
    "http://WIKI.test:80/Set_(mathematics)",
    "https://shop.test/item?id=1",
    "https://shop.test/item?id=2",
    "https://shop.test/a%20b",
    "https://shop.test/a b",
    "file photo (1).png",
]


def test_one_page_is_listed_once_and_different_pages_stay_apart():
    listed = distinct_sources([source(uri) for uri in SPELLINGS])
    assert [item.uri for item in listed] == [SPELLINGS[0], SPELLINGS[4], SPELLINGS[5], SPELLINGS[6], SPELLINGS[8]]


def test_the_spelling_that_was_read_stands_for_a_page():
    failed = source(SPELLINGS[0], status="failed", reason="timeout")
    assert distinct_sources([failed, source(SPELLINGS[3])])[0].status == "ok"


def test_numbers_follow_first_use_and_include_conflicts():
    ids = citation_order(sample_answer())
    assert [ref.uri for ref in references(sample_report())] == [ANNUAL, EXPORT, WIKI]
    assert len(ids) == 3


def test_segments_joined_are_the_passage_and_overlaps_name_both_claims():
    text = TEXTS[ANNUAL]
    whole, part = quote(ANNUAL, "Fuel cost rose to EUR 41.2 million"), quote(ANNUAL, "EUR 41.2 million in 2024")
    pieces = segments(text, [(whole, "C-001"), (part, "C-002")])
    assert "".join(piece.text for piece in pieces) == text
    assert ("EUR 41.2 million", ("C-001", "C-002")) in [(piece.text, piece.claims) for piece in pieces]


def test_a_quote_outside_its_passage_marks_nothing():
    stray = Quote(chunk_id="x:0", start=5, end=900, text="?")
    assert [(piece.text, piece.marked) for piece in segments("short", [(stray, "C-001")])] == [("short", False)]


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://x.test/a",
        "https://",
        "http://[bad",
        "JAVASCRIPT://x.test/%0aalert(1)",
        "report.pdf",
    ],
)
def test_only_web_addresses_are_links(uri):
    assert web_address(uri) == ""


def test_an_address_cannot_leave_its_attribute():
    assert web_address('https://x.test/a"b<c>') == "https://x.test/a%22b%3Cc%3E"
    assert web_address("https://x.test/a b%20c?x=1&y=[2]#z") == "https://x.test/a%20b%20c?x=1&y=[2]#z"


def test_a_page_that_was_not_read_is_no_link():
    refused = Source(uri="http://169.254.1.1/", kind="web", status="failed", reason="private address")
    assert safe_link(refused) == ""
    assert safe_link(source(WIKI)) == WIKI


def test_a_title_that_repeats_the_file_name_is_left_out():
    assert telling_title(source("a/fleet.csv", title="fleet")) == ""
    assert telling_title(source("a/fleet.csv", title="The fleet of 2024")) == "The fleet of 2024"


def test_places_name_page_sheet_rows_or_headings():
    words = words_for("en")
    assert place(evidence(ANNUAL, 1, page=3), words) == "page 3"
    assert place(evidence(ANNUAL, 1, sheet="Board", rows=(4, 4)), words) == "sheet Board, rows 4"
    assert place(evidence(ANNUAL, 1, headings=("A", "B")), words) == "A › B"
    assert place(evidence(ANNUAL, 1), words) == ""
