"""Which parts the multi-step graph gets: the graph of facts, the tools over it and the engine behind its steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..nodes.multistep_services import MultistepServices
from ..reasoners.embedded.talk.multistep import RuleSteps
from ..reasoners.multistep import MultistepEngine
from ..retrievers.kg.store import TemporalGraph
from ..settings import Environment, Settings, load_settings, resolve_engine
from ..state.journal import CallJournal
from ..state.ledger import CallLedgers
from ..tools.factual_qa import factual_qa_tool
from ..tools.registry import ToolRegistry
from ..tools.trend_analysis import trend_analysis_tool
from .graph_shelf import GraphShelf, graph_path

RESULT_CHARS = 200_000
"""The whole result is kept; what a model is told of it is bounded by the number of facts."""


def graph_tools(graph_for: Callable[[], TemporalGraph]) -> ToolRegistry:
    """Return the tools of the multi-step agent."""
    tools = ToolRegistry()
    tools.register(factual_qa_tool(graph_for), max_chars=RESULT_CHARS)
    tools.register(trend_analysis_tool(graph_for), max_chars=RESULT_CHARS)
    return tools


def default_multistep_services(
    settings: Settings | None = None, environment: Environment | None = None, *, path: Path | None = None
) -> MultistepServices:
    """Return the services of this process; settings and environment are read where they are not given.

    Args:
        path: Another graph than `kg.sqlite` in the home folder.
    """
    environment = environment or Environment.read()
    settings = settings or load_settings()
    shelf = GraphShelf(path or graph_path(environment))
    return MultistepServices(
        settings=settings,
        tools=graph_tools(shelf.graph),
        graph_for=shelf.graph,
        engine_for=lambda chosen: engine_for(chosen, environment),
        engine_name=lambda chosen: resolve_engine(chosen, environment),
        ledgers=CallLedgers(CallJournal(environment.home / "journal.sqlite")),
    )


def engine_for(settings: Settings, environment: Environment) -> MultistepEngine:
    """Return who decides: rules, or the chat model that the settings name."""
    if resolve_engine(settings, environment) == "embedded":
        return RuleSteps()
    from ..reasoners.chat.multistep import ModelSteps
    from .chat_wiring import model_dialogue

    return ModelSteps(model_dialogue(settings, environment))
