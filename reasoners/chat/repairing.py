"""Apply a model's repairs: re-cite, soften, drop, or ask for one retrieval; nothing else gets through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...state.records import Claim, Draft, OpenQuestion, Patch, Section
from ..prompts.fixer import Change
from ..protocol import Repair, RepairTask
from .drafting import Drafting, without_links


def applied(changes: Sequence[Change], broken: Sequence[Claim], drafting: Drafting, task: RepairTask) -> Repair:
    """Return the repaired draft with a patch for each change that was allowed.

    The first change of a claim counts.  A citation must be a passage that was shown; a re-cited claim keeps its text;
    a dropped one becomes an open question; one claim at most waits for a retrieval.
    """
    claims = {claim.claim_id: claim for claim in broken}
    shown = {passage.chunk.chunk_id for passage in drafting.shown.passages}
    changed: dict[str, Claim | None] = {}
    patches: list[Patch] = []
    opened: list[OpenQuestion] = []
    query, waiting = "", ""
    for change in changes:
        claim = claims.pop(change.claim_id.strip(), None)
        if claim is None:
            continue
        citations = tuple(name for name in drafting.citations(change.citations) if name in shown)
        after = claim.text
        if change.action == "drop":
            changed[claim.claim_id], after = None, ""
            opened.append(OpenQuestion(question=claim.text, reason=without_links(change.reason)))
        elif change.action == "retrieve":
            if not task.may_retrieve or query or not without_links(change.query, task.question):
                continue
            query, waiting = without_links(change.query, task.question), claim.claim_id
        elif change.action == "recite":
            if not citations:
                continue
            changed[claim.claim_id] = claim.model_copy(update={"citations": citations, "quotes": ()})
        else:
            after = drafting.plain(change.text)
            citations = citations or tuple(name for name in claim.citations if name in shown)
            if not after or not citations:
                continue
            changed[claim.claim_id] = claim.model_copy(update={"text": after, "citations": citations, "quotes": ()})
        patches.append(
            Patch(
                repair=task.repair,
                claim_id=claim.claim_id,
                action=change.action,
                before=claim.text,
                after=after,
                reason=without_links(change.reason),
            )
        )
    draft = with_changes(task.draft, changed)
    if opened:
        draft = draft.model_copy(update={"open_questions": (*draft.open_questions, *opened)})
    return Repair(draft, tuple(patches), query, waiting, tuple(opened))


def with_changes(draft: Draft, changed: Mapping[str, Claim | None]) -> Draft:
    """Return the draft with claims replaced wherever they stand, or removed where the new one is None."""

    def swap(claims: Sequence[Claim]) -> tuple[Claim, ...]:
        swapped = (changed.get(claim.claim_id, claim) for claim in claims)
        return tuple(claim for claim in swapped if claim is not None)

    sections = (Section(heading=section.heading, claims=swap(section.claims)) for section in draft.sections)
    return draft.model_copy(
        update={"summary": swap(draft.summary), "sections": tuple(section for section in sections if section.claims)}
    )
