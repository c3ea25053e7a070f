"""The server's protocol endpoints: tools at `/mcp` for MCP clients, and A2A for other agents."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from citewell.studio.examples.sample import DOCS, QUESTION
from mcp import Client

pytestmark = [pytest.mark.server, pytest.mark.slow]
TOOLS = ["research", "search", "check_support", "memory_store", "memory_search", "memory_list"]


def text_of(result: Any) -> str:
    return "".join(part.text for part in result.content)


def rpc(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


class TestMcp:
    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    async def test_a_client_gets_an_answer_progress_and_a_thread_to_go_on_with(self, server, client, mode):
        steps: list[str] = []

        async def progress(step: float, total: float | None, message: str | None) -> None:
            steps.append(message or "")

        async with Client(f"{server.url}/mcp", mode=mode) as tools:
            assert [tool.name for tool in (await tools.list_tools()).tools] == TOOLS
            result = await tools.call_tool("research", {"question": QUESTION, "docs": DOCS}, progress_callback=progress)
            said = result.structured_content
            second = await tools.call_tool(
                "research", {"question": "When was the ferry Marit built?", "thread": said["thread"]}
            )
        assert "420 metres" in text_of(result)
        assert said["sentences"][0]["cited"]
        assert any(step.startswith("searching: ") for step in steps)
        assert second.structured_content["thread"] == said["thread"]
        # It was a run of this server, so that Studio and the app show it.
        assert len(await client.runs.list(said["thread"])) == 2

    async def test_what_cannot_be_done_is_an_error_of_the_tool(self, server, thread):
        async with Client(f"{server.url}/mcp") as tools:
            for arguments in (
                {"question": QUESTION, "thread": f"../threads/{thread}"},
                {"question": QUESTION, "thread": f"{thread}/state"},
                {"question": QUESTION, "thread": "00000000-0000-0000-0000-000000000000"},
                {"question": QUESTION},
                {"question": "  ", "docs": DOCS},
            ):
                result = await tools.call_tool("research", arguments)
                assert result.is_error, arguments
                assert "Traceback" not in text_of(result)

    def test_a_client_of_plain_json_is_answered_in_plain_json(self, server):
        with httpx.Client(base_url=server.url, headers={"accept": "application/json"}, timeout=60) as plain:
            listed = plain.post("/mcp", json=rpc("tools/list", {})).json()["result"]["tools"]
            called = plain.post(
                "/mcp",
                json=rpc("tools/call", {"name": "research", "arguments": {"question": QUESTION, "docs": DOCS}}),
            ).json()["result"]
        assert [tool["name"] for tool in listed] == TOOLS
        assert listed[0]["inputSchema"]["properties"]["question"]["description"]
        assert called["content"][0]["text"].startswith("# ")
        assert "420 metres" in called["content"][0]["text"]

    async def test_what_is_stored_here_is_found_here(self, server):
        async with Client(f"{server.url}/mcp") as tools:
            await tools.call_tool("memory_store", {"text": "The quay was repaired in May.", "category": "fact"})
            found = await tools.call_tool("memory_search", {"query": "When was the quay repaired?"})
            hits = await tools.call_tool("search", {"query": "How many cars?", "docs": DOCS, "k": 1})
        assert "repaired in May" in found.structured_content["memories"][0]["text"]
        assert "32 cars" in hits.structured_content["hits"][0]["text"]


class TestA2a:
    @pytest.fixture
    async def agents(self, server):
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as opened:
            yield opened

    async def send(self, agents: httpx.AsyncClient, agent: str, *parts: Any, **where: str) -> dict[str, Any]:
        message = {"role": "user", "parts": list(parts), "messageId": "m-1", **where}
        answer = await agents.post(f"/a2a/{agent}", json=rpc("message/send", {"message": message}))
        return dict(answer.json()["result"])

    def said(self, task: dict[str, Any]) -> str:
        return "".join(part.get("text", "") for part in task["artifacts"][0]["parts"])

    async def test_an_agent_asks_in_text_and_names_the_sources_as_data(self, agents, client):
        (assistant,) = await client.assistants.search(graph_id="research")
        agent = assistant["assistant_id"]
        card = (await agents.get("/.well-known/agent-card.json", params={"assistant_id": agent})).json()
        assert card["skills"][0]["description"] == assistant["description"]
        task = await self.send(
            agents, agent, {"kind": "text", "text": QUESTION}, {"kind": "data", "data": {"docs": DOCS}}
        )
        assert task["status"]["state"] == "completed"
        assert "420 metres" in self.said(task)
        follow_up = {"kind": "text", "text": "When was the ferry Marit built?"}
        second = await self.send(agents, agent, follow_up, contextId=task["contextId"])
        assert second["status"]["state"] == "completed"
        assert "no source given" not in self.said(second)

    async def test_an_agent_may_watch_the_answer_come(self, agents, client):
        (assistant,) = await client.assistants.search(graph_id="research")
        parts = [{"kind": "text", "text": QUESTION}, {"kind": "data", "data": {"docs": DOCS}}]
        message = {"role": "user", "parts": parts, "messageId": "m-2"}
        sent = rpc("message/stream", {"message": message})
        headers = {"accept": "text/event-stream"}
        async with agents.stream("POST", f"/a2a/{assistant['assistant_id']}", json=sent, headers=headers) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = [line async for line in stream.aiter_lines()]
        told = [json.loads(line.removeprefix("data:"))["result"] for line in lines if line.startswith("data:")]
        assert told[-1]["status"]["state"] == "completed"
        assert told[-1]["final"]
        assert "420 metres" in json.dumps(told)

    async def test_an_assistant_with_sources_of_its_own_answers_text_alone(self, agents, client):
        context = {"docs": DOCS}
        assistant = await client.assistants.create("research", name="harbour", context=context)
        task = await self.send(agents, assistant["assistant_id"], {"kind": "text", "text": QUESTION})
        assert task["status"]["state"] == "completed"
        assert "420 metres" in self.said(task)
        await client.assistants.delete(assistant["assistant_id"])

    async def test_an_agent_that_names_no_source_is_asked_and_may_answer(self, agents, client):
        assistant = await client.assistants.create("research", name="asks", context={"ask_sources": True})
        agent = assistant["assistant_id"]
        task = await self.send(agents, agent, {"kind": "text", "text": QUESTION})
        assert task["status"]["state"] == "input-required"
        asked = task["artifacts"][0]["parts"][0]["data"]
        assert asked["value"]["ask"]
        assert set(asked["response_schema"]["properties"]) == {"action", "docs", "urls", "corpus", "web", "reason"}
        reply = {"kind": "data", "data": {"resume": {"docs": DOCS}}}
        done = await self.send(agents, agent, reply, contextId=task["contextId"], taskId=task["id"])
        assert done["status"]["state"] == "completed"
        assert "420 metres" in self.said(done)
        await client.assistants.delete(agent)
