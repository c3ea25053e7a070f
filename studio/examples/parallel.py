"""Several research runs side by side in one parent: one `Send` per question, the answers joined in order.

python -m citewell.studio.examples.parallel
"""

from __future__ import annotations

import asyncio
from operator import or_
from typing import Annotated

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send
from typing_extensions import TypedDict

from ...graph.research import build_research_graph
from ...nodes.services import Services
from ...state.context import ResearchContext
from ...state.research import ResearchInput
from .sample import DOCS, QUESTION, memory_saver


class Survey(TypedDict, total=False):
    """The parent's state."""

    questions: list[str]
    folders: list[str]
    answers: Annotated[dict[str, str], or_]
    summary: str


class Errand(TypedDict):
    """What one branch gets."""

    question: str
    folders: list[str]


def build(services: Services | None = None) -> StateGraph[Survey, ResearchContext, Survey, Survey]:
    """Return a parent that fans out over its questions."""
    research = build_research_graph(services).compile()

    async def look_into(state: Errand, runtime: Runtime[ResearchContext]) -> Survey:
        given: ResearchInput = {"question": state["question"], "docs": state["folders"]}
        result = await research.ainvoke(given, context=runtime.context)
        return {"answers": {state["question"]: result["answer"]}}

    parent = StateGraph(Survey, context_schema=ResearchContext)
    parent.add_node("look_into", look_into, input_schema=Errand)
    parent.add_node("join", join)
    parent.add_conditional_edges(START, each_question, ["look_into", "join"])
    parent.add_edge("look_into", "join")
    parent.add_edge("join", END)
    return parent


def each_question(state: Survey) -> list[Send] | str:
    """One branch per question; without a question, straight to the end."""
    if not state["questions"]:
        return "join"
    return [Send("look_into", {"question": question, "folders": state["folders"]}) for question in state["questions"]]


async def join(state: Survey) -> Survey:
    """Put the answers in the order of the questions."""
    answers = state.get("answers") or {}
    return {"summary": "\n\n".join(answers[question] for question in state["questions"])}


async def main() -> str:
    """Ask two questions at once."""
    graph = build().compile(checkpointer=memory_saver())
    given: Survey = {"questions": [QUESTION, "How many cars does the ferry Marit carry?"], "folders": DOCS}
    result = await graph.ainvoke(given, {"configurable": {"thread_id": "survey"}}, durability="sync")
    return str(result["summary"])


if __name__ == "__main__":
    print(asyncio.run(main()))
