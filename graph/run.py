"""Run a research graph for a caller: thread, saver, events, resume.  What the command line and the Python API call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from filelock import FileLock, Timeout
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from ..errors import UsageError
from ..nodes.services import Services
from ..settings import Environment, Settings, load_settings
from ..state.records import Record, Report
from ..state.savers import open_saver
from .research import build_research_graph, recursion_limit
from .wiring import default_services

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


class ThreadInfo(Record):
    """One line of the list of threads."""

    thread_id: str
    question: str = ""
    status: str = ""
    updated_at: str = ""
    turns: int = 0


async def aresearch(
    question: str,
    *,
    docs: Sequence[str | Path] = (),
    urls: Sequence[str] = (),
    web: bool = False,
    corpus: str | Path | None = None,
    thread_id: str | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    services: Services | None = None,
    on_event: OnEvent | None = None,
    **overrides: Any,
) -> Report:
    """Answer a question from files, pages, a kept corpus or the web.

    Args:
        question: In any language.  On a known thread it may lean on what was asked before.
        docs: Files and folders.
        urls: Pages, http or https.
        web: Whether to search the web too.
        corpus: Folder of a kept corpus.
        thread_id: Continues or names a thread; a new one is made where it is missing.
        settings: Replaces what environment and `citewell.toml` say.
        environment: Keys, addresses and the home folder.
        services: Hands in other parts, e.g. in a test.
        on_event: Gets every event of the run (`citewell.state.events`).
        overrides: Single settings, e.g. `max_repairs=0`.
    Returns: The report; a failed run has one too, with status `failed`.
    Raises: UsageError for a bad setting, an empty question or no source, and where another process is working on the
        thread; PlanPending where `approve_plan` is set.
    """
    services = services or _services(settings, environment, overrides)
    if not question.strip():
        raise UsageError("the question is empty")
    sources = {"docs": [str(doc) for doc in docs], "urls": list(urls), "web": web, "corpus": str(corpus or "")}
    named = any(sources.values())
    if not named and thread_id is None:
        raise UsageError("no source given: name files or folders, URLs, a kept corpus, or allow the web")
    thread = thread_id or _new_thread(question, sources, services.settings)
    given: dict[str, Any] = {"question": question, **(sources if named else {})}
    return await _run(given, thread, services, on_event)


async def aresume(
    thread_id: str,
    *,
    decision: dict[str, Any] | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    services: Services | None = None,
    on_event: OnEvent | None = None,
    **overrides: Any,
) -> Report:
    """Take up a thread that was interrupted or waits for approval; a finished one returns its last report.

    Args:
        decision: The reply to a waiting plan: `{"action": "approve" | "edit" | "reject", "queries": […], "reason": …}`.
    Raises: UsageError where there is no such thread; PlanPending where a decision is needed and none is given.
    """
    services = services or _services(settings, environment, overrides)
    return await _run(Command(resume=decision) if decision else None, thread_id, services, on_event)


def research(question: str, **options: Any) -> Report:
    """Answer a question; see `aresearch`, whose arguments it takes."""
    return asyncio.run(aresearch(question, **options))


def resume(thread_id: str, **options: Any) -> Report:
    """Take up a thread; see `aresume`, whose arguments it takes."""
    return asyncio.run(aresume(thread_id, **options))


async def alist_threads(environment: Environment | None = None) -> list[ThreadInfo]:
    """Return the threads of a home, the last used first."""
    environment = environment or Environment.read()
    if not environment.postgres_url and not (environment.home / "checkpoints.sqlite").exists():
        return []
    threads: dict[str, ThreadInfo] = {}
    async with open_saver(environment) as saver:
        async for found in saver.alist(None):
            configurable = found.config["configurable"]
            thread_id = configurable["thread_id"]
            if thread_id in threads or configurable.get("checkpoint_ns"):
                continue
            values = found.checkpoint["channel_values"]
            run, report = values.get("run"), values.get("report")
            done = bool(report and run and report.run_id == run.run_id)
            threads[thread_id] = ThreadInfo(
                thread_id=thread_id,
                question=run.question if run else str(values.get("question") or ""),
                status=report.status if report and done else "interrupted",
                updated_at=str(found.checkpoint["ts"]),
                turns=sum(message.type == "ai" for message in values.get("messages", ())),
            )
    return sorted(threads.values(), key=lambda info: (info.updated_at, info.thread_id), reverse=True)


def list_threads(environment: Environment | None = None) -> list[ThreadInfo]:
    """Return the threads of a home, the last used first."""
    return asyncio.run(alist_threads(environment))


def _services(settings: Settings | None, environment: Environment | None, overrides: dict[str, Any]) -> Services:
    if settings is None:
        settings = load_settings(overrides)
    elif overrides:
        settings = load_settings(settings.model_dump(exclude_unset=True) | overrides, env={})
    return default_services(settings, environment)


def _new_thread(question: str, sources: dict[str, Any], settings: Settings) -> str:
    if settings.fixed_time is None:
        return uuid4().hex[:12]
    return sha256(repr((question, sorted(sources.items()), settings.fixed_time)).encode()).hexdigest()[:12]


async def _run(given: Any, thread_id: str, services: Services, on_event: OnEvent | None) -> Report:
    from ..reports.traces.recording import recording

    settings, environment = services.settings, services.environment
    limit = settings.recursion_limit or recursion_limit(settings.max_iterations, settings.max_repairs)
    config = RunnableConfig(configurable={"thread_id": thread_id}, recursion_limit=limit)
    async with open_saver(environment) as saver, _alone(thread_id, environment):
        graph = build_research_graph(services).compile(checkpointer=saver)
        if not isinstance(given, dict):
            state = await graph.aget_state(config)
            if not state.values:
                raise UsageError(f"no thread {thread_id!r}: `citewell threads` lists them")
            if not state.next:
                return Report.model_validate(state.values["report"])
        question = str(given["question"]) if isinstance(given, dict) else ""
        with recording(environment, settings, thread_id=thread_id, question=question) as recorder:
            if recorder is not None:
                config["callbacks"] = [*recorder.callbacks]
            async for happened in graph.astream(given, config, stream_mode="custom", durability="sync"):
                if recorder is not None:
                    recorder.on_event(happened)  # type: ignore[arg-type]
                if on_event:
                    on_event(happened)  # type: ignore[arg-type]
        state = await graph.aget_state(config)
    for task in state.tasks:
        for pending in task.interrupts:
            raise PlanPending(thread_id, pending.value)
    return Report.model_validate(state.values["report"])


@asynccontextmanager
async def _alone(thread_id: str, environment: Environment) -> AsyncIterator[None]:
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
