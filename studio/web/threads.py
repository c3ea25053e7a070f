"""Threads as the app shows them: the list, one thread with its turns, the report of a turn."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

from ...graph import served
from ...graph.threads import alist_threads
from ...settings import Environment
from ...state.records import Report
from ...state.savers import open_saver
from .replies import Refused

LISTED = 200
MAX_TURNS = 100
GRAPHS: dict[str, Any] = {"research": served.research, "diligence": served.diligence}
"""The graphs that end in a report with passages."""


@dataclass(frozen=True)
class Turn:
    """A finished question of a thread, with the state it left."""

    report: Report
    values: Mapping[str, Any]


async def thread_list(environment: Environment) -> list[dict[str, Any]]:
    """Return the threads of this home, those of the command line too, the last used first."""
    found = await alist_threads(environment)
    return [{**info.model_dump(mode="json"), "here": _is_uuid(info.thread_id)} for info in found[:LISTED]]


async def one_thread(thread_id: str, environment: Environment) -> dict[str, Any]:
    """Return a thread: its sources, what it waits for, its turns, the last one first.

    `here` says that the server itself can go on with it (its ids are UUIDs); others go on at the command line.
    """
    async with _saver(environment) as saver:
        values, unfinished, waiting = await _now(saver, thread_id)
        turns = await _turns(saver, thread_id, values)
    if _graph_of(values) not in GRAPHS:
        return _talk(thread_id, values)
    run = values.get("run")
    return {
        "thread_id": thread_id,
        "here": _is_uuid(thread_id),
        "graph": _graph_of(values),
        "question": (run.question if run else "") or str(values.get("question") or ""),
        "sources": {key: values[key] for key in ("docs", "urls", "web", "corpus", "dataroom") if values.get(key)},
        "settings": dict(run.settings) if run else {},
        "unfinished": unfinished,
        "waiting": waiting,
        "messages": [],
        "artifacts": [path.rsplit("/", 1)[-1] for path in values.get("artifacts") or ()],
        "checks": {key: values[key] for key in ("coverage", "validation") if values.get(key)},
        "turns": [
            {
                "run_id": turn.report.run_id,
                "question": turn.report.question,
                "status": turn.report.status,
                "created_at": turn.report.created_at.isoformat(),
            }
            for turn in turns
        ],
    }


async def one_turn(thread_id: str, run_id: str, environment: Environment) -> Turn:
    """Return the turn of a run, the last one where no run is named.  Raises: Refused where there is none."""
    async with _saver(environment) as saver:
        values, _, _ = await _now(saver, thread_id)
        for turn in await _turns(saver, thread_id, values, run_id):
            if run_id in ("", turn.report.run_id):
                return turn
    raise Refused("this thread has no such report", 404)


@asynccontextmanager
async def _saver(environment: Environment) -> AsyncIterator[BaseCheckpointSaver]:
    if not environment.postgres_url and not (environment.home / "checkpoints.sqlite").exists():
        raise Refused("no such thread", 404)
    async with open_saver(environment) as saver:
        yield saver


async def _now(saver: BaseCheckpointSaver, thread_id: str) -> tuple[dict[str, Any], bool, Any]:
    """Return the state of a thread, whether steps are left to do, and what a person is asked."""
    found = await saver.aget_tuple(_config(thread_id))
    if found is None:
        raise Refused("no such thread", 404)
    values = found.checkpoint["channel_values"]
    graph = GRAPHS.get(_graph_of(values))
    if graph is None:
        return dict(values), False, None
    state = await graph.builder.compile(checkpointer=saver).aget_state(_config(thread_id))
    waiting = [pending.value for task in state.tasks for pending in task.interrupts]
    return dict(state.values), bool(state.tasks), waiting[0] if waiting else None


async def _turns(saver: BaseCheckpointSaver, thread_id: str, values: Mapping[str, Any], run_id: str = "") -> list[Turn]:
    """Return the finished turns, the last one first; earlier ones as far as their checkpoints are kept."""
    turns: dict[str, Turn] = {}
    if _report(values):
        last = Turn(_report(values), values)
        turns[last.report.run_id] = last
    answered = sum(getattr(message, "type", "") == "ai" for message in values.get("messages") or ())
    if answered > 1 or (run_id and run_id not in turns):
        # Closed before the saver is: a listing left half read would outlive its connection.
        async with aclosing(cast("AsyncGenerator[CheckpointTuple]", saver.alist(_config(thread_id)))) as history:
            async for found in history:
                earlier = found.checkpoint["channel_values"]
                report = _report(earlier)
                if report and report.run_id not in turns:
                    turns[report.run_id] = Turn(report, earlier)
                if len(turns) >= min(answered, MAX_TURNS) and (not run_id or run_id in turns):
                    break
    return list(turns.values())


def _talk(thread_id: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a thread of another graph: what was said, which is all that such threads have in common."""
    said = [
        {"by": message.type, "text": str(message.text)}
        for message in values.get("messages") or ()
        if message.type in ("human", "ai") and str(message.text).strip()
    ]
    return {
        "thread_id": thread_id,
        "here": _is_uuid(thread_id),
        "graph": _graph_of(values),
        "question": next((each["text"] for each in said if each["by"] == "human"), ""),
        "sources": {},
        "settings": {},
        "unfinished": False,
        "waiting": None,
        "messages": said,
        "artifacts": [],
        "checks": {},
        "turns": [],
    }


def _report(values: Mapping[str, Any]) -> Any:
    report = values.get("report")
    return Report.model_validate(report) if report and _graph_of(values) in GRAPHS else None


def _graph_of(values: Mapping[str, Any]) -> str:
    """Tell a graph by the channels that it alone has."""
    if "plan_text" in values or "asked" in values:
        return "multistep"
    if "dataroom" in values:
        return "diligence"
    return "chat" if "messages" in values and not {"question", "run"} & set(values) else "research"


def _config(thread_id: str) -> RunnableConfig:
    return RunnableConfig(configurable={"thread_id": thread_id, "checkpoint_ns": ""})


def _is_uuid(thread_id: str) -> bool:
    try:
        return str(UUID(thread_id)) == thread_id.lower()
    except ValueError:
        return False
