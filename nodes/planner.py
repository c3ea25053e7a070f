"""Plan what to find out, and let a person approve it where asked.  Reads run, sources; writes plan, episodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from ..errors import CitewellError, UsageError
from ..reasoners.protocol import PlanTask
from ..state.context import ResearchContext
from ..state.records import Plan
from ..state.research import ResearchState
from .services import Services, stop_of


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
        episodes = await asyncio.to_thread(self.services.episodes.recall, question, exclude=info.run_id)
        sources = [source for source in state["sources"].values() if source.status == "ok"]
        task = PlanTask(
            question=question,
            sources=sources,
            episodes=episodes,
            sections=run.settings.sections,
            guidance=info.guidance,
        )
        try:
            plan = await self.services.reasoner(run, "planner").plan(task)
        except CitewellError as error:
            stopped = stop_of(error)
            failure: ResearchState = {"stop_reason": stopped} if stopped else _failure(error)
            return {"plan": Plan(goal=question, subtasks=(), queries=()), **failure, **run.so_far()}
        update: ResearchState = {
            "plan": plan,
            "episodes": tuple(episodes),
            **run.so_far(),
        }
        if run.settings.approve_plan:
            update |= _ask(plan)
        plan = update["plan"]
        run.tell("plan", queries=list(plan.queries), subtasks=[subtask.text for subtask in plan.subtasks])
        return update


_ACTIONS = {
    "approve": "search with these queries",
    "edit": "search with `queries` instead",
    "reject": "end the run; `reason` says why",
}


def _ask(plan: Plan) -> ResearchState:
    """Wait for a person's decision, and ask again with the problem named while a reply cannot be read."""
    shown = {"plan": plan.model_dump(mode="json"), "actions": _ACTIONS}
    reply = interrupt(shown)
    while True:
        try:
            return approved(plan, reply)
        except UsageError as error:
            reply = interrupt({**shown, "error": str(error)})


def approved(plan: Plan, reply: Any) -> ResearchState:
    """Apply a person's decision on the plan.

    Args:
        plan: The plan that was shown.
        reply: `{"action": "approve" | "edit" | "reject", "queries": […], "reason": …}`.
    Raises: UsageError saying what was expected, where the reply is anything else.
    """
    action = reply.get("action") if isinstance(reply, Mapping) else None
    if action not in _ACTIONS:
        raise UsageError(f"plan approval: expected an action of {', '.join(_ACTIONS)}, got {reply!r}")
    if action == "approve":
        return {"plan": plan}
    if action == "reject":
        reason = str(reply.get("reason") or "no reason given")
        return {"plan": plan.model_copy(update={"queries": ()}), "stop_reason": "cancelled", "failure": reason}
    queries = reply.get("queries")
    if not isinstance(queries, list | tuple) or not all(isinstance(query, str) for query in queries):
        raise UsageError(f"plan approval: edit needs `queries`, a list of strings, got {queries!r}")
    wanted = tuple(dict.fromkeys(query.strip() for query in queries if query.strip()))
    if not wanted:
        raise UsageError("plan approval: edit needs at least one query")
    return {"plan": plan.model_copy(update={"queries": wanted})}


def _failure(error: CitewellError) -> ResearchState:
    return {"failure": str(error), "failed_with": error.exit_code, "stop_reason": "error"}
