"""Find what is still open and decide whether to go on.  Reads facts, packs; writes gaps, steps, stop_reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from ..errors import CitewellError, ProviderError
from ..reasoners.protocol import GapTask
from ..settings import Settings
from ..state.context import ResearchContext
from ..state.records import Gap, Source, Step
from ..state.research import Pack, ResearchState
from .services import Services, ranked


@dataclass(frozen=True)
class GapDetector:
    """Closes a round: names its gaps, records the step, and asks follow-ups or the reason to stop."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        if state.get("repair_request"):
            return {}
        run = await self.services.run_of(state, runtime)
        settings, iteration = run.settings, state["iteration"]
        packs = list(state["packs"].values())
        if failure := unsearched(packs, state["sources"].values()):
            run.tell("stop", stop_reason="error")
            return {
                "failure": failure,
                "failed_with": ProviderError.exit_code,
                "stop_reason": "error",
                "followups": (),
                **run.so_far(),
            }
        passages = await run.passages(ranked(state["evidence"], packs), state["packs"])
        task = GapTask(
            plan=state["plan"],
            question=state["run"].resolved_question,
            facts=state["facts"],
            passages=passages,
            asked=[pack.query for pack in packs],
            max_followups=settings.max_followups,
        )
        gaps: list[Gap] = []
        try:
            gaps = await self.services.reasoner(run, "gap_detector").find_gaps(task)
        except CitewellError as error:
            run.fall_back("gap_detector", str(error))
        for gap in gaps:
            run.tell("gap", question_id=gap.question_id, reason=gap.reason, queries=list(gap.queries))
        followups = new_queries(gaps, task.asked)[: settings.max_followups]
        spent_out = run.budget.exhausted(model=run.info.engine == "chat")
        stop = state["stop_reason"] or spent_out or stop_reason(state, gaps, followups, settings)
        spent = run.budget.spent
        run.tell(
            "budget",
            iterations=iteration,
            facts=len(state["facts"]),
            model_calls=spent.calls,
            tokens=spent.prompt_tokens + spent.completion_tokens,
            cost_usd=spent.cost_usd,
            seconds=round(run.budget.seconds, 3),
        )
        if stop:
            run.tell("stop", stop_reason=stop)
        return {
            "gaps": tuple(gaps),
            "followups": () if stop else followups,
            "iteration": iteration if stop else iteration + 1,
            "steps": (*state["steps"], step_of(state, packs, gaps)),
            "stop_reason": stop,
            **run.so_far(),
        }


def unsearched(packs: Sequence[Pack], sources: Iterable[Source]) -> str:
    """Say why nothing could be looked at: no search of the run reached the web, and there is no other source; else "".

    That is no answer of the web: it was never asked.
    """
    reasons = dict.fromkeys(pack.unsearched for pack in packs)
    if not packs or "" in reasons or any(source.status == "ok" for source in sources):
        return ""
    return f"no search reached the web: {next(iter(reasons))}"


def step_of(state: ResearchState, packs: Sequence[Pack], gaps: Sequence[Gap]) -> Step:
    """Return what the round that ends here asked and found."""
    fresh = [pack for pack in packs if pack.iteration == state["iteration"]]
    return Step(
        iteration=state["iteration"],
        queries=tuple(pack.query for pack in fresh),
        hits=len({chunk_id for pack in fresh for chunk_id in pack.chunk_ids}),
        new_facts=state["new_facts"],
        gaps=tuple(gaps),
    )


def new_queries(gaps: Sequence[Gap], asked: Sequence[str]) -> tuple[str, ...]:
    """Return the gaps' queries in order, without those asked before in other case or spacing."""
    seen = {" ".join(query.casefold().split()) for query in asked}
    fresh = []
    for query in (query for gap in gaps for query in gap.queries):
        folded = " ".join(query.casefold().split())
        if folded and folded not in seen:
            seen.add(folded)
            fresh.append(query)
    return tuple(fresh)


def stop_reason(state: ResearchState, gaps: list[Gap], followups: tuple[str, ...], settings: Settings) -> str:
    """Name the first reason to stop that holds, in the order of the contract, or return an empty string.

    A round without a new query to ask is one with diminishing returns; a run that ends without any fact has
    found no evidence, whatever ended it.
    """
    facts = len(state["facts"])
    if state["iteration"] >= settings.max_iterations:
        reason = "max_iterations"
    elif not gaps:
        reason = "no_gaps"
    elif facts >= settings.max_facts:
        reason = "max_facts"
    elif state["new_facts"] < settings.min_new_facts or not followups:
        reason = "diminishing_returns"
    else:
        return ""
    return reason if facts else "no_evidence"
