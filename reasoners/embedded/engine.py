"""The reasoner that needs no model: every step is a plain function of what it is handed."""

from __future__ import annotations

from collections.abc import Sequence

from ...state.records import Claim, Draft, Fact, Gap, Plan, Verdict
from ..protocol import FactTask, GapTask, Passage, PlanTask, Repair, RepairTask, SupportJudge, SynthesisTask
from .found.vectors import Embed, TextVectors
from .steps.facts import facts_of_round
from .steps.gaps import open_gaps
from .steps.plan import make_plan
from .steps.repair import repaired
from .steps.synthesis import write_draft
from .talk.follow_up import resolve_follow_up
from .worked.statement_figures import confirms


class EmbeddedReasoner:
    """Extractive and deterministic: claims are the sources' own words, or a template over the cells of a table row.

    Args:
        embed: Gives float32 unit rows for texts; None where there is no embedding model, then words alone decide.
        judge: Decides whether passages support a claim.
    """

    name = "embedded"

    def __init__(self, embed: Embed | None, judge: SupportJudge) -> None:
        self._vectors = TextVectors(embed)
        self._judge = judge

    async def resolve(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        """Return the question with what earlier turns left unsaid filled in."""
        return resolve_follow_up(question, history)

    async def plan(self, task: PlanTask) -> Plan:
        """Return subtasks, queries and acceptance checks; no query where the question asks nothing."""
        return make_plan(task)

    async def extract_facts(self, task: FactTask) -> list[Fact]:
        """Return the sentences and rows that bear on the plan questions, best first."""
        return await facts_of_round(task, self._vectors)

    async def find_gaps(self, task: GapTask) -> list[Gap]:
        """Return the plan questions that stay open, with queries that differ from all earlier ones."""
        return await open_gaps(task, self._vectors)

    async def synthesize(self, task: SynthesisTask) -> Draft:
        """Return the answer, or a draft without claims where the evidence does not bear on the question."""
        return await write_draft(task, self._vectors)

    async def judge(self, claim: Claim, cited: Sequence[Passage]) -> Verdict:
        """Return whether the cited passages support a claim; what they lack is looked up again in their tables."""
        if confirms(claim.text, cited):
            reason = "inference: the cited statement, read whole, has no such line"
            return Verdict(support="supported", score=1.0, reasons=(reason,), quotes=claim.quotes)
        return await self._judge.judge(claim, cited)

    async def repair(self, task: RepairTask) -> Repair:
        """Return the draft with its broken claims re-cited, softened, waiting for one retrieval, or dropped."""
        return await repaired(task, self._judge)

    async def foresee(self, told: Sequence[Fact | Claim], passages: Sequence[Passage]) -> None:
        """Do nothing: this engine asks no model, so there is no time to use."""
