"""What the steps of the multi-step graph share: the graph of facts, the tools over it, and who decides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from langgraph.runtime import Runtime

from ..reasoners.embedded.talk.graph_questions import spans_of_words
from ..reasoners.embedded.talk.multistep import RuleSteps
from ..reasoners.multistep import GraphTask, MultistepEngine
from ..retrievers.kg.records import Entity
from ..retrievers.kg.store import TemporalGraph
from ..settings import Settings, merge_settings
from ..state.ledger import CallLedger, CallLedgers
from ..state.multistep import MultistepContext, MultistepState, PlannedCall, ToolUse
from ..text.words import content_words
from .chat_services import Toolbox
from .services import utc_now

# Names are told by their capitals; a question without any is looked through word by word.
_EXACT = ("name", "alias", "case")


@dataclass
class MultistepServices:
    """Everything the graph is wired with.  Making it opens no file and contacts nobody.

    Attributes:
        graph_for: Opens the graph of facts.
        engine_for: Makes the engine that the settings ask for.
        engine_name: Tells which that is.
        rules: Does the steps that a model cannot.
    """

    settings: Settings
    tools: Toolbox
    graph_for: Callable[[], TemporalGraph]
    engine_for: Callable[[Settings], MultistepEngine]
    engine_name: Callable[[Settings], str]
    rules: MultistepEngine = field(default_factory=RuleSteps)
    ledgers: CallLedgers = field(default_factory=CallLedgers)
    clock: Callable[[], datetime] = utc_now

    def settings_of(self, runtime: Runtime[MultistepContext]) -> Settings:
        """Return the deployment's settings with those replaced that the run context gives."""
        return merge_settings(self.settings, runtime.context)

    async def ledger_of(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> CallLedger:
        """Return the budget and journal of the run that a state belongs to."""
        settings = self.settings_of(runtime)
        return await asyncio.to_thread(self.ledgers.of, state["asked"]["run_id"], settings, state["seconds"])

    def now(self, settings: Settings) -> datetime:
        return settings.fixed_time or self.clock()

    async def task_of(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> GraphTask:
        """Return the question of a state as an engine is told of it."""
        asked = state["asked"]
        known = [date.fromisoformat(day) for day in asked["known"]]
        named = await asyncio.to_thread(entities_in, self.graph_for(), asked["question"])
        return GraphTask(
            question=asked["question"],
            today=datetime.fromisoformat(asked["created_at"]).date(),
            known=(known[0], known[1]) if known else None,
            tools=self.tools.schemas(),
            entities_in=lambda question: named,
            plan=[PlannedCall.model_validate(call) for call in state["plan"]],
            plan_text=state["plan_text"],
            uses=[ToolUse.model_validate(use) for use in state["calls"]],
            ledger=await self.ledger_of(state, runtime),
        )


def context_of(runtime: Runtime[MultistepContext]) -> MultistepContext:
    """Return the run context; the defaults where none was given."""
    return runtime.context or MultistepContext()


def entities_in(graph: TemporalGraph, question: str) -> Sequence[Entity]:
    """Return the entities that a question names by a name they bear, in the order in which it names them."""
    found: list[tuple[int, Entity]] = []
    taken: list[tuple[int, int]] = []
    for only_capitals in (True, False):
        for span in spans_of_words(question):
            at = question.find(span)
            if any(at < end and start < at + len(span) for start, end in taken) or not content_words(span):
                continue
            if only_capitals and not any(char.isupper() or char.isdigit() for char in span):
                continue
            candidates = [each for each in graph.resolve(span, limit=3) if each.how in _EXACT]
            if not candidates and span[:1].isupper():
                candidates = [each for each in graph.resolve(span, limit=2) if each.how == "lead"]
            if candidates:
                found.append((at, candidates[0].entity))
                taken.append((at, at + len(span)))
        if found:
            break
    by_place = [entity for _, entity in sorted(found, key=lambda pair: pair[0])]
    return list({entity.entity_id: entity for entity in by_place}.values())
