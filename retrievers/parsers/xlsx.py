"""Read a workbook sheet by sheet: values as people see them, tables found between empty rows."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib.metadata import version
from io import BytesIO
from typing import Any

import openpyxl

from .archives import check_archive
from .extraction import Extraction, TextBuilder, one_line
from .limits import MAX_CHARS
from .number_formats import shown
from .tables import add_table

# Its library tells a terminal what it passes over in a damaged file; the report tells what matters.
warnings.filterwarnings("ignore", module=r"openpyxl\.")
# A sheet may claim a million empty rows and columns; reading stops after this many empty ones in a row.
_MOST_EMPTY_ROWS = 1000
_MOST_COLUMNS = 500
_MOST_CELLS = 2_000_000
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*?)(/?)>")
_REFERENCE = re.compile(rb'\br="([A-Z]{1,3}\d{1,7})"')


def parse_xlsx(data: bytes, name: str, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read all visible sheets with the values stored in them.

    Raises: SourceError where it is locked or too large; what its library raises where it is damaged.
    """
    check_archive(data, name)
    builder, notes = TextBuilder(), []
    with closing(openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)) as book:
        title = one_line(str(book.properties.title or ""))
        names = {str(getattr(each, "_worksheet_path", "")).lstrip("/"): each.title for each in book.worksheets}
        for sheet in book.worksheets:
            if sheet.sheet_state != "visible":
                notes.append(f"hidden sheet {sheet.title!r} left out")
                continue
            _write_sheet(builder, sheet, max_chars)
            if builder.length > max_chars:
                notes.append(f"cut in sheet {sheet.title!r}: the text exceeds {max_chars:,} characters")
                break
    unstored = _unstored(data, names)
    return Extraction(
        text=builder.text,
        title=title,
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        extractor=f"openpyxl {version('openpyxl')}",
        tier="structured",
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
        note="; ".join([*notes, *unstored]),
        cut=bool(unstored) or builder.length > max_chars,
    )


def _write_sheet(builder: TextBuilder, sheet: Any, max_chars: int) -> None:
    builder.heading(sheet.title, 1, sheet=sheet.title)
    number = 1
    for region in _regions(sheet):
        if len(region) == 1 and sum(bool(cell) for cell in region[0]) == 1:
            builder.block("".join(region[0]), sheet=sheet.title)
            continue
        number = add_table(builder, region, sheet=sheet.title, first_number=number, merged_right=True)
        if builder.length > max_chars:
            return


def _regions(sheet: Any) -> Iterator[list[list[str]]]:
    """Yield the tables of a sheet: runs of rows without an empty one between, empty outer columns cut off."""
    region: list[list[str]] = []
    empty = cells = 0
    for row in sheet.iter_rows(max_col=_MOST_COLUMNS):
        shown_row = [_text(cell) for cell in row]
        if any(shown_row):
            region.append(shown_row)
            empty = 0
        else:
            empty += 1
            if region:
                yield from _narrowed(region)
                region = []
        cells += len(shown_row)
        if empty >= _MOST_EMPTY_ROWS or cells > _MOST_CELLS:
            break
    if region:
        yield from _narrowed(region)


def _narrowed(region: Sequence[list[str]]) -> Iterator[list[list[str]]]:
    used = [
        index for index in range(max(map(len, region))) if any(i < len(r) and r[i] for r in region for i in [index])
    ]
    yield [[row[index] if index < len(row) else "" for index in range(used[0], used[-1] + 1)] for row in region]


def _text(cell: Any) -> str:
    value = cell.value
    return "" if value is None else one_line(shown(value, cell.number_format or "General"))


def _unstored(data: bytes, names: Mapping[str, str]) -> list[str]:
    """Name the cells whose formula has no stored value: nothing was ever computed for them.

    Args:
        names: Of the sheets, by their part of the file.
    """
    notes = []
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for part in sorted(archive.namelist()):
            if not re.fullmatch(r"xl/worksheets/[^/]+\.xml", part):
                continue
            missing = _formulas_without_value(archive.read(part))
            if missing:
                listed = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
                sheet = names.get(part) or part.rsplit("/", 1)[-1].removesuffix(".xml")
                formulas = "1 formula" if len(missing) == 1 else f"{len(missing)} formulas"
                notes.append(f"{formulas} without a stored value in sheet {sheet!r} ({listed})")
    return notes


def _formulas_without_value(xml: bytes) -> list[str]:
    if b"<f" not in xml and b":f" not in xml:
        return []
    found = []
    for match in _CELL.finditer(xml):
        if match.group(2):
            continue
        end = xml.find(b"c>", match.end())
        inner = xml[match.end() : end]
        if re.search(rb"<(?:\w+:)?f[\s/>]", inner) and not re.search(rb"<(?:\w+:)?v>[^<]", inner):
            reference = _REFERENCE.search(match.group(1))
            found.append(reference.group(1).decode() if reference else "?")
    return found
