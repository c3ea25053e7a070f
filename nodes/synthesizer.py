"""Write the draft, or after a targeted retrieval patch the one claim it was for.  Writes draft, patches."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..reasoners.protocol import Passage, RepairTask, SynthesisTask
from ..state.context import ResearchContext
from ..state.records import Claim, Draft, Issue, OpenQuestion, Section
from ..state.research import RepairRequest, ResearchState
from .services import Run, Services, ranked, stop_of


@dataclass(frozen=True)
class Synthesizer:
    """Hands facts and passages to the reasoner and numbers the claims of its draft."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        if state["failure"]:
            return {"draft": Draft()}
        run = await self.services.run_of(state, runtime)
        passages = await run.passages(ranked(state["evidence"], list(state["packs"].values())), state["packs"])
        request = state.get("repair_request")
        update = (
            await self._patch(state, run, passages, request) if request else await self._write(state, run, passages)
        )
        return update | run.so_far()

    async def _write(self, state: ResearchState, run: Run, passages: list[Passage]) -> ResearchState:
        settings = run.settings
        task = SynthesisTask(
            plan=state["plan"],
            question=run.info.resolved_question,
            facts=state["facts"],
            passages=passages,
            gaps=state["gaps"],
            steps=state["steps"],
            sections=settings.sections,
            min_citations=settings.min_citations,
            min_summary_citations=settings.min_summary_citations,
            evidence_chars=settings.evidence_chars,
            prompt_ids=settings.prompt_ids,
            guidance=run.info.guidance,
        )
        try:
            draft = await self.services.reasoner(run, "synthesizer").synthesize(task)
        except CitewellError as error:
            run.fall_back("synthesizer", str(error))
            return {
                "draft": Draft(open_questions=unanswered(state)),
                "failure": "" if stop_of(error) else str(error),
                "failed_with": error.exit_code,
            }
        if not state["plan"].queries and not state["stop_reason"]:
            return {"draft": numbered(draft), "stop_reason": "no_evidence"}
        return {"draft": numbered(draft)}

    async def _patch(
        self, state: ResearchState, run: Run, passages: list[Passage], request: RepairRequest
    ) -> ResearchState:
        draft = state["draft"]
        named = tuple(issue for issue in state["issues"] if issue.claim_id == request.claim_id)
        issue = Issue(kind="unsupported", claim_id=request.claim_id, message="one more retrieval was made for it")
        task = RepairTask(
            plan=state["plan"],
            question=run.info.resolved_question,
            draft=draft,
            issues=named or (issue,),
            verdicts=state["verdicts"],
            passages=passages,
            repair=state["repairs"],
            may_retrieve=False,
            draft_chars=run.settings.draft_chars,
            evidence_chars=run.settings.evidence_chars,
        )
        try:
            repair = await self.services.reasoner(run, "fixer").repair(task)
        except CitewellError as error:
            run.fall_back("fixer", str(error))
            return {"repair_request": None}
        patches = tuple(patch for patch in repair.patches if patch.claim_id == request.claim_id)
        patched = {claim.claim_id: claim for claim in repair.draft.claims}.get(request.claim_id)
        known = tuple(dict.fromkeys((*draft.open_questions, *repair.open_questions)))
        return {
            "draft": replaced(draft, request.claim_id, patched).model_copy(update={"open_questions": known}),
            "patches": (*state["patches"], *patches),
            "repair_request": None,
        }


def numbered(draft: Draft) -> Draft:
    """Number the claims `C-001` and on, in reading order; one that stands twice keeps one number."""
    ids: dict[tuple[str, tuple[str, ...]], str] = {}

    def number(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
        return tuple(
            claim.model_copy(
                update={"claim_id": ids.setdefault((claim.text, claim.citations), f"C-{len(ids) + 1:03d}")}
            )
            for claim in claims
        )

    return draft.model_copy(
        update={
            "summary": number(draft.summary),
            "sections": tuple(
                Section(heading=section.heading, claims=number(section.claims)) for section in draft.sections
            ),
        }
    )


def replaced(draft: Draft, claim_id: str, claim: Claim | None) -> Draft:
    """Return the draft with one claim replaced wherever it stands, or removed where `claim` is None."""

    def swap(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
        swapped = (claim if old.claim_id == claim_id else old for old in claims)
        return tuple(new for new in swapped if new is not None)

    sections = (Section(heading=section.heading, claims=swap(section.claims)) for section in draft.sections)
    return draft.model_copy(
        update={"summary": swap(draft.summary), "sections": tuple(section for section in sections if section.claims)}
    )


def unanswered(state: ResearchState) -> tuple[OpenQuestion, ...]:
    """Return every plan question as open, with the queries tried and the sources seen."""
    queries = tuple(state["packs"])
    sources = tuple(uri for uri, source in state["sources"].items() if source.status == "ok")
    return tuple(
        OpenQuestion(question=subtask.text, queries=queries, sources=sources) for subtask in state["plan"].subtasks
    )
