"""What a parser hands back: text once, with the blocks and table rows that lie in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Self

from ...state.records import Cell, TableRow
from .limits import MAX_ROW_CELLS

BlockKind = Literal["heading", "paragraph", "list_item", "row", "caption"]
Tier = Literal["structured", "narrative"]


@dataclass(frozen=True)
class Block:
    """A piece of the text that reads as one, with its place in the source.

    Attributes:
        start: First character in the extracted text.
        end: One past the last character.
        page: Page or slide, from 1, where the format has them.
        row: Data row, from 1, where the block is a row of a table.
        headings: Heading path that the block stands under, outermost first; a heading is part of its own path.
    """

    start: int
    end: int
    kind: BlockKind = "paragraph"
    page: int | None = None
    sheet: str | None = None
    row: int | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Extraction:
    """The text of a file or page.  Offsets of blocks, rows, chunks and quotes count its characters.

    Attributes:
        extractor: Name and version of the parser, and the encoding it detected.
        tier: `structured` for csv, tsv, json, jsonl and xlsx, which outrank narratives.
        published_at: The source's own date, where it states one.
        made_at: When the file was made, which may be long after its text was written.
        blocks: In order, without overlap; together they cover all of the text but white space.
        rows: Table rows, in order; their uri is empty until the caller knows it (see `with_uri`).
        note: What was left out or should be known, in words for the report.
        cut: Whether records of a table were left out.
        skipped: Why there is nothing to read (empty, blank, no text layer); empty where there is text.
    """

    text: str
    title: str = ""
    media_type: str = ""
    extractor: str = ""
    tier: Tier = "narrative"
    published_at: datetime | None = None
    made_at: datetime | None = None
    blocks: tuple[Block, ...] = ()
    rows: tuple[TableRow, ...] = ()
    note: str = ""
    cut: bool = False
    skipped: str = ""

    @property
    def tables_whole(self) -> bool:
        """Whether every record that was read is a table row, so that sums and rankings over them hold.

        A PDF keeps no row: its tables are recovered page by page.
        """
        return not self.cut and (not self.rows or sum(block.kind == "row" for block in self.blocks) == len(self.rows))

    def shortened(self, limit: int, note: str) -> Self:
        """Return the first `limit` characters, with the rows that lie whole inside, and a note that says so."""
        return replace(
            self,
            text=self.text[:limit],
            blocks=tuple(replace(block, end=min(block.end, limit)) for block in self.blocks if block.start < limit),
            rows=tuple(row for row in self.rows if row.end <= limit),
            note="; ".join(filter(None, (self.note, note))),
        )


def with_uri(rows: Sequence[TableRow], uri: str) -> tuple[TableRow, ...]:
    """Return the rows as belonging to a source."""
    return tuple(row.model_copy(update={"uri": uri}) for row in rows)


# C0 controls but tab and line ends, DEL, C1, lone surrogates, byte-order marks and the noncharacters of the BMP.
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff\ufdd0-\ufdef]", re.UNICODE)
_LINE_ENDS = re.compile("\r\n?|\x0b|\x0c|\x85|\u2028|\u2029")


def clean(text: str) -> str:
    """Drop code points that crash hashing, storing or export, and write every line end as a line feed."""
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def one_line(text: str) -> str:
    """Collapse white space, so that a cell, heading or label reads on one line."""
    return " ".join(clean(text).split())


@dataclass
class TextBuilder:
    """Puts text together piece by piece and remembers where each piece lies."""

    blocks: list[Block] = field(default_factory=list)
    rows: list[TableRow] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _path: list[tuple[int, str]] = field(default_factory=list)
    _parted: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading path that the next block stands under."""
        return tuple(text for _, text in self._path)

    @property
    def length(self) -> int:
        """Characters so far."""
        return self._length

    @property
    def text(self) -> str:
        """All of the text so far."""
        return "".join(self._parts)

    def block(
        self, text: str, kind: BlockKind = "paragraph", *, page: int | None = None, sheet: str | None = None
    ) -> int:
        """Append a block and return where it starts; a blank one is left out."""
        text = clean(text).strip("\n").rstrip()
        if not text.strip():
            return self._length
        start = self._separate(kind, page)
        self._append(text)
        self.blocks.append(Block(start, self._length, kind, page, sheet, None, self.headings))
        return start

    def heading(self, text: str, level: int, *, page: int | None = None, sheet: str | None = None) -> None:
        """Append a heading; deeper ones before it leave the path, it joins."""
        text = one_line(text)
        if not text:
            return
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, text))
        self.block(text, "heading", page=page, sheet=sheet)

    def part(self) -> None:
        """Set the next block apart by a blank line, as the rows of another table are."""
        self._parted = True

    def leave_headings(self) -> None:
        """Forget the heading path, as a new slide or file part does."""
        self._path.clear()

    def row(
        self,
        headers: Sequence[str],
        values: Sequence[str],
        *,
        caption: str = "",
        page: int | None = None,
        sheet: str | None = None,
        number: int | None = None,
        label: str = "",
        keep: bool = True,
    ) -> None:
        """Append a table row as one line, `header: value; …`; empty cells are left out.

        Args:
            headers: Column headers; a missing or empty one leaves its value bare.
            number: Data row, from 1.
            label: The row's name; the first value that is no mere number where it is not given.
            keep: Whether the row also becomes a `TableRow` with its cells; one of more than `MAX_ROW_CELLS` never does.
        """
        pairs = [
            (one_line(headers[index]) if index < len(headers) else "", one_line(value))
            for index, value in enumerate(values)
        ]
        pairs = [pair for pair in pairs if pair[1]]
        if not pairs:
            return
        keep = keep and len(pairs) <= MAX_ROW_CELLS
        start = self._separate("row", page)
        cells: list[Cell] = []
        for index, (header, value) in enumerate(pairs):
            self._append(("; " if index else "") + (f"{header}: " if header else ""))
            if keep:
                cells.append(Cell(header=header, text=value, start=self._length, end=self._length + len(value)))
            self._append(value)
        self.blocks.append(Block(start, self._length, "row", page, sheet, number, self.headings))
        if keep:
            self.rows.append(
                TableRow(
                    uri="",
                    label=label or label_of(pairs),
                    cells=tuple(cells),
                    caption=caption or (self._path[-1][1] if self._path else ""),
                    page=page,
                    sheet=sheet,
                    row=number,
                    start=start,
                    end=self._length,
                )
            )

    def _separate(self, kind: BlockKind, page: int | None) -> int:
        """Put white space before a block: one line feed within lists and tables, else a blank line."""
        if self.blocks:
            last = self.blocks[-1]
            together = last.kind == kind and kind in ("row", "list_item") and last.page == page and not self._parted
            self._append("\n" if together else "\n\n")
        self._parted = False
        return self._length

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


_NUMBER = re.compile(r"[\s$€£¥%()+\-–—.,'\d]*")


def label_of(pairs: Sequence[tuple[str, str]]) -> str:
    """Return the first value of a row that is no mere number, else the first value."""
    return next((value for _, value in pairs if not _NUMBER.fullmatch(value)), pairs[0][1])
