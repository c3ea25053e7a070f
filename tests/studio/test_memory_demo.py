"""The memory demonstration: its facts, searches, turns and swap, with no key."""

from __future__ import annotations

import json
from typing import Any

from citewell.graph.chat_wiring import default_chat_services
from citewell.settings import Environment, Settings
from citewell.state.scope import ToolScope
from citewell.studio.demos.memory import FACTS, SEARCHES, USER, run, seed
from citewell.tools.web_search import SnippetSearch
from servers.chat_server import ChatServer, Prompted, ToolCalls


def services_at(home):
    return default_chat_services(Settings(engine="embedded"), Environment(home=home), web_search=SnippetSearch())


def test_three_searches_find_their_fact_first_with_three_scores(tmp_path):
    memory = services_at(tmp_path).memory_for(ToolScope(user=USER))
    seed(memory)
    found = [memory.search(query, 2) for query in SEARCHES]
    assert [hits[0].memory_id for hits in found] == ["mem_0003", "mem_0007", "mem_0001"]
    assert all(len(hits) == 2 for hits in found)
    for hits in found:
        assert hits[0].score_fused is not None
        assert hits[0].score_dense is not None
        assert hits[0].score_sparse is not None
    assert [(item.text, item.category) for item in memory.list()] == list(FACTS)


async def test_five_turns_a_swap_and_the_dump(tmp_path):
    said: list[str] = []
    services = services_at(tmp_path)
    replies = await run(services, said.append)
    deadline, order, hours, remembered, decision, lsm, fit = replies
    assert "March 31. [mem_0005]" in deadline
    assert "Raft consensus algorithm. [mem_0003]" in deadline
    assert order == "Order #4821 was for 32 GB of DDR5 RAM modules. [mem_0007]"
    assert hours == "22 * 6.5 = 143 hours"
    assert remembered.startswith("Noted [mem_0008]")
    assert "from LSM-tree to B-tree. [mem_0008]" in decision
    assert "An LSM-tree collects writes" in lsm
    assert "found nothing on B-tree engines" in fit
    assert "[mem_0008]" in fit
    dump = said[-8:]
    assert [line.split()[0] for line in dump] == [f"mem_{number:04d}" for number in range(1, 9)]
    assert "[order]" in dump[6]
    assert "[decision]" in dump[7]


async def test_the_demonstration_says_the_same_each_time(tmp_path):
    first, second = [], []
    await run(services_at(tmp_path / "a"), first.append)
    await run(services_at(tmp_path / "b"), second.append)
    assert first == second


DECISION = "The storage engine of VelocityDB changes from LSM-tree to B-tree."
# What a model would call for each message, in order of the words that tell them apart.
CALLS: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    ("deadline", [("memory_search", {"query": "VelocityDB deadline consensus algorithm", "top_k": 4})]),
    ("4821", [("memory_search", {"query": "order 4821", "top_k": 1})]),
    ("hours", [("calculator", {"expression": "22 * 6.5"})]),
    ("Remember", [("memory_store", {"text": DECISION, "category": "decision"})]),
    ("did we decide", [("memory_search", {"query": "storage engine decision", "top_k": 1})]),
    ("for lsm-tree", [("web_search", {"query": "lsm-tree"})]),
    ("fit my", [("web_search", {"query": "b-tree"}), ("memory_search", {"query": "storage engine", "top_k": 1})]),
]


def calling(prompted: Prompted) -> Any:
    """Call the tools that the message asks for, then repeat what they returned."""
    messages = prompted.body["messages"]
    asked = max(place for place, message in enumerate(messages) if message["role"] == "user")
    results = [message["content"] for message in messages[asked + 1 :] if message["role"] == "tool"]
    if results:
        return " ".join(json.dumps(json.loads(result)) if result[0] in "[{" else result for result in results)
    return ToolCalls(next(calls for words, calls in CALLS if words in messages[asked]["content"]))


async def test_the_same_conversation_runs_with_a_model(tmp_path):
    with ChatServer(calling) as server:
        environment = Environment(home=tmp_path, openai_base_url=server.base_url)
        services = default_chat_services(Settings(engine="chat"), environment, web_search=SnippetSearch())
        replies = await run(services, lambda line: None)
        asked = len(server.prompts)
    deadline, order, hours, remembered, decision, lsm, fit = replies
    assert "March 31" in deadline
    assert "Raft" in deadline
    assert "DDR5" in order
    assert hours == "143"
    assert "mem_0008" in remembered
    assert DECISION in decision
    assert "An LSM-tree collects writes" in lsm
    assert fit.startswith("[]")
    assert DECISION in fit
    assert asked == 2 * len(replies)
    assert services.memory_for(ToolScope(user=USER)).list()[-1].category == "decision"
