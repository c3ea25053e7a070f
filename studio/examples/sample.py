"""What the examples share: two small documents, a question, a saver that knows the records."""

from __future__ import annotations

from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver

from ...state.savers import checkpoint_serde

DOCS = [str(Path(__file__).with_name("documents"))]
QUESTION = "How long is the quay of the harbour of Orrin?"


def memory_saver() -> InMemorySaver:
    """Return a saver in memory that takes reports under strict msgpack; `open_saver` is its SQLite twin."""
    return InMemorySaver(serde=checkpoint_serde())
