"""Drive a compiled graph on one thread: saver, lock, trace, events, and the pauses that wait for a person."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from langchain_core.runnables import RunnableConfig
from langgraph.graph import StateGraph

from ..errors import UsageError, cause
from ..settings import Environment, Settings
from ..state.context import ResearchContext
from ..state.savers import open_saver

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.types import StateSnapshot

USER_MARK = "citewell_user"
"""What a run on somebody's behalf keeps with each checkpoint: the name."""
INTERRUPTED = "__interrupt__"
"""What stands among the values of a run that waits for a person."""
OnEvent = Callable[[dict[str, Any]], None]


class PlanPending(UsageError):
    """A run waits for a person: to approve its plan, or to say where to look.

    Attributes:
        thread_id: The thread to resume.
        request: What was shown: `plan` or `ask`, `actions` and, after a bad reply, `error`.
    """

    def __init__(self, thread_id: str, request: dict[str, Any]) -> None:
        what = "for its plan to be approved" if "plan" in request else "to be told where to look"
        super().__init__(f"thread {thread_id} waits {what}: {shlex.join(('citewell', 'resume', thread_id))}")
        self.thread_id, self.request = thread_id, request


class ThreadBusy(UsageError):
    """Another run is working on a thread."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"thread {thread_id} is busy in another run: wait for it, or use another thread")


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
    forget: Callable[[Mapping[str, Any]], bool] = field(default=lambda values: False)
    """Whether a thread that ended with these values is not worth keeping."""
    _compiled: dict[BaseCheckpointSaver, Any] = field(default_factory=dict, compare=False)

    def compiled(self, saver: BaseCheckpointSaver) -> Any:
        """Return the graph on a saver; runs that share a saver share what compiling made."""
        if saver not in self._compiled:
            self._compiled[saver] = self.graph.compile(checkpointer=saver)
        return self._compiled[saver]


async def follow(
    workflow: Workflow,
    given: Any,
    thread_id: str,
    *,
    settings: Settings,
    environment: Environment,
    on_event: OnEvent | None = None,
    saver: BaseCheckpointSaver | None = None,
    context: Any = None,
    user: str = "",
) -> dict[str, Any]:
    """Run a graph to its end and return the values of its state.

    Args:
        given: The input; a `Command` or None takes the thread up, and a finished one runs nothing.
        saver: An open saver that many runs share; else the deployment's is opened for this run.
        context: The run context, for graphs that take one.
        user: On whose behalf, where no context says so; a thread that is taken up goes on for whom it began.
    Raises: ThreadBusy; UsageError where there is no thread to take up; PlanPending.
    """
    from ..reports.traces.recording import recording

    config = RunnableConfig(
        configurable={"thread_id": thread_id},
        recursion_limit=workflow.recursion_limit,
        metadata={**workflow.metadata, **({USER_MARK: user} if user else {})},
    )
    async with _opened(saver, environment) as opened, alone(thread_id, environment):
        graph = workflow.compiled(opened)
        if not isinstance(given, dict):
            state = await graph.aget_state(config)
            if not state.values and not state.tasks:
                raise no_such_thread(thread_id)
            if is_finished(state):
                return dict(state.values)
            user = user or str((state.metadata or {}).get(USER_MARK, ""))
        if context is None and user:
            context = ResearchContext(user=user)
        question = str(given["question"]) if isinstance(given, dict) else ""
        ended: Mapping[str, Any] | None = None
        with recording(
            environment, settings, thread_id=thread_id, workflow=workflow.name, question=question,
            resource=dict(workflow.marks),
        ) as recorder:  # fmt: skip
            if recorder is not None:
                config["callbacks"] = [*recorder.callbacks]
            async for place, mode, happened in graph.astream(
                given, config, context=context, stream_mode=["custom", "values"], subgraphs=True, durability="sync"
            ):
                if mode == "values":
                    ended = happened if not place else ended
                    continue
                if recorder is not None:
                    recorder.on_event(happened)  # type: ignore[arg-type]
                if on_event:
                    on_event(happened)  # type: ignore[arg-type]
        finished = True
        if ended is None or INTERRUPTED in ended:  # else what the last step left need not be read again
            state = await graph.aget_state(config)
            for task in state.tasks:
                for pending in task.interrupts:
                    raise PlanPending(thread_id, pending.value)
            finished, ended = is_finished(state), state.values
        if finished and workflow.forget(ended):
            await opened.adelete_thread(thread_id)
    return dict(ended)


@asynccontextmanager
async def _opened(saver: BaseCheckpointSaver | None, environment: Environment) -> AsyncIterator[BaseCheckpointSaver]:
    if saver is not None:
        yield saver
        return
    async with open_saver(environment) as opened:
        yield opened


def is_finished(state: StateSnapshot) -> bool:
    """Whether a thread has nothing left to do.

    `state.next` leaves out steps whose results are saved; a process that was killed between those and the checkpoint
    after them has nothing there, but is not done.
    """
    return not state.tasks


def no_such_thread(thread_id: str) -> UsageError:
    """Return the error of a thread that nobody began."""
    return UsageError(f"no thread {thread_id!r}: `citewell threads` lists them")


@asynccontextmanager
async def alone(thread_id: str, environment: Environment) -> AsyncIterator[None]:
    """Hold a thread for this process.  Raises: ThreadBusy where another run is working on it."""
    folder = environment.home / "locks"
    name = sha256(thread_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    lock = FileLock(folder / f"{name}.lock", thread_local=False)

    def hold() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)

    try:
        await asyncio.to_thread(hold)
    except Timeout:
        raise ThreadBusy(thread_id) from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({cause(error)})") from error
    try:
        async with _alone_on_postgres(thread_id, environment):
            yield
    finally:
        lock.release()


@asynccontextmanager
async def _alone_on_postgres(thread_id: str, environment: Environment) -> AsyncIterator[None]:
    """Hold a thread against runs on other machines too, which share its database and not its home."""
    if not environment.postgres_url:
        yield
        return
    from ..state.postgres_locks import locks_of

    locks = locks_of(environment.postgres_url)
    if not await asyncio.to_thread(locks.acquire, thread_id):
        raise ThreadBusy(thread_id)
    try:
        yield
    finally:
        await asyncio.to_thread(locks.release, thread_id)
