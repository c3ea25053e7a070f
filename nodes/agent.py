"""Ask the engine for its next move.  Reads messages, recalled, rounds; writes pending calls or a draft."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from langgraph.runtime import Runtime

from ..errors import BudgetExhausted, CitewellError
from ..reasoners.dialogue import ToolRound, Turn, trimmed_history
from ..reasoners.persona import Persona, compile_persona, forbidden_in
from ..retrievers.memory_items import MemoryHit
from ..state.chat import ChatContext, ChatState
from ..state.events import event
from ..text.sentences import sentences
from .chat_services import ChatServices, context_of, history_before, message_of

MAX_CALLS_PER_ROUND = 16


@dataclass(frozen=True)
class Agent:
    """The step that thinks.  It never runs a tool itself."""

    services: ChatServices

    async def __call__(self, state: ChatState, runtime: Runtime[ChatContext]) -> dict[str, Any]:
        context = context_of(runtime)
        message = message_of(state["messages"])
        if not message.strip():
            return {"draft": "Your message is empty. Ask a question, or say `remember: …`.", "pending": []}
        rounds = [ToolRound.model_validate(done) for done in state["rounds"]]
        if len(rounds) >= context.max_tool_rounds:
            return {"draft": rounds_spent(rounds), "pending": []}
        ledger = await self.services.ledger_of(state, runtime)
        if reason := ledger.budget.exhausted(model=False):
            return {"draft": budget_spent(reason, rounds), "stop_reason": reason, "pending": []}
        persona = self.services.persona_of(runtime)
        history = history_before(state["messages"])
        turn = Turn(
            system=compile_persona(persona, [MemoryHit.model_validate(hit) for hit in state["recalled"]]),
            history=trimmed_history(history, max(0, context.window_chars - len(message))),
            message=message[: context.window_chars],
            rounds=rounds,
            tools=self.services.tools.schemas(),
            has_sources=bool(context.research_inputs()),
            sources=context.sources_named(),
            has_facts=await asyncio.to_thread(self.services.has_facts),
            ledger=ledger,
        )
        gate = SentenceGate(persona, lambda text: runtime.stream_writer(event("answer", text=text)))
        try:
            engine = await asyncio.to_thread(self.services.engine_for, self.services.settings_of(runtime))
            move = await engine.move(turn, gate.write)
        except BudgetExhausted as error:
            return {"draft": budget_spent(error.budget, rounds), "stop_reason": error.budget, "pending": []}
        except CitewellError as error:
            told = f"The engine gave no answer ({error}). Your message is kept: say it again, or change the setting."
            return {"draft": told, "failure": str(error), "pending": []}
        gate.end()
        calls = [call.model_dump() for call in move.calls[:MAX_CALLS_PER_ROUND]]
        return {"pending": calls, "draft": move.text, "seconds": ledger.budget.seconds}


def rounds_spent(rounds: list[ToolRound]) -> str:
    """Return the message of a turn that used up its rounds, with the last thing that a tool said."""
    return f"I stopped after {len(rounds)} rounds of tool calls without reaching an answer.{_last_result(rounds)}"


def budget_spent(budget: str, rounds: list[ToolRound]) -> str:
    """Return the message of a turn that used up a budget, with the last thing that a tool said."""
    return f"I stopped: the {budget.replace('_', ' ')} of this turn is used up.{_last_result(rounds)}"


def _last_result(rounds: list[ToolRound]) -> str:
    last = next((result.content for done in reversed(rounds) for result in reversed(done.results)), "")
    cut = last[:300] + ("…" if len(last) > 300 else "")
    return f" The last result was: {cut}" if cut else ""


@dataclass
class SentenceGate:
    """Lets a reply through sentence by sentence as it is written, without those that hold a forbidden phrase."""

    persona: Persona
    send: Callable[[str], None]
    _held: str = field(default="", init=False)

    def write(self, piece: str) -> None:
        self._held += piece
        spans = sentences(self._held)
        if len(spans) > 1:
            # The last one may not be complete yet.
            self._release(spans[-1][0])

    def end(self) -> None:
        self._release(len(self._held))

    def _release(self, upto: int) -> None:
        ready, self._held = self._held[:upto], self._held[upto:]
        if not forbidden_in(ready, self.persona):
            if ready:
                self.send(ready)
            return
        for start, end in sentences(ready):
            if not forbidden_in(ready[start:end], self.persona):
                self.send(ready[start:end] + " ")
