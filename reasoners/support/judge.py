"""The judge that needs no model: support rules over retrieved passages, their headings, dates and table rows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ...errors import CitewellError
from ...state.forks import begin_anew_in_forks
from ...state.records import Claim, Fact, Quote, TableRow, Verdict
from ..protocol import Passage
from ..verdicts import Verdicts
from .check import check_support
from .features import LAID, Embed
from .leads import without_title
from .outcomes import without_no
from .reading import Reading, read_sentences

AT_ONCE = 2
"""Claims that are checked side by side where all of it is computed here: more only take turns, and end later."""
EMBEDDED_AHEAD = 8
"""Sentences that are embedded together ahead of a check, which waits for no more than these."""


class _Threads:
    """Of the whole process: runs side by side take turns as well, and starting threads takes longer than a check."""

    def __init__(self) -> None:
        self.begin_anew()
        begin_anew_in_forks(self)

    def begin_anew(self) -> None:
        """Start threads when they are first needed; what a forked process gave to its parent's would wait for ever."""
        self.pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="judge")


_THREADS = _Threads()


@dataclass(frozen=True)
class RuleJudge:
    """A `SupportJudge` by rules.

    Attributes:
        embed: Texts to unit vectors, called in a thread; None judges by words alone.
        remote: Whether `embed` waits for another machine, so that many claims may wait at once; it may cost, and is
            asked for nothing ahead.
        known: Keeps the verdicts of a run; None keeps none.
    """

    embed: Embed | None = None
    remote: bool = False
    known: Verdicts | None = field(default=None, compare=False, repr=False)

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        """Judge a claim against the passages it cites."""
        found = self.known.found(claim.text, cited) if self.known is not None else None
        if found is not None:
            return found
        threads = None if self.remote else _THREADS.pool
        return await asyncio.get_running_loop().run_in_executor(threads, self.judge_now, claim.text, cited)

    async def foresee(self, told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> None:
        """Read and embed what claims that tell so will be laid beside, then check what is told, in these very words.

        A check then finds it done; it changes no verdict.  Ends early where it is cancelled.
        """
        stopped = threading.Event()
        try:
            await asyncio.to_thread(self._foresee_now, told, passages, stopped.is_set)
        finally:
            stopped.set()

    def _foresee_now(
        self, told: Sequence[Fact | Claim], passages: Sequence[Passage], stopped: Callable[[], bool]
    ) -> None:
        try:
            if self.known is not None and self.embed is not None and not self.remote:
                self._check_ahead(told, passages, stopped)
            else:
                self._read_ahead(told, passages, stopped)
        except CitewellError:  # the check itself will tell
            return

    def _check_ahead(
        self, told: Sequence[Fact | Claim], passages: Sequence[Passage], stopped: Callable[[], bool]
    ) -> None:
        """Check what is told, which embeds the sentences that a claim in other words would be laid beside, too."""
        by_id = {passage.chunk.chunk_id: passage for passage in passages}
        for each in told:
            if stopped():
                return
            cited = [by_id[chunk_id] for chunk_id in _cited_by(each) if chunk_id in by_id]
            if cited:
                self.judge_now(each.statement if isinstance(each, Fact) else each.text, cited)

    def _read_ahead(
        self, told: Sequence[Fact | Claim], passages: Sequence[Passage], stopped: Callable[[], bool]
    ) -> None:
        texts: list[str] = []
        for reading in _told_by(told, passages):
            if stopped():
                return
            _ = reading.words
            texts.append(reading.text)
        if self.embed is None or self.remote:
            return
        for at in range(0, len(texts), EMBEDDED_AHEAD):
            if stopped():
                return
            self.embed(texts[at : at + EMBEDDED_AHEAD])

    def judge_now(self, text: str, cited: Sequence[Passage]) -> Verdict:
        """Judge a text against passages, in this thread."""
        if self.known is None:
            return self._checked(text, cited)
        return self.known.once(text, cited, lambda: self._checked(text, cited))

    def _checked(self, text: str, cited: Sequence[Passage]) -> Verdict:
        return check_support(
            without_title(without_no(text), cited),
            [passage.chunk.text for passage in cited],
            embed=self.embed,
            rows=[rows_inside(passage) for passage in cited],
            chunk_ids=[passage.chunk.chunk_id for passage in cited],
            context=[line for passage in cited for line in context_of(passage)],
        )


def _cited_by(told: Fact | Claim) -> list[str]:
    """Return the chunk ids that a claim cites, or that one in the words of a fact would."""
    return list(dict.fromkeys(told.citations if isinstance(told, Claim) else (q.chunk_id for q in told.quotes)))


def _told_by(told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> Iterator[Reading]:
    """Yield the sentences around what is quoted, each once: as many of a passage as a claim is laid beside."""
    by_id = {passage.chunk.chunk_id: passage.chunk.text for passage in passages}
    seen: set[Reading] = set()
    for quote in (quote for each in told for quote in each.quotes):
        near = sorted(read_sentences(by_id.get(quote.chunk_id, "")), key=lambda reading: _distance(reading, quote))
        for reading in near[:LAID]:
            if reading not in seen:
                seen.add(reading)
                yield reading


def _distance(reading: Reading, quote: Quote) -> int:
    return max(reading.at - quote.end, quote.start - reading.at - len(reading.text), 0)


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
