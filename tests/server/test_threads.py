"""Threads of the server: ids that cannot reach another one, copies, rollbacks, the store, and a restart."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from citewell.studio.examples.sample import DOCS, QUESTION
from langgraph_sdk import get_client
from servers.langgraph_process import langgraph_server

pytestmark = [pytest.mark.server, pytest.mark.slow]
ASKED = {"question": QUESTION, "docs": DOCS}
FERRY = "How many cars does the ferry Marit carry?"
APPROVE = {"approve_plan": True}


ODD = [
    "..",
    ".",
    "../{}",
    "x/../{}",
    "{}/..",
    "{}/state",
    "{}%2fstate",
    "{}\x00",
    "{};x",
    "{} ",
    "'{}'",
    "{}?x=1#y",
    "*",
    "%",
    "ä",
]


@pytest.mark.parametrize("odd", ODD)
async def test_an_odd_thread_id_reaches_no_other_thread(client, odd):
    thread = (await client.threads.create(graph_id="research"))["thread_id"]
    await client.threads.update_state(thread, {"question": "not yours"}, as_node="__start__")
    asked = odd.replace("{}", thread)
    for attempt in (
        lambda: client.threads.get(asked),
        lambda: client.threads.get_state(asked),
        lambda: client.threads.get_history(asked),
        lambda: client.threads.update_state(asked, {"question": "mine"}),
        lambda: client.runs.create(asked, "research", input=ASKED),
        lambda: client.threads.create(thread_id=asked),
        lambda: client.threads.delete(asked),
    ):
        with pytest.raises(httpx.HTTPError):
            await attempt()
    kept: Any = await client.threads.get_state(thread)
    assert kept["values"]["question"] == "not yours"
    assert await client.runs.list(thread) == []


async def test_history_is_newest_first_and_each_step_is_readable(client, thread):
    await client.runs.wait(thread, "research", input=ASKED)
    history = await client.threads.get_history(thread, limit=50)
    steps = [state["metadata"]["step"] for state in history]
    assert steps == sorted(steps, reverse=True)
    planned = next(state for state in history if set(state["next"]) == {"retriever"})
    assert planned["values"]["plan"]["queries"]
    assert planned["values"]["run"]["question"] == QUESTION
    assert not {"openai_api_key", "OPENAI_API_KEY"} & set(str(planned["values"]).split("'"))


async def test_each_checkpoint_leads_to_the_same_answer_again(client, thread):
    first: Any = await client.runs.wait(thread, "research", input=ASKED)
    history = await client.threads.get_history(thread, limit=50)
    for state in history:
        if not state["next"]:
            continue
        again: Any = await client.runs.wait(thread, "research", input=None, checkpoint=state["checkpoint"])
        assert again["report"]["answer"] == first["report"]["answer"], state["next"]
        assert [message["type"] for message in again["messages"]] == ["human", "ai"]


async def test_a_fork_with_an_edited_plan_searches_for_the_edited_queries(client, thread):
    await client.runs.wait(thread, "research", input=ASKED)
    history = await client.threads.get_history(thread, limit=50)
    planned = next(state for state in history if set(state["next"]) == {"retriever"})
    plan = planned["values"]["plan"] | {"queries": ["How long is the quay?"]}
    forked = await client.threads.update_state(
        thread, {"plan": plan}, checkpoint=planned["checkpoint"], as_node="planner"
    )
    result: Any = await client.runs.wait(thread, "research", input=None, checkpoint=forked["checkpoint"])
    assert result["report"]["steps"][0]["queries"] == ["How long is the quay?"]
    assert "420 metres" in result["answer"]


async def test_a_copied_thread_goes_on_by_itself(client, thread):
    await client.runs.wait(thread, "research", input=ASKED)
    await client.threads.copy(thread)
    copies = [one for one in await client.threads.search(limit=100) if one["thread_id"] != thread]
    newest = max(copies, key=lambda one: one["created_at"])["thread_id"]
    result: Any = await client.runs.wait(newest, "research", input={"question": FERRY})
    assert [message["type"] for message in result["messages"]] == ["human", "ai", "human", "ai"]
    kept: Any = await client.threads.get_state(thread)
    assert len(kept["values"]["messages"]) == 2


async def test_a_second_run_may_roll_the_first_one_back(client, thread):
    await client.runs.wait(thread, "research", input=ASKED)
    first = await client.runs.create(thread, "research", input={"question": FERRY}, context=APPROVE)
    await client.runs.join(thread, first["run_id"])
    second = await client.runs.create(thread, "research", input={"question": FERRY}, multitask_strategy="rollback")
    result: Any = await client.runs.join(thread, second["run_id"])
    assert "32 cars" in result["answer"]
    assert [message["type"] for message in result["messages"]] == ["human", "ai", "human", "ai"]


async def test_a_deleted_thread_is_gone(client, thread):
    await client.runs.wait(thread, "research", input=ASKED)
    await client.threads.delete(thread)
    with pytest.raises(httpx.HTTPStatusError):
        await client.threads.get_state(thread)


async def test_a_run_that_is_joined_streams_its_events(client, thread):
    run = await client.runs.create(thread, "research", input=ASKED, stream_mode=["custom"], stream_resumable=True)
    kinds = [
        part.data["type"] async for part in client.runs.join_stream(thread, run["run_id"]) if part.event == "custom"
    ]
    assert {"plan", "hits", "stop"} <= set(kinds)


async def test_the_store_keeps_items_by_namespace(client):
    await client.store.put_item(["ann", "notes"], "quay", {"text": "repaired in May"})
    await client.store.put_item(["bob", "notes"], "quay", {"text": "closed"})
    assert (await client.store.get_item(["ann", "notes"], "quay"))["value"] == {"text": "repaired in May"}
    found = await client.store.search_items(["bob"])
    assert [item["value"]["text"] for item in found["items"]] == ["closed"]
    await client.store.delete_item(["ann", "notes"], "quay")
    assert (await client.store.search_items(["ann"]))["items"] == []


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
async def test_a_plan_that_waits_outlives_the_server(request, tmp_path, place):
    extra = {"CITEWELL_POSTGRES_URL": request.getfixturevalue("postgres_url")} if place == "postgres" else {}
    with langgraph_server(tmp_path, **extra) as first:
        async with get_client(url=first.url) as client:
            thread = str((await client.threads.create())["thread_id"])
            await client.runs.wait(thread, "research", input=ASKED, context=APPROVE)
            await client.store.put_item(["ann"], "quay", {"text": "kept"})
    with langgraph_server(tmp_path, **extra) as second:
        async with get_client(url=second.url) as client:
            state: Any = await client.threads.get_state(thread)
            shown = state["tasks"][0]["interrupts"][0]["value"]["plan"]["queries"]
            reply = {"resume": {"action": "approve"}}
            result: Any = await client.runs.wait(thread, "research", command=reply, context=APPROVE)
            assert result["report"]["plan"]["queries"] == shown
            assert "420 metres" in result["answer"]
            assert (await client.store.get_item(["ann"], "quay"))["value"] == {"text": "kept"}
    assert (tmp_path / "home" / "checkpoints.sqlite").exists() == (place == "sqlite")
