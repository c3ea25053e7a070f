"""The shipped `langgraph.json` under the real `langgraph dev`, asked through langgraph-sdk, with no key (case B43)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from citewell.settings import Settings
from citewell.studio.examples.sample import DOCS, QUESTION

pytestmark = [pytest.mark.server, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
GRAPHS = list(json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"])
SOURCES = {"docs", "urls", "web", "corpus"}
ASKED = {"question": QUESTION, "docs": DOCS}
FERRY = "How many cars does the ferry Marit carry?"
DATAROOM = str(ROOT / "studio" / "dataroom")
# What each graph is asked here, and what its result must hold.  A new graph needs a line.
ASKED_OF: dict[str, tuple[dict[str, Any], str]] = {
    "research": (ASKED, "420 metres"),
    "chat": ({"messages": [{"role": "user", "content": "What is 22 * 6.5?"}]}, "143"),
    "diligence": ({"question": "What was ARR at 31 March 2025?", "dataroom": DATAROOM}, "17640000"),
    "multistep": ({"question": "Who leads Halden Energy?"}, "citewell kg build"),
}


async def schemas_of(client: Any, graph_id: str) -> Any:
    (assistant,) = await client.assistants.search(graph_id=graph_id)
    return await client.assistants.get_schemas(assistant["assistant_id"])


async def drawn_nodes(client: Any, graph_id: str) -> list[Any]:
    (assistant,) = await client.assistants.search(graph_id=graph_id)
    return list((await client.assistants.get_graph(assistant["assistant_id"]))["nodes"])


async def test_the_server_offers_every_graph_of_the_configuration(server, client, config):
    offered = {one["graph_id"]: one.get("description") for one in await client.assistants.search()}
    assert offered == {name: graph["description"] for name, graph in config["graphs"].items()}
    assert server.ready_s < 60


@pytest.mark.parametrize("graph_id", GRAPHS)
async def test_each_graph_has_schemas_that_a_form_can_be_drawn_from(client, graph_id):
    schemas = await schemas_of(client, graph_id)
    for part in ("input_schema", "output_schema", "state_schema", "context_schema"):
        assert schemas[part]["properties"], part
    inputs = schemas["input_schema"]["properties"]
    assert {"question", "messages"} & set(inputs)
    assert [name for name, field in inputs.items() if name != "messages" and not field.get("description")] == []
    settings = schemas["context_schema"]["properties"]
    assert [name for name, field in settings.items() if not field.get("description")] == []
    assert [name for name, field in settings.items() if not {"type", "anyOf", "enum", "$ref"} & set(field)] == []
    assert not {"OPENAI_API_KEY", "api_key", "token"} & set(settings)


async def test_every_setting_is_a_typed_field_with_its_bounds_choices_and_nodes(client):
    schemas = await schemas_of(client, "research")
    fields = schemas["context_schema"]["properties"]
    assert set(fields) == {*Settings.model_fields, *SOURCES, "user"}
    assert {*SOURCES, "question", "messages"} == set(schemas["input_schema"]["properties"])
    assert {"report", "answer", "messages"} == set(schemas["output_schema"]["properties"])
    written = Settings.model_json_schema()["properties"]
    for name, field in written.items():
        kept = ("type", "anyOf", "enum", "default", "minimum", "maximum", "exclusiveMinimum", "minLength")
        assert {key: field[key] for key in kept if key in field} == {
            key: fields[name][key] for key in kept if key in fields[name]
        }, name
    assert (fields["max_iterations"]["default"], fields["max_iterations"]["minimum"]) == (4, 1)
    assert fields["engine"]["enum"] == ["auto", "embedded", "chat"]
    assert fields["fusion"]["enum"] == ["completed", "rrf"]
    nodes = {node["id"] for node in await drawn_nodes(client, "research")}
    assert [name for name, field in fields.items() if not set(field["langgraph_nodes"]) <= nodes] == []


async def test_the_drawing_shows_fan_out_repair_and_retrieval_loops(client):
    (assistant,) = await client.assistants.search(graph_id="research")
    graph: Any = await client.assistants.get_graph(assistant["assistant_id"])
    edges = {(edge["source"], edge["target"], bool(edge.get("conditional"))) for edge in graph["edges"]}
    assert {
        ("planner", "retriever", True),
        ("gap_detector", "retriever", True),
        ("validator", "fixer", True),
        ("validator", "retriever", True),
        ("fixer", "validator", False),
    } <= edges
    assert ("planner", "__end__", True) not in edges


@pytest.mark.parametrize("graph_id", GRAPHS)
async def test_each_graph_answers_over_the_api(client, thread, graph_id):
    given, expected = ASKED_OF[graph_id]
    result: Any = await client.runs.wait(thread, graph_id, input=given)
    assert "__error__" not in result
    assert expected in json.dumps(result, ensure_ascii=False)
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_a_question_is_answered_with_citations(client, thread):
    result: Any = await client.runs.wait(thread, "research", input=ASKED)
    report = result["report"]
    assert report["status"] in ("answered", "partial")
    assert report["thread_id"] == thread
    assert report["hosts_contacted"] == []
    assert "420 metres" in result["answer"]
    assert {cited for claim in report["answer"]["executive_summary"] for cited in claim["citations"]}


async def test_a_run_without_a_source_ends_in_data(client, thread):
    result: Any = await client.runs.wait(thread, "research", input={"question": QUESTION})
    assert result["report"]["status"] == "failed"
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_steps_and_events_stream(client, thread):
    steps, events = set(), []
    async for part in client.runs.stream(thread, "research", input=ASKED, stream_mode=["updates", "custom"]):
        assert part.event != "error", part.data
        if part.event == "updates":
            steps |= set(part.data)
        elif part.event == "custom":
            events.append(part.data["type"])
    assert {"intake", "planner", "retriever", "fact_extractor", "synthesizer", "validator", "publisher"} <= steps
    assert events[0] == "thread"
    assert {"plan", "query", "hits", "fact", "budget", "stop"} <= set(events)


async def test_a_plan_waits_is_refused_a_bad_reply_and_goes_on_with_edited_queries(client, thread):
    context = {"approve_plan": True}
    await client.runs.wait(thread, "research", input=ASKED, context=context)
    state = await client.threads.get_state(thread)
    assert state["next"] == ["planner"]
    shown = state["tasks"][0]["interrupts"][0]["value"]
    assert shown["plan"]["queries"]
    await client.runs.wait(thread, "research", command={"resume": {"action": "perhaps"}}, context=context)
    again = (await client.threads.get_state(thread))["tasks"][0]["interrupts"][0]["value"]
    assert "approve, edit, reject" in again["error"]
    reply = {"action": "edit", "queries": ["quay length in metres"]}
    result: Any = await client.runs.wait(thread, "research", command={"resume": reply}, context=context)
    assert result["report"]["plan"]["queries"] == ["quay length in metres"]
    assert "420 metres" in result["answer"]


async def test_a_question_without_sources_is_asked_back_and_whoever_replies_needs_no_settings(client, thread):
    await client.runs.wait(thread, "research", input={"question": QUESTION}, context={"ask_sources": True})
    state = await client.threads.get_state(thread)
    assert state["next"] == ["intake"]
    shown = state["tasks"][0]["interrupts"][0]
    assert shown["value"]["ask"]
    await client.runs.wait(thread, "research", command={"resume": {"docs": "not a list"}})
    again = (await client.threads.get_state(thread))["tasks"][0]["interrupts"][0]["value"]
    assert "docs" in again["error"]
    result: Any = await client.runs.wait(thread, "research", command={"resume": {"docs": DOCS}})
    assert "420 metres" in result["answer"]
    assert result["report"]["settings"]["ask_sources"] is True


async def test_history_forks_into_a_run_of_its_own(client, thread):
    await client.runs.wait(thread, "research", input=ASKED)
    history = await client.threads.get_history(thread, limit=50)
    assert history[0]["next"] == []
    planned = next(state for state in history if set(state["next"]) == {"retriever"})
    forked = await client.threads.update_state(
        thread, {"repairs": 0}, as_node="planner", checkpoint=planned["checkpoint"]
    )
    result: Any = await client.runs.wait(thread, "research", checkpoint=forked["checkpoint"])
    assert result["report"]["status"] in ("answered", "partial")
    assert "420 metres" in result["answer"]
    assert len(await client.threads.get_history(thread, limit=100)) > len(history)


async def test_a_second_question_on_a_thread_starts_clean(client, thread):
    first: Any = await client.runs.wait(thread, "research", input=ASKED)
    second: Any = await client.runs.wait(thread, "research", input={"question": FERRY})
    assert "32 cars" in second["answer"]
    assert second["report"]["run_id"] != first["report"]["run_id"]
    assert [message["type"] for message in second["messages"]] == ["human", "ai", "human", "ai"]


async def test_a_run_in_the_background_can_be_joined(client, thread):
    run = await client.runs.create(thread, "research", input=ASKED)
    joined: Any = await client.runs.join(thread, run["run_id"])
    assert "420 metres" in joined["answer"]
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "success"


async def test_a_cancelled_run_stops_and_its_thread_goes_on(client, thread):
    run = await client.runs.create(thread, "research", input=ASKED)
    await client.runs.cancel(thread, run["run_id"], wait=True)
    assert (await client.runs.get(thread, run["run_id"]))["status"] in ("interrupted", "success")
    result: Any = await client.runs.wait(thread, "research", input={"question": FERRY, "docs": DOCS})
    assert "32 cars" in result["answer"]


async def test_runs_side_by_side_are_neither_lost_nor_mixed(client):
    async def ask(number: int) -> tuple[int, str]:
        question, words = ((QUESTION, "420 metres"), (FERRY, "32 cars"))[number % 2]
        result: Any = await client.runs.wait(None, "research", input={"question": question, "docs": DOCS})
        return number, words if words in result["answer"] else result["answer"]

    done = await asyncio.gather(*(ask(number) for number in range(6)))
    assert done == [(number, ("420 metres", "32 cars")[number % 2]) for number in range(6)]
