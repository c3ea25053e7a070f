"""Turn what pdfium reads on one page into text, with the way back to its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import RLock

import pypdfium2 as pdfium

PDFIUM_LOCK = RLock()
"""pdfium is not safe to call from two threads at once."""

# pdfium writes U+FFFE for a hyphen at the end of a line, and swallows the line end.
_LINE_END_HYPHEN = "\ufffe"
_DROPPED = re.compile("\r(?=\n)|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\uffff\ufdd0-\ufdef\u00ad]")
_WORD_BEFORE = re.compile(r"[^\W\d_]+\Z")
_WORD_AFTER = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class PageText:
    """The text of one page.

    Attributes:
        text: What `extract` puts into the source's text for this page.
        kept: The runs of pdfium's characters that the text consists of, as (first, one past the last).
    """

    text: str
    kept: tuple[tuple[int, int], ...]

    def origins(self) -> list[int]:
        """Return for each character of the text its index among the page's characters in pdfium."""
        return [index for start, end in self.kept for index in range(start, end)]


def open_pdf(data: bytes | str) -> pdfium.PdfDocument:
    """Open a document; a path may be given instead of its bytes.

    Raises: pypdfium2.PdfiumError.
    """
    return pdfium.PdfDocument(data)


def page_text(textpage: pdfium.PdfTextPage) -> PageText:
    """Read one page: line feeds as line ends, no control characters, no white space around it."""
    raw = textpage.get_text_range()
    count = textpage.count_chars()
    if count != len(raw):
        # Characters beyond the BMP make the two disagree; character by character they cannot.
        raw = "".join(_character(pdfium.raw.FPDFText_GetUnicode(textpage, index)) for index in range(count))
    return visible(raw)


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 else "\0"


def visible(raw: str) -> PageText:
    """Drop and replace what is not text; one character of `raw` becomes one or none."""
    if _LINE_END_HYPHEN in raw:
        raw = _resolve_hyphens(raw)
    raw = raw.replace("\x0b", "\n").replace("\x0c", "\n").replace("\x85", "\n").replace("\u2028", "\n")
    kept: list[tuple[int, int]] = []
    position = 0
    for match in _DROPPED.finditer(raw):
        if match.start() > position:
            kept.append((position, match.start()))
        position = match.end()
    kept.append((position, len(raw)))
    text = "".join(raw[start:end] for start, end in kept).replace("\r", "\n")
    dropped_left, dropped_right = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
    return PageText(text.strip(), tuple(_shortened(kept, dropped_left, dropped_right)))


def _shortened(kept: Sequence[tuple[int, int]], left: int, right: int) -> Iterator[tuple[int, int]]:
    """Yield the runs without the first `left` and the last `right` characters."""
    total = sum(end - start for start, end in kept)
    passed = 0
    for start, end in kept:
        first, last = max(left, passed), min(total - right, passed + end - start)
        if first < last:
            yield start + first - passed, start + last - passed
        passed += end - start


def _resolve_hyphens(raw: str) -> str:
    """Write a line-end hyphen as `-`, or drop it where the joined word stands elsewhere on the page."""
    words = set(_WORD_AFTER.findall(raw.lower()))
    pieces = raw.split(_LINE_END_HYPHEN)
    out = pieces[0]
    for piece in pieces[1:]:
        before, after = _WORD_BEFORE.search(out), _WORD_AFTER.match(piece)
        joined = before is not None and after is not None and (before.group() + after.group()).lower() in words
        # A dropped hyphen still takes one place, so that indexes stay those of pdfium.
        out += ("\0" if joined else "-") + piece
    return out
