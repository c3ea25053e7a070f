"""The research graph on another machine: a `RemoteGraph` behind a node, its questions to a person passed on.

langgraph dev --no-browser                               in one terminal
python -m citewell.studio.examples.remote [ADDRESS]      in another
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import httpx
from langgraph.graph import END, START, StateGraph
from langgraph.pregel.remote import RemoteGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from typing_extensions import TypedDict

from ...state.context import ResearchContext
from .sample import DOCS, QUESTION, memory_saver

ADDRESS = "http://127.0.0.1:2024"


class Memo(TypedDict, total=False):
    """The parent's state."""

    topic: str
    folders: list[str]
    memo: str


def build(client: LangGraphClient) -> StateGraph[Memo, ResearchContext, Memo, Memo]:
    """Return a parent whose one node asks the `research` graph of a server; the folders are the server's."""
    research = RemoteGraph("research", client=client)

    async def look_into(state: Memo, *, runtime: Runtime[ResearchContext]) -> Memo:
        context = runtime.context.model_dump(mode="json", exclude_unset=True) if runtime.context else {}
        thread_id = await remote_thread(client, runtime, state["topic"])
        # This node runs again from its first line after a pause: it looks where the remote thread stands and goes on.
        while True:
            there: Any = await client.threads.get_state(thread_id)
            if there["values"] and there["values"].get("answer") and not there["next"]:
                return {"memo": there["values"]["answer"]}
            given: Any = {"question": state["topic"], "docs": state["folders"]}
            waiting = [one for task in there["tasks"] for one in task["interrupts"]]
            if waiting:
                given = Command(resume=interrupt(waiting[0]["value"]))
            await research.ainvoke(given, {"configurable": {"thread_id": thread_id}}, context=context)

    parent = StateGraph(Memo, context_schema=ResearchContext)
    parent.add_node("look_into", look_into)
    parent.add_edge(START, "look_into")
    parent.add_edge("look_into", END)
    return parent


async def remote_thread(client: LangGraphClient, runtime: Runtime[ResearchContext], topic: str) -> str:
    """Return the remote thread of this parent's thread and topic, made where it is missing."""
    execution = runtime.execution_info
    name = f"{execution.thread_id if execution else ''}/{topic}"
    thread = await client.threads.create(thread_id=str(uuid5(NAMESPACE_URL, name)), if_exists="do_nothing")
    return str(thread["thread_id"])


async def main(address: str = ADDRESS) -> str:
    """Ask a running server one question."""
    given: Memo = {"topic": QUESTION, "folders": DOCS}
    async with get_client(url=address) as client:
        graph = build(client).compile(checkpointer=memory_saver())
        result = await graph.ainvoke(given, {"configurable": {"thread_id": "remote"}})
    return str(result["memo"])


if __name__ == "__main__":
    address = (sys.argv[1:2] or [ADDRESS])[0]
    try:
        print(asyncio.run(main(address)))
    except httpx.ConnectError:
        sys.exit(
            f"no server answers at {address}: start one with `langgraph dev --no-browser`, or name another address"
        )
