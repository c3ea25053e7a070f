"""Who reads documents into the graph: the rules, or a chat model with the rules behind it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from ...settings import Environment, Settings, resolve_engine
from .building import EmbeddedReader, Reader


@contextlib.asynccontextmanager
async def reader_for(settings: Settings, environment: Environment, paths: Sequence[Path]) -> AsyncIterator[Reader]:
    """Give the reader that the settings name, for one build over some paths."""
    if resolve_engine(settings, environment) == "embedded":
        yield EmbeddedReader()
        return
    reader = EmbeddedReader()
    reader.notes.append("documents were read by rules: a chat model reads none yet")
    yield reader
