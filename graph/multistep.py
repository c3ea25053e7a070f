"""The multi-step graph over the temporal graph of facts: its topology on one screen, its routes as pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from langgraph.graph import END, START, StateGraph

from ..nodes.graph_agent import GraphAgent
from ..nodes.graph_answer import GraphAnswer
from ..nodes.graph_intake import GraphIntake
from ..nodes.graph_planner import GraphPlanner
from ..nodes.graph_tool import GraphTool
from ..nodes.multistep_services import MultistepServices
from ..settings import Environment
from ..state.multistep import MultistepContext, MultistepInput, MultistepOutput, MultistepState
from .multistep_wiring import default_multistep_services
from .routes import in_loop
from .without_loop import with_invoke

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MultistepGraph = StateGraph[MultistepState, MultistepContext, MultistepInput, MultistepOutput]


def build_multistep_graph(
    services: MultistepServices | None = None, *, chat_model: BaseChatModel | None = None
) -> MultistepGraph:
    """Return the builder of the multi-step graph: compile it with your own checkpointer, or add it as a node.

    Args:
        chat_model: A chat model of your own, where no services are given.
    """
    services = services or default_multistep_services(environment=Environment.read().with_chat_model(chat_model))
    graph = StateGraph(
        MultistepState, context_schema=MultistepContext, input_schema=MultistepInput, output_schema=MultistepOutput
    )
    graph.add_node("intake", GraphIntake(services))
    graph.add_node("planner", GraphPlanner(services))
    graph.add_node("agent", GraphAgent(services))
    graph.add_node("tool", GraphTool(services))
    graph.add_node("answer", GraphAnswer(services))
    graph.add_edge(START, "intake")
    graph.add_conditional_edges("intake", in_loop(after_intake), ["planner", "answer"])
    graph.add_conditional_edges("planner", in_loop(after_planner), ["agent", "answer"])
    graph.add_conditional_edges("agent", in_loop(after_agent), ["tool", "answer"])
    graph.add_conditional_edges("tool", in_loop(after_tool), ["agent", "answer"])
    graph.add_edge("answer", END)
    return with_invoke(graph)


def after_intake(state: MultistepState) -> Literal["planner", "answer"]:
    """A question that cannot be asked is answered with the reason."""
    return "answer" if state["failure"] else "planner"


def after_planner(state: MultistepState) -> Literal["agent", "answer"]:
    """To the agent, unless a budget is spent or the provider refuses."""
    return "answer" if state["failure"] or state["stop_reason"] else "agent"


def after_agent(state: MultistepState) -> Literal["tool", "answer"]:
    """To the tool while the engine calls one."""
    return "tool" if state["pending"] else "answer"


def after_tool(state: MultistepState) -> Literal["agent", "answer"]:
    """Back to the agent; a name that is no tool ends the run."""
    return "answer" if state["stop_reason"] else "agent"


def recursion_limit(max_tool_rounds: int) -> int:
    """Return the super-steps of the longest run: intake, planner, agent and tool per call, agent, answer, one spare."""
    return 2 * max_tool_rounds + 5
