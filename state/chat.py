"""Channels of the chat graph, one line of meaning each, and what a conversation may be told from outside."""

from __future__ import annotations

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import Field
from typing_extensions import TypedDict

from ..settings import Settings


class ChatContext(Settings):
    """The settings of a conversation.  Only the fields that are given count; the others keep the deployment's value."""

    user: str = Field(default="default", min_length=1, description="Whose memories are used; the exact name.")
    namespace: str | None = Field(default=None, description="A part of the user's memories to keep to.")
    persona: dict[str, Any] | None = Field(
        default=None,
        description="name, role, traits, goals, forbidden_phrases; Aria where absent.",
        json_schema_extra={"langgraph_nodes": ["agent", "reply"]},
    )
    max_tool_rounds: int = Field(
        default=8,
        ge=1,
        le=50,
        description="Rounds of tool calls in a turn.",
        json_schema_extra={"langgraph_nodes": ["agent"]},
    )
    recall_k: int = Field(
        default=3,
        ge=0,
        le=20,
        description="Memories shown with each message.",
        json_schema_extra={"langgraph_nodes": ["recall"]},
    )
    window_chars: int = Field(
        default=24_000,
        ge=500,
        description="Characters of the conversation that the engine is shown.",
        json_schema_extra={"langgraph_nodes": ["agent"]},
    )
    docs: tuple[str, ...] = Field(default=(), description="Files and folders that the tool `research` may read.")
    urls: tuple[str, ...] = Field(default=(), description="Pages that the tool `research` may read.")
    corpus: str | None = Field(default=None, description="A corpus folder that the tool `research` may read.")
    web: bool = Field(default=False, description="Whether the tool `research` may search the web.")

    def settings_given(self) -> dict[str, Any]:
        """Return the plain settings that were given, by name."""
        return {name: getattr(self, name) for name in self.model_fields_set if name in Settings.model_fields}

    def research_inputs(self) -> dict[str, Any]:
        """Return what a research run of this conversation may read, as its input takes it."""
        given = {"docs": list(self.docs), "urls": list(self.urls), "corpus": self.corpus, "web": self.web}
        return {name: value for name, value in given.items() if value}

    def sources_named(self) -> tuple[str, ...]:
        """Return in words what a research run of this conversation may read."""
        kept = (f"the corpus {self.corpus}",) if self.corpus else ()
        return (*self.docs, *self.urls, *kept, *(("the web",) if self.web else ()))


class ChatInput(TypedDict):
    """What a turn begins with."""

    messages: Annotated[list[AnyMessage], add_messages]  # the user's message, as the last one


class ChatOutput(TypedDict):
    """What a turn leaves."""

    messages: Annotated[list[AnyMessage], add_messages]  # the user's words and the final answers
    rounds: list[dict[str, Any]]  # the turn's tool rounds, as JSON
    memories: list[str]  # ids of the memories that the reply quotes
    failure: str  # why the engine gave no answer; empty where it did
    stop_reason: str  # the budget that ended the turn; empty where it came to its answer
    ledger: dict[str, Any]  # model calls, tokens, cost and seconds of the turn


class ChatState(ChatOutput):
    """A conversation between two steps.  Tool messages never enter `messages`, so that no turn can spoil the next."""

    turn: int  # counted from 1
    run_id: str  # names the turn in the call journal
    seconds: float  # active time of the turn so far
    recalled: list[dict[str, Any]]  # memories close to the message, as JSON
    pending: list[dict[str, Any]]  # calls to run next, as JSON
    draft: str  # the reply before it is checked
