"""The judge that needs no model: support rules over retrieved passages, their headings, dates and table rows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ...state.records import Claim, TableRow, Verdict
from ..protocol import Passage
from .check import check_support
from .features import Embed


@dataclass(frozen=True)
class RuleJudge:
    """A `SupportJudge` by rules.

    Attributes:
        embed: Texts to unit vectors, called in a thread; None judges by words alone.
    """

    embed: Embed | None = None

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        """Judge a claim against the passages it cites."""
        return await asyncio.to_thread(self.judge_now, claim.text, cited)

    def judge_now(self, text: str, cited: Sequence[Passage], question: str = "") -> Verdict:
        """Judge a text against passages, in this thread."""
        return check_support(
            text,
            [passage.chunk.text for passage in cited],
            question=question,
            embed=self.embed,
            rows=[rows_inside(passage) for passage in cited],
            chunk_ids=[passage.chunk.chunk_id for passage in cited],
            context=[line for passage in cited for line in context_of(passage)],
        )


def rows_inside(passage: Passage) -> list[TableRow]:
    """Return the table rows that lie wholly in a passage, offsets counted in the passage's text."""
    chunk = passage.chunk
    inside: list[TableRow] = []
    for row in passage.rows:
        if not (chunk.start <= row.start and row.end <= chunk.end):
            continue
        cells = tuple(
            cell.model_copy(update={"start": cell.start - chunk.start, "end": cell.end - chunk.start})
            for cell in row.cells
            if chunk.start <= cell.start and cell.end <= chunk.end
        )
        inside.append(
            row.model_copy(update={"cells": cells, "start": row.start - chunk.start, "end": row.end - chunk.start})
        )
    return inside


def context_of(passage: Passage) -> list[str]:
    """Return what the source says of itself: title, file name, headings, date, table captions."""
    source, chunk = passage.source, passage.chunk
    lines = [source.title, _name_of(source.uri), " ".join(chunk.headings)]
    if source.published_at is not None:
        lines.append(source.published_at.date().isoformat())
    for row in passage.rows:
        # An identifier is words: `overdue_over_90_days` holds a number, `fy2025_usd` a period.
        lines.extend([row.caption, " ".join(cell.header for cell in row.cells).replace("_", " ")])
    return [line for line in dict.fromkeys(lines) if line]


def _name_of(uri: str) -> str:
    """Return the words of a file's name, led by the folders that are years: `2022/head-count.txt`."""
    *folders, name = uri.split("/")
    years = [folder for folder in folders if len(folder) == 4 and folder.isdigit()]
    return " ".join([*years, name.rsplit(".", 1)[0]]).replace("_", " ").replace("-", " ")
