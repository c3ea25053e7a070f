"""Bring the temporal graph in step with files and folders: what is new, changed or gone, document by document."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import regex

from ...retrievers import corpus_records
from ...retrievers.corpus_intake import Root, cut_name, read_file, roots_of
from ...retrievers.embeddings import Embedder
from ...retrievers.folder import FileEntry
from ...retrievers.kg.naming import Similar
from ...retrievers.kg.records import Statement
from ...retrievers.kg.store import TemporalGraph
from ...retrievers.kg.writing import Held
from ...settings import Settings
from ...state.records import Record, Source, TableRow
from . import embedded
from .embedded import ReadDocument

Progress = Callable[[str, int, int], None]
_PDF = "application/pdf"
# A line of a PDF that may belong to a table of figures worth reading again by the positions of its characters.
_FIGURES = regex.compile(
    r"^\s*(?:total\s)?(?:net\s|consolidated\s)?(?:revenues?|sales|turnover|number of employees|employees)\b.*\d",
    regex.IGNORECASE | regex.MULTILINE,
)


@dataclass(frozen=True)
class Reading:
    """What was read of a document, and what read it in the end: the reader, or the rules behind it."""

    statements: list[Statement]
    engine: str


class Reader(Protocol):
    """Reads what a document states.

    Attributes:
        engine: Its name with the version of what it goes by: a document read by another one is read again.
        notes: What it did another way or left out, in words for the person who builds.
    """

    engine: str
    notes: list[str]

    async def read(self, document: ReadDocument) -> Reading:
        """Return the statements of a document, each with words that stand in one of its chunks."""
        ...


class EmbeddedReader:
    """Reads by rules, without a model."""

    engine = f"embedded-{embedded.VERSION}"

    def __init__(self) -> None:
        self.notes: list[str] = []

    async def read(self, document: ReadDocument) -> Reading:
        """Return what the rules find."""
        return Reading(await asyncio.to_thread(embedded.statements_of, document), self.engine)


class BuildReport(Record):
    """What a build did, by uri."""

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[Source, ...] = ()
    statements: int = 0
    undated: tuple[str, ...] = ()
    merges: int = 0


@dataclass
class Build:
    """One pass over files and folders.

    Each document is one transaction: a build that ends half way leaves whole documents, and the next one goes on with
    the rest.  Two builds at once do the same work at worst twice and store it once.

    Attributes:
        reader: Finds what a document states.
        similar: Compares the meaning of names; None to merge names by rules alone.
        progress: Called with `read`, done and total.
    """

    graph: TemporalGraph
    reader: Reader
    settings: Settings
    similar: Similar | None = None
    progress: Progress | None = None
    _told: dict[str, list[str]] = field(
        default_factory=lambda: {"added": [], "updated": [], "unchanged": [], "undated": []}
    )
    _failed: list[Source] = field(default_factory=list)
    _statements: int = 0

    async def run(self, paths: Sequence[Path]) -> BuildReport:
        """Read what is new or changed under the paths and let what is gone expire.

        Raises: UsageError where a path cannot be read; then nothing is written.
        """
        before = len(self.graph.merges())
        roots = roots_of(paths, self.graph.roots(), {uri.partition("/")[0] for uri in self.graph.held()})
        listed = [(root, root.entries()) for root in roots]
        for root in roots:
            self.graph.add_root(str(root.path), root.name)
        removed = self._withdraw(listed)
        done, total = 0, sum(len(entries) for _, entries in listed)
        for root, entries in listed:
            held = self.graph.held(root=str(root.path))
            for entry in entries:
                await self._take(root, entry, held.get(entry.uri))
                done += 1
                if self.progress:
                    self.progress("read", done, total)
        return BuildReport(
            added=tuple(self._told["added"]),
            updated=tuple(self._told["updated"]),
            unchanged=tuple(self._told["unchanged"]),
            undated=tuple(self._told["undated"]),
            removed=tuple(removed),
            failed=tuple(self._failed),
            statements=self._statements,
            merges=len(self.graph.merges()) - before,
        )

    def _withdraw(self, listed: Sequence[tuple[Root, Sequence[FileEntry]]]) -> list[str]:
        gone: list[str] = []
        for root, entries in listed:
            here = {entry.uri for entry in entries}
            gone += [uri for uri in self.graph.held(root=str(root.path)) if root.holds(uri) and uri not in here]
        if gone:
            self.graph.withdraw(gone)
        return sorted(gone)

    async def _take(self, root: Root, entry: FileEntry, held: Held | None) -> None:
        known = None
        if held is not None and held.engine == self.reader.engine:
            known = corpus_records.Held(held.source, held.content, held.cut, held.root, held.path, {})
        intake = await asyncio.to_thread(read_file, entry, root, known, (), self.settings)
        if intake is None:
            self._told["unchanged"].append(entry.uri)
            return
        reading = Reading([], self.reader.engine)
        dated = None
        if intake.source.status == "ok":
            rows = intake.rows or tuple(await asyncio.to_thread(lambda: list(_pdf_rows(intake))))
            document = ReadDocument(intake.source, intake.text, intake.chunks, rows)
            dated = document.date
            reading = await self.reader.read(document)
            if dated is None:
                self._told["undated"].append(entry.uri)
        else:
            self._failed.append(intake.source)
        written = self.graph.put(
            intake.source,
            reading.statements,
            content=intake.content,
            engine=reading.engine,
            chunks=intake.chunks,
            cut=cut_name(self.settings),
            root=intake.root,
            path=intake.path,
            dated=dated,
            similar=self.similar,
        )
        if intake.source.status != "ok":
            return
        self._told["unchanged" if not written else "updated" if held else "added"].append(entry.uri)
        self._statements += len(reading.statements) if written else 0


def similar_by(embedder: Embedder) -> Similar:
    """Return a comparison of names by the cosine of their embeddings."""

    def cosine(a: str, b: str) -> float:
        first, second = embedder.embed([a, b])
        return float(first @ second)

    return cosine


def _pdf_rows(intake: corpus_records.Intake) -> Iterator[TableRow]:
    """Give the table rows of PDF pages on which a figure of interest stands."""
    if intake.source.media_type != _PDF or not intake.path:
        return
    from pypdfium2 import PdfiumError

    from ...retrievers.pdf_tables import recover_rows

    numbers = sorted(intake.pages)
    ends = [intake.pages[number] for number in numbers[1:]] + [len(intake.text)]
    data = Path(intake.path).read_bytes()
    for number, end in zip(numbers, ends, strict=True):
        if not _FIGURES.search(intake.text, intake.pages[number], end):
            continue
        try:
            yield from recover_rows(data, number, intake.pages[number], intake.source.uri)
        except (PdfiumError, IndexError):
            continue  # a page whose characters have no positions has no table either
