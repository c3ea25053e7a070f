"""Broken bytes end in text or in a named reason, never in another error."""

from __future__ import annotations

import random
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from citewell.errors import SourceError
from citewell.retrievers.chunking import cut
from citewell.retrievers.parsers import extract
from documents import make_pdf, saved

PIECES = [b"<", b"</table>", b'"', b"\0", b"\xff\xfe", b"\n", b"[[", b"|---|", b"<table>"]
CASES = Path(__file__).parents[2] / "data" / "cases"


def samples() -> dict[str, bytes]:
    book = openpyxl.Workbook()
    book.active.append(["Site", "Heads"])
    book.active.append(["Kelm", 140])
    document = docx.Document()
    document.add_heading("Lease", 1)
    document.add_table(rows=2, cols=2).cell(0, 0).text = "Year"
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Figures"
    made = {
        "a.xlsx": saved(book),
        "a.docx": saved(document),
        "a.pptx": saved(deck),
        "a.pdf": make_pdf([[(40, 700, "Hi")]]),
    }
    named = ("B01.csv", "B06.html", "B08.pdf", "B10.json", "B11.docx", "B14.md", "B17.json", "B50.html")
    return made | {name: (CASES / name).read_bytes() for name in named}


def mutated(data: bytes, dice: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        place = dice.randrange(len(out) + 1)
        match dice.randrange(4):
            case 0:
                out[place : place + dice.randint(1, 40)] = b""
            case 1:
                out[place:place] = dice.randbytes(dice.randint(1, 12))
            case 2:
                out[place:place] = dice.choice(
                    [b"<", b"</table>", b'"', b"\0", b"\xff\xfe", b"\n", b"[[", b"|---|", b"<table>"]
                )
            case 3 if out:
                out[min(place, len(out) - 1)] ^= 1 << dice.randrange(8)
    return bytes(out)


@pytest.mark.parametrize("name", sorted(samples()))
def test_a_mutated_file_is_read_or_refused_with_a_reason(name):
    dice, data = random.Random(f"seed {name}"), samples()[name]
    reasons: list[str] = []
    for _ in range(40):
        try:
            extraction = extract(mutated(data, dice), name=name)
        except SourceError as error:
            reasons.append(error.reason)
            continue
        assert extraction.text.encode("utf-8") or extraction.skipped
        for chunk in cut(extraction, name, chars=60, overlap=12):
            assert chunk.text == extraction.text[chunk.start : chunk.end]
        for row in extraction.rows:
            assert all(extraction.text[cell.start : cell.end] == cell.text for cell in row.cells)
    assert all(reasons)
