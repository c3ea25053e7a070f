"""Who reads documents into the graph: the rules, or a chat model with the rules behind it."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...errors import ProviderError
from ...settings import Environment, Settings, resolve_engine
from ...state.budget import Budget, Limits
from .building import EmbeddedReader, Reader

if TYPE_CHECKING:
    from .chat import ChatReader

_HERE = ("localhost", "127.0.0.1", "::1")


def reader_for(settings: Settings, environment: Environment, graph: Path) -> Reader:
    """Return the reader that the settings name, for one build of a graph."""
    if resolve_engine(settings, environment) == "embedded":
        return EmbeddedReader()
    return chat_reader(settings, environment, graph)


def chat_reader(
    settings: Settings,
    environment: Environment,
    graph: Path,
) -> ChatReader:
    """Return a reader that asks the model of the settings within the budgets of one build.

    Calls are kept in the journal of the home by graph, so that a build that was stopped repeats none.
    Raises: ProviderError where the settings refuse every host and the model is not on this machine.
    """
    if settings.offline and (urlsplit(environment.openai_base_url or "").hostname or "") not in _HERE:
        raise ProviderError(settings.model, "this build is offline", setting="CITEWELL_OFFLINE")
    from ...state.journal import CallJournal
    from ..chat.asking import Asker, ChatRun
    from ..chat.capabilities import book_at
    from ..chat.models import open_model
    from . import chat

    run = ChatRun(
        run_id="kg-" + sha1(str(graph.absolute()).encode()).hexdigest()[:16],
        budget=Budget(Limits.of(settings)),
        journal=CallJournal(environment.home / "journal.sqlite"),
        settings=settings,
        today=datetime.now(UTC).date(),
    )
    name = settings.node_models.get("kg", settings.model)
    asker = Asker(lambda: open_model(name, environment), run, book_at(environment.home / "cache" / "models.json"))
    return chat.ChatReader(asker, f"chat-{chat.VERSION}:{name}")
