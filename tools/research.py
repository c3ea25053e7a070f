"""The research tool: a question for the research graph, which is handed in compiled."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from ..errors import ToolError
from ..state.context import ResearchContext
from ..state.scope import scope_of


class ResearchArguments(BaseModel):
    """Arguments of `research`."""

    question: str = Field(min_length=3, max_length=4_000, description="One self-contained question.")


# A conversation that waits for each of its checkpoints hands that wish down; a graph that makes none fails over it.
_DURABILITY = "__pregel_durability"


def research_tool(graph: Runnable[Any, Any]) -> BaseTool:
    """Return the tool `research` over a compiled research graph; its events stream through the caller's run.

    What may be read (documents, addresses, a corpus) comes with the scope of the call, never from the model.
    """

    async def research(question: str, *, config: RunnableConfig) -> str:
        given, context = _asked(question, config)
        return _answer(await graph.ainvoke(given, _without_durability(config), context=context))

    def research_waiting(question: str, *, config: RunnableConfig) -> str:
        given, context = _asked(question, config)
        return _answer(graph.invoke(given, _without_durability(config), context=context))

    return StructuredTool.from_function(
        research_waiting,
        coroutine=research,
        name="research",
        description=(
            "Research a question in the documents, pages or web at hand; returns an answer whose sentences cite their "
            "passages.  Slow: use it for questions that need sources."
        ),
        args_schema=ResearchArguments,
    )


def _asked(question: str, config: RunnableConfig) -> tuple[dict[str, Any], ResearchContext]:
    given = dict(scope_of(config).research)
    # Given always: without one the run would inherit the conversation's context, which is not its own.
    context = ResearchContext(**given.pop("context", {}), user=scope_of(config).user)
    return {"question": question, **given}, context


def _answer(result: Any) -> str:
    answer = result.get("answer") if isinstance(result, dict) else None
    if not isinstance(answer, str) or not answer:
        raise ToolError("research", "the research run gave no answer")
    return answer


def _without_durability(config: RunnableConfig) -> RunnableConfig:
    handed_down = {key: value for key, value in config.get("configurable", {}).items() if key != _DURABILITY}
    return {**config, "configurable": handed_down}
