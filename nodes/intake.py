"""Start a question: settle what is asked, read its sources, begin with empty evidence.

Reads question, messages, docs, urls, web, corpus; writes run, sources and fresh channels for all that follows.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ..errors import CitewellError, UsageError
from ..retrievers.folder import named_path
from ..retrievers.pages import add_pages
from ..retrievers.roots import Roots
from ..retrievers.urls import clean_urls
from ..settings import Settings, merge_settings, resolve_engine
from ..state.budget import Budget
from ..state.context import ResearchContext
from ..state.episodes import DEFAULT_USER
from ..state.events import event
from ..state.journal import Recorded
from ..state.records import Document, Draft, Source
from ..state.research import ResearchState, RunInfo
from .services import Run, Services, from_any_thread
from .where import where_to_look

_EMPTY: dict[str, Any] = {
    "sources": {},
    "packs": {},
    "evidence": {},
    "fallbacks": (),
    "hosts": (),
    "episodes": (),
    "iteration": 1,
    "facts": (),
    "new_facts": 0,
    "gaps": (),
    "followups": (),
    "steps": (),
    "draft": Draft(),
    "best": Draft(),
    "verdicts": {},
    "issues": (),
    "repairs": 0,
    "patches": (),
    "repair_request": None,
    "failure": "",
    "failed_with": 0,
    "stop_reason": "",
    "seconds": 0.0,
}


_UNITED = ("sources", "packs", "evidence", "fallbacks", "hosts")
"""Channels that unite what is written with what earlier questions of the thread left."""


def _begun(state: ResearchState, values: dict[str, Any]) -> ResearchState:
    """Return what a question begins with, as far as its thread does not hold it yet.

    What earlier questions read, fell back on and contacted is not its own.
    """
    held: dict[str, Any] = {**state}
    changed = {key: value for key, value in values.items() if key not in held or held[key] != value}
    replaced = {key: Overwrite(changed[key]) for key in _UNITED if held.get(key) and key in changed}
    return {**changed, **replaced}  # type: ignore[typeddict-item]


KEPT_FOR_ANSWER = 1 / 3
"""Share of the time left that embedding does not touch: what has no vector by then is found by its words."""


@dataclass(frozen=True)
class _Opened:
    """A run whose files were read: its sources so far, and how many passages have no vector yet."""

    run: Run
    sources: list[Source]
    pending: int


@dataclass(frozen=True)
class Intake:
    """Reads the sources of a run into its corpus."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        settings = merge_settings(self.services.settings, runtime.context)
        question, from_messages = asked_in(state)
        user = runtime.context.user if isinstance(runtime.context, ResearchContext) else DEFAULT_USER
        ids = self._ids(state, runtime, settings, question, user)

        async def asking() -> bool:
            nonlocal settings
            kept = await self._settings_asked_with(ids[1] if ids[0] else "", question, settings)
            if kept is not None:
                settings = merge_settings(kept, runtime.context)
            return kept is not None

        where = await where_to_look(question, state, runtime.context, asking, self._refuse_outside)
        given = state
        state = {**state, **where.sources}  # type: ignore[typeddict-item]
        info = self._identity(ids, state, settings, question, from_messages, user)
        runtime.stream_writer(event("thread", thread_id=info.thread_id, run_id=info.run_id))
        fresh = {**_EMPTY}
        if where.kept:
            fresh |= where.sources
        if where.refusal:
            refused = {**fresh, "run": info, "failure": where.refusal, "stop_reason": "cancelled"}
            return _begun(given, refused)
        try:
            update = await self._read(state, info, settings, runtime)
        except CitewellError as error:
            update = {"run": info, "failure": str(error), "failed_with": error.exit_code}
        return _begun(given, {**fresh, **update})

    async def _settings_asked_with(self, run_id: str, question: str, settings: Settings) -> Settings | None:
        """Return the settings of a run that asks a person where to look, as they were when it first did; else None.

        This step runs again when the reply comes, and whoever replies need not give the run's settings once more.
        """
        journal, request = self.services.journal, {"question": question}
        asked = await journal.found(run_id, "ask", request)
        if asked is not None:
            return Settings.model_validate(asked.result)
        # The temporal graph is a place to look, too.
        if not settings.ask_sources or settings.kg:
            return None

        async def write_down() -> Recorded:
            return Recorded(settings.model_dump(mode="json"))

        await journal.once(run_id, "ask", request, write_down)
        return settings

    def _ids(
        self, state: ResearchState, runtime: Runtime[ResearchContext], settings: Settings, question: str, user: str
    ) -> tuple[str, str]:
        """Return the ids of thread and run; the same question at the same place of a thread is the same run."""
        execution = runtime.execution_info
        thread_id = (execution.thread_id if execution else None) or ""
        # The last part names this node's own task; those before it tell parallel instances in one parent apart.
        parents = execution.checkpoint_ns.split("|")[:-1] if execution else []
        turn = sum(isinstance(message, AIMessage) for message in state.get("messages", []))
        place = [thread_id, *parents, str(turn), question]
        if user != DEFAULT_USER:
            place.append(user)
        if not thread_id and settings.fixed_time is None:
            place.append(uuid4().hex)
        return thread_id, sha256("\x1f".join(place).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _identity(
        self, ids: tuple[str, str], state: ResearchState, settings: Settings, question: str, from_messages: bool,
        user: str,
    ) -> RunInfo:  # fmt: skip
        return RunInfo(
            run_id=ids[1],
            thread_id=ids[0],
            created_at=self.services.now(settings),
            question=question,
            resolved_question=question,
            engine=resolve_engine(settings, self.services.environment),
            settings=settings.model_dump(mode="json"),
            web=bool(state.get("web")),
            from_messages=from_messages,
            user=user,
        )

    def _refuse_outside(self, paths: Sequence[str]) -> None:
        Roots.of(self.services.environment).refuse_outside(*paths)

    async def _read(
        self, state: ResearchState, info: RunInfo, settings: Settings, runtime: Runtime[ResearchContext]
    ) -> dict[str, Any]:
        if not info.question:
            raise UsageError("the question is empty")
        docs, urls = list(state.get("docs") or ()), clean_urls(state.get("urls") or ())
        kept = state.get("corpus") or ""
        told = await self._told_by_graph(info.question, settings) if not kept else []
        if not (docs or urls or kept or info.web or told):
            if settings.kg:
                raise UsageError("no source given, and the temporal graph holds nothing on what the question names")
            raise UsageError("no source given: name files or folders, URLs, a kept corpus, or allow the web")

        send = from_any_thread(runtime.stream_writer)

        def opened() -> _Opened:
            self._refuse_outside((*docs, kept) if kept else docs)
            web_run = info.run_id if info.web else ""
            folder = self.services.shelf.folder_for(docs, urls, settings, corpus=kept, web_run=web_run, graph=told)
            run = self.services.bind_here(info.model_copy(update={"corpus": str(folder)}), send)
            read = self._read_files(run, docs)
            if not (urls or told or read.pending > 0):
                self.services.sources_read(run)
            return read

        read = await asyncio.to_thread(opened)
        run = read.run
        info = run.info
        if settings.kg and not told:
            why = "is not joined with a kept corpus" if kept else "holds nothing on what the question names"
            if self.services.graph_for is None:
                why = "is not asked: a dataroom answers for itself"
            run.fall_back("intake", f"the temporal graph {why}")
        sources = {source.uri: source for source in await self._add(read, urls, told)}
        problem = unreadable(list(sources.values())) if not info.web else ""
        resolved = info.question
        if not problem:
            resolved = await self.services.reasoner(run, "intake").resolve(info.question, _history(state, info))
        return {
            "run": info.model_copy(update={"resolved_question": resolved}) if resolved != info.question else info,
            "sources": sources,
            "failure": problem,
            "failed_with": UsageError.exit_code if problem else 0,
            **run.so_far(),
        }

    async def _told_by_graph(self, question: str, settings: Settings) -> list[Document]:
        """Return the passages of the temporal graph on what a question names."""
        graph_for = self.services.graph_for
        if not settings.kg or graph_for is None:
            return []
        from ..retrievers.kg.passages import documents_about
        from .multistep_services import entities_in

        def told() -> list[Document]:
            graph = graph_for()
            return documents_about(graph, entities_in(graph, question))

        return await asyncio.to_thread(told)

    def _read_files(self, run: Run, docs: Sequence[str]) -> _Opened:
        corpus = run.corpus
        assert corpus is not None
        if docs:
            corpus.add_path(*paths_of(docs), progress=_progress_of(run), embed=False)
        return _Opened(run, corpus.sources(), corpus.pending)

    async def _add(self, read: _Opened, urls: Sequence[str], told: Sequence[Document] = ()) -> list[Source]:
        """Read pages beside the files, show the first hits of the words alone, then compute the missing vectors.

        Returns: all sources of the corpus.
        """
        run, sources, pending = read.run, read.sources, read.pending
        corpus = run.corpus
        assert corpus is not None
        progress = _progress_of(run)

        def read_told() -> tuple[list[Source], int]:
            # A file that is read anew says more than the graph kept of it.
            known = {source.uri for source in corpus.sources()} if told else set()
            if beside := [document for document in told if document.uri not in known]:
                corpus.add(beside, embed=False)
            return corpus.sources(), corpus.pending

        if urls:
            fetcher = self.services.fetcher_for(run.settings)
            async with fetcher:
                await add_pages(corpus, urls, fetcher, run.journal, run.info.run_id, progress=progress)
                run.contacted(fetcher.hosts_contacted)
        if urls or told:
            sources, pending = await asyncio.to_thread(read_told)
        for source in sources:
            run.tell("source", uri=source.uri, status=source.status, reason=source.reason)
        if pending > 0:
            await self._first_hits(run)
            stopped = threading.Event()
            time_to_answer = time_to_answer_for(run.budget)

            def embed() -> None:
                corpus.embed_pending(progress=progress, until=lambda: stopped.is_set() or time_to_answer())
                self.services.sources_read(run)

            try:
                await asyncio.to_thread(embed)
            finally:
                # A thread cannot be cancelled: an interrupted run asks it to end after the batch in hand.
                stopped.set()
        elif urls or told:
            await asyncio.to_thread(self.services.sources_read, run)
        if run.degraded:
            run.fall_back("retriever", run.degraded)
        return sources

    async def _first_hits(self, run: Run) -> None:
        corpus, question = run.corpus, run.info.question
        assert corpus is not None

        def search() -> list[dict[str, Any]]:
            hits = corpus.search(question, k=3, mode="sparse")
            chunks = corpus.read([hit.chunk_id for hit in hits])
            return [
                {**hit.model_dump(include={"chunk_id", "score"}), "uri": chunk.uri, "page": chunk.page}
                | {"preview": chunk.text[:160]}
                for hit, chunk in zip(hits, chunks, strict=True)
            ]

        run.tell("hits", query=question, iteration=0, hits=await asyncio.to_thread(search))


def _progress_of(run: Run) -> Callable[[str, int, int], None]:
    def progress(stage: str, done: int, total: int) -> None:
        run.tell("progress", stage=stage, done=done, total=total)

    return progress


def asked_in(state: ResearchState) -> tuple[str, bool]:
    """Return the open question, stripped, and whether it came as the last message."""
    question = str(state.get("question") or "").strip()
    messages = state.get("messages", [])
    if not question and messages and isinstance(messages[-1], HumanMessage):
        return str(messages[-1].text).strip(), True
    return question, False


def time_to_answer_for(budget: Budget) -> Callable[[], bool]:
    """Return what says that embedding has had its share of the time that is left now; never where it is unbounded."""
    kept_s = budget.remaining_s * KEPT_FOR_ANSWER
    return lambda: budget.remaining_s <= kept_s < math.inf


def paths_of(docs: Sequence[str]) -> list[Path]:
    """Return given files and folders as paths, `~` expanded."""
    return [named_path(doc) for doc in docs]


def unreadable(sources: Sequence[Source]) -> str:
    """Say why a run with these sources cannot start, or return an empty string.

    Sources that were read and hold nothing are no failure; sources of which none could be read are one.
    """
    if not sources:
        return "the sources hold no file"
    if any(source.status != "failed" for source in sources):
        return ""
    return "every source failed: " + "; ".join(f"{source.uri}: {source.reason}" for source in sources)


def _history(state: ResearchState, info: RunInfo) -> list[tuple[str, str]]:
    """Return the turns before this question as (role, text)."""
    messages = list(state.get("messages", []))
    if info.from_messages:
        messages = messages[:-1]
    return [("user" if isinstance(message, HumanMessage) else "assistant", str(message.text)) for message in messages]
