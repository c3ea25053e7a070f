"""Small stand-ins behind the ports of a run: a corpus in memory, a reasoner and a judge that follow a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from typing import Any

import numpy as np
from citewell.nodes.services import Run, Services
from citewell.reasoners.protocol import (
    FactTask,
    GapTask,
    Passage,
    PlanTask,
    Repair,
    RepairTask,
    SynthesisTask,
)
from citewell.settings import Environment, Settings
from citewell.state.records import (
    Chunk,
    Claim,
    Draft,
    Fact,
    Gap,
    Hit,
    OpenQuestion,
    Patch,
    Plan,
    PlanQuestion,
    Quote,
    Section,
    Source,
    TableRow,
    Verdict,
    chunk_id_of,
)

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)

BAIKAL = {
    "lakes.txt": "Lake Baikal is 1,642 m deep.",
    "rivers.txt": "The Angara drains Lake Baikal.",
    "towns.txt": "Listvyanka lies on the shore of Lake Baikal.",
}


@dataclass
class FakeCorpus:
    """One chunk per source; a query finds every source that shares a word with it, most shared words first."""

    texts: dict[str, str]
    failed: Mapping[str, str] = field(default_factory=dict)
    degraded: str = ""
    pending: int = 0
    structured: bool = False
    searched: list[str] = field(default_factory=list)

    def add_path(self, *paths: Path, progress: Any = None, embed: bool = True) -> None:
        """Every text is there from the start."""

    def sources(self) -> list[Source]:
        read = [
            Source(uri=uri, kind="file", sha256=sha1(text.encode()).hexdigest()) for uri, text in self.texts.items()
        ]
        return read + [
            Source(uri=uri, kind="file", status="failed", reason=reason) for uri, reason in self.failed.items()
        ]

    def source(self, uri: str) -> Source:
        return next(source for source in self.sources() if source.uri == uri)

    def search(self, query: str, k: int = 10, mode: str = "hybrid") -> list[Hit]:
        if mode == "hybrid":
            self.searched.append(query)
        words = _words(query)
        shared = {uri: len(words & _words(text)) for uri, text in self.texts.items()}
        order = sorted((uri for uri in shared if shared[uri]), key=lambda uri: (-shared[uri], uri))
        return [
            Hit(chunk_id=chunk_id_of(uri, 0), score=float(shared[uri]), rank=rank, score_sparse=float(shared[uri]))
            for rank, uri in enumerate(order[:k], start=1)
        ]

    def search_many(self, queries: Sequence[str], k: int = 10) -> list[list[Hit]]:
        return [self.search(query, k) for query in queries]

    def read(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        by_id = {chunk_id_of(uri, 0): uri for uri in self.texts}
        return [
            Chunk(
                chunk_id=chunk_id,
                uri=by_id[chunk_id],
                index=0,
                text=self.texts[by_id[chunk_id]],
                start=0,
                end=len(self.texts[by_id[chunk_id]]),
            )
            for chunk_id in chunk_ids
            if chunk_id in by_id
        ]

    def rows(self, chunk_ids: Sequence[str]) -> dict[str, tuple[TableRow, ...]]:
        return {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.eye(len(texts), dtype=np.float32)


@dataclass
class FakeShelf:
    """A shelf with one corpus on it."""

    corpus: FakeCorpus

    def folder_for(self, *args: Any, **options: Any) -> Path:
        return Path("corpus")

    def open(self, folder: Path, settings: Settings) -> FakeCorpus:
        return self.corpus


@dataclass
class ScriptedReasoner:
    """Takes every passage as a fact and every fact as a claim, unless a step is replaced by a function."""

    steps: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    name: str = "scripted"

    def _scripted(self, step: str, *args: Any) -> Any:
        self.calls.append(step)
        return self.steps[step](*args) if step in self.steps else None

    async def resolve(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        return self._scripted("resolve", question, history) or question

    async def plan(self, task: PlanTask) -> Plan:
        return self._scripted("plan", task) or Plan(
            goal=task.question,
            subtasks=(PlanQuestion(question_id="Q1", text=task.question),),
            queries=(task.question, "Angara", "Listvyanka"),
        )

    async def extract_facts(self, task: FactTask) -> list[Fact]:
        found = self._scripted("extract_facts", task)
        return found if found is not None else [fact_of(passage) for passage in task.passages]

    async def find_gaps(self, task: GapTask) -> list[Gap]:
        return self._scripted("find_gaps", task) or []

    async def synthesize(self, task: SynthesisTask) -> Draft:
        return self._scripted("synthesize", task) or draft_of(task.facts)

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        return self._scripted("judge", claim, cited) or verbatim(claim, cited)

    async def repair(self, task: RepairTask) -> Repair:
        return self._scripted("repair", task) or dropping(task)

    async def foresee(self, told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> None:
        """Nothing takes time here."""


@dataclass
class ScriptedJudge:
    """Gives the named verdicts in turn, the last one for ever."""

    verdicts: list[str]
    judged: list[str] = field(default_factory=list)

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        support = self.verdicts[min(len(self.judged), len(self.verdicts) - 1)]
        self.judged.append(claim.text)
        return Verdict(support=support, score=1.0 if support == "supported" else 0.2, reasons=("scripted: as told",))


def services(
    home: Path,
    *,
    corpus: FakeCorpus | None = None,
    reasoner: ScriptedReasoner | None = None,
    judge: Any = None,
    **settings: Any,
) -> Services:
    """Return services over stand-ins; `settings` are single settings."""
    shelf = FakeShelf(corpus or FakeCorpus(dict(BAIKAL)))
    thinking = reasoner or ScriptedReasoner()

    def reasoner_for(run: Run, node: str) -> ScriptedReasoner:
        return thinking

    def unused(settings: Settings) -> Any:
        raise AssertionError("this run needs no network")

    return Services(
        settings=Settings(engine="embedded", **settings),
        environment=Environment(home=home),
        shelf=shelf,  # type: ignore[arg-type]
        reasoner_for=reasoner_for,
        fetcher_for=unused,
        web_search_for=unused,
        judge=judge,
        clock=lambda: NOON,
    )


def quote_of(passage: Passage) -> Quote:
    """Quote a passage whole."""
    return Quote(chunk_id=passage.chunk.chunk_id, start=0, end=len(passage.chunk.text), text=passage.chunk.text)


def fact_of(passage: Passage) -> Fact:
    """State what a passage says."""
    return Fact(fact_id="", statement=passage.chunk.text, quotes=(quote_of(passage),), question_id="Q1")


def claim_of(fact: Fact, claim_id: str = "") -> Claim:
    """Claim what a fact states, citing its quotes."""
    chunks = tuple(dict.fromkeys(quote.chunk_id for quote in fact.quotes))
    return Claim(claim_id=claim_id, text=fact.statement, citations=chunks, quotes=fact.quotes, question_id="Q1")


def draft_of(facts: Sequence[Fact]) -> Draft:
    """Two claims in the summary, the rest in one section."""
    claims = tuple(claim_of(fact) for fact in facts)
    sections = (Section(heading="More", claims=claims[2:]),) if claims[2:] else ()
    return Draft(title="Answer", summary=claims[:2], sections=sections)


def verbatim(claim: Claim, cited: Sequence[Passage]) -> Verdict:
    """Support a claim that stands word for word in a cited passage."""
    found = any(claim.text in passage.chunk.text for passage in cited)
    return Verdict(support="supported", score=1.0) if found else Verdict(support="unsupported", score=0.0)


def dropping(task: RepairTask) -> Repair:
    """Drop every claim with an issue."""
    bad = {issue.claim_id for issue in task.issues}
    keep = [claim for claim in task.draft.claims if claim.claim_id not in bad]
    patches = tuple(
        Patch(repair=task.repair, claim_id=claim.claim_id, action="drop", before=claim.text)
        for claim in task.draft.claims
        if claim.claim_id in bad
    )
    lost = tuple(OpenQuestion(question=patch.before) for patch in patches)
    summary = tuple(claim for claim in task.draft.summary if claim in keep)
    sections = tuple(
        Section(heading=section.heading, claims=tuple(claim for claim in section.claims if claim in keep))
        for section in task.draft.sections
    )
    return Repair(
        draft=task.draft.model_copy(update={"summary": summary, "sections": sections}),
        patches=patches,
        open_questions=lost,
    )


def _words(text: str) -> set[str]:
    return {word.strip(".,?!").casefold() for word in text.split()}
