"""The research graph behind a function: the parent shares no key with it and translates both ways.

python -m citewell.studio.examples.transformation
"""

from __future__ import annotations

import asyncio

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ...graph.research import build_research_graph
from ...nodes.services import Services
from ...state.context import ResearchContext
from ...state.research import ResearchInput
from .sample import DOCS, QUESTION, memory_saver


class Memo(TypedDict, total=False):
    """The parent's state."""

    topic: str
    folders: list[str]
    memo: str
    verdict: str


def build(services: Services | None = None) -> StateGraph[Memo, ResearchContext, Memo, Memo]:
    """Return a parent whose one node asks the research graph.  The child takes the parent's saver by itself."""
    research = build_research_graph(services).compile()

    async def look_into(state: Memo, runtime: Runtime[ResearchContext]) -> Memo:
        given: ResearchInput = {"question": state["topic"], "docs": state["folders"]}
        result = await research.ainvoke(given, context=runtime.context)
        return {"memo": result["answer"], "verdict": result["report"].status}

    parent = StateGraph(Memo, context_schema=ResearchContext)
    parent.add_node("look_into", look_into)
    parent.add_edge(START, "look_into")
    parent.add_edge("look_into", END)
    return parent


async def main() -> str:
    """Write one memo."""
    graph = build().compile(checkpointer=memory_saver())
    given: Memo = {"topic": QUESTION, "folders": DOCS}
    result = await graph.ainvoke(given, {"configurable": {"thread_id": "memo"}}, durability="sync")
    return str(result["memo"])


if __name__ == "__main__":
    print(asyncio.run(main()))
