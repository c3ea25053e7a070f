"""The research graph as a node: the parent has `question`, `docs`, `answer` and `report` too, nothing else crosses.

python -m citewell.studio.examples.shared_keys
"""

from __future__ import annotations

import asyncio

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from ...graph.research import build_research_graph
from ...nodes.services import Services
from ...state.context import ResearchContext
from ...state.records import Report
from .sample import DOCS, QUESTION, memory_saver


class Letter(TypedDict, total=False):
    """The parent's state; `recipient` and `letter` are its own."""

    question: str
    docs: list[str]
    answer: str
    report: Report
    recipient: str
    letter: str


def build(services: Services | None = None) -> StateGraph[Letter, ResearchContext, Letter, Letter]:
    """Return a parent in which the compiled research graph is one node; the run context goes through to it."""
    parent = StateGraph(Letter, context_schema=ResearchContext)
    parent.add_node("research", build_research_graph(services).compile())
    parent.add_node("write", write)
    parent.add_edge(START, "research")
    parent.add_edge("research", "write")
    parent.add_edge("write", END)
    return parent


async def write(state: Letter) -> Letter:
    """Put the supported sentences into a letter."""
    said = " ".join(claim.text for claim in state["report"].answer.executive_summary)
    return {"letter": f"Dear {state['recipient']},\n{said or 'The documents do not say.'}"}


async def main() -> str:
    """Write one letter."""
    graph = build().compile(checkpointer=memory_saver())
    given: Letter = {"question": QUESTION, "docs": DOCS, "recipient": "Ms Strand"}
    result = await graph.ainvoke(given, {"configurable": {"thread_id": "letter"}}, durability="sync")
    return str(result["letter"])


if __name__ == "__main__":
    print(asyncio.run(main()))
