"""Channels that a graph can hold by the dozen: what no step writes costs next to nothing at each step."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Self

from langgraph.channels import BinaryOperatorAggregate, LastValue
from pydantic import TypeAdapter

Reducer = Callable[[Any, Any], Any]

# What LangGraph holds in a channel that has no value.
_NOTHING = LastValue(Any).value


class Joined(BinaryOperatorAggregate[Any]):
    """Joins what is written by a reducer, as LangGraph does; its copies, of which each route makes one, are cheap.

    Before anything is written it holds what its type makes without arguments, if anything: nobody need write that.

    Args:
        kind: The type of its values.
        reducer: Joins the value so far and what is written.
    """

    __slots__ = ()

    def __init__(self, kind: Any, reducer: Reducer) -> None:
        super().__init__(kind, reducer)

    def copy(self) -> Self:
        """Return a copy."""
        twin = object.__new__(type(self))
        twin.typ, twin.key, twin.operator, twin.value = self.typ, self.key, self.operator, self.value
        return twin

    def from_checkpoint(self, checkpoint: Any) -> Self:
        """Return a copy that holds what was saved, if anything was."""
        twin = self.copy()
        if checkpoint is not _NOTHING:
            twin.value = checkpoint
        return twin


def last(kind: Any) -> Joined:
    """Return a channel that keeps the last value, read as `kind`.

    Steps write records; whoever edits a state in Studio or over the API writes JSON.
    Raises, when it is written: pydantic's ValidationError where a value is no such record: the edit fails, and not
    the step after it.
    """
    adapter = TypeAdapter(kind)

    def keep(_: Any, right: Any) -> Any:
        read = adapter.validate_python(right)
        # The very tuple that was written, where it holds what it should: it need not be packed again.
        same = type(read) is type(right) is tuple and all(map(is_, read, right))
        return right if same else read

    return Joined(kind, keep)


def optional(kind: Any) -> Joined:
    """Return a channel that keeps the last value, read as `kind` or None, which it holds first."""
    channel = last(kind | None)
    channel.value = None
    return channel
