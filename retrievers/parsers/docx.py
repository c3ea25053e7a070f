"""Read a Word document in its order: paragraphs, lists and tables in place, headers, footers and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from typing import Any

import docx
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from lxml import etree

from .archives import check_archive
from .extraction import Extraction, TextBuilder, one_line
from .limits import MAX_CHARS, MAX_DEPTH
from .superscripts import raised
from .tables import add_table

_W_P, _W_TBL, _W_SDT, _W_SDT_CONTENT = qn("w:p"), qn("w:tbl"), qn("w:sdt"), qn("w:sdtContent")
# Deleted text, field codes and the second copy of a drawing are not what a reader sees.
_SKIPPED = frozenset((qn("w:del"), qn("w:moveFrom"), qn("w:instrText"), qn("w:delText"), qn("w:pPr"), qn("w:rPr")))
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BREAKS = {qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:tab"): "\t", qn("w:noBreakHyphen"): "-"}
_OFF = ("0", "false", "off", "none")
_HEADING = re.compile(r"(?:heading|überschrift|titre)\s*(\d)", re.IGNORECASE)


def parse_docx(data: bytes, name: str, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read a Word document; running headers and footers stand at its end, each once.

    Raises: SourceError where it is locked or too large; what its library raises where it is damaged.
    """
    check_archive(data, name)
    builder = TextBuilder()
    document = docx.Document(BytesIO(data))
    title = _title(document)
    writer = _Writer(builder, document, max_chars)
    writer.blocks(document.element.body, 0)
    writer.notes()
    writer.margins()
    headings = [block.headings[-1] for block in builder.blocks if block.kind == "heading"]
    return Extraction(
        text=builder.text,
        title=title or next(iter(headings), ""),
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        extractor=f"python-docx {version('python-docx')}",
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
    )


def _title(document: WordDocument) -> str:
    """Return the title in the properties; the library makes up properties where a file has none."""
    title = one_line(document.core_properties.title or "")
    return "" if title == "Word Document" else title


class _Writer:
    """Walks the parts of one document."""

    def __init__(self, builder: TextBuilder, document: WordDocument, max_chars: int) -> None:
        self.builder, self.document, self.max_chars = builder, document, max_chars
        styles = [style for style in document.styles if getattr(style, "type", None) == 1]
        self.levels = {style.style_id: _level(style) for style in styles}
        self.list_styles = {s.style_id for s in styles if s.element.find(f".//{qn('w:numPr')}") is not None}

    def blocks(self, parent: Any, depth: int) -> None:
        """Append paragraphs and tables in the order of the document."""
        for child in parent.iterchildren():
            if self.builder.length > self.max_chars or depth > MAX_DEPTH:
                return
            if child.tag == _W_P:
                self.paragraph(child, depth)
            elif child.tag == _W_TBL:
                self.table(child)
            elif child.tag == _W_SDT:
                for content in child.iterchildren(_W_SDT_CONTENT):
                    self.blocks(content, depth + 1)
            elif child.tag in (qn("w:ins"), qn("w:moveTo"), qn("w:customXml"), qn("w:smartTag")):
                self.blocks(child, depth + 1)

    def paragraph(self, element: Any, depth: int) -> None:
        text = runs_text(element)
        properties = element.find(qn("w:pPr"))
        style = properties.find(qn("w:pStyle")) if properties is not None else None
        level = self.levels.get(style.get(qn("w:val"))) if style is not None else None
        if level is not None:
            self.builder.heading(text, level)
        elif self._is_listed(properties, style):
            self.builder.block(f"- {one_line(text)}" if text.strip() else "", "list_item")
        else:
            self.builder.block(text)
        for box in element.iter(qn("w:txbxContent")):
            if next(box.iterancestors(_FALLBACK), None) is None and depth < 3:
                self.blocks(box, depth + 1)

    def _is_listed(self, properties: Any, style: Any) -> bool:
        """Whether a paragraph is numbered or bulleted, by itself or by its style."""
        if properties is not None and properties.find(qn("w:numPr")) is not None:
            return True
        return style is not None and style.get(qn("w:val")) in self.list_styles

    def table(self, element: Any) -> None:
        grid, spread, headers = _grid(element)
        add_table(self.builder, grid, spread=spread, headers=headers or None)

    def notes(self) -> None:
        """Append foot- and endnotes."""
        for part in self.document.part.package.iter_parts():
            if re.search(r"/(?:foot|end)notes\d*\.xml$", str(part.partname)):
                root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, huge_tree=False))
                for note in root:
                    if note.get(qn("w:type")) in (None, "normal"):
                        self.builder.block(" ".join(runs_text(p) for p in note.iter(_W_P)).strip())

    def margins(self) -> None:
        """Append headers and footers of all sections and kinds, the same one once."""
        seen: set[str] = set()
        for section in self.document.sections:
            for margin in (
                section.header,
                section.first_page_header,
                section.even_page_header,
                section.footer,
                section.first_page_footer,
                section.even_page_footer,
            ):
                if margin.is_linked_to_previous:
                    continue
                element = margin._element
                content = "\n".join(runs_text(p) for p in element.iter(_W_P))
                if content.strip() and content not in seen:
                    seen.add(content)
                    self.blocks(element, 0)


