"""Plan which calls a question needs.  Reads asked; writes plan, plan_text."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from ..errors import BudgetExhausted, CitewellError, MalformedReply
from ..state.events import event
from ..state.multistep import MultistepContext, MultistepState
from .multistep_services import MultistepServices


@dataclass(frozen=True)
class GraphPlanner:
    """A plan binds nobody: the agent may leave it.  Where a model gives none that can be read, rules plan."""

    services: MultistepServices

    async def __call__(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> dict[str, Any]:
        update: dict[str, Any] = {}
        try:
            task = await self.services.task_of(state, runtime)
            engine = await asyncio.to_thread(self.services.engine_for, self.services.settings_of(runtime))
            try:
                made = await engine.plan(task)
            except MalformedReply as error:
                update["fallbacks"] = [*state["fallbacks"], f"planner: {error}; planned by rules"]
                made = await self.services.rules.plan(task)
        except BudgetExhausted as error:
            return {"stop_reason": error.budget}
        except CitewellError as error:
            return {"failure": str(error)}
        plan = [call.model_dump(mode="json") for call in made.calls]
        runtime.stream_writer(event("plan", calls=plan, text=made.text))
        return update | {"plan": plan, "plan_text": made.text, "seconds": task.ledger.budget.seconds}
