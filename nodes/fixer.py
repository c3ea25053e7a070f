"""Repair a draft within narrow rights: re-cite, soften, drop, or ask for one more retrieval.  Writes draft, patches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..reasoners.protocol import Repair, RepairTask
from ..state.context import ResearchContext
from ..state.records import Draft, Section
from ..state.research import RepairRequest, ResearchState
from .services import Services, ranked
from .validator import FIXABLE


@dataclass(frozen=True)
class Fixer:
    """Hands the named failures to the reasoner and takes only what a repair may do."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        run = await self.services.run_of(state, runtime)
        repair_number = state["repairs"] + 1
        asked_before = any(patch.action == "retrieve" for patch in state["patches"])
        task = RepairTask(
            plan=state["plan"],
            question=run.info.resolved_question,
            draft=state["best"],
            issues=[issue for issue in state["issues"] if issue.kind in FIXABLE],
            verdicts=state["verdicts"],
            passages=await run.passages(ranked(state["evidence"], list(state["packs"].values())), state["packs"]),
            repair=repair_number,
            may_retrieve=not asked_before and run.budget.remaining_s > 0,
            draft_chars=run.settings.draft_chars,
            evidence_chars=run.settings.evidence_chars,
        )
        update: ResearchState = {"repairs": repair_number}
        try:
            repair = await self.services.reasoner(run, "fixer").repair(task)
        except CitewellError as error:
            run.fall_back("fixer", str(error))
        else:
            for patch in repair.patches:
                run.tell("repair", claim_id=patch.claim_id, action=patch.action, reason=patch.reason)
            update |= {
                "draft": within_rights(state["best"], repair, state["evidence"]),
                "patches": (*state["patches"], *repair.patches),
            }
            if repair.query and task.may_retrieve:
                update["repair_request"] = RepairRequest(claim_id=repair.claim_id, query=repair.query)
        return update | run.so_far()


def within_rights(draft: Draft, repair: Repair, evidence: Collection[str]) -> Draft:
    """Return the repaired draft without what a repair may not do.

    A repair adds no claim and no section, cites retrieved chunks only, and changes only the claims it names in a
    patch; everything else stays as it was.
    """
    patched = {patch.claim_id for patch in repair.patches}
    repaired = {claim.claim_id: claim for claim in repair.draft.claims}

    def allowed(section_claims: tuple) -> tuple:
        kept = []
        for claim in section_claims:
            if claim.claim_id not in patched:
                kept.append(claim)
            elif claim.claim_id in repaired:
                new = repaired[claim.claim_id]
                citations = tuple(chunk_id for chunk_id in new.citations if chunk_id in evidence)
                kept.append(new.model_copy(update={"citations": citations}))
        return tuple(kept)

    sections = (Section(heading=section.heading, claims=allowed(section.claims)) for section in draft.sections)
    return draft.model_copy(
        update={
            "summary": allowed(draft.summary),
            "sections": tuple(section for section in sections if section.claims),
            "open_questions": tuple(dict.fromkeys((*draft.open_questions, *repair.open_questions))),
        }
    )
