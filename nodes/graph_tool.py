"""Make the one call that the agent asked for.  Reads pending; writes calls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from langgraph.config import get_config
from langgraph.runtime import Runtime

from ..reasoners.dialogue import ToolCall
from ..state.events import event
from ..state.journal import Recorded
from ..state.multistep import MultistepContext, MultistepState, ToolUse
from .multistep_services import MultistepServices

UNKNOWN = "unknown_tool"
MAX_TOLD_CHARS = 2_000


@dataclass(frozen=True)
class GraphTool:
    """Each call is answered with a value; a name that is no tool ends the run, since guessing on helps nobody."""

    services: MultistepServices

    async def __call__(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> dict[str, Any]:
        pending = dict(state["pending"])
        planned = bool(pending.pop("planned", False))
        call = ToolCall.model_validate(pending)
        config = get_config()
        ledger = await self.services.ledger_of(state, runtime)
        runtime.stream_writer(event("tool_call", name=call.name, arguments=call.arguments or ""))

        async def make() -> Recorded:
            outcome = await self.services.tools.call(call.name, call.arguments, config=config)
            value = getattr(outcome, "value", None)
            plain = json.loads(json.dumps(outcome.content if value is None else value, default=str))
            told = outcome.content if outcome.error else ""
            return Recorded({"value": None if outcome.error else plain, "error": told, "kind": outcome.error or ""})

        made = (await ledger.once("tool", {"place": len(state["calls"]), "call": pending}, make)).result
        use = ToolUse(
            call_id=call.call_id,
            tool=call.name,
            arguments=_read(call.arguments),
            result=made["value"],
            error=made["error"],
            planned=planned,
        )
        told = made["error"] or json.dumps(made["value"], ensure_ascii=False)
        runtime.stream_writer(
            event("tool_result", name=call.name, error=made["kind"] or None, content=told[:MAX_TOLD_CHARS])
        )
        update: dict[str, Any] = {"calls": [*state["calls"], use.model_dump(mode="json")], "pending": {}}
        if made["kind"] == UNKNOWN:
            update["stop_reason"] = UNKNOWN
        return update | {"seconds": ledger.budget.seconds}


def _read(arguments: str | None) -> dict[str, Any] | str:
    try:
        value = json.loads(arguments or "{}")
    except (json.JSONDecodeError, RecursionError):
        return arguments or ""
    return value if isinstance(value, dict) else arguments or ""
