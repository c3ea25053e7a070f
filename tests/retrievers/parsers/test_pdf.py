"""A pdf is read page by page, and what cannot be read is said."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from citewell.errors import SourceError
from citewell.retrievers.parsers import extract
from citewell.retrievers.parsers.pdf_text import visible
from documents import make_pdf

LINES = [
    (40, 700, "ANNUAL RESULTS"),
    (40, 680, "The first paragraph has a line that runs on to the right"),
    (40, 668, "and ends here."),
    (40, 640, "Revenue 1,200 900 300"),
    (40, 620, "1. First point of the list"),
]


def test_pages_lines_headings_and_paragraphs():
    extraction = extract(make_pdf([LINES, [], [(40, 700, "Last page.")]]), name="r.pdf")
    kinds = [(extraction.text[block.start : block.end], block.kind, block.page) for block in extraction.blocks]
    assert kinds == [
        ("ANNUAL RESULTS", "heading", 1),
        ("The first paragraph has a line that runs on to the right\nand ends here.", "paragraph", 1),
        ("Revenue 1,200 900 300", "row", 1),
        ("1. First point of the list", "list_item", 1),
        ("Last page.", "paragraph", 3),
    ]
    assert extraction.blocks[1].headings == ("ANNUAL RESULTS",)
    assert (extraction.title, extraction.note, extraction.tables_whole) == ("r", "", True)


def test_title_and_date_of_the_file_are_read_where_they_say_something():
    info = "<< /Title (Annual review of the harbour) /CreationDate (D:20240305100000+01'00') >>"
    extraction = extract(make_pdf([LINES], info=info), name="r.pdf")
    assert extraction.title == "Annual review of the harbour"
    assert extraction.made_at is not None
    assert extraction.made_at.isoformat() == "2024-03-05T10:00:00+01:00"
    assert extract(make_pdf([LINES], info="<< /Title (0000004962-23-000006) >>"), name="r.pdf").title == "r"


def test_blank_pages_only_are_skipped():
    assert extract(make_pdf([[], []]), name="r.pdf").skipped == "blank: no page has text"


def test_pages_that_are_pictures_are_reported():
    picture = make_pdf([LINES, [(40, 700, "x")]]).replace(
        b"BT /F1 9 Tf 1 0 0 1 40 700 Tm (x) Tj ET", b"0 0 200 300 re f".ljust(39)
    )
    assert extract(picture, name="s.pdf").note == "no text layer on page 2 (a scan or picture)"


def test_a_cut_file_says_so():
    whole = make_pdf([LINES])
    with pytest.raises(SourceError, match="damaged"):
        extract(b"%PDF-1.4\n" + whole[200:260], name="r.pdf")
    with pytest.raises(SourceError, match="damaged"):
        extract(b"not a pdf", name="r.pdf")


def test_line_end_hyphens_join_words_that_the_page_knows():
    read = visible("infor\ufffemation and information; non\ufffeGAAP\r\nend")
    assert read.text == "information and information; non-GAAP\nend"
    assert [read.origins()[0], read.origins()[5]] == [0, 6]


def test_threads_may_read_at_the_same_time():
    data = make_pdf([LINES] * 20)
    with ThreadPoolExecutor(4) as pool:
        texts = set(pool.map(lambda _: extract(data, name="r.pdf").text, range(12)))
    assert len(texts) == 1
