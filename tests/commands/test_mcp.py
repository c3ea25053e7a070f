"""`citewell mcp` as a child process, asked by the public MCP client library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from citewell.cli import cli
from citewell.commands.mcp import roots_of
from citewell.settings import Environment
from citewell.studio.examples.sample import DOCS, QUESTION
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

CITEWELL = str(Path(sys.executable).with_name("citewell"))
TOOLS = {"research", "search", "check_support", "memory_store", "memory_search", "memory_list"}


def environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "CITEWELL_HOME": str(home), "PYTHONWARNINGS": "default"}


@asynccontextmanager
async def connected(home: Path, *arguments: str, mode: str = "auto") -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=CITEWELL, args=["mcp", *arguments], env=environment(home), cwd=str(home.parent)
    )
    with (home.parent / "stderr.log").open("a") as log:
        async with Client(stdio_client(server, errlog=log), mode=mode) as client:
            yield client


def text_of(result: Any) -> str:
    return "".join(part.text for part in result.content)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_each_tool_says_what_it_does_and_takes(home, mode):
    async with connected(home, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert len(tool.description) > 40
        assert tool.output_schema["type"] == "object"
        fields = tool.input_schema["properties"]
        assert [name for name, field in fields.items() if not field.get("description")] == []
        assert "context" not in fields
    assert tools["research"].input_schema["required"] == ["question"]
    assert tools["search"].input_schema["properties"]["k"]["maximum"] == 50
    assert tools["check_support"].annotations.read_only_hint


@pytest.mark.slow
async def test_a_question_is_answered_with_progress_and_a_follow_up_leans_on_it(home):
    steps: list[tuple[float, str]] = []

    async def progress(step: float, total: float | None, message: str | None) -> None:
        steps.append((step, message or ""))

    async with connected(home, "--docs", DOCS[0]) as client:
        result = await client.call_tool("research", {"question": QUESTION}, progress_callback=progress)
        said = result.structured_content
        follow_up = await client.call_tool(
            "research", {"question": "And how many tonnes of freight did it handle in 2022?", "thread": said["thread"]}
        )
    assert not result.is_error
    assert "420 metres" in text_of(result)
    assert said["status"] in ("answered", "partial")
    first = said["sentences"][0]
    assert first["support"] == "supported"
    assert {cited["source"] for cited in first["cited"]} == {"harbour.md"}
    assert all(cited["quote"] for cited in first["cited"])
    assert [step for step, _ in steps] == sorted({step for step, _ in steps})
    assert any(line.startswith("searching: ") for _, line in steps)
    assert "104,000 tonnes" in text_of(follow_up)
    assert follow_up.structured_content["thread"] == said["thread"]


@pytest.mark.slow
async def test_what_cannot_be_done_is_an_error_of_the_tool_and_the_server_goes_on(home):
    async with connected(home) as client:
        refused = {
            "outside the folders": ("research", {"question": QUESTION, "docs": ["/etc/passwd"]}),
            "outside the folders that": ("search", {"query": "root", "docs": ["/etc"]}),
            "no source given": ("research", {"question": QUESTION}),
            "no source given: name": ("search", {"query": "quay"}),
            "the question is empty": ("research", {"question": "  ", "docs": [str(home.parent)]}),
            "question": ("research", {}),
            "less than or equal to 50": ("search", {"query": "quay", "k": 51}),
            "no such file or folder": ("research", {"question": QUESTION, "docs": [str(home.parent / "none")]}),
            "Unknown tool": ("shell", {"command": "id"}),
        }
        for words, (name, arguments) in refused.items():
            result = await client.call_tool(name, arguments)
            assert result.is_error, (name, arguments)
            assert words in text_of(result)
            assert "Traceback" not in text_of(result)
        verdict = await client.call_tool(
            "check_support", {"claim": "The quay is 42 metres long.", "passages": ["The quay is 420 metres long."]}
        )
    assert verdict.structured_content["support"] == "unsupported"
    assert any("420" in reason for reason in verdict.structured_content["reasons"])


@pytest.mark.slow
async def test_memories_outlive_the_server_and_belong_to_one_user(home):
    async with connected(home, "--user", "ann") as client:
        stored = await client.call_tool(
            "memory_store", {"text": "Order 4821 was for 32 GB of RAM.", "category": "order"}
        )
    async with connected(home, "--user", "ann") as client:
        found = await client.call_tool("memory_search", {"query": "order 4821", "top_k": 1})
        listed = await client.call_tool("memory_list", {})
    async with connected(home, "--user", "bob") as client:
        others = await client.call_tool("memory_list", {})
    assert stored.structured_content["action"] == "stored"
    (memory,) = found.structured_content["memories"]
    assert (memory["memory_id"], memory["category"]) == ("mem_0001", "order")
    assert [one["memory_id"] for one in listed.structured_content["memories"]] == ["mem_0001"]
    assert others.structured_content["memories"] == []


@pytest.mark.slow
async def test_a_call_that_the_client_gives_up_does_not_stop_the_next_one(home):
    async with connected(home, "--docs", DOCS[0]) as client:
        with anyio.move_on_after(0.3):
            await client.call_tool("research", {"question": QUESTION})
        result = await client.call_tool("search", {"query": "How many cars does the ferry carry?", "k": 1})
    (hit,) = result.structured_content["hits"]
    assert hit["source"] == "ferry.md"
    assert "32 cars" in hit["text"]


@pytest.mark.slow
def test_stdout_carries_the_protocol_and_nothing_else(home):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "research", "arguments": {"question": QUESTION}}},
    ]
    process = subprocess.Popen(
        [CITEWELL, "mcp", "--docs", DOCS[0]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
        cwd=home.parent,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.write("this is no message\n")
    process.stdin.flush()
    replies: dict[Any, Any] = {}
    while 2 not in replies:
        reply = json.loads(process.stdout.readline())
        assert reply["jsonrpc"] == "2.0"
        replies[reply.get("id")] = reply
    rest, _ = process.communicate(timeout=30)
    assert [json.loads(line)["jsonrpc"] for line in rest.splitlines()] == ["2.0"] * len(rest.splitlines())
    assert "420 metres" in replies[2]["result"]["content"][0]["text"]
    assert process.returncode == 0


def test_a_client_may_name_files_of_the_roots_and_the_sources_only(tmp_path, monkeypatch):
    own = Environment(home=tmp_path / "home")
    monkeypatch.chdir(tmp_path)
    assert roots_of(own, (), ("filings", "")) == os.pathsep.join((str(tmp_path), "filings"))
    assert roots_of(own, ("a", "b"), ()) == os.pathsep.join(("a", "b"))
    assert roots_of(own.model_copy(update={"roots": "/srv/filings"}), (), ()) == "/srv/filings"
    monkeypatch.chdir("/")
    assert roots_of(own, (), ("/srv/filings",)) == "/srv/filings"
    assert roots_of(own, (), ()) == str(tmp_path / "home" / "uploads")


def test_what_is_missing_is_said_in_one_line(capsys, monkeypatch):
    with pytest.raises(SystemExit) as ended:
        cli.main(["mcp", "--docs", "nowhere"])
    assert ended.value.code == 2
    assert "nowhere: no such file or folder" in capsys.readouterr().err
    monkeypatch.setattr("citewell.commands.mcp.importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        cli.main(["mcp"])
    assert ended.value.code == 2
    assert "pip install 'citewell[mcp]'" in capsys.readouterr().err
