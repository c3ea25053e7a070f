"""Read a web page as its readers see it: blocks, lists and tables, nothing hidden, folded content unfolded."""

from __future__ import annotations

import json
import re
from datetime import datetime
from importlib.metadata import version
from typing import Any

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from ...errors import SourceError
from .extraction import BlockKind, Extraction, TextBuilder, clean, one_line
from .html_tables import as_grid, is_data_table
from .limits import MAX_CHARS, MAX_DEPTH
from .markdown import iso_date
from .plain import decode
from .superscripts import raised
from .tables import add_table
from .visibility import Colors, Visibility

_DROPPED_NAMES = (
    "script style noscript template head iframe object embed canvas svg audio video map select option datalist "
    "textarea input nav dialog img"
)
_DROPPED = frozenset(_DROPPED_NAMES.split())
_INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark meter output progress q ruby rb "
    "rt rp s samp small span strike strong sub sup time tt u var wbr nobr math mi mn mo mrow button"
)
_INLINE = frozenset(_INLINE_NAMES.split())
_DEEP_TEXT = etree.XPath(".//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]")
_META_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"""\A\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""")
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_SPACE = re.compile(r"[ \t\n\r\f]+")
_DATE_NAMES_NAMES = (
    "article:published_time og:published_time datepublished date dc.date dc.date.issued dcterms.created "
    "dcterms.issued citation_publication_date citation_date publish-date pubdate parsely-pub-date sailthru.date"
)
_DATE_NAMES = frozenset(_DATE_NAMES_NAMES.split())


