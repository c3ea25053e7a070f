"""What the steps of a run share: settings, stores and engines, bound to one run at a time."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.runtime import Runtime

from ..errors import BudgetExhausted, CitewellError
from ..reasoners.protocol import Passage, Reasoner, SupportJudge
from ..reasoners.verdicts import Verdicts
from ..settings import Environment, Settings
from ..state.budget import Budget, Limits
from ..state.context import ResearchContext
from ..state.episodes import EpisodeStore
from ..state.events import Emit, EventType, event
from ..state.journal import CallJournal
from ..state.records import Episode, Fallback, Hit
from ..state.research import Pack, ResearchState, RunInfo
from .evidence_read import EvidenceRead
from .searching import Searching

if TYPE_CHECKING:
    from ..retrievers.corpora import CorpusShelf
    from ..retrievers.corpus import Corpus
    from ..retrievers.fetch import Fetcher
    from ..retrievers.kg.store import TemporalGraph
    from ..retrievers.web_search import WebSearch

RUNS_BOUND = 256
"""Runs whose sources and passages are kept at hand; another one opens and reads them again at each step."""

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


@dataclass
class Run:
    """One run as one step sees it.  Made anew for each step; only the budget is shared between steps."""

    info: RunInfo
    settings: Settings
    environment: Environment
    budget: Budget
    journal: CallJournal
    emit: Emit
    corpus: Corpus | None = None
    degraded: str = ""
    """Why the corpus is searched by words alone; empty where meaning counts too."""
    structured: bool = False
    """Whether the corpus holds exports, from which figures can be looked up and computed."""
    evidence: EvidenceRead = field(default_factory=EvidenceRead)
    verdicts: Verdicts = field(default_factory=Verdicts)
    fallbacks: list[Fallback] = field(default_factory=list)
    hosts: tuple[str, ...] = ()

    def contacted(self, hosts: Sequence[str]) -> None:
        """Note hosts that this step contacted."""
        self.hosts = tuple(sorted({*self.hosts, *hosts}))

    def so_far(self) -> ResearchState:
        """Return what every step reports beside its own work: fallbacks and hosts, if any, and the time spent."""
        return {**self.noted(), "seconds": self.budget.seconds}

    def noted(self) -> ResearchState:
        """Return the fallbacks and hosts of this step, if any: a channel that nobody writes costs nothing."""
        noted: ResearchState = {}
        if self.fallbacks:
            noted["fallbacks"] = tuple(self.fallbacks)
        if self.hosts:
            noted["hosts"] = self.hosts
        return noted

    def tell(self, type_: EventType, **fields: Any) -> None:
        """Send an event to whoever watches the run."""
        self.emit(event(type_, **fields))

    def fall_back(self, step: str, reason: str) -> None:
        """Note that a step was done another way."""
        fallback = Fallback(step=step, reason=reason)
        if fallback not in self.fallbacks:
            self.fallbacks.append(fallback)
            self.tell("fallback", step=step, reason=reason)

    async def passages(self, hits: Mapping[str, Hit], packs: Mapping[str, Pack]) -> list[Passage]:
        """Return the passages of hits, in the order given; those that left the corpus meanwhile are left out."""
        if self.corpus is None or not hits:
            return []
        return await self.evidence.read(self.corpus, hits, packs)


@dataclass(frozen=True)
class Bound:
    """What is the same for all steps of a run once its sources were read."""

    settings: Settings
    corpus: Corpus | None
    degraded: str
    structured: bool
    recalled: tuple[Episode, ...] | None = None
    """The earlier runs most like the question, where they were looked up beside its sources."""
    evidence: EvidenceRead = field(default_factory=EvidenceRead)


ReasonerFactory = Callable[[Run, str], Reasoner]
"""Makes the reasoner of a run for the named node."""


@dataclass(eq=False)
class Services:
    """Everything a graph is wired with.  Making it opens no file and contacts nobody."""

    settings: Settings
    environment: Environment
    shelf: CorpusShelf
    reasoner_for: ReasonerFactory
    fetcher_for: Callable[[Settings], Fetcher]
    web_search_for: Callable[[Settings], WebSearch | None]
    judge: SupportJudge | None = None
    clock: Clock = utc_now
    graph_for: Callable[[], TemporalGraph] | None = None
    """Opens the temporal graph, where runs may look things up in it."""
    searching: Searching = field(default_factory=Searching, init=False)
    journal: CallJournal = field(init=False)
    episodes: EpisodeStore = field(init=False)
    _budgets: dict[str, Budget] = field(default_factory=dict)
    _bound: dict[str, Bound] = field(default_factory=dict)
    _verdicts: dict[str, Verdicts] = field(default_factory=lambda: defaultdict(Verdicts))
    """By embedding model: runs over the same passages find the same facts."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.journal = CallJournal(self.environment.home / "journal.sqlite")
        self.episodes = EpisodeStore(self.environment.home / "episodes.sqlite")

    def now(self, settings: Settings) -> datetime:
        """Return the time of a run: the fixed one where set."""
        return settings.fixed_time or self.clock()

    async def run_of(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> Run:
        """Bind the services to the run that a state belongs to."""
        return await self.bind(state["run"], runtime.stream_writer, carried_s=state.get("seconds", 0.0), read=True)

    async def bind(self, info: RunInfo, emit: Emit, *, carried_s: float = 0.0, read: bool = False) -> Run:
        """Bind the services to a run; files are opened in a thread, where this process has not done so yet.

        Args:
            read: Whether the sources of the run were read: unless it searches the web, its corpus stays as it is.
        """
        send = from_any_thread(emit)
        bound = self._bound.get(info.run_id) if read and info.run_id in self._budgets else None
        if bound is not None:
            return self._run(info, send, carried_s, bound)
        return await asyncio.to_thread(self.bind_here, info, send, carried_s=carried_s, read=read)

    def bind_here(self, info: RunInfo, emit: Emit, *, carried_s: float = 0.0, read: bool = False) -> Run:
        """Bind the services to a run in this thread, in which files are opened; see `bind`.

        Args:
            emit: Gets events from any thread.
        """
        bound = self._opened(info)
        run = self._run(info, emit, carried_s, bound)
        if read:
            self._keep(info, bound)
        return run

    def sources_read(self, run: Run) -> None:
        """Note that a run's sources are read, so that the steps after it are bound without a look at its files."""
        assert run.corpus is not None
        run.degraded, run.structured = run.corpus.degraded, run.corpus.structured
        if run.info.web:
            return
        try:
            recalled = tuple(self._recall(run.info, run.info.question))
        except CitewellError:  # told by the step that needs them
            recalled = None
        self._keep(run.info, Bound(run.settings, run.corpus, run.degraded, run.structured, recalled))

    async def recall(self, info: RunInfo, question: str) -> list[Episode]:
        """Return the earlier runs most like a question.  Raises: CitewellError where they cannot be read."""
        bound = self._bound.get(info.run_id)
        if bound is not None and bound.recalled is not None and question == info.question:
            return list(bound.recalled)
        return await asyncio.to_thread(self._recall, info, question)

    def _recall(self, info: RunInfo, question: str) -> list[Episode]:
        return self.episodes.recall(question, user=info.user, exclude=info.run_id)

    def _keep(self, info: RunInfo, bound: Bound) -> None:
        if info.web:
            return
        with self._lock:
            self._bound[info.run_id] = bound
            if len(self._bound) > RUNS_BOUND:  # a run that was broken off is never released
                self._bound.pop(next(iter(self._bound)))

    def _opened(self, info: RunInfo) -> Bound:
        settings = Settings.model_validate(info.settings)
        corpus = self.shelf.open(Path(info.corpus), settings) if info.corpus else None
        if corpus is None:
            return Bound(settings, None, "", False)
        return Bound(settings, corpus, corpus.degraded, corpus.structured)

    def _run(self, info: RunInfo, emit: Emit, carried_s: float, bound: Bound) -> Run:
        return Run(
            info=info,
            settings=bound.settings,
            environment=self.environment,
            budget=self._budget(info.run_id, bound.settings, carried_s),
            journal=self.journal,
            emit=emit,
            corpus=bound.corpus,
            degraded=bound.degraded,
            structured=bound.structured,
            evidence=bound.evidence,
            verdicts=self._verdicts[bound.settings.embeddings],
        )

    def reasoner(self, run: Run, node: str) -> Reasoner:
        """Return who thinks at a node of a run."""
        return self.reasoner_for(run, node)

    def judge_of(self, run: Run) -> SupportJudge:
        """Return who decides about support in a run."""
        return self.judge or self.reasoner(run, "validator")

    def release(self, run_id: str) -> None:
        """Drop what is kept in memory for a finished run, and in the journal for runs finished long ago."""
        self.journal.finish(run_id)
        self.pause(run_id)

    def pause(self, run_id: str) -> None:
        """Stop the clock of a run that waits for a person; it goes on from what the state and the journal hold."""
        with self._lock:
            self._budgets.pop(run_id, None)
            self._bound.pop(run_id, None)

    def _budget(self, run_id: str, settings: Settings, carried_s: float) -> Budget:
        budget = self._budgets.get(run_id)
        if budget is None:
            # The journal is a file: nobody else waits while it is read.
            made = Budget(Limits.of(settings), self.journal.spent(run_id), carried_s)
            with self._lock:
                budget = self._budgets.setdefault(run_id, made)
        return budget


def ranked(hits: Mapping[str, Hit], packs: Sequence[Pack]) -> dict[str, Hit]:
    """Order hits over several rankings: best rank first, then more and better places, then chunk id."""
    best: dict[str, int] = {}
    weight: dict[str, float] = {}
    for pack in packs:
        for rank, chunk_id in enumerate(pack.chunk_ids, start=1):
            best[chunk_id] = min(rank, best.get(chunk_id, rank))
            weight[chunk_id] = weight.get(chunk_id, 0.0) + 1 / (60 + rank)
    order = sorted((key for key in hits if key in best), key=lambda key: (best[key], -weight[key], key))
    return {key: hits[key] for key in order}


def from_any_thread(emit: Emit) -> Emit:
    """Return an emitter that worker threads may call: it hands events over to the running loop."""
    loop, home, context = asyncio.get_running_loop(), threading.get_ident(), copy_context()

    def send(message: dict[str, Any]) -> None:
        if threading.get_ident() == home:
            emit(message)
        else:
            loop.call_soon_threadsafe(emit, message, context=context)

    return send


def stop_of(error: CitewellError) -> str:
    """Return the stop reason that an error stands for, or an empty string where the run may go on."""
    return error.budget if isinstance(error, BudgetExhausted) else ""
