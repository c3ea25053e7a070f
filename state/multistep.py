"""Channels of the multi-step graph, one line of meaning each, and what a run of it leaves behind."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from ..settings import Settings
from .graph_answers import GraphFact, Series
from .records import Record, Support


class MultistepContext(Settings):
    """The settings of a run.  Only the fields that are given count; the others keep the deployment's value."""

    max_tool_rounds: int = Field(
        default=12,
        ge=1,
        le=50,
        description="Calls of tools in a run.",
        json_schema_extra={"langgraph_nodes": ["agent"]},
    )


class PlannedCall(Record):
    """A call that the plan foresees; the run is free to leave it."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    why: str = ""


class ToolUse(Record):
    """One call as it was made, and what came of it."""

    call_id: str
    tool: str
    arguments: dict[str, Any] | str = Field(description="As checked; as written where they could not be read.")
    result: Any = Field(default=None, description="What the tool returned; None after an error.")
    error: str = Field(default="", description="What was wrong, in words; empty where nothing was.")
    planned: bool = Field(default=False, description="Whether the plan foresaw it.")


class GraphClaim(Record):
    """One sentence of the answer and the facts that it rests on."""

    claim_id: str
    text: str
    fact_ids: tuple[str, ...]
    period: str = Field(default="", description="The stretch of time under which a trend shows it.")
    support: Support
    score: float = Field(ge=0, le=1)
    reasons: tuple[str, ...] = ()


class MultistepLedger(Record):
    """What a run spent."""

    tool_calls: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0


class MultistepReport(Record):
    """What a run found, with every call that it made."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["citewell.multistep/1"] = Field(default="citewell.multistep/1", alias="schema")
    run_id: str
    thread_id: str = ""
    created_at: datetime
    question: str
    engine: str
    status: Literal["answered", "partial", "insufficient_evidence", "failed"]
    stop_reason: str = Field(default="", description="The budget that ended the run, `unknown_tool`, or nothing.")
    failure: str = ""
    known_from: date | None = Field(default=None, description="The graph knows of things that began on this day …")
    known_to: date | None = Field(default=None, description="… to this one.")
    plan: tuple[PlannedCall, ...] = ()
    plan_text: str = Field(default="", description="The plan as a model worded it.")
    calls: tuple[ToolUse, ...] = ()
    claims: tuple[GraphClaim, ...] = ()
    removed: tuple[GraphClaim, ...] = Field(default=(), description="Sentences that no fact supports, taken out.")
    facts: tuple[GraphFact, ...] = Field(default=(), description="What the claims rest on, by date.")
    series: tuple[Series, ...] = ()
    not_known: tuple[str, ...] = Field(default=(), description="What the tools found nothing on.")
    fallbacks: tuple[str, ...] = Field(default=(), description="Steps that were done another way, and why.")
    ledger: MultistepLedger = MultistepLedger()


class MultistepInput(TypedDict, total=False):
    """What a run begins with: a question, or messages whose last one is the question."""

    question: Annotated[str, Field(description="The question, about facts and when they held.")]
    messages: Annotated[list[AnyMessage], add_messages]


class MultistepOutput(TypedDict, total=False):
    """What a run leaves."""

    report: dict[str, Any]  # a MultistepReport, as JSON
    answer: str  # the report, as Markdown
    messages: Annotated[list[AnyMessage], add_messages]  # the question and the answer


class MultistepState(MultistepInput, MultistepOutput, total=False):
    """A run between two steps; all of it JSON but the messages."""

    asked: dict[str, Any]  # run id, thread id, time, question, engine, known days
    plan: list[dict[str, Any]]  # the calls foreseen
    plan_text: str  # the plan as a model worded it
    calls: list[dict[str, Any]]  # every call made, in order
    pending: dict[str, Any]  # the call to make next; empty for none
    draft: str  # the answer before it is checked; empty where the facts speak for themselves
    stop_reason: str  # what ended the run before its end; empty for nothing
    failure: str  # why there is no answer; empty where there is one
    fallbacks: list[str]  # steps that were done another way
    seconds: float  # active time so far