def _level(style: Any) -> int | None:
    """Return the heading level of a paragraph style: by name, else by its outline level."""
    name = (style.name or "").strip()
    if name.lower() in ("title", "titel"):
        return 0
    if match := _HEADING.match(name):
        return int(match.group(1))
    outline = style.element.find(f".//{qn('w:outlineLvl')}")
    value = outline.get(qn("w:val")) if outline is not None else None
    return int(value) + 1 if value and value.isdigit() and int(value) < 9 else None


def runs_text(paragraph: Any) -> str:
    """Return the visible text of a paragraph, without the text boxes anchored in it."""
    return "".join(_pieces(paragraph, 0))


def _pieces(element: Any, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    for child in element.iterchildren():
        tag = child.tag
        if tag in _SKIPPED or tag == _FALLBACK or tag == qn("w:txbxContent") or not isinstance(tag, str):
            continue
        if tag == qn("w:t"):
            yield child.text or ""
        elif tag in _BREAKS:
            yield _BREAKS[tag]
        elif tag == qn("w:r"):
            properties = child.find(qn("w:rPr"))
            if _is_on(properties, "w:vanish"):
                continue
            text = "".join(_pieces(child, depth + 1))
            place = properties.find(qn("w:vertAlign")) if properties is not None else None
            yield raised(text) if place is not None and place.get(qn("w:val")) == "superscript" else text
        else:
            yield from _pieces(child, depth + 1)


def _is_on(properties: Any, name: str) -> bool:
    flag = properties.find(qn(name)) if properties is not None else None
    return flag is not None and (flag.get(qn("w:val")) or "on").lower() not in _OFF


def _grid(table: Any) -> tuple[list[list[str]], list[list[str]], int]:
    """Return cells once, cells spread over the columns they span, and the rows marked as repeating headers."""
    rows: list[list[str]] = []
    spread: list[list[str]] = []
    headers, counting = 0, True
    for row in table.iterchildren(qn("w:tr"), _W_SDT):
        once: list[str] = []
        wide: list[str] = []
        for cell in row.iter(qn("w:tc")):
            if next(cell.iterancestors(_W_TBL)) is not table:
                continue
            properties = cell.find(qn("w:tcPr"))
            text = "; ".join(filter(None, (one_line(runs_text(p)) for p in cell.iter(_W_P))))
            if _continues(properties) and rows:
                text = rows[-1][len(once)] if len(once) < len(rows[-1]) else ""
            span = properties.find(qn("w:gridSpan")) if properties is not None else None
            columns = _bounded(span.get(qn("w:val")) if span is not None else None)
            once += [text, *[""] * (columns - 1)]
            wide += [text] * columns
        rows.append(once)
        spread.append(wide)
        marked = _is_on(row.find(qn("w:trPr")), "w:tblHeader")
        counting = counting and marked
        headers += counting
    return rows, spread, headers


def _continues(properties: Any) -> bool:
    """Whether a cell is the continuation of a vertical merge."""
    merge = properties.find(qn("w:vMerge")) if properties is not None else None
    return merge is not None and merge.get(qn("w:val")) in (None, "continue")


def _bounded(value: str | None) -> int:
    return min(max(int(value), 1), 200) if value and value.isdigit() else 1
