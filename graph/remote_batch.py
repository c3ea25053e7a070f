"""Ask the questions of a batch through a LangGraph server: its queue runs them, more servers are more workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import count
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError

from ..errors import ProviderUnavailable, ResearchError, UsageError
from ..settings import Environment, Settings
from ..state.records import Report
from .batch import Finished, How, OnFinished, in_parallel
from .questions import Question

T = TypeVar("T")

GRAPH = "research"
AWAY_S = 120.0
"""How long a server may be away, e.g. to start again, before its questions count as failed."""

PAUSE_S = 1.0


async def abatch_on(
    url: str,
    questions: Iterable[Question],
    explicit: Mapping[str, Any],
    environment: Environment,
    *,
    concurrency: int,
    on_finished: OnFinished,
) -> None:
    """Ask questions on a server's queue.

    A run belongs to the server: one that was begun goes on there when this process is stopped, and is joined when the
    batch is called again.

    Args:
        url: The server's address.
        explicit: Settings that go with every question; the server's own hold else.
        environment: `CITEWELL_TOKEN` is sent where it is set.
        concurrency: Questions on the queue or under way at once.
    Raises: ProviderUnavailable where no server answers; UsageError where it has no such graph or takes no such token.
    """
    context = Settings.model_validate(dict(explicit)).model_dump(mode="json", exclude_unset=True)
    async with get_client(url=url, api_key=environment.token, timeout=(10.0, None, None, None)) as client:
        await _greet(client, url)
        remote = _Remote(client, url, context)
        await in_parallel(questions, remote.ask, concurrency=concurrency, on_finished=on_finished)


async def _greet(client: LangGraphClient, url: str) -> None:
    """See that the server is there and knows the graph before anything is asked of it."""
    try:
        known = await client.assistants.search(graph_id=GRAPH, limit=1)
    except APIStatusError as error:
        if error.status_code in (401, 403):
            raise UsageError(f"{url}: the token was refused; set CITEWELL_TOKEN to the server's") from error
        raise UsageError(f"{url}: is no LangGraph server of citewell ({error})") from error
    except httpx.HTTPError as error:
        raise _away(url, error) from error
    if not known:
        raise UsageError(f"{url}: this server has no graph {GRAPH!r}; start it with `citewell serve`")


def _away(url: str, error: Exception) -> ProviderUnavailable:
    return ProviderUnavailable(f"the LangGraph server at {url}", f"cannot be reached ({error or type(error).__name__})")


class _Remote:
    def __init__(self, client: LangGraphClient, url: str, context: Mapping[str, Any]) -> None:
        self._client, self._url, self._context = client, url, context

    async def ask(self, question: Question) -> Finished:
        """Find the question answered, join its run, or have it run."""
        began = time.monotonic()
        thread_id, how = "", "asked"  # type: tuple[str, How]
        try:
            for attempt in count(1):
                thread_id = str(uuid5(NAMESPACE_URL, f"citewell-batch:{question.identity}:{attempt}"))
                how, report = await self._begun(thread_id)
                if report is None or report.status != "failed":
                    break
            if report is not None:
                return Finished(question, thread_id, "kept", report)
            report = await self._run(thread_id, question, how)
        except Exception as error:  # One run never stops the others, whatever it ends with.
            return Finished(question, thread_id, how, error=error, seconds=time.monotonic() - began)
        return Finished(question, thread_id, how, report, seconds=time.monotonic() - began)

    async def _begun(self, thread_id: str) -> tuple[How, Report | None]:
        """Make the thread where it is missing, and tell what it holds."""
        client = self._client
        await self._patiently(
            lambda: client.threads.create(thread_id=thread_id, graph_id=GRAPH, if_exists="do_nothing")
        )
        state = await self._patiently(lambda: client.threads.get_state(thread_id))
        values: Any = state["values"] or {}
        if state["tasks"] or await self._active(thread_id):
            return "resumed", None
        report = values.get("report")
        return ("kept", Report.model_validate(report)) if report else ("asked", None)

    async def _active(self, thread_id: str) -> str:
        """Return the id of the run that is under way or queued on a thread, empty where there is none."""
        for status in ("running", "pending"):
            runs = await self._patiently(
                lambda status=status: self._client.runs.list(thread_id, limit=1, status=status)  # type: ignore[misc]
            )
            if runs:
                return str(runs[0]["run_id"])
        return ""

    async def _run(self, thread_id: str, question: Question, how: How) -> Report:
        own = question.context.model_dump(mode="json", exclude_unset=True)
        run_id = await self._active(thread_id)
        if not run_id:
            run = await self._patiently(
                lambda: self._client.runs.create(
                    thread_id,
                    GRAPH,
                    input=question.given if how == "asked" else None,
                    context={**self._context, **own},
                    durability="sync",
                    multitask_strategy="reject",
                )
            )
            run_id = run["run_id"]
        await self._patiently(lambda: self._client.runs.join(thread_id, run_id))
        run = await self._patiently(lambda: self._client.runs.get(thread_id, run_id))
        state = await self._patiently(lambda: self._client.threads.get_state(thread_id))
        values: Any = state["values"] or {}
        if run["status"] != "success" or not values.get("report"):
            raise ResearchError(f"the server's run {run_id} ended with {run['status']}: its log tells more")
        return Report.model_validate(values["report"])

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call, and call again while the server is away; what was begun there goes on meanwhile."""
        until = time.monotonic() + AWAY_S
        while True:
            try:
                return await call()
            except (httpx.TransportError, APIStatusError) as error:
                passing = not isinstance(error, APIStatusError) or error.status_code in (429, 502, 503, 504)
                if not passing:
                    raise UsageError(f"{self._url}: {' '.join(str(error).split())}") from error
                if time.monotonic() > until:
                    raise _away(self._url, error) from error
                await asyncio.sleep(PAUSE_S)
