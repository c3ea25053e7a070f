"""Start a question to the temporal graph.  Reads question, messages; writes asked and fresh channels."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..state.events import event
from ..state.multistep import MultistepContext, MultistepState
from .multistep_services import MultistepServices

MAX_QUESTION_CHARS = 4_000


@dataclass(frozen=True)
class GraphIntake:
    """Settles what is asked and which days the graph knows of."""

    services: MultistepServices

    async def __call__(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> dict[str, Any]:
        settings = self.services.settings_of(runtime)
        messages = list(state.get("messages") or [])
        question = (state.get("question") or "").strip()
        if not question and messages and isinstance(messages[-1], HumanMessage):
            question = messages[-1].text.strip()
        execution = runtime.execution_info
        thread_id = (execution.thread_id if execution else None) or ""
        turn = sum(isinstance(message, AIMessage) for message in messages)
        parents = execution.checkpoint_ns.split("|")[:-1] if execution else []
        place = ["multistep", thread_id, *parents, str(turn), question]
        if not thread_id and settings.fixed_time is None:
            place.append(uuid4().hex)
        run_id = sha256("\x1f".join(place).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        runtime.stream_writer(event("thread", thread_id=thread_id, run_id=run_id))
        failure = "" if question else "the question is empty"
        if len(question) > MAX_QUESTION_CHARS:
            failure = f"the question has {len(question)} characters, at most {MAX_QUESTION_CHARS} are read"
        known: list[str] = []
        try:
            graph = self.services.graph_for()
            days = await asyncio.to_thread(graph.date_range)
            known = [day.isoformat() for day in days] if days else []
            if not failure and not await asyncio.to_thread(graph.documents):
                failure = "the graph knows nothing yet: build it with `citewell kg build PATH`"
        except CitewellError as error:
            failure = failure or str(error)
        asked = {
            "run_id": run_id,
            "thread_id": thread_id,
            "created_at": self.services.now(settings).isoformat(),
            "question": question[:MAX_QUESTION_CHARS],
            "engine": self.services.engine_name(settings),
            "known": known,
        }
        fresh: dict[str, Any] = {"plan": [], "plan_text": "", "calls": [], "pending": {}, "draft": "", "fallbacks": []}
        return fresh | {"asked": asked, "failure": failure, "stop_reason": "", "seconds": 0.0}
