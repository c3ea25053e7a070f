"""What a checked draft amounts to: the answer that may leave, its status, and what stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..state.records import (
    Answer,
    Claim,
    Draft,
    Fact,
    Gap,
    Issue,
    OpenQuestion,
    Plan,
    PlanQuestion,
    Section,
    Status,
    Verdict,
)

_FULL_STOP = re.compile(r"[.!?。！？…]['\"”’»)\]]*$")


def checked(claim: Claim, verdict: Verdict) -> Claim:
    """Return the claim with its verdict written into it."""
    return claim.model_copy(
        update={
            "support": verdict.support,
            "score": verdict.score,
            "reasons": verdict.reasons,
            "quotes": verdict.quotes or claim.quotes,
        }
    )


def softened(claim: Claim, verdict: Verdict) -> Claim | None:
    """Return a partly supported claim cut down to the words that its passages have, or None where there are none."""
    quotes = verdict.quotes or claim.quotes
    if not quotes:
        return None
    text = " ".join(dict.fromkeys(" ".join(quote.text.split()) for quote in quotes))
    citations = tuple(dict.fromkeys(quote.chunk_id for quote in quotes))
    return claim.model_copy(update={"text": text, "quotes": quotes, "citations": citations})


def publishable(draft: Draft, claims: Mapping[str, Claim | None], limits: Sequence[str]) -> Answer:
    """Build the answer from a draft.

    Args:
        draft: The best draft.
        claims: By claim id, the claim that may leave, or None for one that is removed.
        limits: Further lines for risks and limits.
    """

    def kept(section_claims: Sequence[Claim]) -> tuple[Claim, ...]:
        # One claim may answer two plan questions, under one number.
        return tuple(
            claim.model_copy(update={"question_id": old.question_id})
            for old in section_claims
            if (claim := claims.get(old.claim_id)) is not None
        )

    summary = kept(draft.summary)
    sections = tuple(
        Section(heading=section.heading, claims=left) for section in draft.sections if (left := kept(section.claims))
    )
    answer = Answer(
        title=draft.title,
        executive_summary=summary,
        summary_text=" ".join(with_citations(claim) for claim in summary),
        sections=sections,
        conflicts=draft.conflicts,
        open_questions=draft.open_questions,
        risks_and_limits=tuple(dict.fromkeys((*draft.notes, *limits))),
    )
    disputed = [value.chunk_id for conflict in answer.conflicts for value in conflict.values]
    cited = [key for claim in answer.claims for key in claim.citations]
    return answer.model_copy(update={"citations": tuple(dict.fromkeys((*cited, *disputed)))})


def with_citations(claim: Claim) -> str:
    """Render a claim with its chunk ids verbatim: `text (cite: <chunk_id>).`"""
    cites = " ".join(f"(cite: {chunk_id})" for chunk_id in claim.citations)
    stop = _FULL_STOP.search(claim.text)
    if not stop:
        return f"{claim.text} {cites}."
    return f"{claim.text[: stop.start()]} {cites}{stop.group()}"


def merged_questions(questions: Sequence[OpenQuestion]) -> tuple[OpenQuestion, ...]:
    """Join open questions that ask the same, keeping every query and source."""
    merged: dict[str, OpenQuestion] = {}
    for question in questions:
        key = " ".join(question.question.casefold().split())
        if key in merged:
            first = merged[key]
            question = first.model_copy(
                update={
                    "reason": first.reason or question.reason,
                    "queries": tuple(dict.fromkeys((*first.queries, *question.queries))),
                    "sources": tuple(dict.fromkeys((*first.sources, *question.sources))),
                }
            )
        merged[key] = question
    return tuple(merged.values())


def status_of(answer: Answer, plan: Plan, gaps: Sequence[Gap], issues: Sequence[Issue]) -> Status:
    """Return `answered`, `partial` or `insufficient_evidence` by the contract.

    Args:
        answer: The answer as it leaves.
        plan: Its questions, all of which an answered one answers.
        gaps: Plan questions left open by the last round.
        issues: Count failures (`too_few_…`) of the answer as it leaves.
    """
    if not any(claim.support == "supported" for claim in answer.claims):
        return "insufficient_evidence"
    asked = (part for part in unanswered(answer, plan, gaps) if not part.optional)
    if any(asked) or any(issue.kind.startswith("too_few") for issue in issues):
        return "partial"
    return "answered"


def reason_of(stop_reason: str, answer: Answer, gaps: Sequence[Gap]) -> str:
    """Return why a run ended, true of its answer: what is answered by computing over exports was not without evidence.

    Args:
        stop_reason: As the rounds left it, empty where none ran.
        answer: The answer as it leaves.
        gaps: Of the last round.
    """
    if stop_reason not in ("", "no_evidence") or not any(claim.support == "supported" for claim in answer.claims):
        return stop_reason or "no_evidence"
    return "diminishing_returns" if gaps else "no_gaps"


def unanswered(answer: Answer, plan: Plan, gaps: Sequence[Gap]) -> tuple[PlanQuestion, ...]:
    """Return the plan questions that a gap names, that the answer lists as open, or that no supported claim bears on.

    A claim without a question's id bears on the question as a whole.
    """
    listed = {hole.question for hole in answer.open_questions}
    named = {gap.question_id for gap in gaps} | {part.question_id for part in plan.subtasks if part.text in listed}
    every = [*answer.executive_summary, *(claim for section in answer.sections for claim in section.claims)]
    bearing = {claim.question_id for claim in every if claim.support == "supported"}
    return tuple(
        part
        for part in plan.subtasks
        if part.question_id in named or ("" not in bearing and part.question_id not in bearing)
    )


def open_questions(
    parts: Sequence[PlanQuestion], gaps: Sequence[Gap], queries: Sequence[str], sources: Sequence[str]
) -> tuple[OpenQuestion, ...]:
    """Return the account of plan questions that stay open, each with its gap's reason where it has one."""
    reasons = {gap.question_id: gap.reason for gap in gaps}
    return tuple(
        OpenQuestion(
            question=part.text,
            reason=reasons.get(part.question_id, "No sentence that passed the checks answers it."),
            queries=tuple(queries),
            sources=tuple(sources),
        )
        for part in parts
    )


def useful_sources(facts: Sequence[Fact], uris: Mapping[str, str], *, limit: int = 8) -> tuple[str, ...]:
    """Return the uris that carried most facts, best first, at most `limit`.

    Args:
        facts: The facts of the run.
        uris: Uri by chunk id.
    """
    counts: dict[str, int] = {}
    for fact in facts:
        for uri in {uris[quote.chunk_id] for quote in fact.quotes if quote.chunk_id in uris}:
            counts[uri] = counts.get(uri, 0) + 1
    return tuple(sorted(counts, key=lambda uri: (-counts[uri], uri))[:limit])
