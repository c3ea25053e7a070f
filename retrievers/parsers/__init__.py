"""Turn bytes into text with locators, whatever the format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from ...errors import SourceError
from .extraction import Block, BlockKind, Extraction, Tier, with_uri
from .limits import MAX_BYTES, MAX_CHARS, MAX_OVERRUN
from .sniffing import Format, format_of

__all__ = ["Block", "BlockKind", "Extraction", "Tier", "extract", "with_uri"]


def extract(
    data: bytes, *, name: str, media_type: str | None = None, charset: str | None = None, max_chars: int = MAX_CHARS
) -> Extraction:
    """Read a file or page.

    The content decides the format; name and media type settle what content alone cannot (csv or text).

    Args:
        data: All of its bytes.
        name: File name, path or URL; its last part is the title where the content states none.
        media_type: As a server declares it.
        charset: As a server declares it.
        max_chars: Text beyond this is left out, and the note says so.
    Returns: An `Extraction`; `skipped` tells why there is nothing to read (empty, blank).
    Raises: SourceError with `name` and the reason: binary, password, damaged, unknown format, too large.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(name, f"too large: {len(data):,} bytes, at most {MAX_BYTES:,} are read")
    if not data:
        return Extraction(text="", title=title_from(name), skipped="empty: 0 bytes")
    kind = format_of(data, name, media_type)
    try:
        found = _parse(kind, data, name, charset, max_chars)
    except SourceError:
        raise
    except Exception as error:
        # Broken bytes make the libraries raise whatever they stumble over; one file never stops the others.
        raise SourceError(name, f"damaged: not a whole {kind} file ({type(error).__name__})") from error
    if not found.text.strip() and not found.skipped:
        found = replace(found, text="", blocks=(), rows=(), skipped="blank: no text in it")
    return replace(_bounded(found, max_chars), title=found.title or title_from(name))


def _parse(kind: Format, data: bytes, name: str, charset: str | None, max_chars: int) -> Extraction:
    """Hand the bytes to the parser of their format; parsers load their libraries when first needed."""
    match kind:
        case "csv" | "tsv":
            from .delimited import parse_delimited

            return parse_delimited(data, charset, delimiter="\t" if kind == "tsv" else None, max_chars=max_chars)
        case "json":
            from .json_records import parse_json

            return parse_json(data, name, charset, max_chars=max_chars)
        case "jsonl":
            from .json_records import parse_jsonl

            return parse_jsonl(data, name, charset, max_chars=max_chars)
        case "markdown":
            from .markdown import parse_markdown

            return parse_markdown(data, charset)
        case "html":
            from .html import parse_html

            return parse_html(data, name, charset, max_chars=max_chars)
        case "pdf":
            from .pdf import parse_pdf

            return parse_pdf(data, name, max_chars=max_chars)
        case "docx":
            from .docx import parse_docx

            return parse_docx(data, name, max_chars=max_chars)
        case "xlsx":
            from .xlsx import parse_xlsx

            return parse_xlsx(data, name, max_chars=max_chars)
        case "pptx":
            from .pptx import parse_pptx

            return parse_pptx(data, name, max_chars=max_chars)
        case "eml":
            from .mail import parse_mail

            return parse_mail(data, name, max_chars=max_chars)
        case "text":
            from .plain import parse_text

            return parse_text(data, charset)


def _bounded(found: Extraction, max_chars: int) -> Extraction:
    """Cut what a parser could not bound itself; those that can stop within a block of the limit."""
    if len(found.text) <= max_chars + MAX_OVERRUN:
        return found
    return found.shortened(max_chars, f"cut: the text exceeds {max_chars:,} characters")


def title_from(name: str) -> str:
    """Return the last part of a path or URL, without a file's extension, as a title."""
    if "://" in name:
        parts = urlsplit(name)
        return unquote(PurePosixPath(parts.path).name) or parts.netloc
    return PurePosixPath(name.replace("\\", "/")).stem or name
