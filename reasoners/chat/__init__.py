"""The engine that asks a chat model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...settings import Environment
    from ..protocol import Reasoner
    from .asking import ChatRun
    from .reasoner import Ahead


def chat_reasoner(
    run: ChatRun, node: str, embedded: Reasoner, environment: Environment, ahead: Ahead | None = None
) -> Reasoner:
    """Return the reasoner of one node of a run; the model is opened when it is first asked.

    Args:
        run: What the run's calls share.
        node: The node that asks, which may have a model of its own in `node_models`.
        embedded: The engine behind every step.
        environment: Keys and addresses, and the home where server capabilities are remembered.
        ahead: What makes ready the checks of claims while the model is asked.
    """
    from .asking import Asker
    from .capabilities import book_at
    from .models import model_for
    from .reasoner import ChatReasoner

    book = book_at(environment.home / "cache" / "models.json")
    return ChatReasoner(Asker(lambda: model_for(node, run.settings, environment), run, book), embedded, ahead)
