"""The research graph of a server as part of a local parent: an answer, a plan that waits, nothing asked twice."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

import pytest
from citewell.state.context import ResearchContext
from citewell.studio.examples import remote
from citewell.studio.examples.sample import DOCS, QUESTION, memory_saver
from langgraph.types import Command

pytestmark = [pytest.mark.server, pytest.mark.slow]
GIVEN: remote.Memo = {"topic": QUESTION, "folders": DOCS}
APPROVE = ResearchContext(approve_plan=True)


@pytest.fixture
def place() -> Any:
    return {"configurable": {"thread_id": uuid4().hex}}


async def test_the_program_answers_from_the_server(server):
    assert "420 metres" in await remote.main(server.url)


async def test_a_plan_of_the_server_waits_in_the_parent_and_goes_on_there(client, place):
    graph = remote.build(client).compile(checkpointer=memory_saver())
    (shown,) = (await graph.ainvoke(GIVEN, place, context=APPROVE))["__interrupt__"]
    assert shown.value["plan"]["queries"]
    (again,) = (await graph.ainvoke(Command(resume={"action": "perhaps"}), place, context=APPROVE))["__interrupt__"]
    assert "approve, edit, reject" in again.value["error"]
    reply = {"action": "edit", "queries": ["quay length in metres"]}
    done = await graph.ainvoke(Command(resume=reply), place, context=APPROVE)
    assert "420 metres" in done["memo"]
    assert "quay length in metres" in done["memo"]


async def test_what_the_server_has_finished_is_not_asked_again(client, place):
    first = await remote.build(client).compile(checkpointer=memory_saver()).ainvoke(GIVEN, place)
    thread = str(uuid5(NAMESPACE_URL, f"{place['configurable']['thread_id']}/{QUESTION}"))
    # A parent that lost its own checkpoints finds the answer on the server.
    second = await remote.build(client).compile(checkpointer=memory_saver()).ainvoke(GIVEN, place)
    assert second["memo"] == first["memo"]
    assert len(await client.runs.list(thread)) == 1
