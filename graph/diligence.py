"""The diligence graph: stage the dataroom, research it under the policy, check and write the artifacts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph

from ..errors import UsageError
from ..nodes.artifact_writer import ArtifactWriter
from ..nodes.services import Services
from ..nodes.stager import Stager
from ..reports.traces.recording import recording
from ..settings import Environment, Settings
from ..state.context import ResearchContext
from ..state.diligence import DiligenceInput, DiligenceOutput, DiligenceState
from ..state.harness import Harness, check_promoted, load_harness
from ..state.records import Report
from ..state.savers import open_saver
from ..tools.evidence_checks import check_evidence_coverage
from .dataroom import dataroom_services
from .research import build_research_graph, recursion_limit
from .wiring import base_services

DiligenceGraph = StateGraph[DiligenceState, ResearchContext, DiligenceInput, DiligenceOutput]


@dataclass(frozen=True)
class DiligenceResult:
    """What a diligence run left: the report, the files, the outcome of the two checks."""

    report: Report
    artifacts: tuple[Path, ...]
    coverage: dict[str, Any]
    validation: dict[str, Any]
    thread_id: str

    @property
    def passed(self) -> bool:
        """Whether both checks passed."""
        return bool(self.coverage.get("passed")) and bool(self.validation.get("passed", True))


def build_diligence_graph(services: Services | None = None, harness: Harness | None = None) -> DiligenceGraph:
    """Return the builder of the diligence graph; its middle is the research graph itself."""
    services, harness = services or base_services(), harness or load_harness()
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
    return graph


async def adiligence(
    dataroom: str | Path,
    question: str,
    *,
    out: str | Path | None = None,
    harness: Harness | None = None,
    settings: Settings | None = None,
    environment: Environment | None = None,
    services: Services | None = None,
    thread_id: str | None = None,
    on_event: Callable[[dict[str, Any]], None] | None = None,
) -> DiligenceResult:
    """Answer a question from a dataroom and leave the artifacts.

    Args:
        out: Folder for the artifacts, outside the dataroom; none are written where it is missing.
        harness: The policy; the shipped one by default.
    Raises: UsageError for an empty question, a dataroom that is no folder, an output folder inside it, and a promoted
        policy that was edited.
    """
    if not question.strip():
        raise UsageError("the question is empty")
    harness = harness or load_harness()
    check_promoted(harness)
    services = services or base_services(settings, environment)
    thread = thread_id or uuid4().hex[:12]
    limit = recursion_limit(services.settings.max_iterations, services.settings.max_repairs) + 3
    config = RunnableConfig(
        configurable={"thread_id": thread}, recursion_limit=services.settings.recursion_limit or limit
    )
    given: DiligenceInput = {"question": question, "dataroom": str(dataroom), "out": str(out or "")}
    marks = {"harness.version": harness.version, "harness.sha256": harness.sha256}
    with recording(
        services.environment,
        services.settings,
        thread_id=thread,
        workflow="diligence",
        question=question,
        resource=marks,
    ) as recorder:
        if recorder is not None:
            config["callbacks"] = [*recorder.callbacks]
        async with open_saver(services.environment) as saver:
            graph = build_diligence_graph(services, harness).compile(checkpointer=saver)
            async for _, happened in graph.astream(
                given, config, stream_mode="custom", subgraphs=True, durability="sync"
            ):
                if recorder is not None:
                    recorder.on_event(happened)  # type: ignore[arg-type]
                if on_event:
                    on_event(happened)  # type: ignore[arg-type]
            values = (await graph.aget_state(config)).values
    return DiligenceResult(
        report=Report.model_validate(values["report"]),
        artifacts=tuple(map(Path, values.get("artifacts", ()))),
        coverage=values.get("coverage", {}),
        validation=values.get("validation", {}),
        thread_id=thread,
    )


def diligence(dataroom: str | Path, question: str, **options: Any) -> DiligenceResult:
    """Answer a question from a dataroom; see `adiligence`, whose arguments it takes."""
    return asyncio.run(adiligence(dataroom, question, **options))
