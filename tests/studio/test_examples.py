"""Every way of embedding the research graph, with the real engine and both savers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from citewell.graph.wiring import default_services
from citewell.settings import Environment, Settings
from citewell.state.context import ResearchContext
from citewell.state.savers import open_saver
from citewell.studio.examples import as_tool, messages_only, parallel, shared_keys, transformation
from citewell.studio.examples.sample import DOCS, QUESTION, memory_saver
from langchain_core.messages import HumanMessage
from langgraph.types import Command

FERRY = "How many cars does the ferry Marit carry?"
INNER = {"run", "plan", "packs", "evidence", "facts", "draft", "verdicts", "issues", "steps"}
TALK = {"messages": [HumanMessage(QUESTION)]}
WAYS: dict[str, tuple[Any, dict[str, Any]]] = {
    "shared_keys": (shared_keys, {"question": QUESTION, "docs": DOCS, "recipient": "Ms Strand"}),
    "transformation": (transformation, {"topic": QUESTION, "folders": DOCS}),
    "messages_only": (messages_only, TALK),
    "as_tool": (as_tool, TALK),
    "parallel": (parallel, {"questions": [QUESTION, FERRY], "folders": DOCS}),
}


@pytest.fixture(params=["memory", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sqlite", "postgres"))])
async def saver(request, tmp_path):
    if request.param == "memory":
        yield memory_saver()
        return
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    async with open_saver(Environment(home=tmp_path, postgres_url=url)) as opened:
        yield opened


def built(name: str, tmp_path: Any, saver: Any) -> Any:
    services = default_services(Settings(engine="embedded"), Environment(home=tmp_path / "home"))
    return WAYS[name][0].build(services).compile(checkpointer=saver)


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def said(result: dict[str, Any]) -> str:
    """What a parent's own channel says at the end."""
    own = result.get("letter") or result.get("memo") or result.get("summary")
    return str(own or result["messages"][-1].text)


@pytest.mark.parametrize("name", WAYS)
async def test_a_parent_gets_the_cited_answer_and_no_inner_state(name, tmp_path, saver):
    graph = built(name, tmp_path, saver)
    result = await graph.ainvoke(WAYS[name][1], thread(name), durability="sync")
    assert "420 metres" in said(result)
    assert not INNER & set(result)
    state = await graph.aget_state(thread(name))
    assert not INNER & set(state.values)
    assert state.next == ()


@pytest.mark.parametrize("name", WAYS)
async def test_a_plan_waits_in_the_parent_and_is_approved_there(name, tmp_path, saver):
    graph = built(name, tmp_path, saver)
    context = ResearchContext(approve_plan=True)
    waiting = await graph.ainvoke(WAYS[name][1], thread(name), context=context, durability="sync")
    asked = waiting["__interrupt__"]
    assert len(asked) == (2 if name == "parallel" else 1)
    assert all(one.value["plan"]["queries"] and "approve" in one.value["actions"] for one in asked)
    replies = {one.id: {"action": "approve"} for one in asked}
    result = await graph.ainvoke(Command(resume=replies), thread(name), context=context, durability="sync")
    assert "420 metres" in said(result)
    assert "__interrupt__" not in result


@pytest.mark.parametrize("name", WAYS)
async def test_the_inner_steps_and_events_stream_through_the_parent(name, tmp_path):
    graph = built(name, tmp_path, memory_saver())
    steps, events, places = set(), set(), set()
    stream = graph.astream(WAYS[name][1], thread(name), stream_mode=["updates", "custom"], subgraphs=True)
    async for place, mode, part in stream:
        if place:
            places.add(place[0])
        if mode == "custom":
            events.add(part["type"])
        elif place:
            steps |= set(part)
    assert {"intake", "planner", "retriever", "fact_extractor", "synthesizer", "validator", "publisher"} <= steps
    assert {"plan", "query", "hits", "fact", "stop"} <= events
    assert len(places) == (2 if name == "parallel" else 1)


