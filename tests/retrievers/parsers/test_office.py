"""Office files are read in their order, with what people see in them."""

from __future__ import annotations

import zipfile
from datetime import date, datetime
from io import BytesIO

import docx
import openpyxl
import pptx
import pytest
from citewell.errors import SourceError
from citewell.retrievers.parsers import Extraction, extract
from citewell.retrievers.parsers.number_formats import shown
from documents import saved, with_parts
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches


def word(document) -> Extraction:
    return extract(saved(document), name="d.docx")


def test_word_keeps_headings_lists_tables_and_footers_in_order():
    document = docx.Document()
    document.add_heading("Lease", 0)
    document.add_heading("Rent", 1)
    document.add_paragraph("The rent is due monthly.")
    table = document.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, [("Year", "Rent"), ("2022", "EUR 1,200"), ("2023", "EUR 1,260")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.add_paragraph("First point", style="List Bullet")
    document.sections[0].footer.paragraphs[0].text = "Confidential draft"
    extraction = word(document)
    assert extraction.text == (
        "Lease\n\nRent\n\nThe rent is due monthly.\n\nYear: 2022; Rent: EUR 1,200\nYear: 2023; Rent: EUR 1,260"
        "\n\n- First point\n\nConfidential draft"
    )
    assert extraction.title == "Lease"
    assert extraction.blocks[2].headings == ("Lease", "Rent")


def test_word_drops_deleted_and_hidden_text_and_keeps_inserted_text():
    document = docx.Document()
    paragraph = document.add_paragraph("Kept ")
    run = paragraph.add_run("HIDDEN")
    run.font.hidden = True
    xml = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'"
    for markup in (
        f"<w:del {xml}><w:r><w:delText>DELETED</w:delText></w:r></w:del>",
        f"<w:ins {xml}><w:r><w:t>inserted</w:t></w:r></w:ins>",
    ):
        paragraph._p.append(docx.oxml.parse_xml(markup))
    assert word(document).text == "Kept inserted"


def test_word_merged_cells_are_read_once_per_row():
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row, cells in zip(
        table.rows, [("Site", "Year", "Heads"), ("Kelm", "2022", "140"), ("", "2023", "171")], strict=True
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    assert [row.label for row in word(document).rows] == ["Kelm", "Kelm"]


def workbook(rows, *, title="Sheet", formats=None) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for place, code in (formats or {}).items():
        sheet[place].number_format = code
    return saved(book)


def test_sheets_show_values_as_people_see_them():
    rows = [["Region", "Margin 2022", "Sales", "As of"], ["Retail", 0.075, 1234567.5, date(2022, 12, 31)]]
    data = workbook(rows, title="KPIs", formats={"B2": "0.0%", "C2": "#,##0", "D2": "dd.mm.yyyy"})
    extraction = extract(data, name="k.xlsx")
    assert extraction.text == "KPIs\n\nRegion: Retail; Margin 2022: 7.5%; Sales: 1,234,568; As of: 2022-12-31"
    [row] = extraction.rows
    assert (row.sheet, row.row, row.label, row.caption) == ("KPIs", 1, "Retail", "KPIs")
    assert all(extraction.text[cell.start : cell.end] == cell.text for cell in row.cells)
    assert extraction.tier == "structured"


def test_tables_of_a_sheet_are_found_between_empty_rows_with_headers_of_two_lines():
    rows = [
        ["Revenue by region (EUR m)"],
        [None, "2022", None, "2021", None],
        [None, "Plan", "Actual", "Plan", "Actual"],
        ["North", 10, 11, 9, 8],
        [],
        ["Note: audited"],
        [],
        ["Site", "Heads"],
        ["Kelm", 140],
    ]
    extraction = extract(workbook(rows), name="k.xlsx")
    north, kelm = extraction.rows
    assert [cell.header for cell in north.cells[1:]] == ["2022 Plan", "2022 Actual", "2021 Plan", "2021 Actual"]
    assert north.caption == "Revenue by region (EUR m)"
    assert [(cell.header, cell.text) for cell in kelm.cells] == [("Site", "Kelm"), ("Heads", "140")]
    assert "Note: audited" in extraction.text


def test_formulas_without_a_stored_value_are_reported():
    rows = [["Site", "Heads"], ["Kelm", 140], ["Sum", "=B2*2"]]
    extraction = extract(workbook(rows, title="Häfen 2024"), name="k.xlsx")
    assert "1 formula without a stored value in sheet 'Häfen 2024' (B3)" in extraction.note
    assert extraction.text.endswith("Sum")


def test_hidden_sheets_are_left_out_and_named():
    book = openpyxl.Workbook()
    book.active.append(["Site", "Kelm"])
    hidden = book.create_sheet("Old")
    hidden.append(["SECRET", 1])
    hidden.sheet_state = "hidden"
    extraction = extract(saved(book), name="k.xlsx")
    assert "SECRET" not in extraction.text
    assert extraction.note == "hidden sheet 'Old' left out"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.246, "0.0%", "24.6%"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (-1234.5, "#,##0.0_);(#,##0.0)", "(1,234.5)"),
        (1234.5, '"€" #,##0.00', "€ 1,234.50"),
        (1234.5, "[$CHF-807] #,##0", "CHF 1,235"),
        (0, '#,##0;-#,##0;"-"', "-"),
        (2500000, '0.0,,"M"', "2.5M"),
        (0.1 + 0.2, "General", "0.3"),
        (12345678901234567890, "General", "12345678901234567890"),
        (1.5, "0.##", "1.5"),
        (2, "0.##", "2"),
        (True, "General", "TRUE"),
        (datetime(2024, 3, 5, 14, 30), "yyyy", "2024-03-05 14:30"),
        (None, "General", ""),
    ],
)
def test_number_formats(value, code, text):
    assert shown(value, code) == text


