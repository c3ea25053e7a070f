"""The diligence graph: stage the dataroom, research it under the policy, check and write the artifacts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from ..errors import UsageError
from ..nodes.artifact_writer import ArtifactWriter
from ..nodes.services import Services
from ..nodes.stager import Stager
from ..reports.artifacts import earlier_run_in
from ..retrievers.staging import refuse_output_inside
from ..settings import Environment, Settings
from ..state.context import ResearchContext
from ..state.diligence import DiligenceInput, DiligenceOutput, DiligenceState
from ..state.harness import Harness, check_promoted, load_harness
from ..state.kept_harness import keep_harness, kept_harness
from ..state.records import Report
from ..tools.evidence_checks import check_evidence_coverage
from .dataroom import dataroom_services
from .false_start import is_false_start, refuse_without_files
from .following import OnEvent, Workflow, follow
from .research import build_research_graph, recursion_limit
from .threads import HARNESS_MARK, afind_thread
from .wiring import base_services
from .without_loop import run, with_invoke

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

DiligenceGraph = StateGraph[DiligenceState, ResearchContext, DiligenceInput, DiligenceOutput]


@dataclass(frozen=True)
class DiligenceResult:
    """What a diligence run left: the report, the files, the outcome of the two checks."""

    report: Report
    dataroom: Path
    out: Path | None
    artifacts: tuple[Path, ...]
    coverage: dict[str, Any]
    validation: dict[str, Any]
    thread_id: str

    @property
    def passed(self) -> bool:
        """Whether both checks passed."""
        return bool(self.coverage.get("passed")) and bool(self.validation.get("passed", True))


def build_diligence_graph(
    services: Services | None = None, harness: Harness | None = None, *, chat_model: BaseChatModel | None = None
) -> DiligenceGraph:
    """Return the builder of the diligence graph; its middle is the research graph itself.

    Args:
        chat_model: A chat model of your own, where no services are given.
    """
    services, harness = services or base_services(chat_model=chat_model), harness or load_harness()
    graph = StateGraph(
        DiligenceState, context_schema=ResearchContext, input_schema=DiligenceInput, output_schema=DiligenceOutput
    )
    graph.add_node("stager", Stager(harness, services.environment))
    graph.add_node("research", build_research_graph(dataroom_services(services, harness)).compile())
    graph.add_node("artifact_writer", ArtifactWriter(harness, check_evidence_coverage))
    graph.add_edge(START, "stager")
    graph.add_edge("stager", "research")
    graph.add_edge("research", "artifact_writer")
    graph.add_edge("artifact_writer", END)
    return with_invoke(graph)


async def adiligence(
    dataroom: str | Path,
    question: str,
    *,
    out: str | Path | None = None,
    harness: Harness | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    chat_model: BaseChatModel | None = None,
    services: Services | None = None,
    thread_id: str | None = None,
    user: str = "",
    on_event: OnEvent | None = None,
) -> DiligenceResult:
    """Answer a question from a dataroom and leave the artifacts.

    Args:
        out: Folder for the artifacts, outside the dataroom; none are written where it is missing.
        harness: The policy; the shipped one by default.
        chat_model: A chat model of your own, asked wherever `node_models` names none.
        user: Whose earlier runs are recalled, and who is to recall this one; `default` where empty.
    Raises: UsageError for an empty question, a dataroom that is no folder or holds no file, an output folder inside
        it, and a promoted policy that was edited.
    """
    if not question.strip():
        raise UsageError("the question is empty")
    await refuse_without_files([dataroom])
    if out:
        await asyncio.to_thread(_check_output, dataroom, out)
    given: DiligenceInput = {"question": question, "dataroom": str(dataroom), "out": str(out or "")}
    services = services or base_services(settings, environment, chat_model=chat_model)
    return await _run(given, thread_id or uuid4().hex[:12], harness or load_harness(), services, on_event, user)


def _check_output(dataroom: str | Path, out: str | Path) -> None:
    folder = Path(out).expanduser()
    refuse_output_inside(Path(dataroom).expanduser(), folder)
    earlier_run_in(folder)


async def aresume_diligence(
    thread_id: str,
    *,
    decision: dict[str, Any] | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    chat_model: BaseChatModel | None = None,
    services: Services | None = None,
    on_event: OnEvent | None = None,
) -> DiligenceResult:
    """Take up a diligence thread under the policy that it began with; a finished one returns its result.

    Args:
        decision: The reply to a waiting plan, as for `aresume`.
    Raises: UsageError where there is no such thread, or its policy is gone; PlanPending.
    """
    services = services or base_services(settings, environment, chat_model=chat_model)
    start = await afind_thread(thread_id, services.environment)
    if start.graph != "diligence":
        raise UsageError(f"thread {thread_id} is no diligence run")
    harness = await asyncio.to_thread(kept_harness, services.environment.home, start.metadata[HARNESS_MARK])
    given: Command[str] | None = Command(resume=decision) if decision else None
    return await _run(given, thread_id, harness, services, on_event)


async def _run(
    given: Any, thread_id: str, harness: Harness, services: Services, on_event: OnEvent | None, user: str = ""
) -> DiligenceResult:
    check_promoted(harness)
    settings, environment = services.settings, services.environment
    await asyncio.to_thread(keep_harness, environment.home, harness)
    workflow = Workflow(
        "diligence",
        build_diligence_graph(services, harness),
        settings.recursion_limit or recursion_limit(settings.max_iterations, settings.max_repairs) + 3,
        marks={"harness.version": harness.version, "harness.sha256": harness.sha256},
        metadata={HARNESS_MARK: harness.sha256},
        forget=is_false_start,
    )
    values = await follow(
        workflow, given, thread_id, settings=settings, environment=environment, on_event=on_event, user=user
    )
    return DiligenceResult(
        report=Report.model_validate(values["report"]),
        dataroom=Path(values["dataroom"]),
        out=Path(values["out"]) if values.get("out") else None,
        artifacts=tuple(map(Path, values.get("artifacts", ()))),
        coverage=values.get("coverage", {}),
        validation=values.get("validation", {}),
        thread_id=thread_id,
    )


def diligence(dataroom: str | Path, question: str, **options: Any) -> DiligenceResult:
    """Answer a question from a dataroom; see `adiligence`, whose arguments it takes."""
    return run(adiligence(dataroom, question, **options), lasting=options.get("chat_model") is not None)
