"""Pages of statements as passages: a title, and rows of figures under periods."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.reasoners.protocol import Passage
from citewell.state.records import Cell, Chunk, Hit, Source, TableRow, chunk_id_of

Line = tuple[str, Sequence[str]]


def page_of(
    uri: str, title: str, headers: Sequence[str], lines: Sequence[Line], *, page: int = 1, caption: str = ""
) -> Passage:
    """Return one page: each line is a label and a figure for each header, empty where there is none."""
    text, rows = f"{title}\n{' '.join(headers)}\n", []
    for number, (label, figures) in enumerate(lines, start=1):
        start = len(text)
        text += label.rsplit(": ", 1)[-1]
        cells = []
        for header, figure in zip(headers, figures, strict=True):
            if figure:
                text += " "
                cells.append(Cell(header=header, text=figure, start=len(text), end=len(text) + len(figure)))
                text += figure
        end = len(text)
        rows.append(
            TableRow(
                uri=uri,
                label=label,
                cells=tuple(cells),
                caption=caption or title,
                page=page,
                row=number,
                start=start,
                end=end,
            )
        )
        text += "\n"
    chunk = Chunk(chunk_id=chunk_id_of(uri, page), uri=uri, index=page, text=text, start=0, end=len(text), page=page)
    source = Source(uri=uri, kind="file", title="", media_type="application/pdf")
    return Passage(chunk, source, Hit(chunk_id=chunk.chunk_id, score=1.0, rank=1), tuple(rows))


YEARS = (
    "Fiscal Years Ended January 28, 2033",
    "Fiscal Years Ended January 29, 2032",
    "Fiscal Years Ended January 30, 2031",
)
ENDS = ("January 28, 2033", "January 29, 2032")

EARNINGS = page_of(
    "KELM_2033_10K.pdf",
    "Consolidated Statements of Earnings $ in millions",
    YEARS,
    [
        ("Revenue", ("$ 46,000", "$ 52,000", "$ 47,000")),
        ("Cost of sales", ("36,000", "40,200", "36,600")),
        ("Gross profit", ("10,000", "11,800", "10,400")),
        ("Selling, general and administrative expenses", ("8,000", "8,600", "7,900")),
        ("Operating income", ("1,800", "3,000", "2,400")),
        ("Net earnings", ("$ 1,400", "$ 2,400", "$ 1,800")),
    ],
    page=40,
)
BALANCE = page_of(
    "KELM_2033_10K.pdf",
    "Consolidated Balance Sheets $ in millions",
    ENDS,
    [
        ("Current assets: Cash and cash equivalents", ("$ 1,900", "$ 2,900")),
        ("Current assets: Merchandise inventories", ("5,100", "6,000")),
        ("Total current assets", ("8,800", "10,500")),
        ("Net property and equipment", ("2,350", "2,250")),
        ("Total assets", ("$ 15,800", "$ 17,500")),
        ("Current liabilities: Accounts payable", ("$ 5,700", "$ 6,800")),
        ("Current liabilities: Accrued liabilities", ("850", "950")),
        ("Total current liabilities", ("9,000", "10,700")),
        ("Long-term debt", ("1,150", "1,200")),
        ("Total liabilities", ("13,000", "14,500")),
    ],
    page=39,
)
CASH = page_of(
    "KELM_2033_10K.pdf",
    "Consolidated Statements of Cash Flows $ in millions",
    YEARS,
    [
        ("Net earnings", ("$ 1,400", "$ 2,400", "$ 1,800")),
        ("Total cash provided by operating activities", ("1,800", "3,200", "4,900")),
        (
            "Investing activities: Additions to property and equipment, net of $35 of non-cash items",
            ("(930)", "(740)", "(710)"),
        ),
        ("Total cash used in investing activities", ("(960)", "(1,370)", "(790)")),
        ("Total cash used in financing activities", ("(1,810)", "(4,300)", "(880)")),
    ],
    page=42,
)
QUARTER = page_of(
    "KELM_2034Q2_10Q.pdf",
    "Condensed Consolidated Balance Sheets $ in millions",
    ("July 29, 2033", "January 28, 2033", "July 30, 2032"),
    [
        ("Cash and cash equivalents", ("$ 1,100", "$ 1,900", "$ 840")),
        ("Merchandise inventories", ("5,650", "5,100", "6,050")),
        ("Total current assets", ("8,300", "8,800", "8,500")),
    ],
    page=3,
)
SEGMENTS = page_of(
    "KELM_2034Q2_10Q.pdf",
    "Geographic information: revenues by geographic area",
    (
        "Three Months Ended July 29, 2033",
        "Three Months Ended July 30, 2032",
        "Three Months Ended % Change",
        "Six Months Ended % Change",
    ),
    [
        ("Home market", ("6,100", "11,200", "(45)", "(27)")),
        ("Islands", ("2,400", "5,500", "(56)", "(70)")),
        ("Rest of the world", ("1,300", "5,000", "(74)", "(55)")),
        ("Revenues", ("9,800", "21,700", "(55)", "(41)")),
    ],
    page=38,
)  # fmt: skip