def parse_html(data: bytes, name: str, charset: str | None = None, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read a page; its charset comes from the header, else its meta tag, else its content.

    Raises: SourceError where nothing can be made of the markup.
    """
    text, encoding = decode(data, charset or _declared_charset(data))
    root = parse_markup(text, name)
    builder = TextBuilder()
    title = _title(root) if root is not None else ""
    if root is not None:
        if title and not any(one_line("".join(head.itertext())) in title for head in root.iter("h1")):
            builder.heading(title, 0)
        write_html(builder, root, max_chars=max_chars)
    return Extraction(
        text=builder.text,
        title=title,
        media_type="text/html",
        extractor=f"lxml {version('lxml')}, {encoding}",
        published_at=_published(root) if root is not None else None,
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
    )


def _declared_charset(data: bytes) -> str | None:
    match = _META_CHARSET.search(data[:4096]) or _XML_CHARSET.match(data[:200])
    return match.group(1).decode("ascii", "replace") if match else None


def parse_markup(text: str, name: str) -> HtmlElement | None:
    """Parse markup leniently; None where there is none."""
    text = _XML_DECLARATION.sub("", clean(text))
    if not text.strip():
        return None
    try:
        return document_fromstring(text, parser=HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True))
    except etree.ParserError:
        return None
    except (etree.LxmlError, ValueError) as error:
        raise SourceError(name, "damaged: the markup cannot be parsed") from error


def write_html(builder: TextBuilder, root: HtmlElement, *, max_chars: int = MAX_CHARS) -> None:
    """Append the visible text of a page."""
    _Page(builder, Visibility.of(root), max_chars).element(root, Colors(), 0)


class _Page:
    """Walks one page and collects inline text until a block ends."""

    def __init__(self, builder: TextBuilder, visibility: Visibility, max_chars: int) -> None:
        self.builder, self.visibility, self.max_chars = builder, visibility, max_chars
        self.inline: list[str] = []
        self.kind: BlockKind = "paragraph"
        self.lists: list[int | None] = []
        self.marker = ""

    def flush(self) -> None:
        """End the block that is being collected."""
        lines = (line.strip(" ") for line in _joined(self.inline).split("\n"))
        text = "\n".join(line for line in lines if line)
        self.inline = []
        if text:
            indent = "  " * max(0, len(self.lists) - 1) if self.lists else ""
            self.builder.block(indent + self.marker + text if self.lists else text, self.kind)
            self.marker = "  " if self.lists else ""

    def element(self, element: HtmlElement, outer: Colors, depth: int) -> None:
        tag = element.tag
        if not isinstance(tag, str) or tag in _DROPPED or self.builder.length > self.max_chars:
            return
        style = self.visibility.style(element)
        colors = self.visibility.colors(element, style, outer)
        if self.visibility.is_hidden(element, style, colors):
            return
        if depth > MAX_DEPTH * 2:
            self.inline.append(one_line(" ".join(_DEEP_TEXT(element))))
            return
        if tag in ("br", "hr", "wbr"):
            self.inline.append({"br": "\n", "wbr": ""}.get(tag, "\n"))
        elif tag == "sup":
            self.inline.append(raised(one_line("".join(element.itertext()))))
        elif tag in _INLINE and style.get("display") != "block":
            self.children(element, colors, depth)
        else:
            self.flush()
            self.block(element, tag, colors, depth)
            self.flush()

    def block(self, element: HtmlElement, tag: str, colors: Colors, depth: int) -> None:
        if re.fullmatch(r"h[1-6]", tag):
            inner = _Page(TextBuilder(), self.visibility, self.max_chars)
            inner.children(element, colors, depth)
            self.builder.heading(_joined(inner.inline) or inner.builder.text, int(tag[1]))
        elif tag == "table" and is_data_table(element):
            self.table(element, colors, depth)
        elif tag in ("ul", "ol", "menu"):
            outer_kind, self.kind = self.kind, "list_item"
            self.lists.append(_first_number(element) if tag == "ol" else None)
            self.children(element, colors, depth)
            self.flush()
            self.lists.pop()
            self.kind = outer_kind
        elif tag == "li":
            self.marker = self._next_marker()
            self.children(element, colors, depth)
        elif tag == "pre":
            self.builder.block("".join(element.itertext()))
        else:
            self.children(element, colors, depth)

    def _next_marker(self) -> str:
        if not self.lists or self.lists[-1] is None:
            return "- "
        number = self.lists[-1]
        self.lists[-1] = number + 1
        return f"{number}. "

    def children(self, element: HtmlElement, colors: Colors, depth: int) -> None:
        if element.text:
            self.inline.append(_SPACE.sub(" ", element.text))
        for child in element:
            self.element(child, colors, depth + 1)
            if child.tail:
                self.inline.append(_SPACE.sub(" ", child.tail))

    def table(self, element: HtmlElement, colors: Colors, depth: int) -> None:
        grid = as_grid(element, lambda cell: self._cell(cell, colors, depth))
        add_table(self.builder, grid.rows, spread=grid.spread, headers=grid.headers, caption=grid.caption)

    def _cell(self, cell: HtmlElement, colors: Colors, depth: int) -> str:
        """Return the visible text of a cell on one line."""
        inner = _Page(TextBuilder(), self.visibility, self.max_chars)
        inner.element(cell, colors, depth + 1)
        inner.flush()
        return one_line(inner.builder.text)


def _joined(parts: list[str]) -> str:
    """Join inline pieces: white space between two of them counts once, none is put where none was."""
    return re.sub(r" *\n *", "\n", re.sub(r" {2,}", " ", "".join(parts))).strip()


def _first_number(element: HtmlElement) -> int:
    start = element.get("start") or "1"
    return int(start) if re.fullmatch(r"-?\d{1,9}", start) else 1


def _title(root: HtmlElement) -> str:
    """Return the page's title, else its first main heading."""
    for path in (".//head/title", ".//title", ".//h1"):
        for element in root.iterfind(path):
            if text := one_line("".join(element.itertext())):
                return text
    return ""


def _published(root: HtmlElement) -> datetime | None:
    """Return the date that the page states for itself: meta tags, JSON-LD, a `time` marked as publication."""
    for meta in root.iter("meta"):
        key = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        if key in _DATE_NAMES and (found := iso_date(meta.get("content") or "")):
            return found
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "").lower() and (found := _from_json_ld(script.text or "")):
            return found
    times = [time for time in root.iter("time") if time.get("datetime")]
    marked = [time for time in times if time.get("pubdate") is not None or time.get("itemprop") == "datePublished"]
    for time in marked or (times if len(times) == 1 else ()):
        if found := iso_date(time.get("datetime") or ""):
            return found
    return None


def _from_json_ld(text: str) -> datetime | None:
    try:
        waiting: list[Any] = [json.loads(text)]
    except (ValueError, RecursionError):
        return None
    for _ in range(1000):
        if not waiting:
            return None
        value = waiting.pop(0)
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            stated = value.get("datePublished") or value.get("dateCreated")
            if isinstance(stated, str) and (found := iso_date(stated)):
                return found
            waiting += [item for item in value.values() if isinstance(item, dict | list)]
    return None
