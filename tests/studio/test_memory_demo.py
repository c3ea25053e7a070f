"""The memory demonstration: its facts, searches, turns and swap, with no key."""

from __future__ import annotations

from citewell.graph.chat_wiring import default_chat_services
from citewell.settings import Environment, Settings
from citewell.state.scope import ToolScope
from citewell.studio.demos.memory import FACTS, SEARCHES, USER, run, seed
from citewell.tools.web_search import SnippetSearch


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
