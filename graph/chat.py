"""The chat graph: its topology on one screen, its route as a pure function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from langgraph.graph import END, START, StateGraph

from ..nodes.agent import Agent
from ..nodes.chat_services import ChatServices
from ..nodes.recall import Recall
from ..nodes.reply import Reply
from ..nodes.tool_calls import ToolCalls
from ..settings import Environment
from ..state.chat import ChatContext, ChatInput, ChatOutput, ChatState
from .chat_wiring import default_chat_services
from .routes import in_loop
from .without_loop import with_invoke

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

ChatGraph = StateGraph[ChatState, ChatContext, ChatInput, ChatOutput]


def build_chat_graph(services: ChatServices | None = None, *, chat_model: BaseChatModel | None = None) -> ChatGraph:
    """Return the builder of the chat graph: compile it with your own checkpointer, or add it as a node.

    Args:
        chat_model: A chat model of your own, where no services are given.
    """
    services = services or default_chat_services(environment=Environment.read().with_chat_model(chat_model))
    graph = StateGraph(ChatState, context_schema=ChatContext, input_schema=ChatInput, output_schema=ChatOutput)
    graph.add_node("recall", Recall(services))
    graph.add_node("agent", Agent(services))
    graph.add_node("tools", ToolCalls(services))
    graph.add_node("reply", Reply(services))
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "agent")
    graph.add_conditional_edges("agent", in_loop(after_agent), ["tools", "reply"])
    graph.add_edge("tools", "agent")
    graph.add_edge("reply", END)
    return with_invoke(graph)


def after_agent(state: ChatState) -> Literal["tools", "reply"]:
    """To the tools while the engine calls some; the agent itself ends a turn that used up its rounds."""
    return "tools" if state["pending"] else "reply"


def recursion_limit(max_tool_rounds: int) -> int:
    """Return the super-steps of the longest turn: recall, agent and tools per round, agent, reply, and one to spare."""
    return 2 * max_tool_rounds + 4
