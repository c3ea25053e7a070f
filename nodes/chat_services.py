"""What the steps of a conversation share; each part may be replaced while conversations run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol
from uuid import uuid4

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from ..reasoners.dialogue import DialogueEngine
from ..reasoners.persona import ARIA, Persona
from ..retrievers.memory_items import MemoryBackend
from ..settings import Settings, merge_settings
from ..state.chat import ChatContext, ChatState
from ..state.ledger import CallLedger, CallLedgers
from ..state.scope import ToolScope


class CallOutcome(Protocol):
    """What is read of a tool's outcome."""

    @property
    def content(self) -> str: ...
    @property
    def error(self) -> str | None: ...
    @property
    def seconds(self) -> float: ...


class Toolbox(Protocol):
    """Tools by name.  Asked anew at each step, so that a replaced tool counts at once."""

    def names(self) -> list[str]: ...

    def schemas(self) -> list[dict[str, Any]]: ...

    async def call(
        self, name: str, arguments: str | Mapping[str, Any] | None, *, config: RunnableConfig | None = None
    ) -> CallOutcome: ...


@dataclass
class ChatServices:
    """Memory, engine and tools of a chat graph.  Not frozen on purpose: assigning a field swaps that part live.

    Attributes:
        memory_for: Opens the memory of whoever a call runs for.
        engine_for: Makes the engine that the settings ask for.
        has_facts: Tells whether there is a temporal graph to look things up in.
        ledgers: Budgets and journal of the turns under way; without a journal a killed turn asks again.
    """

    settings: Settings
    tools: Toolbox
    memory_for: Callable[[ToolScope], MemoryBackend]
    engine_for: Callable[[Settings], DialogueEngine]
    persona: Persona = ARIA
    has_facts: Callable[[], bool] = lambda: False
    ledgers: CallLedgers = field(default_factory=CallLedgers)

    async def ledger_of(self, state: ChatState, runtime: Runtime[ChatContext]) -> CallLedger:
        """Return the budget and journal of the turn that a state belongs to."""
        settings = self.settings_of(runtime)
        return await asyncio.to_thread(self.ledgers.of, state["run_id"], settings, state["seconds"])

    def settings_of(self, runtime: Runtime[ChatContext]) -> Settings:
        """Return the deployment's settings with those replaced that the run context gives."""
        return merge_settings(self.settings, runtime.context)

    def persona_of(self, runtime: Runtime[ChatContext]) -> Persona:
        """Return the persona of the run context, or the deployment's."""
        given = context_of(runtime).persona
        return Persona.model_validate(given) if given else self.persona


def context_of(runtime: Runtime[ChatContext]) -> ChatContext:
    """Return the run context; the defaults where none was given."""
    return runtime.context or ChatContext()


def scope_of_run(state: ChatState, runtime: Runtime[ChatContext], config: RunnableConfig) -> ToolScope:
    """Return for whom the tools of this turn run."""
    context = context_of(runtime)
    return ToolScope(
        user=context.user,
        namespace=context.namespace,
        thread_id=str(config.get("configurable", {}).get("thread_id", "")),
        turn=state["turn"],
        research=context.research_inputs() | {"context": context.settings_given()},
    )


def run_id_of(runtime: Runtime[ChatContext], turn: int, message: str) -> str:
    """Return what names a turn in the call journal: the same when a killed turn is taken up, in any process."""
    execution = runtime.execution_info
    thread_id = (execution.thread_id if execution else None) or uuid4().hex
    # The last part names this node's own task; those before it tell parallel instances in one parent apart.
    parents = execution.checkpoint_ns.split("|")[:-1] if execution else []
    place = "\x1f".join(["chat", thread_id, *parents, str(turn), message])
    return sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def message_of(messages: Sequence[AnyMessage]) -> str:
    """Return the text of the user's last message."""
    return next((message.text for message in reversed(messages) if isinstance(message, HumanMessage)), "")


def history_before(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """Return what was said before the user's last message as (role, text)."""
    last = max((at for at, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    roles = {"human": "user", "ai": "assistant"}
    return [(roles[message.type], message.text) for message in messages[:last] if message.type in roles]
