"""The research graph on another machine: a `RemoteGraph` is a node like any other.

langgraph dev --no-browser                               in one terminal
python -m citewell.studio.examples.remote [ADDRESS]      in another
"""

from __future__ import annotations

import asyncio
import sys

from langgraph.graph import END, START, StateGraph
from langgraph.pregel.remote import RemoteGraph
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from typing_extensions import TypedDict

from .sample import DOCS, QUESTION, memory_saver

ADDRESS = "http://127.0.0.1:2024"


class Memo(TypedDict, total=False):
    """The parent's state."""

    topic: str
    folders: list[str]
    memo: str


def build(client: LangGraphClient) -> StateGraph[Memo, None, Memo, Memo]:
    """Return a parent whose one node asks the `research` graph of a server; the folders are the server's."""
    research = RemoteGraph("research", client=client)

    async def look_into(state: Memo) -> Memo:
        result = await research.ainvoke({"question": state["topic"], "docs": state["folders"]})
        return {"memo": result["answer"]}

    parent = StateGraph(Memo)
    parent.add_node("look_into", look_into)
    parent.add_edge(START, "look_into")
    parent.add_edge("look_into", END)
    return parent


async def main(address: str = ADDRESS) -> str:
    """Ask a running server one question."""
    given: Memo = {"topic": QUESTION, "folders": DOCS}
    async with get_client(url=address) as client:
        graph = build(client).compile(checkpointer=memory_saver())
        result = await graph.ainvoke(given, {"configurable": {"thread_id": "remote"}})
    return str(result["memo"])


if __name__ == "__main__":
    print(asyncio.run(main(*sys.argv[1:2])))
