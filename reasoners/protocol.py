"""The one protocol of everything that thinks, and what its steps are handed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..state.records import (
    Chunk,
    Claim,
    Draft,
    Episode,
    Fact,
    Gap,
    Hit,
    Issue,
    OpenQuestion,
    Patch,
    Plan,
    Source,
    Step,
    TableRow,
    Verdict,
)


@dataclass(frozen=True)
class Passage:
    """A retrieved chunk with its source, its best hit and the table rows found inside it."""

    chunk: Chunk
    source: Source
    hit: Hit
    rows: tuple[TableRow, ...] = ()
    queries: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanTask:
    """What the planner sees: the resolved question, what may be cited, and what earlier runs learnt."""

    question: str
    sources: Sequence[Source]
    episodes: Sequence[Episode] = ()
    sections: Sequence[str] = ()
    guidance: str = ""
    min_citations: int = 6
    min_summary_citations: int = 2


@dataclass(frozen=True)
class FactTask:
    """One round of extraction.

    Attributes:
        passages: Newly found ones of this round, best first.
        rankings: Query to chunk ids, best first, of this round.
        known: Facts of earlier rounds.
        limit: How many facts may still be kept.
    """

    plan: Plan
    question: str
    iteration: int
    passages: Sequence[Passage]
    rankings: Mapping[str, Sequence[str]]
    known: Sequence[Fact] = ()
    limit: int = 50


@dataclass(frozen=True)
class GapTask:
    """What is known after a round, and every query asked so far (none of them is asked again)."""

    plan: Plan
    question: str
    facts: Sequence[Fact]
    passages: Sequence[Passage]
    asked: Sequence[str]
    max_followups: int = 3


@dataclass(frozen=True)
class SynthesisTask:
    """All that an answer may rest on.

    Attributes:
        passages: The evidence, best first.
        gaps: Plan questions that stay open after the last round.
        steps: What was tried, for the account of open questions.
    """

    plan: Plan
    question: str
    facts: Sequence[Fact]
    passages: Sequence[Passage]
    gaps: Sequence[Gap]
    steps: Sequence[Step]
    sections: Sequence[str] = ()
    min_citations: int = 6
    min_summary_citations: int = 2
    evidence_chars: int = 16_000
    prompt_ids: int = 200
    guidance: str = ""


@dataclass(frozen=True)
class RepairTask:
    """A draft with its named failures.

    Attributes:
        verdicts: By claim id.
        repair: Which repair this is, from 1.
        retrieved: Passages that a targeted retrieval of the last repair brought, empty before.
    """

    plan: Plan
    question: str
    draft: Draft
    issues: Sequence[Issue]
    verdicts: Mapping[str, Verdict]
    passages: Sequence[Passage]
    repair: int
    may_retrieve: bool = True
    draft_chars: int = 12_000
    evidence_chars: int = 16_000


@dataclass(frozen=True)
class Repair:
    """A repaired draft, the patches that made it, and at most one query for a claim that needs more evidence."""

    draft: Draft
    patches: tuple[Patch, ...]
    query: str = ""
    claim_id: str = ""
    open_questions: tuple[OpenQuestion, ...] = field(default=())


class SupportJudge(Protocol):
    """Decides whether passages support a claim."""

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict: ...


class Reasoner(Protocol):
    """Who thinks in a run.  Each step returns a value or raises a `CitewellError`; none keeps state between calls."""

    name: str

    async def resolve(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        """Return the question with what earlier turns (role, text) left unsaid filled in."""

    async def plan(self, task: PlanTask) -> Plan: ...

    async def extract_facts(self, task: FactTask) -> list[Fact]:
        """Return facts whose quotes are exact substrings of their chunks, best first; ids are given by the node."""

    async def find_gaps(self, task: GapTask) -> list[Gap]:
        """Return the plan questions that stay open; their queries together number at most `max_followups`."""

    async def synthesize(self, task: SynthesisTask) -> Draft: ...

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict: ...

    async def repair(self, task: RepairTask) -> Repair: ...

    async def foresee(self, told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> None:
        """Make ready, while a model is asked, what checking claims that tell so will need; it may do nothing."""
