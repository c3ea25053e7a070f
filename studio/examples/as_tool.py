"""The research graph as a tool: an agent calls it with a question and gets the cited answer back.

Here a rule stands where an agent's chat model would: it calls the tool for each question that it gets.

python -m citewell.studio.examples.as_tool
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import BaseTool, tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from ...graph.research import build_research_graph
from ...nodes.services import Services
from ...state.context import ResearchContext
from .sample import DOCS, QUESTION, memory_saver


def research_tool(services: Services | None = None, *, docs: Sequence[str] = DOCS) -> BaseTool:
    """Return a tool that answers from fixed folders: the caller's words choose the question, never the files."""
    graph = build_research_graph(services).compile()

    @tool
    async def research(question: str) -> str:
        """Answer a question from the documents; every sentence of the answer is cited."""
        result = await graph.ainvoke({"question": question, "docs": list(docs)})
        return str(result["answer"])

    return research


def build(
    services: Services | None = None, *, docs: Sequence[str] = DOCS
) -> StateGraph[MessagesState, ResearchContext, MessagesState, MessagesState]:
    """Return a small agent with the one tool."""
    parent = StateGraph(MessagesState, context_schema=ResearchContext)
    parent.add_node("agent", agent)
    parent.add_node("tools", ToolNode([research_tool(services, docs=docs)]))
    parent.add_edge(START, "agent")
    parent.add_conditional_edges("agent", tools_condition)
    parent.add_edge("tools", "agent")
    return parent


async def agent(state: MessagesState) -> MessagesState:
    """Call the tool for a question; repeat what the tool said."""
    last = state["messages"][-1]
    if isinstance(last, HumanMessage):
        call = {"name": "research", "args": {"question": last.text}, "id": f"call_{len(state['messages'])}"}
        return {"messages": [AIMessage("", tool_calls=[call])]}
    return {"messages": [AIMessage(last.text)]}


async def main() -> str:
    """Ask the agent one question."""
    graph = build().compile(checkpointer=memory_saver())
    given: MessagesState = {"messages": [HumanMessage(QUESTION)]}
    result = await graph.ainvoke(given, {"configurable": {"thread_id": "agent"}}, durability="sync")
    return str(result["messages"][-1].text)


if __name__ == "__main__":
    print(asyncio.run(main()))
