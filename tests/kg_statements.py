"""Write statements into a temporal graph in one line each."""

from __future__ import annotations

from datetime import UTC, date, datetime

from citewell.retrievers.kg.records import Mention, Statement, Triplet
from citewell.state.records import Chunk, Source, chunk_id_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def day(text: str | None) -> date | None:
    """`2021`, `2021-03` or `2021-03-04`, its first day."""
    return date.fromisoformat((text + "-01-01")[:10] if len(text) == 4 else (text + "-01")[:10]) if text else None


def mention(text: str, kind: str = "org") -> Mention:
    """`org:Acme` or `Acme`."""
    head, colon, name = text.partition(":")
    return Mention(name=name, kind=head) if colon else Mention(name=text, kind=kind)


def said(subject, predicate, target=None, *, value="", unit="", start=None, end=None, kind="DYNAMIC", exclusive=False,
         type_="FACT", uri="doc"):  # fmt: skip
    """One statement with one triplet."""
    words = f"{subject} {predicate} {target} {value}"
    triplet = Triplet(
        subject=mention(subject),
        predicate=predicate,
        object=mention(target) if target else None,
        value=value,
        unit=unit,
        exclusive=exclusive,
    )
    return Statement(
        statement=words,
        chunk_id=chunk_id_of(uri, 0),
        quote=words,
        start=0,
        end=len(words),
        triplets=(triplet,),
        statement_type=type_,
        temporal_type=kind,
        valid_at=day(start),
        invalid_at=day(end),
    )


def put(graph, uri, *statements, content="1", dated=None, similar=None, now=NOW):
    """Take a document into a graph."""
    chunk = Chunk(chunk_id=chunk_id_of(uri, 0), uri=uri, index=0, text="text", start=0, end=4)
    moved = [statement.model_copy(update={"chunk_id": chunk.chunk_id}) for statement in statements]
    return graph.put(
        Source(uri=uri, kind="file"), moved, content=content, engine="test", chunks=[chunk], dated=day(dated),
        similar=similar, now=now,
    )  # fmt: skip
