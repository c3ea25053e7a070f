"""Small documents made on the spot, for tests that need a real pdf or office file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

Piece = tuple[float, float, str]
"""Left edge, baseline and text of a run on a page of 612 by 792 points, in 9 point Helvetica."""


def make_pdf(pages: Sequence[Sequence[Piece]], *, info: str = "", rotate: int = 0) -> bytes:
    """Write a pdf by hand, one font, one content stream per page."""
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", font]
    kids = []
    for pieces in pages:
        lines = []
        for left, baseline, text in pieces:
            escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            lines.append(f"BT /F1 9 Tf 1 0 0 1 {left} {baseline} Tm ({escaped}) Tj ET")
        stream = "\n".join(lines)
        objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate {rotate} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    if info:
        objects.append(info)
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    extra = f" /Info {len(objects)} 0 R" if info else ""
    size = len(objects) + 1
    trailer = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R{extra} >>\n"
    return out + f"{trailer}startxref\n{len(out)}\n%%EOF\n".encode()


# Widths of Helvetica in thousandths of the size, for the characters that tables align by.
_WIDTHS = {"$": 556, ",": 278, ".": 278, "(": 333, ")": 333, "%": 889, " ": 278, "-": 333}


def right_aligned(right: float, baseline: float, text: str) -> Piece:
    """Place figures so that they end at `right`."""
    width = sum(_WIDTHS.get(char, 556) for char in text) * 9 / 1000
    return round(right - width, 2), baseline, text


def saved(document: Any) -> bytes:
    """Return the bytes of a python-docx, openpyxl or python-pptx document."""
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def with_parts(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """Rewrite each part of an office file."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.infolist():
            target.writestr(part.filename, change(part.filename, source.read(part)))
    return out.getvalue()
