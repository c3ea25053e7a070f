"""Decide the next call, or that there is enough.  Reads plan, calls; writes pending or draft."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from ..errors import BudgetExhausted, CitewellError, MalformedReply, ProviderUnavailable
from ..reasoners.multistep import GraphMove, GraphTask
from ..state.multistep import MultistepContext, MultistepState
from .multistep_services import MultistepServices, context_of

MAX_DRAFT_CHARS = 20_000


@dataclass(frozen=True)
class GraphAgent:
    """One call at a time, so that each is made in the knowledge of the last result."""

    services: MultistepServices

    async def __call__(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> dict[str, Any]:
        if len(state["calls"]) >= context_of(runtime).max_tool_rounds:
            return {"pending": {}, "stop_reason": "max_tool_rounds"}
        try:
            task = await self.services.task_of(state, runtime)
            if reason := task.ledger.budget.exhausted(model=False):
                return {"pending": {}, "stop_reason": reason}
            move, fallbacks = await self._move(task, state, runtime)
        except BudgetExhausted as error:
            return {"pending": {}, "stop_reason": error.budget}
        except CitewellError as error:
            return {"pending": {}, "failure": str(error)}
        update = {"fallbacks": fallbacks, "seconds": task.ledger.budget.seconds}
        if move.call is None:
            return update | {"pending": {}, "draft": move.text[:MAX_DRAFT_CHARS]}
        return update | {"pending": move.call.model_dump() | {"planned": move.planned}}

    async def _move(
        self, task: GraphTask, state: MultistepState, runtime: Runtime[MultistepContext]
    ) -> tuple[GraphMove, list[str]]:
        """Return the engine's move; where its model says nothing usable or is gone, what the rules would do."""
        engine = await asyncio.to_thread(self.services.engine_for, self.services.settings_of(runtime))
        try:
            # What streams out would not be checked yet.
            return await engine.move(task, lambda text: None), state["fallbacks"]
        except (MalformedReply, ProviderUnavailable) as error:
            if isinstance(error, ProviderUnavailable) and not (state["plan_text"] or state["calls"]):
                raise
            told = f"agent: {error}; decided by rules"
            plan = task.plan or (await self.services.rules.plan(task)).calls
            by_rules = GraphTask(**{**vars(task), "plan": plan})
            fallbacks = state["fallbacks"] if told in state["fallbacks"] else [*state["fallbacks"], told]
            return await self.services.rules.move(by_rules, lambda text: None), fallbacks
