"""A run's calls over the real client to a scripted server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest
from citewell.reasoners.chat.asking import Asker, ChatRun
from citewell.reasoners.chat.capabilities import CapabilityBook
from citewell.reasoners.chat.models import open_model
from citewell.reasoners.chat.reasoner import ChatReasoner
from citewell.reasoners.embedded import EmbeddedReasoner
from citewell.reasoners.support.judge import RuleJudge
from citewell.settings import Environment, Settings
from citewell.state.budget import Budget, Limits
from citewell.state.journal import CallJournal
from servers.chat_server import ChatServer


@dataclass
class Bench:
    """Builds askers and reasoners that talk to one server, and collects what they tell the run."""

    home: Path
    notes: list[tuple[str, str]] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    waits: list[float] = field(default_factory=list)
    budget: Budget = field(default_factory=lambda: Budget(Limits(model_calls=60, tokens=400_000, seconds=60)))

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def asker(self, server: ChatServer, *, model: str = "openai:gpt-4o-mini", key: str = "k", **settings) -> Asker:
        """Return an asker with a book of its own file under the bench's home."""
        environment = Environment(home=self.home, openai_api_key=key, openai_base_url=server.base_url)
        run = ChatRun(
            run_id="run-1",
            budget=self.budget,
            journal=CallJournal(self.home / "journal.sqlite"),
            settings=Settings(model=model, **settings),
            today=date(2026, 1, 5),
            note=lambda step, reason: self.notes.append((step, reason)),
            contacted=self.hosts.update,
        )
        book = CapabilityBook(self.home / "models.json")
        return Asker(lambda: open_model(model, environment), run, book, self._sleep)

    def reasoner(self, server: ChatServer, **options) -> ChatReasoner:
        """Return a reasoner with the embedded engine behind it."""
        return ChatReasoner(self.asker(server, **options), EmbeddedReasoner(None, RuleJudge()))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def serve() -> Iterator[Callable[..., ChatServer]]:
    """Start scripted servers that stop with the test."""
    started: list[ChatServer] = []

    def start(think, **options) -> ChatServer:
        server = ChatServer(think, **options)
        server.__enter__()
        started.append(server)
        return server

    yield start
    for server in started:
        server.__exit__(None, None, None)
