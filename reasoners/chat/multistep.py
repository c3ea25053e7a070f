"""Steps through the temporal graph by a chat model: a plan in its own words, then one tool call at a time."""

from __future__ import annotations

import json

from ...state.multistep import ToolUse
from ..dialogue import OnText, ToolCall, ToolResult, ToolRound, Turn
from ..multistep import GraphMove, GraphPlan, GraphTask, answers_in, tags_of
from ..prompts import multistep as prompt
from .dialogue import ModelDialogue

MAX_PLAN_CHARS = 2_000


class ModelSteps:
    """Any LangChain chat model.  Of several calls in one reply the first counts, so that each sees the last result."""

    name = "chat"

    def __init__(self, dialogue: ModelDialogue) -> None:
        self._dialogue = dialogue

    async def plan(self, task: GraphTask) -> GraphPlan:
        """Ask for a plan in words; it binds nobody."""
        names = [tool["function"]["name"] for tool in task.tools]
        turn = Turn(
            system=prompt.system(task.today, task.known),
            history=(),
            message=prompt.plan(task.question, names),
            ledger=task.ledger,
        )
        made = await self._dialogue.move(turn, lambda text: None)
        return GraphPlan(text=made.text[:MAX_PLAN_CHARS])

    async def move(self, task: GraphTask, on_text: OnText) -> GraphMove:
        """Return the model's next call, or its answer."""
        turn = Turn(
            system=prompt.system(task.today, task.known),
            history=(),
            message=prompt.asked(task.question, task.plan_text),
            rounds=[_round(use, task) for use in task.uses],
            tools=task.tools,
            ledger=task.ledger,
        )
        made = await self._dialogue.move(turn, on_text)
        if made.calls:
            return GraphMove(made.calls[0], planned=made.calls[0].name in task.plan_text)
        return GraphMove(text=made.text)


def _round(use: ToolUse, task: GraphTask) -> ToolRound:
    given = use.arguments if isinstance(use.arguments, str) else json.dumps(use.arguments, ensure_ascii=False)
    call = ToolCall(call_id=use.call_id, name=use.tool, arguments=given)
    return ToolRound(results=(ToolResult(call=call, content=content_of(use, task), error=use.error or None),))


def content_of(use: ToolUse, task: GraphTask) -> str:
    """Return what the model is told of a call."""
    if use.error:
        return use.error
    tags = tags_of(task.uses)
    answers = answers_in([use])
    if answers:
        return prompt.told(answers[0], tags)
    return use.result if isinstance(use.result, str) else json.dumps(use.result, ensure_ascii=False, default=str)
