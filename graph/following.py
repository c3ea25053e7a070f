"""Drive a compiled graph on one thread: saver, lock, trace, events, and the pauses that wait for a person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.runnables import RunnableConfig
from langgraph.graph import StateGraph

from ..errors import UsageError
from ..settings import Environment, Settings
from ..state.savers import open_saver

OnEvent = Callable[[dict[str, Any]], None]


class PlanPending(UsageError):
    """A run waits for a person to approve its plan.

    Attributes:
        thread_id: The thread to resume.
        request: What the planner showed: `plan`, `actions` and, after a bad reply, `error`.
    """

    def __init__(self, thread_id: str, request: dict[str, Any]) -> None:
        super().__init__(f"thread {thread_id} waits for its plan to be approved: citewell resume {thread_id}")
        self.thread_id, self.request = thread_id, request


@dataclass(frozen=True)
class Workflow:
    """A graph to be run, and how its runs are known.

    Attributes:
        name: What traces call it.
        graph: The builder.
        marks: Resource attributes of its traces.
        metadata: Kept with each checkpoint, for whoever takes the thread up.
    """

    name: str
    graph: StateGraph[Any, Any, Any, Any]
    recursion_limit: int
    marks: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)


async def follow(
    workflow: Workflow,
    given: Any,
    thread_id: str,
    *,
    settings: Settings,
    environment: Environment,
    on_event: OnEvent | None = None,
) -> dict[str, Any]:
    """Run a graph to its end and return the values of its state.

    Args:
        given: The input; a `Command` or None takes the thread up, and a finished one runs nothing.
    Raises: UsageError where another process is working on the thread, or there is none to take up; PlanPending.
    """
    from ..reports.traces.recording import recording

    config = RunnableConfig(
        configurable={"thread_id": thread_id},
        recursion_limit=workflow.recursion_limit,
        metadata=dict(workflow.metadata),
    )
    async with open_saver(environment) as saver, alone(thread_id, environment):
        graph = workflow.graph.compile(checkpointer=saver)
        if not isinstance(given, dict):
            state = await graph.aget_state(config)
            if not state.values and not state.next:
                raise no_such_thread(thread_id)
            if not state.next:
                return dict(state.values)
        question = str(given["question"]) if isinstance(given, dict) else ""
        with recording(
            environment, settings, thread_id=thread_id, workflow=workflow.name, question=question,
            resource=dict(workflow.marks),
        ) as recorder:  # fmt: skip
            if recorder is not None:
                config["callbacks"] = [*recorder.callbacks]
            async for _, happened in graph.astream(
                given, config, stream_mode="custom", subgraphs=True, durability="sync"
            ):
                if recorder is not None:
                    recorder.on_event(happened)  # type: ignore[arg-type]
                if on_event:
                    on_event(happened)  # type: ignore[arg-type]
        state = await graph.aget_state(config)
    for task in state.tasks:
        for pending in task.interrupts:
            raise PlanPending(thread_id, pending.value)
    return dict(state.values)


def no_such_thread(thread_id: str) -> UsageError:
    """Return the error of a thread that nobody began."""
    return UsageError(f"no thread {thread_id!r}: `citewell threads` lists them")


@asynccontextmanager
async def alone(thread_id: str, environment: Environment) -> AsyncIterator[None]:
    """Hold a thread for this process.  Raises: UsageError where another run is working on it."""
    folder = environment.home / "locks"
    name = sha256(thread_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    lock = FileLock(folder / f"{name}.lock", thread_local=False)
    try:
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        await asyncio.to_thread(lock.acquire, timeout=0)
    except Timeout:
        raise UsageError(f"thread {thread_id} is busy in another run: wait for it, or use another thread") from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error})") from error
    try:
        yield
    finally:
        lock.release()
