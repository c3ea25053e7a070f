"""Read a pdf page by page: exact page offsets, paragraphs guessed from the shape of lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pypdfium2 as pdfium

from ...errors import SourceError
from .extraction import Block, BlockKind, Extraction, one_line
from .limits import MAX_CHARS
from .pdf_text import PDFIUM_LOCK, open_pdf, page_text

_PASSWORD_ERROR = 4
_BULLET = re.compile(r"\s*(?:[•●▪■◦‣∙·–—*]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s")
_FIGURES = re.compile(r"(?<![\w.])\(?[$€£¥]?\s?\d[\d,.]*\)?\s?%?")
_SENTENCE_END = re.compile(r"[.!?:;。！？][\"'”’)\]]*\s*$")
_ITEM = re.compile(r"(?:item\s+\d+[a-z]?\.|part\s+[ivx]+\b|note\s+\d+\b|table\s+\d+)", re.IGNORECASE)


def parse_pdf(data: bytes, name: str, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read the text layer of every page.

    Raises: SourceError for a locked or damaged file.
    """
    with PDFIUM_LOCK:
        try:
            document = open_pdf(data)
        except pdfium.PdfiumError as error:
            locked = getattr(error, "err_code", None) == _PASSWORD_ERROR
            raise SourceError(name, "password: the pdf is locked" if locked else "damaged: not a whole pdf") from error
        try:
            pages, broken = _read_pages(document, max_chars)
            outline = _outline(document)
            metadata = document.get_metadata_dict()
        finally:
            document.close()
    return _assembled(pages, broken, outline, metadata)


def _read_pages(document: pdfium.PdfDocument, max_chars: int) -> tuple[list[tuple[str, bool]], list[int]]:
    """Return (text, whether it shows pictures) of each page, and the pages that could not be read."""
    pages: list[tuple[str, bool]] = []
    broken: list[int] = []
    total = 0
    for index in range(len(document)):
        try:
            page = document[index]
        except pdfium.PdfiumError:
            broken.append(index + 1)
            pages.append(("", False))
            continue
        try:
            textpage = page.get_textpage()
            text = page_text(textpage).text
            textpage.close()
            pages.append((text, not text and _shows_something(page)))
        except pdfium.PdfiumError:
            broken.append(index + 1)
            pages.append(("", False))
        finally:
            page.close()
        total += len(pages[-1][0])
        if total > max_chars:
            break
    return pages, broken


def _shows_something(page: pdfium.PdfPage) -> bool:
    """Whether a page without text has pictures or drawings, so that it is a scan rather than blank."""
    return next(iter(page.get_objects(max_depth=3)), None) is not None


def _outline(document: pdfium.PdfDocument) -> dict[int, tuple[str, ...]]:
    """Return the path of bookmarks that begins on each page, from 1."""
    paths: dict[int, tuple[str, ...]] = {}
    stack: list[str] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            title, target = one_line(bookmark.get_title()), bookmark.get_dest()
            index = target.get_index() if target else None
            del stack[bookmark.level :]
            stack.append(title)
            if index is not None and title:
                paths.setdefault(index + 1, tuple(filter(None, stack)))
    except (pdfium.PdfiumError, ValueError):
        return paths
    return paths


