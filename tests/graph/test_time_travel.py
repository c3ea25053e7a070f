"""Going back: from each checkpoint of a thread a run ends as it did, also where somebody edited the state as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from citewell.graph.research import build_research_graph
from citewell.settings import Environment
from citewell.state.records import Plan
from citewell.state.savers import checkpoint_serde, open_saver
from fakes import services
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

QUESTION = "How deep is Lake Baikal?"
RECORDS = (
    "run", "sources", "episodes", "plan", "packs", "evidence", "facts", "gaps", "steps", "draft", "best", "verdicts",
    "issues", "patches", "repair_request", "fallbacks",
)  # fmt: skip


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
async def saver(request, tmp_path):
    if request.param == "memory":
        yield InMemorySaver(serde=checkpoint_serde())
        return
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    async with open_saver(Environment(home=tmp_path / "saver", postgres_url=url)) as opened:
        yield opened


@pytest.fixture
async def lived(tmp_path, saver):
    """A graph, the config of its thread after two questions, and the history, newest first."""
    graph = build_research_graph(services(tmp_path)).compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": "t"}}
    await graph.ainvoke({"question": QUESTION, "docs": ["here"]}, config)
    await graph.ainvoke({"question": "Where is Listvyanka?", "docs": ["here"]}, config)
    return graph, config, [state async for state in graph.aget_state_history(config)]


async def test_a_run_from_any_checkpoint_ends_as_it_did(lived):
    graph, _, history = lived
    ends = {state.values["report"].question: state.values["report"] for state in history if not state.next}
    assert len(ends) == 2
    for state in history:
        if not state.next:
            continue
        again = await graph.ainvoke(None, state.config)
        report = again["report"]
        assert report.answer == ends[report.question].answer, state.next
        kinds = [message.type for message in again["messages"]]
        assert kinds == ["human", "ai"] * (len(kinds) // 2)


async def test_a_fork_with_values_written_as_json_goes_on(lived):
    graph, _, history = lived
    forked = 0
    for state in history:
        if not state.next or "plan" not in state.values:
            continue
        edit = {name: to_jsonable_python(state.values[name]) for name in RECORDS if name in state.values}
        config = await graph.aupdate_state(state.config, json.loads(json.dumps(edit)))
        kept = (await graph.aget_state(config)).values
        assert isinstance(kept["plan"], Plan)
        report = (await graph.ainvoke(None, config))["report"]
        assert report.status in ("answered", "partial"), state.next
        forked += 1
    assert forked >= 8


async def test_another_plan_leads_to_another_search(lived):
    graph, _, history = lived
    planned = next(state for state in reversed(history) if set(state.next) == {"retriever"})
    plan = to_jsonable_python(planned.values["plan"]) | {"queries": ["Angara"]}
    config = await graph.aupdate_state(planned.config, {"plan": plan}, as_node="planner")
    report = (await graph.ainvoke(None, config))["report"]
    assert [query for step in report.steps for query in step.queries] == ["Angara"]


async def test_a_value_that_is_no_record_is_refused_where_it_is_written(lived):
    graph, config, _ = lived
    with pytest.raises(ValidationError, match="goal"):
        await graph.aupdate_state(config, {"plan": {"queries": ["Angara"]}})
