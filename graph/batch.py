"""Ask many questions side by side: each on a thread of its own, so that what is finished is never asked again."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal, Protocol

from langchain_core.runnables import RunnableConfig

from ..nodes.services import Services
from ..settings import Settings, merge_settings
from ..state.records import Report
from ..state.savers import open_saver
from .following import ThreadBusy, Workflow, follow, is_finished
from .questions import Question
from .research import build_research_graph, recursion_limit

BUSY_PAUSE_S = 0.5

How = Literal["asked", "resumed", "kept"]
"""Whether a question was asked now, taken up where an earlier run was stopped, or finished earlier."""


@dataclass(frozen=True)
class Finished:
    """How a question ended.

    Attributes:
        report: None where the run ended with an error.
        seconds: Wall time of this process; 0 for a question that was finished earlier.
    """

    question: Question
    thread_id: str
    how: How = "asked"
    report: Report | None = None
    error: Exception | None = None
    seconds: float = 0.0


class Asker(Protocol):
    """Asks one question, or finds it answered.  Raises: ThreadBusy where another process is asking it."""

    async def __call__(self, question: Question) -> Finished: ...


OnFinished = Callable[[Finished], Awaitable[None]]


async def in_parallel(questions: Iterable[Question], ask: Asker, *, concurrency: int, on_finished: OnFinished) -> None:
    """Ask questions, at most so many at once, in the order given; one that fails stops no other.

    What another process is asking is put off until the others are done, so that several processes share a batch.

    Args:
        on_finished: Told of each question once, as it ends.
    """
    waiting = deque(questions)

    async def work() -> None:
        while waiting:
            question = waiting.popleft()
            try:
                finished = await ask(question)
            except ThreadBusy:
                waiting.append(question)
                await asyncio.sleep(BUSY_PAUSE_S)
                continue
            await on_finished(finished)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(waiting))):
            group.create_task(work())


async def abatch(
    questions: Iterable[Question], services: Services, *, concurrency: int, on_finished: OnFinished
) -> None:
    """Ask questions in this process, over one saver, one set of corpora, and one lane to each provider."""
    async with open_saver(services.environment) as saver:
        workflow = Workflow("research", build_research_graph(services), recursion_limit=0)
        graph = workflow.compiled(saver)

        async def ask(question: Question) -> Finished:
            began, settings = time.monotonic(), merge_settings(services.settings, question.context)
            thread_id, how = "", "asked"  # type: tuple[str, How]
            try:
                for thread_id in threads_of(question):
                    state = await graph.aget_state(RunnableConfig(configurable={"thread_id": thread_id}))
                    if not is_finished(state):
                        how = "resumed"
                    elif state.values:
                        report = Report.model_validate(state.values["report"])
                        if report.status == "failed":
                            continue
                        return Finished(question, thread_id, "kept", report)
                    break
                values = await follow(
                    replace(workflow, recursion_limit=_limit(settings)),
                    question.given if how == "asked" else None,
                    thread_id,
                    settings=settings,
                    environment=services.environment,
                    saver=saver,
                    context=question.context,
                )
                report = Report.model_validate(values["report"])
            except ThreadBusy:
                raise
            except Exception as error:  # One run never stops the others, whatever it ends with.
                return Finished(question, thread_id, how, error=error, seconds=time.monotonic() - began)
            return Finished(question, thread_id, how, report, seconds=time.monotonic() - began)

        await in_parallel(questions, ask, concurrency=concurrency, on_finished=on_finished)


def threads_of(question: Question) -> Iterator[str]:
    """Give the threads of a question: the first one, and another one for each time after it failed."""
    stem = f"batch-{question.identity[:16]}"
    yield stem
    for attempt in count(2):
        yield f"{stem}-{attempt}"


def _limit(settings: Settings) -> int:
    return settings.recursion_limit or recursion_limit(settings.max_iterations, settings.max_repairs)