async def test_a_second_turn_starts_with_empty_evidence(tmp_path, saver):
    graph = built("shared_keys", tmp_path, saver)
    first = await graph.ainvoke(WAYS["shared_keys"][1], thread("t"), durability="sync")
    second = await graph.ainvoke({"question": FERRY, "docs": DOCS}, thread("t"), durability="sync")
    assert "32 cars" in second["letter"]
    assert "420 metres" not in second["letter"]
    assert second["report"].run_id != first["report"].run_id
    assert second["recipient"] == "Ms Strand"


async def test_a_second_message_is_answered_by_one_message(tmp_path, saver):
    graph = built("messages_only", tmp_path, saver)
    await graph.ainvoke(TALK, thread("t"), durability="sync")
    result = await graph.ainvoke({"messages": [HumanMessage(FERRY)]}, thread("t"), durability="sync")
    assert [message.type for message in result["messages"]] == ["human", "ai", "human", "ai"]
    assert "32 cars" in said(result)


async def test_parallel_instances_keep_their_answers_apart(tmp_path, saver):
    result = await built("parallel", tmp_path, saver).ainvoke(WAYS["parallel"][1], thread("t"), durability="sync")
    assert list(result["answers"]) == [QUESTION, FERRY]
    assert "420 metres" in result["answers"][QUESTION].split("##")[1]
    assert "32 cars" in result["answers"][FERRY].split("##")[1]


async def test_an_approval_does_not_read_the_sources_again(tmp_path, saver):
    graph = built("shared_keys", tmp_path, saver)
    context = ResearchContext(approve_plan=True)
    await graph.ainvoke(WAYS["shared_keys"][1], thread("t"), context=context, durability="sync")
    again = set()
    stream = graph.astream(
        Command(resume={"action": "approve"}), thread("t"), context=context, stream_mode="updates", subgraphs=True
    )
    async for _, part in stream:
        again |= set(part)
    assert "planner" in again
    assert "intake" not in again


@pytest.mark.parametrize("name", WAYS)
async def test_a_cancelled_parent_goes_on_and_repeats_nothing_that_was_finished(name, tmp_path, saver):
    graph = built(name, tmp_path, saver)
    finished: list[tuple[Any, str]] = []
    stream = graph.astream(WAYS[name][1], thread(name), stream_mode="updates", subgraphs=True, durability="sync")
    async for place, part in stream:
        finished += [(place[:1], step) for step in part if place]
        if any(step == "fact_extractor" for _, step in finished):
            break
    # Leaving the stream cancels what was running, as a lost connection or Ctrl-C does.
    await stream.aclose()
    assert (await graph.aget_state(thread(name))).next
    again: list[tuple[Any, str]] = []
    async for place, part in graph.astream(
        None, thread(name), stream_mode="updates", subgraphs=True, durability="sync"
    ):
        again += [(place[:1], step) for step in part if place]
    # The step in hand may run again; those before it, whose checkpoint was written, do not.
    reached = {place for place, step in finished if step == "fact_extractor"}
    assert not [one for one in again if one[0] in reached and one[1] in ("intake", "planner")]
    values = (await graph.aget_state(thread(name))).values
    assert "420 metres" in said(values)


def test_the_readme_names_each_program():
    root = Path(shared_keys.__file__).parents[2]
    readme = (root / "README.md").read_text(encoding="utf-8")
    programs = {path.stem for path in Path(shared_keys.__file__).parent.glob("[!_]*.py")} - {"sample"}
    assert programs == {*WAYS, "remote"}
    assert [name for name in programs if f"$ python -m citewell.studio.examples.{name} " not in readme] == []


@pytest.mark.slow
@pytest.mark.parametrize("module", [shared_keys, transformation, messages_only, as_tool, parallel])
async def test_each_program_runs_as_its_first_lines_say(module):
    assert f"python -m {module.__name__}" in str(module.__doc__)
    assert "420 metres" in await module.main()
