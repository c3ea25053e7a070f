"""The threads of a home: which there are, how far each came, which graph takes it up."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.runnables import RunnableConfig
from pydantic import Field

from ..errors import CitewellError, cause
from ..settings import Environment
from ..state.records import Record
from ..state.savers import open_saver
from ..state.sqlite import tells_damage
from .following import no_such_thread
from .without_loop import run

if TYPE_CHECKING:
    from langgraph.checkpoint.base import Checkpoint

    from ..state.savers import ThreadSaver

GraphName = Literal["research", "diligence", "chat", "multistep"]
HARNESS_MARK = "harness_sha256"
"""What a diligence run keeps with each checkpoint: the hash of its policy."""


GRAPH_MARK = "graph"
"""What a run of another graph than research keeps with each checkpoint: its name."""


class ThreadInfo(Record):
    """One line of the list of threads."""

    thread_id: str
    question: str = ""
    status: str = ""
    updated_at: str = ""
    turns: int = 0
    graph: GraphName = "research"
    problem: str = Field(default="", description="Why it cannot be read, where its status is `damaged`.")


class ThreadStart(Record):
    """What is needed to take a thread up."""

    graph: GraphName
    metadata: dict[str, str] = Field(default_factory=dict, description="What its run kept with each checkpoint.")


async def alist_threads(environment: Environment | None = None) -> list[ThreadInfo]:
    """Return the threads of a home, the last used first."""
    environment = environment or Environment.read()
    if not _kept(environment):
        return []
    async with open_saver(environment) as saver:
        threads = [info for name in await saver.athread_ids() if (info := await _told(saver, name)) is not None]
    return sorted(threads, key=lambda info: (info.updated_at, info.thread_id), reverse=True)


async def _told(saver: ThreadSaver, thread_id: str) -> ThreadInfo | None:
    """Return the line of a thread; one whose last step cannot be read is named with what is wrong with it."""
    try:
        found = await saver.aget_tuple(RunnableConfig(configurable={"thread_id": thread_id, "checkpoint_ns": ""}))
        return _line(thread_id, found.checkpoint) if found is not None else None
    except (CitewellError, ValueError, KeyError, TypeError, AttributeError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.Error) and not tells_damage(error):  # busy: nothing is wrong with this thread
            raise
        return ThreadInfo(thread_id=thread_id, status="damaged", problem=cause(error))


def _line(thread_id: str, checkpoint: Checkpoint) -> ThreadInfo:
    values = checkpoint["channel_values"]
    graph = _graph_of(values)
    if graph in ("multistep", "chat"):
        told = _steps if graph == "multistep" else _talk
        return told(thread_id, values, str(checkpoint["ts"]))
    run, report = values.get("run"), values.get("report")
    # The diligence graph holds no run of its own: its last step is what leaves the artifacts' account.
    done = bool(report and ("coverage" in values if run is None else report.run_id == run.run_id))
    return ThreadInfo(
        thread_id=thread_id,
        question=run.question if run else str(values.get("question") or ""),
        status=report.status if report and done else "interrupted",
        updated_at=str(checkpoint["ts"]),
        turns=sum(message.type == "ai" for message in values.get("messages", ())),
        graph=graph,
    )


def list_threads(environment: Environment | None = None) -> list[ThreadInfo]:
    """Return the threads of a home, the last used first."""
    return run(alist_threads(environment))


async def afind_thread(thread_id: str, environment: Environment) -> ThreadStart:
    """Return what takes a thread up.  Raises: UsageError where there is no such thread."""
    if not _kept(environment):
        raise no_such_thread(thread_id)
    async with open_saver(environment) as saver:
        found = await saver.aget_tuple(RunnableConfig(configurable={"thread_id": thread_id}))
    if found is None:
        raise no_such_thread(thread_id)
    kept = {key: value for key, value in found.metadata.items() if isinstance(value, str)}
    graph: GraphName = "diligence" if HARNESS_MARK in kept else "research"
    marked = kept.get(GRAPH_MARK)
    return ThreadStart(graph=marked if marked in ("multistep", "chat") else graph, metadata=kept)  # type: ignore[arg-type]


def _kept(environment: Environment) -> bool:
    return bool(environment.postgres_url) or (environment.home / "checkpoints.sqlite").exists()


def _graph_of(values: dict[str, Any]) -> GraphName:
    if "plan_text" in values:
        return "multistep"
    if "recalled" in values:
        return "chat"
    return "diligence" if "dataroom" in values else "research"


def _talk(thread_id: str, values: dict[str, Any], updated_at: str) -> ThreadInfo:
    """Return the line of a conversation: what was said last, and whether it was answered."""
    messages = list(values.get("messages", ()))
    asked = next((message.text for message in reversed(messages) if message.type == "human"), "")
    return ThreadInfo(
        thread_id=thread_id,
        question=str(asked),
        status="answered" if messages and messages[-1].type == "ai" else "interrupted",
        updated_at=updated_at,
        turns=sum(message.type == "ai" for message in messages),
        graph="chat",
    )


def _steps(thread_id: str, values: dict[str, Any], updated_at: str) -> ThreadInfo:
    """Return the line of a thread that went step by step; its state is plain JSON."""
    asked, report = values.get("asked") or {}, values.get("report") or {}
    done = bool(report) and report.get("run_id") == asked.get("run_id")
    return ThreadInfo(
        thread_id=thread_id,
        question=str(asked.get("question") or ""),
        status=str(report["status"]) if done else "interrupted",
        updated_at=updated_at,
        turns=sum(message.type == "ai" for message in values.get("messages", ())),
        graph="multistep",
    )