def _assembled(
    pages: Sequence[tuple[str, bool]],
    broken: Sequence[int],
    outline: dict[int, tuple[str, ...]],
    metadata: dict[str, str],
) -> Extraction:
    running = _running_lines([text for text, _ in pages])
    parts: list[str] = []
    blocks: list[Block] = []
    length = 0
    path: tuple[str, ...] = ()
    for number, (text, _) in enumerate(pages, start=1):
        path = outline.get(number, path)
        if not text:
            continue
        if parts:
            parts.append("\n\n")
            length += 2
        blocks += page_blocks(text, length, number, path, running)
        parts.append(text)
        length += len(text)
    scans = [number for number, (text, shows) in enumerate(pages, start=1) if not text and shows]
    notes = []
    if scans and parts:
        notes.append(f"no text layer on page {_ranges(scans)} (a scan or picture)")
    if broken:
        notes.append(f"page {_ranges(broken)} could not be read")
    skipped = ""
    if not parts:
        skipped = "no text layer: its pages are scans or pictures" if scans else "blank: no page has text"
    return Extraction(
        text="".join(parts),
        title=_title(metadata.get("Title", "")),
        media_type="application/pdf",
        extractor=f"pypdfium2 {pdfium.PYPDFIUM_INFO} (pdfium {str(pdfium.PDFIUM_INFO).partition('@')[0]})",
        made_at=_date(metadata.get("CreationDate", "")),
        blocks=tuple(blocks),
        note="; ".join(notes),
        skipped=skipped,
    )


def _running_lines(texts: Sequence[str]) -> frozenset[str]:
    """Return lines that stand on many pages: running heads and feet, which head nothing."""
    counts = Counter(line for text in texts for line in set(text.splitlines()))
    return frozenset(line for line, count in counts.items() if count >= max(3, len(texts) // 10))


def page_blocks(
    text: str, offset: int, page: int, path: tuple[str, ...], running: frozenset[str] = frozenset()
) -> list[Block]:
    """Group the lines of a page: table lines and headings alone, the others to paragraphs.

    A paragraph ends after a line clearly shorter than the page's long ones that ends a sentence, and before a bullet.
    """
    lines = [(match.start(), match.end(), match.group()) for match in re.finditer(r"[^\n]+", text)]
    lines = [line for line in lines if line[2].strip()]
    widths = sorted(len(line) for _, _, line in lines)
    wide = widths[len(widths) * 9 // 10] if widths else 0
    blocks: list[Block] = []
    previous: tuple[BlockKind, str] | None = None
    headings = path
    for start, end, line in lines:
        kind: BlockKind = _kind(line, line in running)
        if kind == "heading":
            headings = (*path, one_line(line))
        joins = (
            previous is not None
            and kind == "paragraph"
            and previous[0] in ("paragraph", "list_item")
            and not (_SENTENCE_END.search(previous[1]) and (len(previous[1]) < wide * 0.8 or line[:1].isupper()))
            and previous[1] not in running
        )
        if joins:
            last = blocks[-1]
            blocks[-1] = Block(last.start, offset + end, last.kind, page, None, None, last.headings)
        else:
            blocks.append(Block(offset + start, offset + end, kind, page, None, None, headings))
        previous = (kind, line)
    return blocks


def _kind(line: str, running: bool) -> BlockKind:
    figures = len(_FIGURES.findall(line))
    words = line.split()
    if figures >= 2 and figures * 3 >= len(words):
        return "row"
    if _BULLET.match(line):
        return "list_item"
    shouted = len(words) >= 2 and line.isupper() and sum(map(str.isalpha, line)) >= 8
    titled = _ITEM.match(line) is not None and not _SENTENCE_END.search(line[8:])
    if not running and len(line) <= 120 and (shouted or titled):
        return "heading"
    return "paragraph"


def _ranges(numbers: Sequence[int]) -> str:
    """Write page numbers as `1-3, 7`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in spans)


def _title(text: str) -> str:
    """Keep a title that has words; producers also write file names and filing numbers there."""
    text = one_line(text)
    named = re.search(r"[^\W\d_]{2,}.*\s.*[^\W\d_]{2,}", text) and not re.search(r"\.(?:docx?|indd|xlsx?|tex)\b", text)
    return text if named else ""


_PDF_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?")


def _date(text: str) -> datetime | None:
    match = _PDF_DATE.match(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (
        int(match.group(n) or default) for n, default in zip(range(1, 7), (0, 1, 1, 0, 0, 0), strict=True)
    )
    zone = UTC
    if match.group(7):
        offset = timedelta(hours=int(match.group(8)), minutes=int(match.group(9) or 0))
        zone = timezone(offset if match.group(7) == "+" else -offset)
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
