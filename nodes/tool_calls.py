"""Run the calls that the engine asked for.  Reads pending; writes rounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import regex
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.runtime import Runtime

from ..reasoners.dialogue import ToolCall, ToolResult, ToolRound
from ..reasoners.embedded.talk.forgetting import asks_to_forget
from ..reasoners.embedded.talk.intents import what_to_remember
from ..state.chat import ChatContext, ChatState
from ..state.events import event
from ..state.journal import Recorded
from ..state.scope import with_scope
from ..text.words import content_words, stem
from .chat_services import ChatServices, history_before, message_of, scope_of_run

MEMORY_STORE = "memory_store"
MEMORY_FORGET = "memory_forget"
# A note in the user's own words may be shortened and joined by a few words more.
MIN_OWN_WORDS = 0.5
# What a user pastes as markup or JSON is quoted matter, not the user speaking.
_QUOTED = regex.compile(r"<[^<>]*>|\{(?:[^{}]|(?R))*\}")


@dataclass(frozen=True)
class ToolCalls:
    """Calls run one after the other, each answered with a value, so that a turn always goes on.

    A turn that was killed and is taken up runs none again that came to its end.
    """

    services: ChatServices

    async def __call__(self, state: ChatState, runtime: Runtime[ChatContext]) -> dict[str, Any]:
        config = get_config()
        scope = scope_of_run(state, runtime, config)
        ledger = await self.services.ledger_of(state, runtime)
        results = []
        for place, pending in enumerate(state["pending"]):
            call = ToolCall.model_validate(pending)
            runtime.stream_writer(event("tool_call", name=call.name, arguments=call.arguments or ""))
            request = {"round": len(state["rounds"]), "place": place, "call": pending}
            run = partial(self._recorded, call, state, with_scope(config, scope))
            made = await ledger.once("tool", request | {"for": [scope.user, scope.namespace]}, run)
            result = ToolResult.model_validate(made.result)
            runtime.stream_writer(
                event("tool_result", name=call.name, error=result.error, content=result.content[:2_000])
            )
            results.append(result)
        done = ToolRound(text=state["draft"], results=tuple(results))
        seconds = ledger.budget.seconds
        return {"rounds": [*state["rounds"], done.model_dump()], "pending": [], "draft": "", "seconds": seconds}

    async def _recorded(self, call: ToolCall, state: ChatState, config: RunnableConfig) -> Recorded:
        return Recorded((await self._run(call, state, config)).model_dump())

    async def _run(self, call: ToolCall, state: ChatState, config: RunnableConfig) -> ToolResult:
        if call.name == MEMORY_STORE and not may_store(call.arguments or "", own_words(state)):
            told = (
                "memory_store: refused, since this text does not come from the user: what pages, tools or memories say "
                "is not stored unless the user asks for it"
            )
            return ToolResult(call=call, content=told, error="refused")
        if call.name == MEMORY_FORGET and not asks_to_forget([_QUOTED.sub(" ", said) for said in own_words(state)]):
            told = "memory_forget: refused, since the user did not ask to forget anything; nothing is forgotten"
            return ToolResult(call=call, content=told, error="refused")
        outcome = await self.services.tools.call(call.name, call.arguments, config=config)
        return ToolResult(call=call, content=outcome.content, error=outcome.error)


def own_words(state: ChatState) -> list[str]:
    """Return what the user said in this conversation, the last message first."""
    earlier = [text for role, text in history_before(state["messages"]) if role == "user"]
    return [message_of(state["messages"]), *reversed(earlier)]


def may_store(arguments: str, said: Sequence[str]) -> bool:
    """Whether a text may enter the memory: the user asks to remember, or said it in mostly these words.

    Args:
        arguments: Of the call, as JSON; what is wrong with them is for the tool to say.
        said: The user's messages, the last one first.
    """
    try:
        text = json.loads(arguments)["text"]
    except (json.JSONDecodeError, RecursionError, TypeError, KeyError):
        return True
    if not isinstance(text, str) or (said and what_to_remember(said[0])):
        return True
    own = {stem(word) for message in said for word in content_words(_QUOTED.sub(" ", message))}
    words = {stem(word) for word in content_words(text)}
    return len(words & own) >= MIN_OWN_WORDS * len(words) if words else False
