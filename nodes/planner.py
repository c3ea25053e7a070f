"""Plan what to find out, and let a person approve it where asked.  Reads run, sources; writes plan, episodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from ..errors import CitewellError, UsageError
from ..reasoners.protocol import PlanTask
from ..state.context import ResearchContext
from ..state.journal import Recorded
from ..state.records import Episode, Fallback, Plan, Record, Source
from ..state.replies import PLAN_ACTIONS, PlanReply, plan_reply
from ..state.research import ResearchState
from .services import Run, Services, stop_of


@dataclass(frozen=True)
class Planner:
    """Asks the reasoner for a plan, with the most similar earlier runs beside it."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        info = state["run"]
        question = info.resolved_question
        if state["failure"]:
            return {"plan": Plan(goal=question, subtasks=(), queries=())}
        run = await self.services.run_of(state, runtime)
        sources = [source for source in state["sources"].values() if source.status == "ok"]
        try:
            made = await (self._kept if run.settings.approve_plan else self._made)(run, question, sources)
        except CitewellError as error:
            stopped = stop_of(error)
            failure: ResearchState = {"stop_reason": stopped} if stopped else _failure(error)
            return {"plan": Plan(goal=question, subtasks=(), queries=()), **failure, **run.so_far()}
        update: ResearchState = {"plan": made.plan, **run.so_far()}
        if made.episodes:
            update["episodes"] = made.episodes
        if run.settings.approve_plan:
            # A person takes their time; the run's clock goes on from here when they have decided.
            self.services.pause(info.run_id)
            update |= _ask(made.plan)
        plan = update["plan"]
        run.tell("plan", queries=list(plan.queries), subtasks=[subtask.text for subtask in plan.subtasks])
        return update

    async def _made(self, run: Run, question: str, sources: Sequence[Source]) -> _Made:
        try:
            episodes = await self.services.recall(run.info, question)
        except CitewellError as error:  # what earlier runs taught helps, and is no evidence
            run.fall_back("planner", f"nothing is recalled: {error}")
            episodes = []
        task = PlanTask(
            question=question,
            sources=sources,
            episodes=episodes,
            sections=run.settings.sections,
            guidance=run.info.guidance,
            min_citations=run.settings.min_citations,
            min_summary_citations=run.settings.min_summary_citations,
        )
        plan = await self.services.reasoner(run, "planner").plan(task)
        return _Made(plan=plan, episodes=tuple(episodes))

    async def _kept(self, run: Run, question: str, sources: Sequence[Source]) -> _Made:
        """Make the plan once: this step runs again after a decision, which holds for the plan that was shown.

        Otherwise an episode that was added while a person thought would change what was approved.
        """

        async def make() -> Recorded:
            made = await self._made(run, question, sources)
            noted = {"fallbacks": tuple(run.fallbacks), "hosts": run.hosts}
            return Recorded(made.model_copy(update=noted).model_dump(mode="json"))

        request = {
            "question": question,
            "guidance": run.info.guidance,
            "sections": run.settings.sections,
            "sources": sorted((source.uri, source.sha256) for source in sources),
        }
        made = _Made.model_validate((await run.journal.once(run.info.run_id, "plan", request, make)).result)
        for fallback in made.fallbacks:
            run.fall_back(fallback.step, fallback.reason)
        run.contacted(made.hosts)
        return made


class _Made(Record):
    """A plan, the episodes that it was made with, and what making it took."""

    plan: Plan
    episodes: tuple[Episode, ...]
    fallbacks: tuple[Fallback, ...] = ()
    hosts: tuple[str, ...] = ()


def _ask(plan: Plan) -> ResearchState:
    """Wait for a person's decision, and ask again with the problem named while a reply cannot be read."""
    shown = {"plan": plan.model_dump(mode="json"), "actions": PLAN_ACTIONS}
    problem: dict[str, str] = {}
    while True:
        reply = interrupt({**shown, **problem}, response_schema=PlanReply.model_json_schema())
        try:
            return approved(plan, reply)
        except UsageError as error:
            problem = {"error": str(error)}


def approved(plan: Plan, reply: Any) -> ResearchState:
    """Apply a person's decision on the plan.

    Args:
        plan: The plan that was shown.
        reply: `{"action": "approve" | "edit" | "reject", "queries": […], "reason": …}`.
    Raises: UsageError saying what was expected, where the reply is anything else.
    """
    decided = plan_reply(reply, plan.queries)
    if decided.action == "approve":
        return {"plan": plan}
    if decided.action == "reject":
        reason = decided.reason or "no reason given"
        return {"plan": plan.model_copy(update={"queries": ()}), "stop_reason": "cancelled", "failure": reason}
    return {"plan": plan.model_copy(update={"queries": decided.queries})}


def _failure(error: CitewellError) -> ResearchState:
    return {"failure": str(error), "failed_with": error.exit_code, "stop_reason": "error"}
