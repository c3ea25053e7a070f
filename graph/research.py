"""The research graph: its topology on one screen, its routes as pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from ..nodes.fact_extractor import FactExtractor
from ..nodes.fixer import Fixer
from ..nodes.gap_detector import GapDetector
from ..nodes.intake import Intake
from ..nodes.planner import Planner
from ..nodes.publisher import Publisher
from ..nodes.retriever import TARGETED, Retriever, order
from ..nodes.services import Services
from ..nodes.synthesizer import Synthesizer
from ..nodes.validator import FIXABLE, Validator
from ..state.context import ResearchContext
from ..state.research import ResearchInput, ResearchOutput, ResearchState
from .routes import in_loop
from .wiring import default_services
from .without_loop import with_invoke

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

ResearchGraph = StateGraph[ResearchState, ResearchContext, ResearchInput, ResearchOutput]


def build_research_graph(services: Services | None = None, *, chat_model: BaseChatModel | None = None) -> ResearchGraph:
    """Return the builder of the research graph: compile it with your own checkpointer, or add it as a node.

    Args:
        chat_model: A chat model of your own, where no services are given.
    """
    services = services or default_services(chat_model=chat_model)
    graph = StateGraph(
        ResearchState, context_schema=ResearchContext, input_schema=ResearchInput, output_schema=ResearchOutput
    )
    graph.add_node("intake", Intake(services))
    graph.add_node("planner", Planner(services))
    graph.add_node("retriever", Retriever(services))
    graph.add_node("fact_extractor", FactExtractor(services))
    graph.add_node("gap_detector", GapDetector(services))
    graph.add_node("synthesizer", Synthesizer(services))
    graph.add_node("validator", Validator(services))
    graph.add_node("fixer", Fixer(services))
    graph.add_node("publisher", Publisher(services))
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "planner")
    graph.add_conditional_edges("planner", in_loop(after_planner), ["retriever", "synthesizer"])
    graph.add_edge("retriever", "fact_extractor")
    graph.add_edge("fact_extractor", "gap_detector")
    graph.add_conditional_edges("gap_detector", in_loop(after_gap_detector), ["retriever", "synthesizer"])
    graph.add_edge("synthesizer", "validator")
    graph.add_conditional_edges("validator", in_loop(after_validator), ["fixer", "retriever", "publisher"])
    graph.add_edge("fixer", "validator")
    graph.add_edge("publisher", END)
    return with_invoke(graph)


def after_planner(state: ResearchState) -> list[Send] | Literal["synthesizer"]:
    """One retrieval per query; without a query, straight to the (empty) draft."""
    if state["failure"] or not state["plan"].queries:
        return "synthesizer"
    return [Send("retriever", order(state, query, state["iteration"])) for query in state["plan"].queries]


def after_gap_detector(state: ResearchState) -> list[Send] | Literal["synthesizer"]:
    """Follow-up queries where a round is left to ask them; a targeted retrieval goes back to its claim."""
    if state.get("repair_request") or state["stop_reason"] or not state["followups"]:
        return "synthesizer"
    return [Send("retriever", order(state, query, state["iteration"])) for query in state["followups"]]


def after_validator(state: ResearchState) -> list[Send] | Literal["fixer", "publisher"]:
    """To the fixer while a claim fails and repairs are left; to one retrieval where the fixer asked for it."""
    request = state.get("repair_request")
    if request:
        return [Send("retriever", order(state, request.query, TARGETED))]
    failed = any(issue.kind in FIXABLE for issue in state["issues"])
    if failed and state["repairs"] < state["run"].settings["max_repairs"]:
        return "fixer"
    return "publisher"


def recursion_limit(max_iterations: int, max_repairs: int) -> int:
    """Return the super-steps that the longest run of these budgets can take, with one to spare.

    Intake, planner, synthesizer, validator, publisher; three per round; per repair fixer and validator, and once a
    targeted retrieval with its five steps.
    """
    return 5 + 3 * max_iterations + 2 * max_repairs + 5 + 1
