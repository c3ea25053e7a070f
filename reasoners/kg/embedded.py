"""Read what a document states by rules: sentence by sentence, row by row, each with its words and its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import regex

from ...retrievers.kg.records import Statement, Triplet
from ...state.records import Chunk, Source, TableRow
from ...text.sentences import is_table_row, sentences
from ..embedded.found.orders import order_spans
from . import aims, deals, measures, offers, people
from .dating import FiscalYears, document_date, fiscal_years, masked, times_in
from .names import DocumentNames, names_of
from .reading import SELF, Found, Rule, Sentence
from .rows import Told, facts_of_row, scale_near

RULES: tuple[Rule, ...] = (*people.RULES, *offers.RULES, *deals.RULES, *measures.RULES, *aims.RULES)
VERSION = "1"
# A text no longer than this that has a date tells of that day.
_FRESH_CHARS = 8_000
_LONGEST = 900
# Two figures at the end of a line look like cells, but a date at the end of a sentence does so too.
_ENDED = regex.compile(r"\p{Ll}{2,}.*\s\d{4}[.!]\s*\Z", regex.DOTALL)
_SPACE = regex.compile(r"[\s\u00a0]")


@dataclass(frozen=True)
class ReadDocument:
    """A document ready to be read.

    Attributes:
        pdf: Whether its stated date is only that of the file.
    """

    source: Source
    text: str
    chunks: Sequence[Chunk]
    rows: Sequence[TableRow] = ()

    @property
    def date(self) -> date | None:
        """The day it speaks from."""
        published = self.source.published_at.date() if self.source.published_at else None
        return document_date(published, self.source.uri, self.text, trusted=self.source.media_type != "application/pdf")


def statements_of(document: ReadDocument) -> list[Statement]:
    """Return what a document states, in order; each quote stands in one of its chunks, word for word."""
    names = DocumentNames.of(document.text, document.source.title)
    spoken, fiscal = document.date, fiscal_years(document.text)
    places = _Places(document.chunks)
    made: dict[tuple, Statement] = {}
    for statement in (
        *_of_rows(document, names, spoken, fiscal, places),
        *_of_sentences(document, names, spoken, fiscal, places),
    ):
        triplet = statement.triplets[0]
        made.setdefault(
            (triplet.subject.name, triplet.predicate, triplet.object and triplet.object.name, triplet.value,
             statement.valid_at, statement.invalid_at, statement.statement_type),
            statement,
        )  # fmt: skip
    return list(made.values())


def _of_sentences(
    document: ReadDocument, names: DocumentNames, spoken: date | None, fiscal: FiscalYears, places: _Places
) -> Iterator[Statement]:
    text = document.text
    rows = sorted((row.start, row.end) for row in document.rows)
    orders = order_spans(text)
    before = ""
    for start, end in sentences(text):
        quoted = text[start:end]
        if end - start > _LONGEST or (is_table_row(quoted) and not _ENDED.search(quoted)) or _within(start, rows):
            continue
        if any(begin < end and start < finish for begin, finish in orders):
            continue
        flat = _SPACE.sub(" ", quoted)
        times = times_in(flat, spoken, fiscal)
        sentence = Sentence(
            text=flat,
            shown=masked(flat, times),
            times=times,
            names=names,
            spoken=spoken,
            fresh=spoken is not None and len(text) <= _FRESH_CHARS,
            own=_speaks_of(before, names),
        )
        before = flat
        for found in _first_readings(sentence):
            place = places.of(start, end, start + found.start, start + found.end)
            if place is not None:
                yield _statement(found, _readable(flat, found), *place)


def _first_readings(sentence: Sentence) -> list[Found]:
    """Return what all rules find, each triplet once."""
    every: dict[tuple, Found] = {}
    for each in RULES:
        for found in each.read(sentence):
            target = found.object.name if found.object else ""
            key = (
                found.subject.name,
                found.predicate,
                target,
                found.value,
                found.invalid_at is not None and found.valid_at is None,
            )
            every.setdefault(key, found)
    return list(every.values())


def _of_rows(
    document: ReadDocument, names: DocumentNames, spoken: date | None, fiscal: FiscalYears, places: _Places
) -> Iterator[Statement]:
    every: list[tuple[TableRow, Found]] = []
    for row in document.rows:
        near = f"{row.caption} {document.text[max(0, row.start - 600) : row.start]}" if row.page else row.caption
        scale, unit = scale_near(near)
        every += [(row, found) for found in facts_of_row(row, Told(names, spoken, fiscal, scale, unit))]
    for row, found in _consolidated(every, fiscal):
        place = places.of(row.start, row.end, row.start, row.end)
        if place is not None:
            shown = " ".join(document.text[row.start : row.end].split())
            about = f"{names.main}: " if names.main and names.main not in shown else ""
            yield _statement(found, about + shown, *place)


def _consolidated(rows: Sequence[tuple[TableRow, Found]], fiscal: FiscalYears) -> list[tuple[TableRow, Found]]:
    """Leave out revenue of parts: tables of segments bear the same labels, but the whole is the largest of a period.

    Where the document names its fiscal years, a year that ends on another day is that of another company.
    """
    ends = {(end.month, end.day) for end in fiscal.ends.values()}
    largest: dict[tuple[str, int], float] = {}
    kept: list[tuple[TableRow, Found]] = []
    for row, found in rows:
        if found.predicate == "HAS_REVENUE" and found.valid_at and found.invalid_at:
            days = (found.invalid_at - found.valid_at).days
            last = found.invalid_at - timedelta(days=1)
            if ends and days > 300 and not any(_near(last, month, day) for month, day in ends):
                continue
            key = (found.subject.name, round(found.invalid_at.toordinal() / 14))
            largest[key] = max(largest.get(key, 0.0), float(found.value))
        kept.append((row, found))
    return [
        (row, found)
        for row, found in kept
        if found.predicate != "HAS_REVENUE"
        or found.invalid_at is None
        or float(found.value) >= largest[found.subject.name, round(found.invalid_at.toordinal() / 14)]
    ]


def _near(day: date, month: int, number: int) -> bool:
    """Whether a day lies within ten days of a day of the year; years of 52 weeks end a few days apart."""
    try:
        other = date(day.year, month, number)
    except ValueError:
        other = date(day.year, month, 28)
    apart = abs((day - other).days)
    return min(apart, abs(apart - 365)) <= 10


def _statement(found: Found, words: str, chunk: Chunk, start: int, end: int) -> Statement:
    triplet = Triplet(
        subject=found.subject,
        predicate=found.predicate,
        object=found.object,
        value=found.value,
        unit=found.unit,
        exclusive=found.exclusive,
    )
    return Statement(
        statement=words,
        chunk_id=chunk.chunk_id,
        quote=chunk.text[start:end],
        start=start,
        end=end,
        triplets=(triplet,),
        statement_type=found.kind,
        temporal_type=found.temporal,
        valid_at=found.valid_at,
        invalid_at=found.invalid_at,
    )


def _readable(sentence: str, found: Found) -> str:
    """Return the sentence with the pronoun replaced that stands for the subject."""
    start, end = found.named
    if start < end and regex.fullmatch(SELF, sentence[start:end]):
        sentence = sentence[:start] + found.subject.name + sentence[end:]
    return " ".join(sentence.split())


def _speaks_of(before: str, names: DocumentNames) -> bool:
    """Whether `it` in the sentence after can only mean the document's organisation."""
    others = {names.org(name) for name in names_of(before)} - {"", names.main}
    return not others


def _within(start: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= start < end for begin, end in spans)


class _Places:
    """Where in the chunks a stretch of the text stands."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks

    def of(self, start: int, end: int, least: int, most: int) -> tuple[Chunk, int, int] | None:
        """Return the first chunk that holds a stretch, and where; of a longer one the words from `least` to `most`."""
        for begin, finish in ((start, end), (least, most)):
            for chunk in self._chunks:
                if chunk.start <= begin and finish <= chunk.end:
                    return chunk, begin - chunk.start, finish - chunk.start
        return None
