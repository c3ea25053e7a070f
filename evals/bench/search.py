"""Indexing and searching one corpus, ours and the peers', on the same passages, vectors and questions, in turns."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...retrievers.corpus import Corpus
from ...retrievers.embeddings import Vectors
from .synthetic import GivenVectors, documents, passages, questions, vectors
from .timing import Figure, figure_of, in_turns

K = 10
DEPTH = 60
QUESTIONS = 20
LANGCHAIN_BATCH = 5_000


class Sides:
    """The same passages in our corpus and in each peer; building one times it."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.count = folder, count
        self.texts = passages(0, count)
        self.documents = list(documents(0, count))
        self.asked = questions(QUESTIONS, corpus=count)
        near = vectors([number for _, number in self.asked])
        self.query_vectors = {query: near[place] for place, (query, _) in enumerate(self.asked)}
        self.embedder = GivenVectors(self.query_vectors)

    def citewell(self) -> Corpus:
        """Index with our corpus: texts, words, vectors, Chroma."""
        corpus = Corpus.open(self.folder / "citewell", embedder=self.embedder)
        corpus.add(self.documents)
        return corpus

    def ensemble(self) -> Any:
        """Index with LangChain's Chroma, texts in it, and BM25Retriever, and join them."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from langchain_classic.retrievers import EnsembleRetriever
            from langchain_community.retrievers import BM25Retriever
            from langchain_community.vectorstores import Chroma
            from langchain_core.embeddings import Embeddings

            outer = self

            class Given(Embeddings):
                rows: Vectors

                def embed_documents(self, texts: list[str]) -> list[list[float]]:
                    found: list[list[float]] = self.rows.tolist()
                    return found

                def embed_query(self, text: str) -> list[float]:
                    found: list[float] = outer.embedder.embed([text])[0].tolist()
                    return found

            given = Given()
            store = Chroma("passages", embedding_function=given, persist_directory=str(self.folder / "langchain"))
            for at in range(0, self.count, LANGCHAIN_BATCH):
                numbers = range(at, min(at + LANGCHAIN_BATCH, self.count))
                given.rows = vectors(numbers)
                store.add_texts(
                    self.texts[at : numbers.stop],
                    metadatas=[{"n": number} for number in numbers],
                    ids=[str(number) for number in numbers],
                )
            words = BM25Retriever.from_texts(
                self.texts, metadatas=[{"n": number} for number in range(self.count)], k=DEPTH
            )
            return EnsembleRetriever(
                retrievers=[words, store.as_retriever(search_kwargs={"k": DEPTH})], weights=[0.5, 0.5], id_key="n"
            )

    def rank_bm25(self) -> Callable[[str], Any]:
        """Index with rank-bm25 over words split at blanks."""
        from rank_bm25 import BM25Okapi

        index = BM25Okapi([text.split() for text in self.texts])
        return lambda query: index.get_top_n(query.split(), self.texts, n=K)

    def bm25s(self) -> Callable[[str], Any]:
        """Index with bm25s and its own tokenizer."""
        import bm25s

        index = bm25s.BM25()
        index.index(bm25s.tokenize(self.texts, show_progress=False), show_progress=False)
        return lambda query: index.retrieve(bm25s.tokenize(query, show_progress=False), k=K, show_progress=False)

    def chroma(self) -> Callable[[str], Any]:
        """Index vectors and ids with Chroma alone, as it comes."""
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(str(self.folder / "chroma"), settings=Settings(anonymized_telemetry=False))
        collection = client.get_or_create_collection(
            "passages", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        for at in range(0, self.count, LANGCHAIN_BATCH):
            numbers = range(at, min(at + LANGCHAIN_BATCH, self.count))
            collection.upsert(ids=[str(number) for number in numbers], embeddings=vectors(numbers))
        return lambda query: collection.query(query_embeddings=self.embedder.embed([query]), n_results=K, include=[])


def index_and_search(folder: Path, count: int, *, turns: int) -> list[Figure]:
    """Time indexing once on each side, one after the other, and then every question in turns."""
    sides = Sides(folder, count)
    figures: list[Figure] = []

    def built(side: str, build: Callable[[], Any]) -> Any:
        began, cpu = time.perf_counter(), time.process_time()
        made = build()
        taken = time.perf_counter() - began, time.process_time() - cpu
        figures.append(figure_of("index", side, [taken], unit="s", per=f"{count:,} chunks, vectors given"))
        return made

    corpus = built("citewell", sides.citewell)
    ensemble = built("LangChain Chroma + BM25", sides.ensemble)
    chroma = built("Chroma alone", sides.chroma)
    bm25s = built("bm25s", sides.bm25s)
    rank = built("rank-bm25", sides.rank_bm25)
    queries = [query for query, _ in sides.asked]

    def each(search: Callable[[str], Any]) -> Callable[[], Any]:
        waiting = iter(queries * (turns + 2))
        return lambda: search(next(waiting))

    per = f"one question over {count:,} chunks"
    figures += in_turns(
        "search: words",
        {
            "citewell": each(lambda query: corpus.search(query, k=K, mode="sparse")),
            "bm25s": each(bm25s),
            "rank-bm25": each(rank),
        },
        turns=turns,
        per=per,
    )
    figures += in_turns(
        "search: meaning",
        {"citewell": each(lambda query: corpus.search(query, k=K, mode="dense")), "Chroma alone": each(chroma)},
        turns=turns,
        per=f"{per}, its embedding included",
    )
    figures += in_turns(
        "search: both",
        {
            "citewell": each(lambda query: corpus.search(query, k=K)),
            "LangChain EnsembleRetriever": each(ensemble.invoke),
        },
        turns=turns,
        per=f"{per}, its embedding included",
    )
    corpus.close()
    return figures