def test_slides_give_titles_bullets_tables_charts_and_notes_with_their_page():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Outlook"
    slide.placeholders[1].text = "Orders grow\nCosts fall"
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Figures"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for place, text in {(0, 0): "Year", (0, 1): "Sales", (1, 0): "2023", (1, 1): "12.5"}.items():
        table.cell(*place).text = text
    chart = CategoryChartData()
    chart.categories = ["2022", "2023"]
    chart.add_series("Margin", (0.07, 0.09), number_format="0%")
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), chart)
    second.notes_slide.notes_text_frame.text = "Ask for detail."
    hidden = deck.slides.add_slide(deck.slide_layouts[5])
    hidden.shapes.title.text = "SECRET"
    hidden._element.set("show", "0")
    extraction = extract(saved(deck), name="d.pptx")
    assert extraction.text == (
        "Outlook\n\n- Orders grow\n- Costs fall\n\nFigures\n\nYear: 2023; Sales: 12.5"
        "\n\n2022; Margin: 7%\n2023; Margin: 9%\n\nSpeaker notes: Ask for detail."
    )
    assert [block.page for block in extraction.blocks] == [1, 1, 1, 2, 2, 2, 2, 2]
    assert (extraction.title, extraction.note) == ("Outlook", "hidden slide 3 left out")


def test_a_zip_bomb_is_refused_before_it_unpacks():
    book = workbook([["a", "b"], [1, 2]])
    bomb = with_parts(book, lambda name, part: part + b" " * 60_000_000 if name.endswith("sheet1.xml") else part)
    assert len(bomb) < 200_000
    with pytest.raises(SourceError, match="zip bomb"):
        extract(bomb, name="b.xlsx")


def test_an_entity_bomb_in_a_word_file_expands_to_nothing():
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<!DOCTYPE x [<!ENTITY a0 "ha">{entities}]>'.encode()

    def plant(name: str, part: bytes) -> bytes:
        if name != "word/document.xml":
            return part
        head, body = part.split(b"?>", 1)
        return head + b"?>" + doctype + body.replace(b"start", b"&a11;")

    document = docx.Document()
    document.add_paragraph("start")
    try:
        text = extract(with_parts(saved(document), plant), name="d.docx").text
    except SourceError:
        text = ""
    assert len(text) < 1000


def test_a_cut_office_file_and_a_plain_archive_say_so():
    whole = workbook([["a", "b"], [1, 2]])
    with pytest.raises(SourceError, match="damaged"):
        extract(whole[: len(whole) // 2], name="k.xlsx")
    with pytest.raises(SourceError, match="damaged"):
        extract(b"no zip at all", name="k.xlsx")
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(SourceError, match="zip archive"):
        extract(out.getvalue(), name="k.zip")


def test_old_and_locked_office_files_are_told_apart():
    container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    with pytest.raises(SourceError, match="97-2003"):
        extract(container, name="k.doc")
    with pytest.raises(SourceError, match="password"):
        extract(container + "EncryptedPackage".encode("utf-16-le"), name="k.docx")
