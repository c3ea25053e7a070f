"""A web page is read as its readers see it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from citewell.retrievers.parsers import extract


def page(body: str, head: str = "") -> str:
    return extract(f"<html><head>{head}</head><body>{body}</body></html>".encode(), name="p.html").text


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="display:none">SECRET</p>',
        '<p style="visibility: hidden">SECRET</p>',
        '<p style="color:#fff">SECRET</p>',
        '<p style="color: white; background: #ffffff">SECRET</p>',
        '<font color="white">SECRET</font>',
        '<span style="font-size:0">SECRET</span>',
        '<span style="font-size:1px">SECRET</span>',
        '<p style="opacity:0">SECRET</p>',
        '<div style="height:0;overflow:hidden">SECRET</div>',
        '<div style="position:absolute;left:-9999px">SECRET</div>',
        "<p hidden>SECRET</p>",
        '<p aria-hidden="true">SECRET</p>',
        "<script>SECRET</script>",
        "<noscript>SECRET</noscript>",
        "<template><p>SECRET</p></template>",
        "<!-- SECRET -->",
        '<p class="gone">SECRET</p>',
        '<div style="background:#000"><span style="color:#010101">SECRET</span></div>',
    ],
)
def test_what_nobody_sees_is_no_text(markup):
    text = page(f"<p>before</p>{markup}<p>after</p>", "<style>.gone{display:none}</style>")
    assert text == "before\n\nafter"


@pytest.mark.parametrize(
    "markup",
    [
        "<details><summary>More</summary><p>FOLDED</p></details>",
        '<button aria-controls="a1">More</button><div id="a1" hidden>FOLDED</div>',
        '<a href="#a2">More</a><div id="a2" style="display:none">FOLDED</div>',
        '<div class="accordion-body" style="display:none">FOLDED</div>',
        '<div role="tabpanel" class="tab-pane" aria-hidden="true">FOLDED</div>',
        '<div hidden="until-found">FOLDED</div>',
        '<div style="background:#003"><span style="color:#fff">FOLDED</span></div>',
    ],
)
def test_folded_or_readable_content_is_text(markup):
    assert "FOLDED" in page(markup)


def test_white_text_where_a_foreign_style_sheet_may_paint_is_kept():
    head = '<link rel="stylesheet" href="/site.css">'
    assert "HERO" in page('<div class="hero"><h2 style="color:#fff">HERO</h2></div>', head)


def test_headings_make_a_path_and_lists_keep_their_marks():
    html = b"<h1>Guide</h1><h2>Steps</h2><ol start=3><li>Cut<li>Glue<ul><li>dry</ul></ol><h2>End</h2><p>Done"
    extraction = extract(html, name="p.html")
    assert "Steps\n\n3. Cut\n4. Glue\n  - dry\n\nEnd\n\nDone" in extraction.text
    assert extraction.blocks[-1].headings == ("Guide", "End")
    assert extraction.title == "Guide"


def test_the_page_title_is_part_of_the_text_unless_a_heading_repeats_it():
    assert page("<p>x</p>", "<title>Fees 2024</title>").startswith("Fees 2024\n\nx")
    assert page("<h1>Fees</h1><p>x</p>", "<title>Fees | Shop</title>").count("Fees") == 1


def test_table_rows_name_their_columns():
    text = page(
        "<table><caption>Margins</caption><tr><th>Region</th><th>Margin 2022</th></tr>"
        "<tr><td>Retail</td><td>7.5%</td></tr><tr><td>Online</td><td>9.1%</td></tr></table>"
    )
    assert text == "Margins\n\nRegion: Retail; Margin 2022: 7.5%\nRegion: Online; Margin 2022: 9.1%"


def test_headers_over_several_columns_and_split_currency_signs_are_put_together():
    extraction = extract(
        b"<table><tr><td></td><td colspan=6>Year ended</td></tr>"
        b"<tr><td></td><td colspan=3>2022</td><td colspan=3>2021</td></tr>"
        b"<tr><td>Revenue</td><td>$</td><td>1,200</td><td></td><td>$</td><td>(900</td><td>)</td></tr>"
        b"<tr><td>Rate</td><td></td><td>24.6</td><td>%</td><td></td><td>21.6</td><td>%</td></tr></table>",
        name="f.html",
    )
    revenue, rate = extraction.rows
    assert [(c.header, c.text) for c in revenue.cells[1:]] == [
        ("Year ended 2022", "$1,200"),
        ("Year ended 2021", "$(900)"),
    ]
    assert [(c.header, c.text) for c in rate.cells[1:]] == [("Year ended 2022", "24.6%"), ("Year ended 2021", "21.6%")]


def test_row_spans_repeat_their_text():
    extraction = extract(
        b"<table><tr><th>Site</th><th>Year</th><th>Heads</th></tr>"
        b"<tr><td rowspan=2>Kelm</td><td>2022</td><td>140</td></tr><tr><td>2023</td><td>171</td></tr></table>",
        name="t.html",
    )
    assert [[cell.text for cell in row.cells] for row in extraction.rows] == [
        ["Kelm", "2022", "140"],
        ["Kelm", "2023", "171"],
    ]


def test_an_info_box_reads_as_names_with_values():
    text = page("<table><tr><th>Founded</th><td>1987</td></tr><tr><th>Seat</th><td>Kelm</td></tr></table>")
    assert text == "Founded: 1987\nSeat: Kelm"


def test_a_layout_table_is_read_as_blocks():
    text = page("<table><tr><td><h2>News</h2><p>One.</p></td><td><ul><li>Two</li></ul></td></tr></table>")
    assert text == "News\n\nOne.\n\n- Two"


def test_raised_marks_do_not_grow_into_numbers():
    assert page("<p>Area 10 km<sup>2</sup>, fee 4,500<sup>1</sup></p>") == "Area 10 km², fee 4,500¹"


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2024-03-05T10:00:00Z">',
        '<meta name="date" content="2024-03-05">',
        '<script type="application/ld+json">{"@graph":[{"@type":"Article","datePublished":"2024-03-05"}]}</script>',
    ],
)
def test_a_stated_date_is_read(head):
    found = extract(f"<html><head>{head}</head><body><p>x</p></body></html>".encode(), name="p.html").published_at
    assert found is not None
    assert found.date() == datetime(2024, 3, 5, tzinfo=UTC).date()


def test_the_charset_of_the_header_beats_that_of_the_meta_tag():
    data = "<html><head><meta charset='utf-8'></head><body><p>Überweisung</p></body></html>".encode("cp1252")
    assert "Überweisung" in extract(data, name="http://a.test/x", media_type="text/html", charset="ISO-8859-1").text


def test_deep_nesting_and_odd_spans_end():
    deep = "<div>" * 1500 + "core" + "</div>" * 1500
    assert "core" in page(deep)
    wide = "<tr><td colspan=100000 rowspan=99999>wide</td><td>1</td></tr>"
    assert "wide" in page(f"<table>{wide}<tr><td>2</td><td>3</td></tr></table>")


def test_a_page_without_markup_of_its_own_is_skipped():
    assert extract(b"<html><body><script>x</script></body></html>", name="p.html").skipped.startswith("blank")
