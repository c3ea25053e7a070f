"""The public graphs in programs without an event loop, or inside one: `invoke`, `stream`, synchronous parents."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import citewell
import pytest
from citewell.errors import UsageError
from citewell.graph.chat import build_chat_graph
from citewell.graph.chat_wiring import default_chat_services
from citewell.graph.diligence import build_diligence_graph
from citewell.graph.multistep import build_multistep_graph
from citewell.graph.multistep_wiring import default_multistep_services
from citewell.graph.research import build_research_graph
from citewell.graph.wiring import base_services, default_services
from citewell.graph.without_loop import run, with_invoke
from citewell.settings import Environment, Settings
from citewell.state.context import ResearchContext
from citewell.state.records import Report
from citewell.state.savers import checkpoint_serde
from citewell.state.scope import ToolScope, with_scope
from citewell.studio.examples.sample import DOCS, QUESTION
from citewell.tools.research import research_tool
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

INNER = {"run", "plan", "packs", "evidence", "facts", "draft", "verdicts", "issues", "steps"}
GIVEN: Any = {"question": QUESTION, "docs": DOCS}


class Letter(TypedDict, total=False):
    question: str
    docs: list[str]
    answer: str
    report: Report
    letter: str


def write(state: Letter) -> Letter:
    return {"letter": f"Dear reader, {state['report'].answer.executive_summary[0].text}"}


def parent(home: Path) -> Any:
    graph = StateGraph(Letter, context_schema=ResearchContext)
    graph.add_node("research", build_research_graph(parts(home)).compile())
    graph.add_node("write", write)
    graph.add_edge(START, "research")
    graph.add_edge("research", "write")
    graph.add_edge("write", END)
    return graph


def parts(home: Path) -> Any:
    return default_services(Settings(engine="embedded"), Environment(home=home / "home"))


def thread(thread_id: str = "t-1") -> Any:
    return {"configurable": {"thread_id": thread_id}}


@pytest.fixture(params=["none", "memory", "sqlite"])
def saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    if request.param == "none":
        yield None
    elif request.param == "memory":
        yield InMemorySaver(serde=checkpoint_serde())
    else:
        with closing(sqlite3.connect(tmp_path / "parent.sqlite", check_same_thread=False)) as connection:
            yield SqliteSaver(connection, serde=checkpoint_serde())


def test_the_graph_alone_is_invoked(tmp_path, saver):
    result = build_research_graph(parts(tmp_path)).compile(checkpointer=saver).invoke(GIVEN, thread())
    assert result["report"].status == "answered"
    assert "420 metres" in result["answer"]


def test_a_synchronous_parent_gets_the_cited_answer_and_no_inner_state(tmp_path, saver):
    graph = parent(tmp_path).compile(checkpointer=saver)
    result = graph.invoke(GIVEN, thread(), **({"durability": "sync"} if saver is not None else {}))
    assert "420 metres" in result["letter"]
    assert not INNER & set(result)
    if saver is not None:
        assert not INNER & set(graph.get_state(thread()).values)


def test_a_synchronous_parent_answers_as_an_asynchronous_one_does(tmp_path):
    waited = parent(tmp_path / "a").compile().invoke(GIVEN)["report"]
    awaited = run(parent(tmp_path / "b").compile().ainvoke(GIVEN))["report"]
    assert (waited.answer, waited.evidence, waited.steps) == (awaited.answer, awaited.evidence, awaited.steps)


def test_events_and_steps_stream_through_a_synchronous_parent(tmp_path, saver):
    graph = parent(tmp_path).compile(checkpointer=saver)
    streamed = list(graph.stream(GIVEN, thread(), stream_mode=["custom", "updates"], subgraphs=True))
    told = {event["type"] for place, mode, event in streamed if mode == "custom" and place}
    assert {"plan", "answer"} <= told
    steps = [name for _, mode, update in streamed if mode == "updates" for name in update]
    assert steps[0] == "intake"
    assert steps[-3:] == ["publisher", "research", "write"]


def test_a_plan_waits_in_a_synchronous_parent_and_is_approved_there(tmp_path, saver):
    if saver is None:
        pytest.skip("LangGraph interrupts need a checkpointer")
    graph, context = parent(tmp_path).compile(checkpointer=saver), ResearchContext(approve_plan=True)
    waiting = graph.invoke(GIVEN, thread(), context=context)
    assert waiting["__interrupt__"][0].value["plan"]["queries"]
    result = graph.invoke(Command(resume={"action": "approve"}), thread(), context=context)
    assert "420 metres" in result["letter"]


async def test_it_is_invoked_where_a_loop_runs_already(tmp_path):
    result = parent(tmp_path).compile().invoke(GIVEN)
    assert "420 metres" in result["letter"]


async def test_the_python_interface_answers_where_a_loop_runs_already(tmp_path):
    environment = Environment(home=tmp_path / "home")
    report = citewell.research(QUESTION, docs=DOCS, settings=Settings(engine="embedded"), environment=environment)
    assert report.status == "answered"
    assert [info.thread_id for info in citewell.list_threads(environment)] == [report.thread_id]
    assert citewell.resume(report.thread_id, environment=environment) == report


def test_the_other_public_graphs_are_invoked(tmp_path):
    environment, settings = Environment(home=tmp_path / "home"), Settings(engine="embedded")
    base = base_services(settings, environment)
    reviewed = build_diligence_graph(base).compile().invoke({"question": QUESTION, "dataroom": DOCS[0], "out": ""})
    assert "420 metres" in reviewed["report"].answer.summary_text
    chat = build_chat_graph(default_chat_services(settings, environment)).compile()
    talked = chat.invoke({"messages": [HumanMessage("What is 22 * 6.5?")]})
    assert "143" in talked["messages"][-1].text
    steps = build_multistep_graph(default_multistep_services(settings, environment)).compile()
    assert steps.invoke({"question": "How have Halden Energy's aims changed?"})["report"]["status"]


def test_the_research_tool_is_called_without_a_loop_too(tmp_path):
    tool = research_tool(build_research_graph(parts(tmp_path)).compile())
    config = with_scope({}, ToolScope(research={"docs": DOCS}))
    assert "420 metres" in tool.invoke({"question": QUESTION}, config)
    assert "420 metres" in run(tool.ainvoke({"question": QUESTION}, config))


def test_what_a_step_raises_reaches_the_caller_who_may_ask_again():
    async def fail(state: Letter) -> Letter:
        raise ValueError("no such harbour")

    graph = StateGraph(Letter)
    graph.add_node("fail", fail)
    graph.add_edge(START, "fail")
    compiled = with_invoke(graph).compile()
    for _ in range(2):
        with pytest.raises(ValueError, match="no such harbour"):
            compiled.invoke({"question": QUESTION})


def test_a_step_that_would_wait_for_its_own_thread_says_what_to_use():
    inner = StateGraph(Letter)

    async def answer(state: Letter) -> Letter:
        return {"answer": "42"}

    inner.add_node("answer", answer)
    inner.add_edge(START, "answer")
    called = with_invoke(inner).compile()

    async def ask(state: Letter) -> Letter:
        return called.invoke({"question": "?"})

    outer = StateGraph(Letter)
    outer.add_node("ask", ask)
    outer.add_edge(START, "ask")
    with pytest.raises(UsageError, match="use `ainvoke`"):
        with_invoke(outer).compile().invoke({"question": "?"})
