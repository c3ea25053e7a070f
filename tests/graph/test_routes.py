"""A route runs in the thread of its graph and draws as it did."""

from __future__ import annotations

import threading
from typing import Literal

from citewell.graph.routes import in_loop
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict


class State(TypedDict, total=False):
    word: str


async def test_a_route_runs_where_its_graph_does_and_names_its_targets():
    threads = []

    async def step(state: State) -> State:
        return {"word": f"{state['word']}!"}

    def after_step(state: State) -> Literal["step", "__end__"]:
        threads.append(threading.current_thread())
        return END if state["word"].endswith("!!") else "step"

    graph = StateGraph(State)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", in_loop(after_step), ["step", END])
    compiled = graph.compile()
    assert await compiled.ainvoke({"word": "ho"}) == {"word": "ho!!"}
    assert threads == [threading.main_thread()] * 2
    assert {edge.target for edge in compiled.get_graph().edges if edge.source == "step"} == {"step", END}
