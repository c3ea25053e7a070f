"""The shipped `langgraph.json` under the real `langgraph dev`, asked through langgraph-sdk, with no key (case B43)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from citewell.settings import Settings
from citewell.studio.examples import remote
from citewell.studio.examples.sample import DOCS, QUESTION
from langgraph_sdk import get_client
from servers.langgraph_process import langgraph_server

pytestmark = [pytest.mark.server, pytest.mark.slow]
ASKED = {"question": QUESTION, "docs": DOCS}
FERRY = "How many cars does the ferry Marit carry?"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with langgraph_server(tmp_path_factory.mktemp("server")) as running:
        yield running
    log = running.log.read_text()
    assert "BlockingError" not in log
    assert "checkpointer is provided by the platform" not in log
    assert "Traceback" not in log


@pytest.fixture
async def client(server):
    async with get_client(url=server.url) as opened:
        yield opened


@pytest.fixture
async def thread(client) -> str:
    return str((await client.threads.create())["thread_id"])


async def test_the_server_offers_every_graph_of_the_configuration(server, client):
    config = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text())
    offered = {one["graph_id"]: one.get("description") for one in await client.assistants.search()}
    assert offered == {name: graph["description"] for name, graph in config["graphs"].items()}
    assert server.ready_s < 60


async def test_every_setting_is_a_typed_field_with_a_description(client):
    (assistant,) = await client.assistants.search(graph_id="research")
    schemas: Any = await client.assistants.get_schemas(assistant["assistant_id"])
    fields = schemas["context_schema"]["properties"]
    assert set(fields) == set(Settings.model_fields)
    assert [name for name, field in fields.items() if not field.get("description")] == []
    assert [name for name, field in fields.items() if not {"type", "anyOf", "enum", "$ref"} & set(field)] == []
    assert fields["max_iterations"]["default"] == 4
    assert {"question", "docs", "urls", "web", "corpus", "messages"} == set(schemas["input_schema"]["properties"])
    assert {"report", "answer", "messages"} == set(schemas["output_schema"]["properties"])


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


async def test_the_remote_graph_is_a_node_of_a_local_parent(server):
    assert "420 metres" in await remote.main(server.url)
