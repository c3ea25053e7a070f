"""Delimited files, json, Markdown, mail and plain text give rows and paragraphs with exact offsets."""

from __future__ import annotations

import json
from email.message import EmailMessage

import pytest
from citewell.errors import SourceError
from citewell.retrievers.parsers import Extraction, extract, with_uri
from citewell.retrievers.parsers.delimited import sniff
from citewell.retrievers.parsers.extraction import clean
from hypothesis import given
from hypothesis import strategies as st


def texts(extraction: Extraction) -> list[str]:
    return extraction.text.splitlines()


@pytest.mark.parametrize(
    ("sample", "sign"),
    [
        ("a,b,c\n1,2,3\n", ","),
        ("a;b\n1,5;2,5\n3,25;4,75\n", ";"),
        ("a\tb\n1,2\t3\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ("only one column\nand one more\n", ","),
        ('name;note\nA;"x, y, z"\nB;"u, v, w"\n', ";"),
    ],
)
def test_the_delimiter_is_the_one_that_gives_even_records(sample, sign):
    assert sniff(sample) == sign


@pytest.mark.parametrize(
    ("name", "data", "whole"),
    [
        ("a.csv", b"Site,Staff\nKelm,140\nOrt,171\n", True),
        ("a.jsonl", b'{"site": "Kelm"}\n{"site": "Ort"}\n', True),
        ("a.jsonl", b'{"site": "Kelm"}\n{"site": \n', False),
    ],
)
def test_a_table_with_a_record_left_out_is_not_whole(name, data, whole):
    assert extract(data, name=name).tables_whole is whole


def test_a_table_that_was_cut_is_not_whole():
    data = b"Site,Staff\n" + b"Kelm,140\n" * 100
    assert extract(data, name="a.csv").tables_whole
    assert not extract(data, name="a.csv", max_chars=500).tables_whole


def test_a_table_with_more_cells_than_are_kept_is_not_whole(monkeypatch):
    monkeypatch.setattr("citewell.retrievers.parsers.delimited.MAX_CELLS", 10)
    extraction = extract(b"Site,Staff\n" + b"Kelm,140\n" * 6, name="a.csv")
    assert (len(extraction.rows), extraction.text.count("Kelm"), extraction.tables_whole) == (5, 6, False)


def test_a_row_with_very_many_cells_is_text_alone():
    wide = ",".join(str(number) for number in range(3_000))
    extraction = extract(f"{wide}\n".encode() + b"1,2\n3,4\n", name="a.csv")
    assert (len(extraction.rows), "; 2999" in extraction.text, extraction.tables_whole) == (2, True, False)
    assert all(len(row.cells) == 2 for row in extraction.rows)


def test_titles_above_the_header_are_captions():
    extraction = extract(b"Head count by site,,\nSite,2022,2023\nKelm,140,171\n", name="h.csv")
    [row] = extraction.rows
    assert (row.caption, row.label) == ("Head count by site", "Kelm")
    assert [cell.header for cell in row.cells] == ["Site", "2022", "2023"]


def test_records_without_a_header_are_read_bare():
    assert texts(extract(b"Kelm,140\nOstrow,25\n", name="h.csv")) == ["Kelm; 140", "Ostrow; 25"]


def test_ragged_records_and_stray_quotes_lose_nothing():
    text = extract(b'a,b\n1,2,3\n4\n5,"six\n', name="r.csv").text
    assert all(value in text for value in ("1", "2", "3", "4", "5", "six"))


def test_utf16_and_tabs_as_a_spreadsheet_exports_them():
    extraction = extract("Stadt\tWert\r\nKöln\t1,5\r\n".encode("utf-16"), name="t.txt.csv")
    assert extraction.text == "Stadt: Köln; Wert: 1,5"
    assert "utf-16" in extraction.extractor


def test_a_large_file_is_cut_with_a_note():
    data = b"id,name\n" + b"".join(b"%d,item number %d\n" % (number, number) for number in range(5_000))
    extraction = extract(data, name="big.csv", max_chars=20_000)
    assert 20_000 <= len(extraction.text) < 20_200
    assert "records were read" in extraction.note


def test_a_large_file_is_decoded_piece_by_piece():
    line = "Köln;1,5;" + "x" * 90 + "\r\n"
    extraction = extract(("Stadt;Wert;Notiz\r\n" + line * 50_000).encode("cp1252"), name="big.csv", max_chars=5_000)
    assert extraction.text.startswith("Stadt: Köln; Wert: 1,5; Notiz: xxx")
    assert "cp1252" in extraction.extractor


def test_cells_know_their_place_and_rows_take_a_uri():
    extraction = extract(b"Region,Margin 2022\nRetail,7.5%\n", name="m.csv")
    assert extraction.text == "Region: Retail; Margin 2022: 7.5%"
    [row] = with_uri(extraction.rows, "m.csv")
    assert row.uri == "m.csv"
    assert [extraction.text[cell.start : cell.end] for cell in row.cells] == ["Retail", "7.5%"]
    assert (row.start, row.end) == (0, len(extraction.text))


def test_json_keeps_numbers_as_written_and_repeated_keys():
    extraction = extract(b'[{"price": 7.50, "n": 1, "n": 2, "big": 12345678901234567890123}]', name="p.json")
    assert extraction.text == "price: 7.50; n: 1; n (2): 2; big: 12345678901234567890123"


def test_json_objects_head_their_lists_and_flatten_their_objects():
    value = {
        "name": "Kelm",
        "seat": {"city": "Ostrow"},
        "sites": [{"id": "a", "area": {"m2": 12}}, {"id": "b"}],
        "tags": ["x", "y"],
    }
    extraction = extract(json.dumps(value).encode(), name="k.json")
    assert texts(extraction) == [
        "name: Kelm", "seat.city: Ostrow", "", "sites", "", "id: a; area.m2: 12", "id: b", "", "tags: x, y",
    ]  # fmt: skip
    assert extraction.title == "Kelm"
    assert [(row.label, row.row) for row in extraction.rows][2:4] == [("a", 1), ("b", 2)]


def test_json_tables_by_columns_and_by_lists():
    split = b'{"columns": ["Year", "Sales"], "data": [[2022, 5], [2023, 6]]}'
    assert texts(extract(split, name="s.json")) == ["Year: 2022; Sales: 5", "Year: 2023; Sales: 6"]
    grid = b'[["Year", "Sales"], ["2022", 5], ["2023", 6]]'
    assert texts(extract(grid, name="g.json")) == ["Year: 2022; Sales: 5", "Year: 2023; Sales: 6"]


def test_long_values_are_paragraphs():
    extraction = extract(json.dumps([{"id": 1, "text": "Long story. " * 60}]).encode(), name="l.json")
    assert [block.kind for block in extraction.blocks] == ["row", "paragraph"]


def test_jsonl_reads_line_by_line_and_counts_broken_lines():
    extraction = extract(b'{"a": 1}\nnot json\n{"a": 2}\n', name="x.jsonl")
    assert texts(extraction) == ["a: 1", "a: 2"]
    assert extraction.note == "1 lines are not valid json and were left out"


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b"{broken", b'{"a": 1,}'])
def test_broken_json_is_refused(data):
    with pytest.raises(SourceError, match="damaged"):
        extract(data, name="x.json")


