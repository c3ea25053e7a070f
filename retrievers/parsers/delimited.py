"""Read csv and tsv: find the delimiter and the header, write each record as one line."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import chain, islice
from typing import TextIO

from .extraction import Extraction, TextBuilder, clean, one_line
from .limits import MAX_CELLS, MAX_CHARS
from .plain import decode
from .tables import is_value, is_year

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS = 65_536
_SAMPLE_RECORDS = 100
_LARGE_BYTES = 4 * 1024 * 1024


def parse_delimited(
    data: bytes, charset: str | None = None, *, delimiter: str | None = None, max_chars: int = MAX_CHARS
) -> Extraction:
    """Read delimited records; the first one names the columns unless it holds figures.

    Rows above the header that fill a single column are captions.  Memory grows with what is kept, and what exceeds
    `max_chars` is left out with a note.
    """
    stream, encoding = _stream(data, charset)
    sign = delimiter or sniff(stream.read(_SAMPLE_CHARS))
    stream.seek(0)
    builder, records = TextBuilder(), _records(stream, sign)
    ahead = list(islice(records, 20))
    names, captions, first = _header(ahead)
    for caption in captions:
        builder.block(caption, "caption")
    caption, cells, note = " ".join(captions), 0, ""
    for number, record in enumerate(chain(ahead[first:], records), start=1):
        cells += len(record)
        builder.row(names, record, caption=caption, number=number, keep=cells <= MAX_CELLS)
        if builder.length > max_chars:
            note = f"only the first {number:,} records were read: the text exceeds {max_chars:,} characters"
            break
    return Extraction(
        text=builder.text,
        media_type="text/tab-separated-values" if sign == "\t" else "text/csv",
        extractor=f"csv, {encoding} (charset-normalizer {version('charset-normalizer')})",
        tier="structured",
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
        note=note,
        cut=bool(note),
    )


def _stream(data: bytes, charset: str | None) -> tuple[TextIO, str]:
    """Open the text; a large one is decoded piece by piece, its encoding told by its beginning."""
    if len(data) <= _LARGE_BYTES:
        text, encoding = decode(data, charset)
        return io.StringIO(text, newline=""), encoding
    _, encoding = decode(data[:_LARGE_BYTES].rpartition(b"\n")[0], charset)
    codec = "utf-8-sig" if encoding.startswith("utf-8") else encoding.partition(" ")[0]
    return io.TextIOWrapper(io.BytesIO(data), codec, errors="replace", newline=""), encoding


def _records(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Yield records with white space collapsed, empty ones left out."""
    # The limit is global to the csv module; a field may be as long as what is kept of a source.
    csv.field_size_limit(MAX_CHARS)
    reader = csv.reader((line.replace("\0", "") for line in lines), delimiter=delimiter)
    for record in reader:
        cells = [one_line(cell) for cell in record]
        if any(cells):
            yield cells


def sniff(sample: str) -> str:
    """Return the delimiter that splits most records into the same number of columns, the more columns the better.

    `csv.Sniffer` guesses from letter counts and gives up on quoted line ends; parsing with each candidate does not.
    """
    best, best_score = ",", 0.0
    for sign in _DELIMITERS:
        try:
            widths = Counter(
                len(record) for record in islice(_records(io.StringIO(sample, newline=""), sign), _SAMPLE_RECORDS)
            )
        except csv.Error:
            continue  # a sign that the sample cannot be read with is not its delimiter
        widths.pop(1, None)
        if widths:
            width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
            score = count * (2 - 1 / width)
            if score > best_score:
                best, best_score = sign, score
    return best


def _header(ahead: Sequence[Sequence[str]]) -> tuple[list[str], list[str], int]:
    """Return column names, captions above them and the index of the first data record."""
    if not ahead:
        return [], [], 0
    width = Counter(len([cell for cell in record if cell]) for record in ahead).most_common(1)[0][0]
    captions: list[str] = []
    index = 0
    while width > 1 and index < len(ahead) - 1 and len([cell for cell in ahead[index] if cell]) == 1:
        captions.append(clean("".join(ahead[index])))
        index += 1
    if any(is_value(cell) and not is_year(cell) for cell in ahead[index]) or len(ahead) - index < 2:
        return [], captions, index
    return list(ahead[index]), captions, index + 1
