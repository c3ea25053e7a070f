"""LangChain's EnsembleRetriever with the same embeddings, as the peer that retrieval is measured beside."""

from __future__ import annotations

from collections.abc import Sequence

from ..retrievers.embeddings import Embedder

DEPTH = 60


def ensemble_rankings(texts: Sequence[tuple[str, str]], queries: Sequence[str], embedder: Embedder) -> list[list[str]]:
    """Rank texts given as (id, text) for each query by BM25Retriever and a vector store, fused by LangChain."""
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Same(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[float(value) for value in row] for row in embedder.embed(texts)]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    documents = [Document(page_content=text, metadata={"id": text_id}) for text_id, text in texts]
    words = BM25Retriever.from_documents(documents, k=DEPTH)
    store = InMemoryVectorStore.from_documents(documents, Same())
    both = EnsembleRetriever(
        retrievers=[words, store.as_retriever(search_kwargs={"k": DEPTH})], weights=[0.5, 0.5], id_key="id"
    )
    return [[document.metadata["id"] for document in both.invoke(query)] for query in queries]
