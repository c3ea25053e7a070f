"""A chat model that the caller made thinks in every graph as a named one does: the real client, a scripted server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import citewell
import pytest
from citewell.settings import Environment
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from servers.chat_server import ChatServer
from servers.scripted_model import honest

pytestmark = pytest.mark.slow

ASKED = "What is the yearly rent?"


@pytest.fixture
def lease(tmp_path: Path) -> str:
    path = tmp_path / "rent.txt"
    path.write_text("Lease summary of the boat house\nThe yearly rent is €9,100.\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(honest, models=("*",)) as made:
        yield made


@pytest.fixture
def home(tmp_path: Path, clean_environment, monkeypatch) -> Environment:
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    return Environment.read()


def gateway(server: ChatServer, name: str = "house-model") -> ChatOpenAI:
    return ChatOpenAI(model=name, base_url=server.base_url, api_key="a-key", max_retries=0)


def test_it_answers_and_is_counted_without_any_variable(lease, server, home):
    report = citewell.research(ASKED, docs=lease, environment=home, chat_model=gateway(server))
    assert (report.status, report.engine, report.fallbacks) == ("answered", "chat", ()), report.answer.risks_and_limits
    assert report.ledger.model_calls == len(server.prompts) > 0
    assert report.ledger.prompt_tokens == sum(prompted.tokens for prompted in server.prompts)
    assert report.hosts_contacted == ("127.0.0.1",)


def test_one_object_serves_one_run_after_another(lease, server, home):
    model = gateway(server)
    reports = [citewell.research(ASKED, docs=lease, environment=home, chat_model=model) for _ in range(3)]
    assert [(report.status, report.fallbacks) for report in reports] == [("answered", ())] * 3


def test_one_object_serves_threads_side_by_side(lease, server, home):
    model = gateway(server)
    with ThreadPoolExecutor(3) as pool:
        asked = [
            pool.submit(citewell.research, ASKED, docs=lease, environment=home, chat_model=model) for _ in range(3)
        ]
    assert [(each.result().status, each.result().fallbacks) for each in asked] == [("answered", ())] * 3


def test_a_budget_holds_it(lease, server, home):
    report = citewell.research(ASKED, docs=lease, environment=home, chat_model=gateway(server), max_model_calls=1)
    assert (len(server.prompts), report.stop_reason) == (1, "model_call_budget")


def test_a_compiled_graph_asks_it_with_and_without_a_loop(lease, server, home):
    graph = citewell.build_research_graph(chat_model=gateway(server)).compile(checkpointer=InMemorySaver())
    given = {"question": ASKED, "docs": [lease]}
    waited = graph.invoke(given, {"configurable": {"thread_id": "a"}})["report"]
    awaited = asyncio.run(graph.ainvoke(given, {"configurable": {"thread_id": "b"}}))["report"]
    assert [(each.engine, each.status, each.fallbacks) for each in (waited, awaited)] == [("chat", "answered", ())] * 2


def test_a_finished_thread_asks_it_nothing_again(lease, server, home):
    model = gateway(server)
    first = citewell.research(ASKED, docs=lease, environment=home, chat_model=model, thread_id="t")
    asked = len(server.prompts)
    again = citewell.resume("t", environment=home, chat_model=model)
    assert (again.answer, len(server.prompts)) == (first.answer, asked)


def test_a_node_may_still_have_a_model_by_name(lease, server, home):
    with ChatServer(honest, models=("*",)) as other:
        environment = home.model_copy(update={"openai_base_url": other.base_url, "openai_api_key": "k"})
        report = citewell.research(
            ASKED,
            docs=lease,
            environment=environment,
            chat_model=gateway(server),
            node_models={"planner": "openai:planning-model"},
        )
        assert report.status == "answered"
        assert {prompted.step for prompted in other.prompts} == {"PlanReply"} or len(other.prompts) == 1
        assert len(server.prompts) == report.ledger.model_calls - len(other.prompts) > 0


def test_the_embedded_engine_is_still_a_choice(lease, server, home):
    report = citewell.research(ASKED, docs=lease, environment=home, chat_model=gateway(server), engine="embedded")
    assert (report.engine, server.prompts) == ("embedded", [])


def test_a_conversation_asks_it(server, home):
    graph = citewell.build_chat_graph(chat_model=gateway(server)).compile()
    graph.invoke({"messages": [("user", "Hello, who are you?")]})
    assert server.prompts


def test_an_unknown_name_is_told_of_the_model_handed_in(lease, home):
    with ChatServer(honest) as strict:
        report = citewell.research(ASKED, docs=lease, environment=home, chat_model=gateway(strict, "no-such"))
    assert "check the name of the model handed in" in report.answer.risks_and_limits[0]
