"""The passages that the temporal graph keeps of its documents, as texts that a corpus can take in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ...state.records import Chunk, Document
from .records import Entity
from .store import TemporalGraph

MAX_PASSAGES = 120


def documents_about(graph: TemporalGraph, entities: Sequence[Entity]) -> list[Document]:
    """Return what the graph's sources say of some entities: for each source the passages that state a fact of them.

    A text keeps the uri, title and date of its source.  Of more than 120 passages those of the latest facts are kept.
    """
    chunks: dict[str, Chunk] = {}
    dates: dict[str, date] = {}
    for entity in entities:
        for fact in reversed(graph.facts(entity)):
            event = fact.event
            if event.chunk_id in chunks or len(chunks) >= MAX_PASSAGES:
                continue
            chunk = graph.chunk(event)
            if chunk is not None:
                chunks[event.chunk_id] = chunk
            if event.stated_at:
                dates[event.uri] = event.stated_at
    by_uri: dict[str, list[Chunk]] = {}
    for chunk in sorted(chunks.values(), key=lambda each: (each.uri, each.index)):
        by_uri.setdefault(chunk.uri, []).append(chunk)
    documents = []
    for uri, held in by_uri.items():
        source = graph.source(uri)
        metadata = {"kind": "graph", "title": source.title if source else ""}
        if uri in dates:
            metadata["date"] = dates[uri].isoformat()
        documents.append(Document(uri=uri, text=_joined(held), metadata=metadata))
    return documents


def _joined(chunks: Sequence[Chunk]) -> str:
    """Return passages of one source in order, what neighbours share once, gaps as empty lines."""
    text, end = "", -1
    for chunk in chunks:
        if chunk.start < end:
            text += chunk.text[end - chunk.start :]
        else:
            text += ("\n\n" if text else "") + chunk.text
        end = max(end, chunk.end)
    return text
