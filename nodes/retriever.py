"""Find passages for one query.  Gets a plain-JSON order by `Send`; writes packs, evidence, sources, fallbacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..errors import CitewellError, CorpusError
from ..retrievers.pages import search_pages
from ..state.context import ResearchContext
from ..state.records import Hit, Source
from ..state.research import Pack, ResearchState, RunInfo
from .services import Run, Services

TARGETED = 0
"""The round number of a retrieval that the fixer asked for, which is not an iteration."""

PREVIEW_CHARS = 160


class RetrievalOrder(TypedDict):
    """What a `Send` carries to the retriever."""

    query: str
    iteration: int
    run: dict[str, Any]
    seconds: float


def order(state: ResearchState, query: str, iteration: int) -> RetrievalOrder:
    """Return the order to retrieve one query, as plain JSON."""
    return RetrievalOrder(
        query=query, iteration=iteration, run=state["run"].model_dump(mode="json"), seconds=state.get("seconds", 0.0)
    )


@dataclass(frozen=True)
class Retriever:
    """Searches the web where allowed, then the corpus.

    A failure is a value, so that no sibling is lost; but a corpus that cannot be read ends the run.
    """

    services: Services

    async def __call__(self, state: RetrievalOrder, runtime: Runtime[ResearchContext]) -> ResearchState:
        query, iteration = state["query"], state["iteration"]
        info = RunInfo.model_validate(state["run"])
        run = await self.services.bind(info, runtime.stream_writer, carried_s=state["seconds"], read=True)
        run.tell("query", query=query, iteration=iteration)
        sources: dict[str, Source] = {}
        hits: list[Hit] = []
        unsearched = ""
        if info.web and run.budget.remaining_s > 0:
            try:
                sources = await self._search_web(run, query, iteration)
            except CitewellError as error:
                # What was read before may answer all the same.
                unsearched = str(error)
                run.fall_back("retriever", f"the web could not be searched for {query!r}: {error}")
        try:
            hits = await self._search(run, query, iteration)
        except CorpusError:
            # A damaged corpus holds nothing to find: "nothing was found" would be a wrong answer.  The thread can be
            # taken up once it is mended.
            raise
        except CitewellError as error:
            run.fall_back("retriever", f"{query}: {error}")
        found: ResearchState = {
            "packs": {
                query: Pack(
                    query=query,
                    iteration=iteration,
                    chunk_ids=tuple(hit.chunk_id for hit in hits),
                    unsearched=unsearched,
                ),
            },
            "evidence": {hit.chunk_id: hit for hit in hits},
        }
        if sources:
            found["sources"] = sources
        return {**found, **run.noted()}

    async def _search(self, run: Run, query: str, iteration: int) -> list[Hit]:
        assert run.corpus is not None
        found = await self.services.searching.search(run.corpus, query, run.settings.per_query_k)
        shown = [
            {"chunk_id": hit.chunk_id, "score": hit.score, "uri": passage.chunk.uri, "page": passage.chunk.page}
            | {"preview": passage.chunk.text[:PREVIEW_CHARS]}
            for hit, passage in zip(found.hits, found.passages, strict=True)
        ]
        run.evidence.hold(found.passages)
        if found.degraded:  # e.g. a vector server that went away meanwhile
            run.fall_back("retriever", found.degraded)
        run.tell("hits", query=query, iteration=iteration, hits=shown)
        return found.hits

    async def _search_web(self, run: Run, query: str, iteration: int) -> dict[str, Source]:
        provider = self.services.web_search_for(run.settings)
        if provider is None:
            run.fall_back("retriever", "no web search is configured: set TAVILY_API_KEY or SEARXNG_URL")
            return {}
        assert run.corpus is not None
        async with self.services.fetcher_for(run.settings) as fetcher:
            try:
                return await search_pages(
                    run.corpus,
                    query,
                    provider,
                    fetcher,
                    run.journal,
                    run.info.run_id,
                    run.settings,
                    first=iteration == 1,
                )
            finally:
                run.contacted((*provider.hosts, *fetcher.hosts_contacted))
