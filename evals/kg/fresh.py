"""Sentences in three sets, each written after the rules, to see what they make of wordings nobody tuned them to.

Each stands in a document of its own about Farrow Instruments plc, dated 2022-06-15.  What a set shows at first sight is
what counts; the rules were changed after each, so that to measure again new sentences are needed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from ...reasoners.kg.embedded import ReadDocument, statements_of
from ...retrievers.chunking import cut
from ...retrievers.parsers import extract
from ...state.records import Source

DAY = date(2022, 6, 15)
Sentence = tuple[str, tuple[str, str, str, str] | None]
"""A sentence, then what it states: subject, predicate, object or value, first day.  None states nothing."""


def read_sentences() -> dict[str, list[Sentence]]:
    """Return the sets by name, in the order in which they were written."""
    sets = json.loads(Path(__file__).with_name("fresh_sentences.json").read_text(encoding="utf-8"))
    return {
        name: [(each["sentence"], tuple(each["states"]) if each["states"] else None) for each in sentences]
        for name, sentences in sets.items()
    }


def measured(sentences: Sequence[Sentence]) -> tuple[int, int, int, int, list[str]]:
    """Return stated, found with the right time, found at all, strays, and lines that tell what went wrong."""
    stated = right = found = stray = 0
    lines: list[str] = []
    for sentence, expected in sentences:
        rows = _read(sentence)
        facts = [(row, begin) for row, begin, kind in rows if kind == "FACT"]
        if expected is None:
            stray += len(facts)
            lines += [f"STRAY {row} | {sentence}" for row, _ in facts]
            continue
        stated += 1
        *words, begin = expected
        fits = [day for row, day in facts if all(word in row for word in words)]
        found += bool(fits)
        right += begin in fits
        if begin not in fits:
            lines.append(f"{'WRONG TIME' if fits else 'MISSED'} {expected} {fits} | {sentence}")
    return stated, right, found, stray, lines


def _read(sentence: str) -> list[tuple[tuple[str, ...], str, str]]:
    name = "note.md"
    extraction = extract(f"---\ndate: {DAY}\n---\n\n# Farrow Instruments plc\n\n{sentence}\n".encode(), name=name)
    published = datetime(DAY.year, DAY.month, DAY.day, tzinfo=UTC)
    source = Source(uri=name, kind="file", title=extraction.title, published_at=published)
    rows: list[tuple[tuple[str, ...], str, str]] = []
    for statement in statements_of(ReadDocument(source, extraction.text, cut(extraction, name))):
        triplet = statement.triplets[0]
        named = triplet.object.name if triplet.object else ""
        begin = statement.valid_at.isoformat() if statement.valid_at else ""
        rows.append(((triplet.subject.name, triplet.predicate, named, triplet.value), begin, statement.statement_type))
    return rows
