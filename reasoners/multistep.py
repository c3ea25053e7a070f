"""What an engine of the multi-step graph is told and what it answers: a plan, one call at a time, then words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from ..retrievers.kg.records import Entity
from ..state.graph_answers import FactualAnswer, GraphFact, TrendAnswer
from ..state.ledger import CallLedger
from ..state.multistep import PlannedCall, ToolUse
from .dialogue import OnText, ToolCall

EntitiesIn = Callable[[str], Sequence[Entity]]
"""Returns the entities of the graph that a question names, in the order in which it names them."""


@dataclass(frozen=True)
class GraphTask:
    """A question to the temporal graph, and how far it has come.

    Attributes:
        known: First and last day that the graph knows of; None for an empty graph.
        tools: JSON schemas of the tools there are at this moment.
        entities_in: Finds what a question names.
        ledger: Bounds and records what an engine asks a model.
    """

    question: str
    today: date
    known: tuple[date, date] | None
    tools: Sequence[dict[str, Any]]
    entities_in: EntitiesIn
    plan: Sequence[PlannedCall] = ()
    plan_text: str = ""
    uses: Sequence[ToolUse] = ()
    ledger: CallLedger = field(default_factory=CallLedger)

    def has_tool(self, name: str) -> bool:
        return any(tool["function"]["name"] == name for tool in self.tools)


@dataclass(frozen=True)
class GraphPlan:
    """The calls that a question seems to need, and the plan in the words of whoever made it."""

    calls: tuple[PlannedCall, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class GraphMove:
    """One call to make next, or, without one, the answer; an empty answer lets the facts speak for themselves."""

    call: ToolCall | None = None
    text: str = ""
    planned: bool = False


class MultistepEngine(Protocol):
    """Who plans and decides.  Keeps nothing between moves."""

    name: str

    async def plan(self, task: GraphTask) -> GraphPlan:
        """Raises: ProviderError, MalformedReply, BudgetExhausted."""
        ...

    async def move(self, task: GraphTask, on_text: OnText) -> GraphMove:
        """Raises: ProviderError, MalformedReply, BudgetExhausted."""
        ...


def answers_in(uses: Sequence[ToolUse]) -> list[FactualAnswer | TrendAnswer]:
    """Return what the tools of the graph answered, in order; results of other tools are passed over."""
    found: list[FactualAnswer | TrendAnswer] = []
    for use in uses:
        if isinstance(use.result, dict) and use.result.get("kind") in ("factual_qa", "trend_analysis"):
            kind = FactualAnswer if use.result["kind"] == "factual_qa" else TrendAnswer
            # `superseded` is told to models and derived here.
            found.append(kind.model_validate({k: v for k, v in use.result.items() if k != "superseded"}))
    return found


def facts_in(uses: Sequence[ToolUse]) -> dict[str, GraphFact]:
    """Return every fact that the tools returned, by id, in order of first appearance."""
    return {fact.fact_id: fact for answer in answers_in(uses) for fact in answer.facts}


def tags_of(uses: Sequence[ToolUse]) -> dict[str, str]:
    """Return a short name for each fact, `F1` and on, that stays the same as calls are added."""
    return {fact_id: f"F{number}" for number, fact_id in enumerate(facts_in(uses), start=1)}
