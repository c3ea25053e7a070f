"""A corpus as a LangChain retriever, for chains and agents of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from .filters import Where
from .hybrid_ranking import Mode

if TYPE_CHECKING:
    from .corpus import Corpus


class CorpusRetriever(BaseRetriever):
    """Returns chunks as LangChain documents; their metadata tells the place and the scores of each."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    corpus: Any
    k: int = 10
    mode: Mode = "hybrid"
    where: Where | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        corpus: Corpus = self.corpus
        hits = {hit.chunk_id: hit for hit in corpus.search(query, k=self.k, mode=self.mode, where=self.where)}
        return [
            Document(
                id=chunk.chunk_id,
                page_content=chunk.text,
                metadata=chunk.model_dump(mode="json", exclude={"text"}, exclude_none=True)
                | hits[chunk.chunk_id].model_dump(exclude={"chunk_id"}, exclude_none=True),
            )
            for chunk in corpus.read(list(hits))
        ]
