"""`citewell search`: the passages of a kept corpus that a query finds, with the scores that explain their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import click

from ..errors import UsageError
from ..state.records import Chunk, Hit
from ..text.words import content_words
from .options import load, setting_options, split_flags
from .output import note, print_json, visible

SNIPPET_CHARS = 220
Mode = Literal["hybrid", "sparse", "dense"]
_WORD = re.compile(r"\S+")


@click.command(short_help="Search a corpus.")
@click.argument("query")
@click.option("--corpus", required=True, metavar="DIR", help="A corpus made by `citewell index`.")
@click.option("--mode", type=click.Choice(["hybrid", "sparse", "dense"]), default="hybrid", show_default=True,
              help="Words and meaning, words alone, or meaning alone.")  # fmt: skip
@click.option("--k", default=10, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="Hits to show.")
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Only sources of this name, e.g. '2023/*.pdf'.")
@click.option("--kind", type=click.Choice(["web", "file", "document", "memory", "graph"]), help="Only this kind.")
@click.option("--since", metavar="DATE", help="Only sources dated on this day or later.")
@click.option("--until", metavar="DATE", help="Only sources dated on this day or earlier.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with whole passages.")
@setting_options("embeddings", "offline", "fusion", "rrf_k", "sparse_k", "dense_k")
def search(query: str, corpus: str, mode: Mode, k: int, as_json: bool, paths: tuple[str, ...], **flags: Any) -> None:
    """Search a kept corpus and show each hit with its sparse, dense and fused score, its source and page."""
    values, given = split_flags(flags)
    settings, environment = load(values)
    from ..retrievers.corpora import holds_corpus

    folder = Path(corpus).expanduser().absolute()
    if not holds_corpus(folder):
        raise UsageError(f"{corpus}: no such corpus; make it with `citewell index PATH --corpus {corpus}`")
    from .. import Corpus

    where = {name: given[name] for name in ("kind", "since", "until") if given[name]} | (
        {"path": paths} if paths else {}
    )
    with Corpus.open(folder, settings=settings, environment=environment) as opened:
        hits = opened.search(query, k=k, mode=mode, where=where or None)
        chunks = {chunk.chunk_id: chunk for chunk in opened.read([hit.chunk_id for hit in hits])}
        for remark in filter(None, (opened.degraded if mode != "sparse" else "", opened.approximate)):
            note(remark)
    # A chunk may have left the corpus since it was found.
    found = [(hit, chunks[hit.chunk_id]) for hit in hits if hit.chunk_id in chunks]
    if as_json:
        print_json([_row(hit, chunk) for hit, chunk in found])
        return
    for hit, chunk in found:
        click.echo(visible(f"{hit.rank:3}  {hit.score:.4f}  {' '.join(_where(chunk).split())}"))
        click.echo(visible(f"     {_scores(hit)}"))
        click.echo(visible(f"     {snippet(chunk.text, query)}"))
    if not found:
        note("nothing found")


def snippet(text: str, query: str, limit: int = SNIPPET_CHARS) -> str:
    """Return the piece of a passage, on one line, that holds most of the query's words; the first among equals."""
    wanted = set(content_words(query))
    words = [(match.start(), bool(wanted & set(content_words(match.group())))) for match in _WORD.finditer(text)]
    # Some words before the first match make it readable.
    lead = limit // 6
    matches = [start for start, found in words if found]
    best = max(matches, key=lambda at: (sum(at <= other < at + limit - lead for other in matches), -at), default=0)
    begin = min((start for start, _ in words if start >= best - lead), default=0) if best > lead else 0
    piece = " ".join(text[begin : begin + limit].split())
    return f"{'… ' if begin > 0 else ''}{piece}{' …' if begin + limit < len(text) else ''}"


def _where(chunk: Chunk) -> str:
    parts: Sequence[str | None] = (
        chunk.uri,
        f"page {chunk.page}" if chunk.page else None,
        f"sheet {chunk.sheet}" if chunk.sheet else None,
        f"rows {chunk.rows[0]}–{chunk.rows[1]}" if chunk.rows else None,
    )
    return ", ".join(part for part in parts if part)


def _scores(hit: Hit) -> str:
    def ranked(name: str, score: float | None, rank: int | None, digits: int) -> str:
        if score is None:
            return f"{name} –"
        return f"{name} {score:.{digits}f}" + (f" (rank {rank})" if rank else "")

    return "  ".join(
        (
            ranked("sparse", hit.score_sparse, hit.rank_sparse, 2),
            ranked("dense", hit.score_dense, hit.rank_dense, 3),
            ranked("fused", hit.score_fused, None, 4),
        )
    )


def _row(hit: Hit, chunk: Chunk) -> dict[str, Any]:
    return hit.model_dump(mode="json") | chunk.model_dump(mode="json", exclude={"chunk_id"})
