"""A clock that jumps does not hide what was saved last."""

from __future__ import annotations

import pytest
from citewell.settings import Environment
from citewell.state.savers import open_saver
from langgraph.checkpoint.base import id as ids
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

YEAR_NS = 365 * 86_400 * 10**9
NOW_NS = 1_770_000_000 * 10**9


class Counting(TypedDict, total=False):
    turns: int


def counting() -> StateGraph:
    graph = StateGraph(Counting)
    graph.add_node("count", lambda state: {"turns": state.get("turns", 0) + 1})
    graph.add_edge(START, "count")
    graph.add_edge("count", END)
    return graph


@pytest.fixture(params=["sqlite", "postgres"])
def environment(request, tmp_path) -> Environment:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Environment(home=tmp_path, postgres_url=url)


@pytest.mark.parametrize("jump", [-YEAR_NS, -1, YEAR_NS])
async def test_the_last_turn_is_the_last_one_whatever_the_clock_of_the_next_process_says(
    environment, monkeypatch, jump
):
    now = NOW_NS
    monkeypatch.setattr(ids.time, "time_ns", lambda: now)
    for turn in range(1, 4):
        monkeypatch.setattr(ids, "_last_v6_timestamp", None)  # another process
        async with open_saver(environment) as saver:
            graph = counting().compile(checkpointer=saver)
            config = {"configurable": {"thread_id": "t"}}
            assert (await graph.ainvoke({}, config))["turns"] == turn
            assert (await graph.aget_state(config)).values["turns"] == turn
        now += jump
