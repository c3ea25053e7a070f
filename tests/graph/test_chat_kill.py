"""A turn of a conversation keeps to its budgets, and one that was killed goes on without asking anything twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from citewell.graph.chat import build_chat_graph
from citewell.graph.chat_wiring import default_chat_services
from citewell.settings import Environment, Settings
from citewell.state.chat import ChatContext
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from servers.chat_server import ChatServer, Prompted, ToolCalls, refusal
from typing_extensions import TypedDict

TURN = """
import os, signal, sys
from citewell.state.journal import CallJournal
from citewell.cli import main

written = CallJournal._write
left = [int(sys.argv[1])]

async def deadly(journal, key, made):
    await written(journal, key, made)
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)

CallJournal._write = deadly
sys.argv = ["citewell", *sys.argv[2:]]
main()
"""


def talk(home: Path, server: ChatServer, deadly: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"CITEWELL_HOME": str(home), "OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "none"}
    command = [sys.executable, "-c", TURN, str(deadly), "chat", "--user", "ann", "--thread", "t-1", *arguments]
    return subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL
    )


def think(prompted: Prompted) -> Any:
    rounds = sum(message["role"] == "tool" for message in prompted.body["messages"])
    return [
        ToolCalls([("calculator", {"expression": "22*6.5"})]),
        ToolCalls([("memory_store", {"text": "The project takes 143 hours.", "category": "fact"})]),
        "It takes 143 hours.",
    ][rounds]


@pytest.mark.slow
@pytest.mark.parametrize("deadly", [1, 2, 3, 4, 5])
def test_a_killed_turn_is_taken_up_and_makes_no_completed_call_again(tmp_path, deadly):
    with ChatServer(think) as server:
        killed = talk(tmp_path, server, deadly, "Remember how long 22 days of 6.5 hours are.")
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        resumed = talk(tmp_path, server, 99)
        assert resumed.returncode == 0, resumed.stderr
        assert "taking up the turn" in resumed.stderr
        assert "It takes 143 hours." in resumed.stdout
        assert len(server.prompts) == 3
        listed = subprocess.run(
            [sys.executable, "-m", "citewell.cli", "memory", "list", "--user", "ann"],
            env=os.environ | {"CITEWELL_HOME": str(tmp_path)}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert listed.stdout.count("143 hours") == 1
        assert (talk(tmp_path, server, 99).stdout, len(server.prompts)) == ("", 3)


def graph_at(home: Path, server: ChatServer | None = None, **settings: Any) -> Any:
    environment = Environment(home=home, openai_base_url=server.base_url if server else None)
    chosen = Settings(engine="chat" if server else "embedded", **settings)
    services = default_chat_services(chosen, environment, research=silent_research())
    return build_chat_graph(services).compile(checkpointer=InMemorySaver())


class Asked(TypedDict):
    question: str


def silent_research() -> Any:
    graph = StateGraph(Asked)
    graph.add_node("nothing", lambda state: {})
    graph.add_edge(START, "nothing")
    return graph.compile()


async def say(graph: Any, text: str, **context: Any) -> dict[str, Any]:
    config = {"configurable": {"thread_id": "t-1"}}
    return await graph.ainvoke({"messages": [("user", text)]}, config, context=ChatContext(**context))  # type: ignore[no-any-return]


async def test_a_turn_tells_what_it_spent_and_the_next_begins_anew(tmp_path):
    with ChatServer(lambda prompted: "Kelm.") as server:
        graph = graph_at(tmp_path, server)
        for _ in range(2):
            result = await say(graph, "Which site is mine?")
            assert result["stop_reason"] == ""
            assert result["ledger"]["model_calls"] == 1
            assert result["ledger"]["prompt_tokens"] > 50
            assert result["ledger"]["completion_tokens"] > 0
        assert len(server.prompts) == 2


@pytest.mark.parametrize(
    ("budget", "reason", "asked"),
    [
        ({"max_model_calls": 2}, "model_call_budget", 2),
        ({"max_tokens": 1_000}, "token_budget", 0),
    ],
)
async def test_a_spent_budget_ends_the_turn_with_its_name_and_the_thread_lives_on(tmp_path, budget, reason, asked):
    with ChatServer(lambda prompted: ToolCalls([("calculator", {"expression": "2+2"})])) as server:
        graph = graph_at(tmp_path, server)
        result = await say(graph, "Go on.", **budget)
        assert (result["stop_reason"], len(server.prompts)) == (reason, asked)
        assert result["ledger"]["model_calls"] == asked
        assert result["messages"][-1].text.startswith(f"I stopped: the {reason.replace('_', ' ')} of this turn")
        server.think = lambda prompted: "All is well."
        assert (await say(graph, "And now?"))["messages"][-1].text == "All is well."


async def test_a_price_that_is_not_known_refuses_a_cost_budget(tmp_path):
    with ChatServer(lambda prompted: "Kelm.") as server:
        result = await say(graph_at(tmp_path, server, max_cost_usd=0.5), "Which site is mine?")
    assert "no price" in result["failure"]


async def test_a_provider_that_fails_at_first_is_asked_again_within_the_budget(tmp_path):
    def flaky(prompted: Prompted) -> Any:
        return refusal(503, "try again") if prompted.number == 1 else "Kelm."

    with ChatServer(flaky) as server:
        result = await say(graph_at(tmp_path, server), "Which site is mine?")
    assert (result["messages"][-1].text, result["ledger"]["model_calls"]) == ("Kelm.", 2)


async def test_a_turn_without_a_model_costs_no_call(tmp_path):
    result = await say(graph_at(tmp_path), "2+2*3")
    assert (result["messages"][-1].text, result["ledger"]["model_calls"]) == ("2+2*3 = 8", 0)