def test_deeply_nested_json_within_the_parsers_reach_ends():
    assert "core" in extract(b"[" * 400 + b'"core"' + b"]" * 400, name="d.json").text


def test_markdown_drops_marks_and_keeps_code_and_front_matter():
    source = (
        "---\ntitle: Notes\ndate: 2024-03-05\n---\n# One\nSee **bold** [link](http://a.test) and `x < y`.\n\n"
        "- a\n  1. b\n\n| Region | Margin 2022 |\n|---|--:|\n| Retail | 7.5% |\n\n```\nif a:\n    b\n```\n"
    )
    extraction = extract(source.encode(), name="n.md")
    assert extraction.text == (
        "title: Notes\ndate: 2024-03-05\n\nOne\n\nSee bold link and x < y.\n\n- a\n  1. b\n\n"
        "Region: Retail; Margin 2022: 7.5%\n\nif a:\n    b"
    )
    assert extraction.title == "Notes"
    assert extraction.published_at is not None
    assert extraction.blocks[-1].headings == ("One",)


def test_mail_shows_its_headers_and_names_its_attachments():
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@a.test", "bo@b.test", "Lease Kelm"
    message["Date"] = "Tue, 05 Mar 2024 10:00:00 +0100"
    message.set_content("The rent is due.\n\nRegards")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="lease.pdf")
    extraction = extract(message.as_bytes(), name="m.eml")
    assert "Subject: Lease Kelm" in extraction.text
    assert "The rent is due.\n\nRegards" in extraction.text
    assert (extraction.title, extraction.note) == ("Lease Kelm", "attachments not read: lease.pdf")
    assert extraction.published_at is not None
    assert extraction.published_at.day == 5


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Это договор аренды на три года, плата вносится ежемесячно. " * 4, "cp1251"),
        ("これは契約書です。家賃は毎月末に支払うものとします。" * 4, "shift_jis"),
        ("这是一份合同，租金按月支付，期限为三年。" * 4, "gb18030"),
        ("Das Gebäude gehört der Größe nach zur Straße. Fußgänger übten Kritik.", "cp1252"),
        ("naïve café – déjà vu, ça coûte 5 €", "cp1252"),
        ("Η μίσθωση διαρκεί τρία χρόνια και το μίσθωμα καταβάλλεται μηνιαίως. " * 4, "cp1253"),
        ("Plain text with a dash – and €", "utf-16-le"),
        ("Plain text", "utf-32"),
        ("emoji 🎉 and accents é", "utf-8"),
    ],
)
def test_encodings_are_recognised(text, codec):
    data = text.encode(codec)
    if codec == "utf-16-le":
        data = b"\xff\xfe" + data
    assert extract(data, name="t.txt").text == text.strip()


