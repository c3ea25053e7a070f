"""What a super-step costs: our graph with nothing to think and nothing to find, beside bare graphs of its shape."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from ...graph.research import build_research_graph
from ...nodes.services import Services
from ...settings import Environment
from ...state.research import ResearchState
from ...state.savers import open_saver
from ..peers import stand_in
from .timing import Figure, in_turns_async

LINE = ("intake", "planner", "retriever", "fact_extractor", "gap_detector", "synthesizer", "validator", "publisher")
QUERIES = 3
GIVEN: dict[str, Any] = {"question": "How deep is Lake Baikal, and which river drains it?", "docs": ["."]}


class Bare(TypedDict, total=False):
    """As little state as a graph that fans out can have."""

    question: str
    found: Annotated[list[str], operator.add]


def bare_graph(**others: Callable[..., Any]) -> StateGraph[Any, Any, Any, Any]:
    """Return a graph with our edges whose steps return at once, and next to nothing.

    Args:
        others: Steps that are to do something, by name.
    """

    async def step(state: Bare) -> Bare:
        return {"question": state.get("question", "")}

    async def find(state: Bare) -> Bare:
        return {"found": [state["question"]]}

    steps: dict[str, Callable[..., Any]] = dict.fromkeys(LINE, step) | {"retriever": find} | others
    return _in_line(StateGraph(Bare), steps)


def replayed_graph(updates: Mapping[str, Sequence[Any]]) -> StateGraph[Any, Any, Any, Any]:
    """Return a graph with our edges and our state whose steps return at once what ours returned in a run.

    Args:
        updates: What each step of a run returned, by its name.
    """

    def returning(name: str) -> Callable[..., Any]:
        given = itertools.cycle(updates[name])

        async def step(state: Any) -> Any:
            return next(given)

        return step

    return _in_line(StateGraph(ResearchState), {name: returning(name) for name in LINE})


def _in_line(
    graph: StateGraph[Any, Any, Any, Any], steps: Mapping[str, Callable[..., Any]]
) -> StateGraph[Any, Any, Any, Any]:
    def fan_out(state: Any) -> list[Send]:
        return [Send("retriever", {"question": f"q{number}"}) for number in range(QUERIES)]

    for name in LINE:
        graph.add_node(name, steps[name])
    graph.add_edge(START, LINE[0])
    graph.add_conditional_edges("planner", fan_out, ["retriever"])
    for before, after in itertools.pairwise(LINE):
        if before != "planner":
            graph.add_edge(before, after)
    graph.add_edge(LINE[-1], END)
    return graph


def stand_ins(home: Path) -> Services:
    """Return services whose reasoner and corpus give at once what they gave when first asked the same."""
    fakes = stand_in("fakes")
    corpus, reasoner = fakes.FakeCorpus(dict(fakes.BAIKAL)), fakes.ScriptedReasoner()
    _at_once(corpus, "search_many", "read", "rows", "source", "sources", "embed")
    _at_once(reasoner, "resolve", "plan", "extract_facts", "find_gaps", "synthesize", "judge")
    services: Services = fakes.services(home, corpus=corpus, reasoner=reasoner, trace=False)
    return services


def _at_once(whose: Any, *names: str) -> None:
    for name in names:
        setattr(whose, name, _remembering(getattr(whose, name)))


def _remembering(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that works once for each text, or texts, or claim that it gets."""
    given: dict[Any, Any] = {}

    def told(first: Any = "", *_: Any) -> Any:
        if isinstance(first, list):
            return tuple(first)
        return first if isinstance(first, str) else getattr(first, "text", "")

    if inspect.iscoroutinefunction(method):

        async def later(*args: Any) -> Any:
            asked = told(*args)
            if asked not in given:
                given[asked] = await method(*args)
            return given[asked]

        return later

    def now(*args: Any, **how: Any) -> Any:
        asked = told(*args)
        if asked not in given:
            given[asked] = method(*args, **how)
        return given[asked]

    return now


async def measure_steps(home: Path, *, turns: int) -> list[Figure]:
    """Time a super-step of both, on the same kind of saver in files of their own, each with its own threads."""
    services = stand_ins(home / "ours")
    async with contextlib.AsyncExitStack() as stack:
        savers = {
            name: await stack.enter_async_context(open_saver(Environment(home=home / name)))
            for name in ("ours", "bare", "replayed")
        }
        research = build_research_graph(services).compile(checkpointer=savers["ours"])
        updates = await _updates(research)
        bare = bare_graph().compile(checkpointer=savers["bare"])
        replayed = replayed_graph(updates).compile(checkpointer=savers["replayed"])
        return await in_turns_async(
            "super-step",
            {
                "citewell": lambda: _run(research, GIVEN),
                "LangGraph, our state": lambda: _run(replayed, GIVEN),
                "LangGraph, bare": lambda: _run(bare, {"question": GIVEN["question"]}),
            },
            turns=turns,
            each=len(LINE),
            per="eight super-steps, one with three tasks; SQLite saver, durability sync",
        )


async def _updates(graph: Any) -> dict[str, list[Any]]:
    """Return what each step of one run returns."""
    updates: dict[str, list[Any]] = {}
    config = {"configurable": {"thread_id": uuid4().hex}}
    async for chunk in graph.astream(GIVEN, config, stream_mode="updates", durability="sync"):
        for name, update in chunk.items():
            updates.setdefault(name, []).append(update)
    return updates


async def _run(graph: Any, given: dict[str, Any]) -> None:
    config = {"configurable": {"thread_id": uuid4().hex}}
    async for _ in graph.astream(given, config, stream_mode="custom", durability="sync"):
        pass
