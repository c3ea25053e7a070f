"""citewell: grounded research in which every factual sentence is traceable to the passage that supports it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .graph.chat import build_chat_graph
    from .graph.diligence import adiligence, diligence
    from .graph.multistep import build_multistep_graph
    from .graph.multistep_run import aask_graph, ask_graph
    from .graph.research import build_research_graph
    from .graph.run import aresearch, aresume, research, resume
    from .graph.threads import list_threads
    from .reasoners.support import check_answer, check_support
    from .retrievers.corpus import Corpus
    from .retrievers.memory import Memory
    from .settings import Environment, Settings, load_settings
    from .state.context import ResearchContext
    from .state.records import Document, Report

_HOMES = {
    "Corpus": "retrievers.corpus",
    "Document": "state.records",
    "Environment": "settings",
    "Memory": "retrievers.memory",
    "Report": "state.records",
    "ResearchContext": "state.context",
    "Settings": "settings",
    "aask_graph": "graph.multistep_run",
    "adiligence": "graph.diligence",
    "aresearch": "graph.run",
    "aresume": "graph.run",
    "ask_graph": "graph.multistep_run",
    "build_chat_graph": "graph.chat",
    "build_multistep_graph": "graph.multistep",
    "build_research_graph": "graph.research",
    "check_answer": "reasoners.support",
    "check_support": "reasoners.support",
    "diligence": "graph.diligence",
    "list_threads": "graph.threads",
    "load_settings": "settings",
    "research": "graph.run",
    "resume": "graph.run",
}

__all__ = [
    "Corpus",
    "Document",
    "Environment",
    "Memory",
    "Report",
    "ResearchContext",
    "Settings",
    "aask_graph",
    "adiligence",
    "aresearch",
    "aresume",
    "ask_graph",
    "build_chat_graph",
    "build_multistep_graph",
    "build_research_graph",
    "check_answer",
    "check_support",
    "diligence",
    "list_threads",
    "load_settings",
    "research",
    "resume",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
