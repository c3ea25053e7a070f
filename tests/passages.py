"""Passages made on the spot."""

from __future__ import annotations

from citewell.reasoners.protocol import Passage
from citewell.state.records import Chunk, Hit, Source, chunk_id_of


def passage_of(uri: str, text: str, *, index: int = 0, score: float = 1.0, queries: tuple[str, ...] = ()) -> Passage:
    """Return a passage that is the whole text of its source."""
    chunk_id = chunk_id_of(uri, index)
    return Passage(
        chunk=Chunk(chunk_id=chunk_id, uri=uri, index=index, text=text, start=0, end=len(text)),
        source=Source(uri=uri, kind="file", title=uri),
        hit=Hit(chunk_id=chunk_id, score=score, rank=1),
        queries=queries,
    )
