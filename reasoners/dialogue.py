"""What an engine of a conversation is told and what it answers: words, or calls of tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..state.ledger import CallLedger
from ..state.records import Record

OnText = Callable[[str], None]
"""Takes a piece of a reply as it is written."""


class ToolCall(Record):
    """A call as the engine wrote it; nothing of it is checked yet."""

    call_id: str
    name: str
    arguments: str | None = None


class ToolResult(Record):
    """What a call came to, as the engine is told."""

    call: ToolCall
    content: str
    error: str | None = None


class ToolRound(Record):
    """One round of a turn: what the engine said, called, and was told."""

    text: str = ""
    results: tuple[ToolResult, ...] = ()


@dataclass(frozen=True)
class Turn:
    """A user's message with all that an answer to it may rest on.

    Attributes:
        system: The compiled persona with the memories close to the message.
        history: Earlier messages as (role, text), oldest first; role is `user` or `assistant`.
        rounds: What was called in this turn so far.
        tools: JSON schemas of the tools there are at this moment.
        has_sources: Whether the tool `research` has something to read.
        sources: What that is, in words.
        has_facts: Whether the tools over the temporal graph have something to look up.
        ledger: Bounds and records what an engine asks a model.
    """

    system: str
    history: Sequence[tuple[str, str]]
    message: str
    rounds: Sequence[ToolRound] = ()
    tools: Sequence[dict[str, Any]] = field(default_factory=tuple)
    has_sources: bool = False
    sources: Sequence[str] = ()
    has_facts: bool = False
    ledger: CallLedger = field(default_factory=CallLedger)

    def has_tool(self, name: str) -> bool:
        return any(tool["function"]["name"] == name for tool in self.tools)


@dataclass(frozen=True)
class Move:
    """An engine's answer: calls to run first, or, without any, the reply."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class DialogueEngine(Protocol):
    """Who speaks.  Keeps nothing between moves."""

    name: str

    async def move(self, turn: Turn, on_text: OnText) -> Move:
        """Answer a turn.

        Raises: ProviderError where a model cannot be asked, MalformedReply where it says nothing,
        BudgetExhausted where the turn has no room for the call.
        """
        ...


def trimmed_history(history: Sequence[tuple[str, str]], max_chars: int) -> list[tuple[str, str]]:
    """Return the latest messages that fit, oldest first, beginning with one of the user's."""
    kept: list[tuple[str, str]] = []
    left = max_chars
    for role, text in reversed(history):
        if len(text) > left:
            break
        kept.append((role, text))
        left -= len(text)
    while kept and kept[-1][0] != "user":
        kept.pop()
    return kept[::-1]
