"""Check every claim of the draft against the passages it cites.  Reads draft; writes best, verdicts, issues."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..reasoners.protocol import Passage, SupportJudge
from ..settings import Settings
from ..state.context import ResearchContext
from ..state.records import Claim, Draft, Fact, Issue, Patch, Verdict
from ..state.research import ResearchState
from .services import Run, Services

FIXABLE = frozenset({"unknown_id", "foreign_source", "uncited", "unsupported", "partial", "quote_mismatch"})
"""Issues of single claims, which the fixer may act on."""


@dataclass(frozen=True)
class Validator:
    """Judges the claims, names the failures and keeps the better of the new and the best draft so far."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        draft = state["draft"]
        if state["failure"]:
            return {"best": draft, "verdicts": {}, "issues": ()}
        run = await self.services.run_of(state, runtime)
        known = {
            _content(claim): state["verdicts"][claim.claim_id]
            for claim in state["best"].claims
            if claim.claim_id in state["verdicts"]
        }
        claims = [claim for claim in draft.claims if _content(claim) not in known]
        passages = await _cited(run, state, claims)
        judge = self.services.judge_of(run)
        judged = await asyncio.gather(*(judged_claim(judge, claim, passages) for claim in claims))
        known |= {_content(claim): verdict for claim, verdict in zip(claims, judged, strict=True)}
        verdicts = {claim.claim_id: known[_content(claim)] for claim in draft.claims}
        update = run.so_far()
        first = not state["repairs"]
        if not first and total_support(verdicts) < total_support(state["verdicts"]) - 1e-9:
            return update | {"draft": state["best"], "patches": not_taken(state["patches"], state["repairs"])}
        issues = guardrail_issues(draft, verdicts, set(state["evidence"]), state["facts"], run.settings)
        for issue in issues:
            run.tell("issue", kind=issue.kind, claim_id=issue.claim_id, message=issue.message)
        return update | {"best": draft, "verdicts": verdicts, "issues": issues}


async def judged_claim(judge: SupportJudge, claim: Claim, passages: Mapping[str, Passage]) -> Verdict:
    """Judge a claim against its cited passages; a judge that fails leaves it `not_checked`, with the reason."""
    cited = [passages[chunk_id] for chunk_id in claim.citations if chunk_id in passages]
    if not cited:
        return Verdict(support="unsupported", score=0.0, reasons=("citation: no cited passage is in the evidence",))
    try:
        return await judge.judge(claim, cited)
    except CitewellError as error:
        return Verdict(support="not_checked", score=0.0, reasons=(f"judge: {error}",))


def guardrail_issues(
    draft: Draft,
    verdicts: Mapping[str, Verdict],
    evidence: Collection[str],
    facts: Sequence[Fact],
    settings: Settings,
) -> tuple[Issue, ...]:
    """Name every failure of a draft: claim by claim first, then the counts.

    The answer's citations are those of its claims and of the values that it shows as disagreeing.

    Args:
        evidence: Chunk ids that were retrieved in this run.
        facts: Facts found; where the draft does not say which passages bear on the question, those that carry one do.
            They bound the counts asked for: one record that settles a question needs no second one beside it.
        settings: `min_citations` and `min_summary_citations`.
    """
    issues: list[Issue] = []
    for claim in draft.claims:
        issues += _claim_issues(claim, verdicts[claim.claim_id], evidence)
    carrying = {quote.chunk_id for fact in facts for quote in fact.quotes}
    bearing = len(carrying if draft.bearing is None else set(draft.bearing))
    disputed = [value.chunk_id for conflict in draft.conflicts for value in conflict.values]
    for kind, wanted, claims, beside, place in (
        ("too_few_citations", settings.min_citations, draft.claims, disputed, "the answer"),
        ("too_few_summary_citations", settings.min_summary_citations, draft.summary, [], "the summary"),
    ):
        cited = {*(chunk_id for claim in claims for chunk_id in claim.citations), *beside}
        have = len(cited & set(evidence))
        if have < min(wanted, bearing):
            message = f"{place} has {have} distinct citations, {min(wanted, bearing)} are asked for"
            issues.append(Issue(kind=kind, message=message))  # type: ignore[arg-type]
    return tuple(issues)


def _claim_issues(claim: Claim, verdict: Verdict, evidence: Collection[str]) -> list[Issue]:
    unknown = tuple(chunk_id for chunk_id in claim.citations if chunk_id not in evidence)
    issues = []
    if not claim.citations:
        issues.append(Issue(kind="uncited", claim_id=claim.claim_id, message="the sentence has no citation"))
    if unknown:
        message = f"cited but not retrieved: {', '.join(unknown)}"
        issues.append(Issue(kind="unknown_id", claim_id=claim.claim_id, message=message, chunk_ids=unknown))
    if verdict.support != "supported" and claim.citations:
        message = "; ".join(verdict.reasons) or "the cited passages do not say so"
        issues.append(Issue(kind=verdict.support, claim_id=claim.claim_id, message=message, chunk_ids=claim.citations))
    return issues


def total_support(verdicts: Mapping[str, Verdict]) -> float:
    """Return the summed score of the claims: full where supported, half where partial, none where unsupported."""
    weight = {"supported": 1.0, "partial": 0.5, "not_checked": 0.25, "unsupported": 0.0}
    return sum(
        weight[verdict.support] * (verdict.score if verdict.support != "not_checked" else 1.0)
        for verdict in verdicts.values()
    )


def not_taken(patches: Sequence[Patch], repair: int) -> tuple[Patch, ...]:
    """Mark the patches of a repair as not taken."""
    return tuple(patch.model_copy(update={"taken": False}) if patch.repair == repair else patch for patch in patches)


async def _cited(run: Run, state: ResearchState, claims: Sequence[Claim]) -> dict[str, Passage]:
    wanted = dict.fromkeys(chunk_id for claim in claims for chunk_id in claim.citations)
    hits = {chunk_id: state["evidence"][chunk_id] for chunk_id in wanted if chunk_id in state["evidence"]}
    return {passage.chunk.chunk_id: passage for passage in await run.passages(hits, state["packs"])}


def _content(claim: Claim) -> tuple[str, tuple[str, ...]]:
    return claim.text, claim.citations
