"""Check the answer against the quotes it rests on and say it.  Reads calls, draft; writes report, answer, messages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import regex
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from ..reasoners.embedded.talk.graph_questions import relation_is_told
from ..reasoners.graph_claims import Sentence, checked, composed, read_draft
from ..reasoners.multistep import answers_in, facts_in
from ..reports.multistep import render_markdown
from ..state.graph_answers import GraphFact, Series, TrendAnswer
from ..state.ledger import CallLedger
from ..state.multistep import (
    GraphClaim,
    MultistepContext,
    MultistepLedger,
    MultistepReport,
    MultistepState,
    PlannedCall,
    ToolUse,
)
from .multistep_services import MultistepServices

VAGUE = "what the question asks of them was not understood by the rules: told is what the graph holds that is near it"
NOT_IT = "none of the {} facts that were found answers this"


@dataclass(frozen=True)
class GraphAnswer:
    """The last step: a sentence that no fact supports never leaves, and every call made is handed over."""

    services: MultistepServices

    async def __call__(self, state: MultistepState, runtime: Runtime[MultistepContext]) -> dict[str, Any]:
        ledger = await self.services.ledger_of(state, runtime)
        report = await asyncio.to_thread(_report, state, ledger, fixed=self._is_fixed(runtime))
        await asyncio.to_thread(self.services.ledgers.close, ledger.run_id)
        text = render_markdown(report)
        earlier = state.get("messages") or []
        is_asked = bool(earlier) and isinstance(earlier[-1], HumanMessage)
        asked = [] if is_asked else [HumanMessage(report.question)]
        return {"report": report.model_dump(mode="json"), "answer": text, "messages": [*asked, AIMessage(text)]}

    def _is_fixed(self, runtime: Runtime[MultistepContext]) -> bool:
        return self.services.settings_of(runtime).fixed_time is not None


def _report(state: MultistepState, ledger: CallLedger, *, fixed: bool) -> MultistepReport:
    asked = state["asked"]
    uses = [ToolUse.model_validate(use) for use in state["calls"]]
    kept, removed, fallbacks = _claims(asked["question"], state["draft"], uses, state["fallbacks"])
    facts = facts_in(uses)
    # Rules that do not understand a relation tell what is known, which is not an answer to it.
    vague = bool(kept) and not state["draft"] and not relation_is_told(asked["question"])
    series = tuple(one for answer in answers_in(uses) if isinstance(answer, TrendAnswer) for one in answer.series)
    cited = {each for claim in kept for each in claim.fact_ids} | {
        point.fact_id for one in series for point in one.points if kept
    }
    known = [date.fromisoformat(day) for day in asked["known"]]
    spent = ledger.told()
    return MultistepReport(
        run_id=asked["run_id"],
        thread_id=asked["thread_id"],
        created_at=datetime.fromisoformat(asked["created_at"]),
        question=asked["question"],
        engine=asked["engine"],
        status="partial" if vague else _status(state, kept, removed, uses),
        stop_reason=state["stop_reason"],
        failure=state["failure"],
        known_from=known[0] if known else None,
        known_to=known[1] if known else None,
        plan=tuple(PlannedCall.model_validate(call) for call in state["plan"]),
        plan_text=state["plan_text"],
        calls=tuple(uses),
        claims=tuple(kept),
        removed=tuple(removed),
        facts=tuple(sorted((facts[each] for each in cited), key=_by_day)),
        series=_distinct(series) if kept else (),
        not_known=tuple(dict.fromkeys([*_nothing(uses), *_shortfall(len(kept), len(facts), vague=vague)])),
        fallbacks=tuple(dict.fromkeys([*fallbacks, *_read_as(asked["question"], uses)])),
        ledger=MultistepLedger(tool_calls=len(uses), **spent | ({"seconds": 0.0} if fixed else {})),
    )


def _claims(
    question: str, draft: str, uses: Sequence[ToolUse], fallbacks: Sequence[str]
) -> tuple[list[GraphClaim], list[GraphClaim], list[str]]:
    """Return the claims that stand, those taken out, and what was done another way."""
    kept: list[GraphClaim] = []
    removed: list[GraphClaim] = []
    told = list(fallbacks)
    if draft:
        for claim in checked(read_draft(draft, uses), uses, question):
            (kept if claim.support == "supported" else removed).append(claim)
        if not kept and facts_in(uses):
            told.append("answer: no sentence of the model's is supported; the facts are given in their own words")
    if not kept:
        own = composed(question, uses)
        for said, claim in zip(own, checked(own, uses, question), strict=True):
            kept.append(claim if claim.support == "supported" else _quoted(said, claim, uses, question))
    numbered = [claim.model_copy(update={"claim_id": f"C-{at:03d}"}) for at, claim in enumerate(kept, start=1)]
    return [claim for claim in numbered if claim.support == "supported"], removed, told


def _quoted(said: Sentence, claim: GraphClaim, uses: Sequence[ToolUse], question: str) -> GraphClaim:
    """Return a claim in the very words of its source, where the graph's wording says more than they do."""
    quote = facts_in(uses)[said.fact_ids[0]].quote
    (again,) = checked([Sentence(quote, said.fact_ids, said.period)], uses, question)
    return again.model_copy(update={"claim_id": claim.claim_id})


def _status(
    state: MultistepState, kept: Sequence[GraphClaim], removed: Sequence[GraphClaim], uses: Sequence[ToolUse]
) -> Literal["answered", "partial", "insufficient_evidence", "failed"]:
    if state["failure"] and not kept:
        return "failed"
    if not kept:
        return "insufficient_evidence"
    whole = not (state["stop_reason"] or state["failure"] or removed or _unanswered(uses))
    return "answered" if whole else "partial"


def _unanswered(uses: Sequence[ToolUse]) -> bool:
    """Whether an entity that the plan named came to nothing, and no call beyond the plan made up for it."""
    found: dict[str, bool] = {}
    beyond = False
    for use in uses:
        has_facts = any(answer.facts for answer in answers_in([use]))
        beyond = beyond or (has_facts and not use.planned)
        if use.planned and isinstance(use.arguments, dict):
            entity = str(use.arguments.get("entity", ""))
            found[entity] = found.get(entity, False) or has_facts
    return not beyond and not all(found.values())


def _nothing(uses: Sequence[ToolUse]) -> list[str]:
    notes = [f"{use.tool}: {use.error}" for use in uses if use.error]
    return [answer.note for answer in answers_in(uses) if answer.note] + notes


def _shortfall(claims: int, facts: int, *, vague: bool) -> list[str]:
    if vague:
        return [VAGUE]
    return [NOT_IT.format(facts)] if facts and not claims else []


def _read_as(question: str, uses: Sequence[ToolUse]) -> list[str]:
    """Say which names of the question were read as longer ones that begin so."""
    told = []
    for use in uses:
        given = use.arguments if isinstance(use.arguments, dict) else {}
        for name in [given.get("entity"), *(given.get("companies") or ())]:
            words = str(name or "").split()
            leads = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
            lead = next((each for each in leads if regex.search(rf"\b{regex.escape(each)}\b", question)), "")
            if lead and use.planned and str(name).casefold() not in question.casefold():
                told.append(f"{lead} is read as {name}, the only name in the graph that begins so")
    return told


def _by_day(fact: GraphFact) -> tuple[bool, date, str]:
    return fact.valid_at is None, fact.valid_at or date.min, fact.fact_id


def _distinct(series: Sequence[Series]) -> tuple[Series, ...]:
    return tuple({(one.subject, one.measure, one.unit, len(one.points)): one for one in series}.values())
