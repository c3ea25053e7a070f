"""For whom a tool runs: handed over in the run's `configurable`, never by the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig

_KEY = "citewell_scope"


@dataclass(frozen=True)
class ToolScope:
    """The user, conversation and turn of a call, and what a research run of this conversation may read."""

    user: str = "default"
    namespace: str | None = None
    thread_id: str = ""
    turn: int | None = None
    research: Mapping[str, Any] = field(default_factory=dict)


def with_scope(config: RunnableConfig | None, scope: ToolScope) -> RunnableConfig:
    """Return a config that carries the scope to a tool."""
    carried: RunnableConfig = {**(config or {})}
    carried["configurable"] = {**carried.get("configurable", {}), _KEY: asdict(scope)}
    return carried


def scope_of(config: RunnableConfig | None) -> ToolScope:
    """Return the scope of a call; the default user where none was set."""
    carried = (config or {}).get("configurable", {}).get(_KEY)
    return ToolScope(**carried) if isinstance(carried, Mapping) else ToolScope()
