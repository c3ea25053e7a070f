"""Ask the temporal graph step by step, or take such a thread up: what the command line and the Python API call."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from ..errors import UsageError
from ..nodes.multistep_services import MultistepServices
from ..settings import Environment, Settings, load_settings
from ..state.multistep import MultistepContext, MultistepReport
from .following import OnEvent, Workflow, follow
from .multistep import build_multistep_graph, recursion_limit
from .multistep_wiring import default_multistep_services
from .threads import GRAPH_MARK
from .without_loop import run


async def aask_graph(
    question: str | None,
    *,
    path: Path | None = None,
    thread_id: str | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    services: MultistepServices | None = None,
    on_event: OnEvent | None = None,
    max_tool_rounds: int = 12,
) -> MultistepReport:
    """Answer a question from the temporal graph.

    Args:
        question: None takes the thread up where it was left; what it had finished is not done again.
        path: Another graph than `kg.sqlite` in the home folder.
        thread_id: Names the thread; a new one is made where it is missing.
        services: Hands in other parts, e.g. in a test.
        on_event: Gets every event of the run.
    Returns: The report; a failed run has one too.
    Raises: UsageError for an empty question, a bad setting or an unknown thread; ThreadBusy.
    """
    environment = environment or Environment.read()
    settings = settings or load_settings()
    services = services or default_multistep_services(settings, environment, path=path)
    if question is not None and not question.strip():
        raise UsageError("the question is empty")
    if question is None and thread_id is None:
        raise UsageError("name the thread to take up")
    workflow = Workflow(
        "multistep",
        build_multistep_graph(services),
        settings.recursion_limit or recursion_limit(max_tool_rounds),
        metadata={GRAPH_MARK: "multistep"} | ({"kg": str(path)} if path else {}),
    )
    values = await follow(
        workflow,
        None if question is None else {"question": question},
        thread_id or _new_thread(question or "", settings),
        settings=settings,
        environment=environment,
        on_event=on_event,
        context=MultistepContext(max_tool_rounds=max_tool_rounds),
    )
    return MultistepReport.model_validate(values["report"])


def ask_graph(question: str | None, **options: Any) -> MultistepReport:
    """Answer a question from the temporal graph; see `aask_graph`, whose arguments it takes."""
    return run(aask_graph(question, **options))


def _new_thread(question: str, settings: Settings) -> str:
    if settings.fixed_time is None:
        return uuid4().hex[:12]
    return sha256(repr((question, settings.fixed_time)).encode()).hexdigest()[:12]
