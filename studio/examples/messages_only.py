"""The research graph in a conversation: the parent's state is `messages` and nothing else.

python -m citewell.studio.examples.messages_only
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from ...graph.research import build_research_graph
from ...nodes.services import Services
from ...state.context import ResearchContext
from ...state.research import ResearchInput
from .sample import DOCS, QUESTION, memory_saver


def build(
    services: Services | None = None, *, docs: Sequence[str] = DOCS
) -> StateGraph[MessagesState, ResearchContext, MessagesState, MessagesState]:
    """Return a parent that answers the last message from fixed folders, the turns before it in view."""
    research = build_research_graph(services).compile()

    async def answer(state: MessagesState, runtime: Runtime[ResearchContext]) -> MessagesState:
        given: ResearchInput = {"messages": state["messages"], "docs": list(docs)}
        result = await research.ainvoke(given, context=runtime.context)
        return {"messages": result["messages"][-1:]}

    parent = StateGraph(MessagesState, context_schema=ResearchContext)
    parent.add_node("answer", answer)
    parent.add_edge(START, "answer")
    parent.add_edge("answer", END)
    return parent


async def main() -> str:
    """Hold a conversation of two turns."""
    graph = build().compile(checkpointer=memory_saver())
    said = []
    for question in (QUESTION, "When was the ferry Marit built?"):
        given: MessagesState = {"messages": [HumanMessage(question)]}
        result = await graph.ainvoke(given, {"configurable": {"thread_id": "talk"}}, durability="sync")
        said.append(f"> {question}\n{result['messages'][-1].text}")
    return "\n\n".join(said)


if __name__ == "__main__":
    print(asyncio.run(main()))
