"""Tell a format from the bytes first, from the name second."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

from ...errors import SourceError

Format = Literal["text", "markdown", "html", "pdf", "docx", "xlsx", "pptx", "csv", "tsv", "json", "jsonl", "eml"]

_EXTENSIONS: dict[str, Format] = {
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".rst": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".geojson": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".eml": "eml",
}
_MEDIA_TYPES: dict[str, Format] = {
    "text/plain": "text",
    "text/markdown": "markdown",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "message/rfc822": "eml",
}
_BINARY_MARKS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a RIFF media file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"\xca\xfe\xba\xbe", "a program"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HTML = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.I | re.S)
_OFFICE: dict[str, Format] = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_SAMPLE_BYTES = 8192


def format_of(data: bytes, name: str, media_type: str | None = None) -> Format:
    """Return the format of a file or page.

    Raises: SourceError where it is binary, locked or of a kind that is not read.
    """
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _office(data, name)
    if data.startswith(_OLE):
        return _refuse_ole(data, name)
    for mark, what in _BINARY_MARKS:
        if data.startswith(mark):
            raise SourceError(name, f"binary: {what}")
    declared = _declared(name, media_type)
    if declared in ("docx", "xlsx", "pptx"):
        raise SourceError(name, f"damaged: not a whole {declared} file")
    if declared == "pdf":
        raise SourceError(name, "damaged: no pdf header")
    if _is_binary(data):
        raise SourceError(name, "binary: not text")
    if _HTML.match(data[:_SAMPLE_BYTES].lstrip(b"\xef\xbb\xbf")) and declared != "markdown":
        return "html"
    return declared


def _declared(name: str, media_type: str | None) -> Format:
    """Read media type and extension; a bare `text/plain` or `octet-stream` yields to the extension."""
    kind = _MEDIA_TYPES.get((media_type or "").partition(";")[0].strip().lower())
    path = urlsplit(name).path if "://" in name else name.replace("\\", "/")
    by_name = _EXTENSIONS.get(PurePosixPath(path).suffix.lower())
    if kind is None and (media_type or "").partition(";")[0].strip().lower().endswith("+json"):
        kind = "json"
    if kind in (None, "text"):
        return by_name or kind or "text"
    return kind or "text"


def _is_binary(data: bytes) -> bool:
    """Whether a sample looks like no text in any encoding: NULs outside UTF-16/32, or many control bytes."""
    sample = data[:_SAMPLE_BYTES]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff", b"\xef\xbb\xbf")):
        return False
    controls = sum(byte < 32 and byte not in (9, 10, 11, 12, 13, 27) for byte in sample)
    nulls = sample.count(0)
    if nulls and nulls * 100 > len(sample) and not _looks_utf16(sample):
        return True
    return (controls - nulls) * 20 > len(sample) or (nulls > 0 and controls * 20 > len(sample))


def _looks_utf16(sample: bytes) -> bool:
    """Whether NULs fill every second byte, as Western text in UTF-16 without a mark has them."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    return max(even, odd) * 5 > len(sample) * 2 and min(even, odd) * 20 < len(sample)


def _office(data: bytes, name: str) -> Format:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise SourceError(name, "damaged: not a whole office file") from error
    for prefix, kind in _OFFICE.items():
        if any(part.startswith(prefix) for part in names):
            return kind
    raise SourceError(name, "binary: a zip archive")


def _refuse_ole(data: bytes, name: str) -> Format:
    """Old and locked office files share one container; the locked ones hold an encryption stream."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise SourceError(name, "password: the office file is locked")
    raise SourceError(name, "unknown format: an Office 97-2003 file (save it as docx, xlsx or pptx)")