def test_a_declared_charset_that_does_not_fit_is_ignored():
    assert extract("Größe 5 €".encode(), name="t.txt", charset="ascii").text == "Größe 5 €"
    assert extract("Größe".encode(), name="t.txt", charset="no-such-thing").text == "Größe"


@given(st.text(alphabet=st.characters(codec=None), max_size=200))
def test_cleaned_text_is_valid_and_cleaning_it_again_changes_nothing(text):
    found = clean(text)
    assert found.encode("utf-8").decode("utf-8") == found
    assert clean(found) == found
    assert not {"\0", "\r", "\x0c"} & set(found)


def test_a_huge_line_is_read():
    assert len(extract(b"x" * 3_000_000, name="t.txt").text) == 3_000_000


def test_text_beyond_the_limit_is_left_out_with_a_note():
    extraction = extract(("word " * 200_000).encode(), name="t.txt", max_chars=1_000)
    assert (len(extraction.text), extraction.blocks[-1].end) == (1_000, 1_000)
    assert extraction.note == "cut: the text exceeds 1,000 characters"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + b"\0" * 50,
        b"GIF89a....",
        b"\x7fELF....",
        b"SQLite format 3\0....",
        bytes(range(256)) * 20,
    ],
)
def test_binaries_are_refused_whatever_their_name(data):
    with pytest.raises(SourceError, match="binary"):
        extract(data, name="notes.txt")


def test_content_beats_the_name():
    assert extract(b"<!DOCTYPE html><html><body><p>Hi</p></body></html>", name="page.txt").media_type == "text/html"
