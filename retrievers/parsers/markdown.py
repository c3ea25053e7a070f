"""Read Markdown: heading paths, lists, tables written out, marks of emphasis and links left away."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from importlib.metadata import version

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .extraction import BlockKind, Extraction, TextBuilder, clean, one_line
from .plain import decode
from .tables import add_table

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|date|published|updated):[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")


def parse_markdown(data: bytes, charset: str | None = None) -> Extraction:
    """Read Markdown text; the first heading of the highest level, or the front matter's title, is the title."""
    text, encoding = decode(data, charset)
    text = clean(text)
    builder = TextBuilder()
    fields: dict[str, str] = {}
    if match := _FRONT_MATTER.match(text):
        fields = {key.lower(): value.strip().strip("\"'") for key, value in _FIELD.findall(match.group(1))}
        builder.block(match.group(1))
        text = text[match.end() :]
    _Writer(builder).write(MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text))
    headings = [block.headings for block in builder.blocks if block.kind == "heading"]
    return Extraction(
        text=builder.text,
        title=one_line(fields.get("title", "")) or next((path[-1] for path in headings if len(path) == 1), ""),
        media_type="text/markdown",
        extractor=f"markdown-it-py {version('markdown-it-py')}, {encoding}",
        published_at=iso_date(fields.get("date") or fields.get("published") or fields.get("updated") or ""),
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
    )


def iso_date(text: str) -> datetime | None:
    """Read an ISO 8601 date or time; without a zone it counts as UTC."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class _Writer:
    """Walks the token stream of one document."""

    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.lists = 0
        self.item_open = False

    def write(self, tokens: list[Token]) -> None:
        position = 0
        while position < len(tokens):
            token = tokens[position]
            match token.type:
                case "heading_open":
                    self.builder.heading(inline_text(tokens[position + 1]), int(token.tag[1:]))
                    position += 2
                case "bullet_list_open" | "ordered_list_open":
                    self.lists += 1
                case "bullet_list_close" | "ordered_list_close":
                    self.lists -= 1
                case "list_item_open":
                    self.item_open = True
                    self.marker = f"{token.info}{token.markup} " if token.info else "- "
                case "inline":
                    self._inline(inline_text(token))
                case "fence" | "code_block":
                    self.builder.block(token.content)
                case "html_block":
                    self.builder.block(_TAG.sub(" ", token.content))
                case "table_open":
                    position = self._table(tokens, position)
            position += 1

    def _inline(self, text: str) -> None:
        kind: BlockKind = "list_item" if self.lists else "paragraph"
        if self.lists:
            indent = "  " * (self.lists - 1)
            text = indent + (self.marker if self.item_open else "  ") + text
            self.item_open = False
        self.builder.block(text, kind)

    def _table(self, tokens: list[Token], position: int) -> int:
        grid: list[list[str]] = []
        while tokens[position].type != "table_close":
            token = tokens[position]
            if token.type == "tr_open":
                grid.append([])
            elif token.type == "inline":
                grid[-1].append(one_line(inline_text(token)))
            position += 1
        named = any(grid[0])
        add_table(self.builder, grid, headers=1 if named and len(grid) > 1 else 0)
        return position


def inline_text(token: Token) -> str:
    """Return the words of an inline token: link and picture texts, code as it stands, no marks."""
    parts: list[str] = []
    for child in token.children or ():
        match child.type:
            case "text" | "code_inline":
                parts.append(child.content)
            case "softbreak" | "hardbreak":
                parts.append("\n")
            case "image":
                parts.append(inline_text(child))
            case "html_inline":
                parts.append("\n" if child.content.lower().startswith("<br") else "")
    return "".join(parts)
