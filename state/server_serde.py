"""The serializer of checkpoints inside a LangGraph server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from .sealed_serde import SealedSerializer


class ServerSerializer(SealedSerializer):
    """Takes the types of a graph inside a graph in itself instead of handing out a copy that knows them.

    A copy would make LangGraph copy its saver too, and what the server (0.16) puts around ours cannot be copied: it
    ends in a RecursionError, so that no graph with another one inside could run there.
    """

    def with_msgpack_allowlist(self, extra_allowlist: Iterable[tuple[str, ...] | type]) -> JsonPlusSerializer:
        """Accept further types from now on and return this very serializer."""
        grown: Any = super().with_msgpack_allowlist(extra_allowlist)
        if grown is not self:
            vars(self).update(vars(grown))
        return self
