"""Recall the memories closest to the user's message.  Reads messages; writes recalled and starts the turn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..state.chat import ChatContext, ChatState
from ..state.events import event
from ..state.scope import ToolScope
from .chat_services import ChatServices, context_of, message_of, run_id_of


@dataclass(frozen=True)
class Recall:
    """The first step of a turn.  A memory that cannot be read is told, and the conversation goes on without it."""

    services: ChatServices

    async def __call__(self, state: ChatState, runtime: Runtime[ChatContext]) -> dict[str, Any]:
        context = context_of(runtime)
        message = message_of(state["messages"])
        turn = state.get("turn", 0) + 1
        started = {
            "turn": turn,
            "run_id": run_id_of(runtime, turn, message),
            "seconds": 0.0,
            "stop_reason": "",
            "ledger": {},
            "rounds": [],
            "pending": [],
            "memories": [],
            "draft": "",
            "failure": "",
            "recalled": [],
        }
        if not message.strip() or not context.recall_k:
            return started
        scope = ToolScope(user=context.user, namespace=context.namespace)
        try:
            memory = await asyncio.to_thread(self.services.memory_for, scope)
            hits = await asyncio.to_thread(memory.search, message, context.recall_k)
        except CitewellError as error:
            runtime.stream_writer(event("fallback", step="recall", reason=str(error)))
            return started
        recalled = [hit.model_dump(mode="json") for hit in hits]
        runtime.stream_writer(event("recall", memories=[hit.memory_id for hit in hits]))
        return started | {"recalled": recalled}
