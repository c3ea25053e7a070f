"""Which parts a conversation gets: memory, engine and tools behind the ports of its steps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..errors import ProviderError
from ..nodes.chat_services import ChatServices
from ..nodes.services import utc_now
from ..reasoners.dialogue import DialogueEngine
from ..retrievers.memory import Memory
from ..settings import Environment, Settings, load_settings, resolve_engine
from ..state.journal import CallJournal
from ..state.ledger import CallLedgers
from ..state.scope import ToolScope
from ..tools.calculator_tool import TIMEOUT_S, calculator_tool
from ..tools.factual_qa import factual_qa_tool
from ..tools.memory import memory_forget_tool, memory_search_tool, memory_store_tool
from ..tools.registry import ToolRegistry
from ..tools.research import research_tool
from ..tools.trend_analysis import trend_analysis_tool
from ..tools.web_search import SnippetSearch, web_search_tool
from .graph_shelf import GraphShelf, graph_path

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    from ..reasoners.chat.dialogue import ModelDialogue
    from ..tools.web_search import Search

RESEARCH_CHARS = 60_000
FACTS_CHARS = 40_000


@dataclass
class MemoryShelf:
    """The memories of a deployment, opened once per user and namespace and kept open."""

    settings: Settings
    environment: Environment
    clock: Callable[[], datetime] = utc_now
    _open: dict[tuple[str, str | None], Memory] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def memory_for(self, scope: ToolScope) -> Memory:
        """Return the memory of whoever a call runs for."""
        with self._lock:
            key = (scope.user, scope.namespace)
            if key not in self._open:
                self._open[key] = Memory.open(
                    self.environment.home / "memory",
                    user=scope.user,
                    namespace=scope.namespace,
                    settings=self.settings,
                    environment=self.environment,
                    clock=lambda: self.settings.fixed_time or self.clock(),
                )
            return self._open[key]

    def close(self) -> None:
        with self._lock:
            for memory in self._open.values():
                memory.close()
            self._open.clear()


def default_chat_services(
    settings: Settings | None = None,
    environment: Environment | None = None,
    *,
    research: Runnable[Any, Any] | None = None,
    web_search: Search | None = None,
) -> ChatServices:
    """Return the services of this process; settings and environment are read where they are not given.

    Args:
        research: The compiled research graph; that of this deployment where absent.
        web_search: Another search than the one the environment names; built-in snippets where it names none.
    """
    environment = environment or Environment.read()
    settings = settings or load_settings()
    shelf = MemoryShelf(settings, environment)
    return ChatServices(
        settings=settings,
        tools=default_tools(shelf, settings, environment, research=research, web_search=web_search),
        memory_for=shelf.memory_for,
        engine_for=lambda chosen: engine_for(chosen, environment),
        has_facts=graph_path(environment).is_file,
        ledgers=CallLedgers(CallJournal(environment.home / "journal.sqlite")),
    )


def default_tools(
    shelf: MemoryShelf,
    settings: Settings,
    environment: Environment,
    *,
    research: Runnable[Any, Any] | None = None,
    web_search: Search | None = None,
) -> ToolRegistry:
    """Return the tools of a conversation: memory, calculator, web search, research and the temporal graph's two."""
    from ..retrievers.web_providers import web_search as provider

    tools = ToolRegistry()
    tools.register(memory_store_tool(shelf.memory_for))
    tools.register(memory_search_tool(shelf.memory_for))
    tools.register(memory_forget_tool(shelf.memory_for))
    tools.register(calculator_tool(), timeout_s=TIMEOUT_S)
    tools.register(web_search_tool(web_search or provider(settings, environment) or SnippetSearch()))
    facts = GraphShelf(graph_path(environment))
    tools.register(factual_qa_tool(facts.graph), max_chars=FACTS_CHARS)
    tools.register(trend_analysis_tool(facts.graph), max_chars=FACTS_CHARS)
    graph = research or _research_graph(settings, environment)
    # The run keeps its own time budget and ends in data; this limit is for one that does not.
    tools.register(research_tool(graph), timeout_s=settings.max_seconds + 60, max_chars=RESEARCH_CHARS)
    return tools


def engine_for(settings: Settings, environment: Environment) -> DialogueEngine:
    """Return who speaks: rules, or the chat model that the settings name."""
    if resolve_engine(settings, environment) == "embedded":
        from ..reasoners.embedded.talk.dialogue import IntentDialogue

        return IntentDialogue()
    return model_dialogue(settings, environment)


def model_dialogue(settings: Settings, environment: Environment) -> ModelDialogue:
    """Return the chat model that the settings name, opened when it is first asked."""
    from ..reasoners.chat.dialogue import ModelDialogue
    from ..reasoners.chat.models import ChatModel, handed_in, model_for

    async def open_() -> ChatModel:
        own = environment.chat_model
        address = handed_in(own).place.address if own is not None else environment.openai_base_url
        if settings.offline and not _is_loopback(address):
            raise ProviderError(settings.model, "this run is offline", setting="CITEWELL_OFFLINE")
        return await model_for("agent", settings, environment)

    return ModelDialogue(open_, max_parallel_calls=settings.max_parallel_calls)


def _is_loopback(url: str | None) -> bool:
    host = urlsplit(url or "").hostname or ""
    return host in ("localhost", "127.0.0.1", "::1")


def _research_graph(settings: Settings, environment: Environment) -> Runnable[Any, Any]:
    from .research import build_research_graph
    from .wiring import default_services

    # No checkpointer: a run inside a turn is done with it, and its state is not the conversation's.
    return build_research_graph(default_services(settings, environment)).compile(checkpointer=False, name="research")
