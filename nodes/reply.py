"""Check the draft against the persona and say it.  Reads draft, recalled, rounds; writes messages, memories, ledger."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import regex
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from ..reasoners.persona import without_forbidden
from ..state.chat import ChatContext, ChatState
from .chat_services import ChatServices

_MEMORY_ID = regex.compile(r"\bmem_\d{4,}\b")
NO_REPLY = "I have no answer to that."


@dataclass(frozen=True)
class Reply:
    """The last step of a turn: only the user's words and this reply stay in the conversation."""

    services: ChatServices

    async def __call__(self, state: ChatState, runtime: Runtime[ChatContext]) -> dict[str, Any]:
        text = without_forbidden(state["draft"].strip() or NO_REPLY, self.services.persona_of(runtime))
        quoted = list(dict.fromkeys(_MEMORY_ID.findall(text)))
        ledger = await self.services.ledger_of(state, runtime)
        # What the journal holds serves a turn that was cut off; this one has its answer.
        await asyncio.to_thread(self.services.ledgers.close, ledger.run_id)
        told = {"messages": [AIMessage(text)], "memories": quoted, "ledger": ledger.told()}
        return told | {"draft": "", "pending": []}
