"""Write the three binary files of the sample dataroom: one PDF, one XLSX, one DOCX, the same bytes each time."""

from __future__ import annotations

import argparse
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path

ROOM = Path(__file__).parent / "dataroom"

LETTER = (
    (
        "Penhallow Assurance LLP",
        "Certified public accountants, Providence",
        "",
        "14 February 2025",
        "To the management of Larkfield Telemetry, Inc.",
        "Status of the SOC 2 engagements",
        "",
        "Type I. Our report on the design of controls as of 31 October 2024 was issued on",
        "6 December 2024. It contains two exceptions, listed on the next page.",
        "",
        "Type II. The observation period began on 1 January 2025 and ends on 30 June 2025.",
        "Testing of operating effectiveness is under way. No Type II report has been issued.",
        "We expect to issue it in September 2025 if no further exceptions are found.",
        "",
        "This letter is not a report and gives no assurance. It may not be presented as",
        "evidence that a Type II audit is complete.",
        "",
        "J. Penhallow, partner",
    ),
    (
        "Exceptions in the Type I report",
        "",
        "CC6.2  Access of leavers is removed by hand. Two of twenty-five accounts stayed",
        "active for more than ten days after the person had left.",
        "",
        "CC7.4  The plan for incidents had not been rehearsed within the last twelve months.",
        "",
        "Management has accepted both exceptions and committed to correct them before the",
        "end of the Type II observation period.",
    ),
)

FORECAST: dict[str, Sequence[Sequence[str | float]]] = {
    "Status": [
        ["Item", "Value"],
        ["Document", "Forecast FY2026, version 3"],
        ["Prepared by", "P. Verhaegen, CFO"],
        ["Date", "2025-04-10"],
        ["Approval", "Draft, not approved by the board"],
    ],
    "Scenarios": [
        ["Scenario", "FY2026 total revenue (USD)", "FY2026 year-end ARR (USD)", "FY2026 operating result (USD)"],
        ["Downside", 20800000, 19300000, -2900000],
        ["Base", 24500000, 23100000, -1400000],
        ["Upside", 26900000, 25800000, -400000],
    ],
    "Assumptions": [
        ["Assumption", "Downside", "Base", "Upside"],
        ["Corvane framework agreement renewed", "no", "yes", "yes"],
        ["Net revenue retention assumed (percent)", 88, 110, 114],
        ["New customers", 14, 22, 27],
        ["EUR rate (USD per EUR)", 1.05, 1.08, 1.10],
    ],
}

AGREEMENT: Sequence[tuple[str, str]] = (
    ("Heading 1", "Framework agreement"),
    (
        "Normal",
        "between Larkfield Telemetry B.V., Utrecht, and Corvane Group, Hamburg, for itself and for the companies "
        "listed in Schedule 1. Dated 1 October 2022.",
    ),
    ("Heading 2", "1. Term"),
    (
        "Normal",
        "The agreement runs until 30 September 2025. It does not renew by itself. Talks about a renewal begin no later "
        "than six months before the end of the term.",
    ),
    ("Heading 2", "2. Fees"),
    (
        "Normal",
        "Each listed company is invoiced for its own sites. The fees of all listed companies count together towards "
        "the volume discount.",
    ),
    ("Heading 2", "3. Change of control"),
    (
        "Normal",
        "If control of Larkfield Telemetry, Inc. changes, Corvane Group may terminate this agreement for all listed "
        "companies on 60 days' notice.",
    ),
    ("Heading 2", "4. Liability"),
    (
        "Normal",
        "Liability for spoiled goods is limited to 200% of the yearly fees of the company concerned, for each event.",
    ),
    ("Heading 2", "Schedule 1: listed companies"),
)
LISTED = (
    ("Company", "Country", "Sites"),
    ("Corvane Logistics GmbH", "Germany", "41"),
    ("Corvane Pharma Distribution SAS", "France", "28"),
    ("Stellwerk Kuehltransport GmbH", "Germany", "33"),
    ("Brightwater Cold Storage Ltd", "United Kingdom", "19"),
    ("Northern Lane Carriers AB", "Sweden", "12"),
)


def main(room: Path = ROOM) -> None:
    """Write the three files below `room`."""
    for name, data in (
        ("compliance/auditor_letter.pdf", auditor_letter()),
        ("finance/forecast_fy2026.xlsx", forecast()),
        ("legal/corvane_framework_agreement.docx", agreement()),
    ):
        path = room / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def auditor_letter() -> bytes:
    """Return a PDF of one page of Helvetica per group of lines, written by hand since its syntax is that small."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in LETTER:
        shown = "".join("(" + re.sub(r"([()\\])", r"\\\1", line) + ") Tj T*\n" for line in lines)
        stream = f"BT /F1 11 Tf 15 TL 72 770 Td\n{shown}ET".encode("ascii")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def forecast() -> bytes:
    """Return the workbook of the forecast: a status sheet, scenarios and assumptions."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for title, rows in FORECAST.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = BytesIO()
    book.save(out)
    return _plain_zip(out.getvalue())


def agreement() -> bytes:
    """Return the framework agreement: clauses, and the listed companies as a table."""
    from docx import Document

    paper = Document()
    paper.core_properties.title = "Framework agreement Larkfield - Corvane"
    paper.core_properties.author = "Legal"
    paper.core_properties.created = paper.core_properties.modified = datetime(2022, 10, 1)
    paper.sections[0].header.paragraphs[0].text = "Executed version"
    for style, text in AGREEMENT:
        paper.add_paragraph(text, style=style)
    table = paper.add_table(rows=0, cols=len(LISTED[0]))
    for values in LISTED:
        for cell, value in zip(table.add_row().cells, values, strict=True):
            cell.text = value
    out = BytesIO()
    paper.save(out)
    return _plain_zip(out.getvalue())


def _plain_zip(data: bytes) -> bytes:
    """Return the archive with fixed times in a fixed order, so that no clock shows."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            content = source.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"2025-04-10T00:00:00Z", content)
            target.writestr(zipfile.ZipInfo(name, (2025, 4, 10, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m citewell.studio.make_dataroom", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOM, help="where to write them; the dataroom itself")
    main(parser.parse_args().folder)
