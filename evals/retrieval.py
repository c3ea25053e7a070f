"""Measure what the corpus finds, in one configuration for all sets.

python -m citewell.evals.retrieval --data DIR [--set NAME]… [--cache DIR] [--peer] [--json FILE]

DIR holds one folder per set in the layout of BEIR; `financebench` holds filings as PDF.  Every document goes through
the corpus as a program or a folder would bring it; hits are chunks, mapped to their document or page.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import click

from ..retrievers.corpus import Corpus
from ..retrievers.embeddings import Embedder, bundled
from ..retrievers.hybrid_ranking import Mode
from ..settings import Environment, Settings
from ..state.records import Document, Hit
from .beir import Query, RetrievalSet, ndcg, recall
from .ensemble import ensemble_rankings
from .kept_vectors import KeptVectors

SETS = ("scifact", "cranfield", "hotpotqa", "locomo", "financebench")
MODES: tuple[Mode, ...] = ("hybrid", "sparse", "dense")
CHUNKS = 60
ADVERSARIAL = 5


def measure(folder: Path, embedder: Embedder, *, peer: bool = False) -> dict[str, Any]:
    """Return the figures of one set by what ranked: hybrid, its two halves, and the peer where asked for."""
    if (folder / "pdfs").is_dir():
        return _measure_filings(folder, embedder)
    data = RetrievalSet.read(folder)
    documents = [_document(*row) for row in data.documents]
    asked = [query for query in data.queries if query.metadata.get("category") != ADVERSARIAL]
    figures: dict[str, Any] = {"documents": len(documents), "queries": len(asked)}
    with tempfile.TemporaryDirectory() as home, _corpus(Path(home), embedder) as corpus:
        started = time.perf_counter()
        corpus.add(documents)
        figures["indexed_s"] = round(time.perf_counter() - started, 1)
        for mode in MODES:
            figures[mode] = _figures(_ranked(corpus, asked, mode))
    if peer:
        figures["ensemble"] = _figures(_peer(documents, asked, embedder))
    return figures


def _document(document_id: str, title: str, text: str, metadata: Mapping[str, Any]) -> Document:
    """Return a document with its title on top; a turn of a conversation begins with the day it was said."""
    dated = f"{metadata['date']}: {text}" if "date" in metadata else text
    return Document(
        uri=document_id, text=f"{title}\n\n{dated}" if title else dated, metadata={"title": title} if title else {}
    )


def _corpus(folder: Path, embedder: Embedder) -> Corpus:
    return Corpus.open(folder, settings=Settings(), environment=Environment(), embedder=embedder)


def _by_scope(queries: Sequence[Query]) -> Iterator[tuple[dict[str, Any] | None, list[Query]]]:
    """Give questions with where they may look: one about a conversation looks into that one alone."""
    scopes: dict[str, list[Query]] = {}
    for query in queries:
        scopes.setdefault(str(query.metadata.get("conv", "")), []).append(query)
    for scope, inside in scopes.items():
        yield ({"path": f"{scope}:*"} if scope else None), inside


def _ranked(corpus: Corpus, queries: Sequence[Query], mode: Mode) -> list[tuple[Query, list[str]]]:
    ranked: list[tuple[Query, list[str]]] = []
    for where, inside in _by_scope(queries):
        found = corpus.search_many([query.text for query in inside], k=CHUNKS, mode=mode, where=where)
        ranked += [(query, _documents(corpus, hits)) for query, hits in zip(inside, found, strict=True)]
    return ranked


def _documents(corpus: Corpus, hits: Sequence[Hit]) -> list[str]:
    return list(dict.fromkeys(chunk.uri for chunk in corpus.read([hit.chunk_id for hit in hits])))


def _peer(documents: Sequence[Document], queries: Sequence[Query], embedder: Embedder) -> list[tuple[Query, list[str]]]:
    ranked: list[tuple[Query, list[str]]] = []
    for where, inside in _by_scope(queries):
        # The peer sees the texts without the day that ours puts before a turn.
        start = where["path"].removesuffix("*") if where else ""
        texts = [
            (document.uri, document.text.partition(": ")[2] if where else document.text)
            for document in documents
            if document.uri.startswith(start) and document.text.strip()
        ]
        found = ensemble_rankings(texts, [query.text for query in inside], embedder)
        ranked += list(zip(inside, found, strict=True))
    return ranked


def _figures(ranked: Sequence[tuple[Query, list[str]]]) -> dict[str, float]:
    figures = {
        "nDCG@10": mean(ndcg(ranking, query.gold) for query, ranking in ranked),
        "Recall@5": mean(recall(ranking, query.gold, 5) for query, ranking in ranked),
        "Recall@10": mean(recall(ranking, query.gold, 10) for query, ranking in ranked),
        "Recall@20": mean(recall(ranking, query.gold, 20) for query, ranking in ranked),
        "all gold in ten": mean(float(recall(ranking, query.gold, 10) == 1) for query, ranking in ranked),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def _measure_filings(folder: Path, embedder: Embedder) -> dict[str, Any]:
    """Return the figures over the pages of all filings together, and how many questions find their filing."""
    data = RetrievalSet.read(folder)
    with tempfile.TemporaryDirectory() as home:
        corpus = _corpus(Path(home), embedder)
        started = time.perf_counter()
        corpus.add_path(folder / "pdfs")
        figures: dict[str, Any] = {
            "pages": len(data.documents),
            "queries": len(data.queries),
            "indexed_s": round(time.perf_counter() - started, 1),
        }
        routes = {query.query_id: corpus.route(query.text) for query in data.queries}
        filing = {query.query_id: f"{query.metadata['doc_name']}.pdf" for query in data.queries}
        figures["routed first"] = sum(routes[query][:1] == [uri] for query, uri in filing.items())
        figures["routed among"] = sum(uri in routes[query] for query, uri in filing.items())
        texts = [query.text for query in data.queries]
        found: dict[str, list[list[Hit]]] = {mode: corpus.search_many(texts, k=CHUNKS, mode=mode) for mode in MODES}
        found |= {"without routing": corpus.search_many(texts, k=CHUNKS, route=False)}
        for name, hits in found.items():
            figures[name] = _figures(list(zip(data.queries, (_pages(corpus, one) for one in hits), strict=True)))
        corpus.close()
    return figures


def _pages(corpus: Corpus, hits: Sequence[Hit]) -> list[str]:
    """Return the pages that hits begin on, named as the set names them: `DOC#pN`, N from 0."""
    chunks = corpus.read([hit.chunk_id for hit in hits])
    return list(dict.fromkeys(f"{Path(chunk.uri).stem}#p{(chunk.page or 1) - 1}" for chunk in chunks))


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--set", "names", multiple=True, type=click.Choice(SETS), help="Only this set; may be repeated.")
@click.option("--cache", type=click.Path(file_okay=False, path_type=Path), help="Keep computed vectors here.")
@click.option("--peer", is_flag=True, help="Measure LangChain's EnsembleRetriever too.")
@click.option("--json", "out", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here.")
def main(data: Path, names: tuple[str, ...], cache: Path | None, peer: bool, out: Path | None) -> None:
    embedder: Embedder = KeptVectors(bundled(), cache / "vectors.sqlite") if cache else bundled()
    figures: dict[str, Any] = {}
    for name in names or SETS:
        figures[name] = measure(data / name, embedder, peer=peer)
        click.echo(f"{name}: " + ", ".join(f"{key} {value}" for key, value in figures[name].items()))
        if out:
            out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
