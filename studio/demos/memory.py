"""An agent with hybrid memory: seven facts, three searches, five turns, and a tool swapped while the thread runs.

python -m citewell.studio.demos.memory            no key and no network
python -m citewell.studio.demos.memory --chat     the same conversation with the configured chat model
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from ...graph.chat import build_chat_graph
from ...graph.chat_wiring import default_chat_services
from ...nodes.chat_services import ChatServices
from ...retrievers.memory_items import MemoryBackend, MemoryHit
from ...settings import Environment, Settings
from ...state.chat import ChatContext
from ...state.scope import ToolScope
from ...tools.web_search import BUILT_IN, SnippetSearch, web_search_tool

USER = "alice"
FACTS = (
    ("Alice's favourite language is Rust.", "user_pref"),
    ("Alice is working on VelocityDB, a distributed key-value store.", "task"),
    ("VelocityDB replicates with the Raft consensus algorithm.", "fact"),
    ("Alice has a meeting with the infrastructure team on Friday at 2 PM.", "calendar"),
    ("The deadline of VelocityDB v1.0 is March 31.", "task"),
    ("Alice prefers concise answers.", "user_pref"),
    ("Order #4821 was for 32 GB of DDR5 RAM modules.", "order"),
)
SEARCHES = (
    "Which consensus algorithm does VelocityDB use?",
    "order 4821",
    "What is Alice's language preference?",
)
TURNS = (
    "What is my project's deadline, and which consensus algorithm does it use?",
    "What are the details of order 4821?",
    "How many hours are 22 working days at 6.5 hours each?",
    "Remember that the storage engine of VelocityDB changes from LSM-tree to B-tree.",
    "What did we decide about the storage engine?",
)
LSM_TREE = (
    "An LSM-tree collects writes in memory and merges sorted files in the background: fast writes, and reads that may "
    "look into several files."
)
AFTER_SWAP = (
    "Search the web for lsm-tree.",
    "Search the web for B-tree engines and tell me whether they fit my project.",
)

Say = Callable[[str], None]


def seed(memory: MemoryBackend) -> None:
    """Store the seven facts."""
    for text, category in FACTS:
        memory.store(text, category)


def scores_line(hit: MemoryHit) -> str:
    """Return a hit with its three scores."""
    fused, cosine, bm25 = hit.score_fused or 0.0, hit.score_dense or 0.0, hit.score_sparse or 0.0
    return f"  {hit.memory_id}  fused {fused:.4f}  cosine {cosine:.3f}  bm25 {bm25:.2f}  {hit.text}"


def swap_web_search(services: ChatServices) -> None:
    """Replace the web search by one that also knows lsm-tree; threads that run see it at their next call."""
    services.tools.register(web_search_tool(SnippetSearch({**BUILT_IN, "lsm-tree": LSM_TREE})))  # type: ignore[attr-defined]


async def run(services: ChatServices, say: Say) -> list[str]:
    """Play the demonstration and return the replies."""
    memory = services.memory_for(ToolScope(user=USER))
    seed(memory)
    say("# Three searches, the two best of each\n")
    for query in SEARCHES:
        say(query)
        for hit in memory.search(query, 2):
            say(scores_line(hit))
    graph = build_chat_graph(services).compile(checkpointer=InMemorySaver())
    replies: list[str] = []

    async def turn(text: str) -> None:
        result: dict[str, Any] = await graph.ainvoke(
            {"messages": [("user", text)]},
            {"configurable": {"thread_id": "demo"}},
            context=ChatContext(user=USER),
        )  # type: ignore[call-overload, arg-type]
        replies.append(result["messages"][-1].text)
        calls = [call["call"]["name"] for done in result["rounds"] for call in done["results"]]
        say(f"\n› {text}\n{replies[-1]}\n  ({', '.join(calls) or 'no tool'})")

    say("\n# Five turns")
    for text in TURNS:
        await turn(text)
    say("\n# The web search is swapped while the thread runs")
    swap_web_search(services)
    for text in AFTER_SWAP:
        await turn(text)
    say("\n# All memories")
    for item in memory.list():
        say(f"  {item.memory_id}  [{item.category}] {item.text}")
    return replies


def main() -> None:
    """Play the demonstration in a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as home:
        environment = Environment.read().model_copy(update={"home": Path(home)})
        engine = "chat" if "--chat" in sys.argv[1:] else "embedded"
        services = default_chat_services(Settings(engine=engine), environment, web_search=SnippetSearch())  # type: ignore[arg-type]
        asyncio.run(run(services, print))


if __name__ == "__main__":
    main()
