"""What exports settle: which disagreements are about the question, which status is stated, what stays open."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ...state.harness import Harness
from ...state.records import Claim, Conflict, Draft, OpenQuestion, Plan
from ...text.words import analyse
from ..embedded.phrases import phrase
from ..protocol import SynthesisTask
from ..support.outcomes import without_no
from .corrections import ATTRIBUTE as CORRECTED
from .corrections import asks_for_corrections
from .disagreements import Disagreement, claims_done
from .lines import Line
from .tabled import Tabled
from .unknowns import asks_for_missing, asks_whether_it_came, metric_words, missing_reason, said_missing

_ATTRIBUTES = frozenset(analyse("status state stage approval result outcome currency existence largest share"))
"""What an attribute may be called; a question that has the word need not be about this subject's."""
_CORRECTING = frozenset(analyse("correct correction corrected restated revised replaced"))


def bears(found: Disagreement, question: str, harness: Harness) -> bool:
    """Whether a disagreement is about what was asked; a memo asks about all of them."""
    if any(each.memo_inline or each.sections for each in harness.guidance_for(question)):
        return True
    conflict = found.conflict
    values = (
        value.quote.text if value.quote else value.value for value in conflict.values if value.tier == "narrative"
    )
    places = (value.uri for value in conflict.values if value.tier == "structured")
    asked = {word for word in metric_words(question) if not word.isdigit()}
    subject = set(analyse(re.sub(r"[\W_]+", " ", " ".join((conflict.subject, conflict.attribute, *places)))))
    subject -= _ATTRIBUTES
    told = set(analyse(re.sub(r"[\W_]+", " ", " ".join(values))))
    if conflict.attribute == CORRECTED and not asks_for_corrections(question, harness):
        # Its subject is a phrase of a narrative: `the vacancy rate for nurses` is not about each rate and each nurse.
        asked -= _CORRECTING
        enough = min(2, len(asked) or 1)
        return len(asked & subject) >= min(enough, len(subject) or 1) or len(asked & told) >= enough
    # One word of a narrative's sentence (`complete`) may be said of anything.
    return bool(asked & subject) or len(asked & told) >= min(2, len(asked) or 1)


def distinct(conflict: Conflict, found: Sequence[Disagreement]) -> bool:
    """Whether a conflict of the base engine is one: not rows of one table, and not told already."""
    if len({value.uri for value in conflict.values}) < 2 and all(
        value.tier == "structured" for value in conflict.values
    ):
        return False
    quotes = [value.quote for value in conflict.values if value.quote]
    together = len(quotes) == len(conflict.values) and len({quote.chunk_id for quote in quotes}) == 1
    if together and max(quote.start for quote in quotes) < min(quote.end for quote in quotes):
        return False  # Figures of one sentence belong together; they do not contradict each other.
    told = {frozenset(value.chunk_id for value in each.conflict.values) for each in found}
    return frozenset(value.chunk_id for value in conflict.values) not in told


def stated(plan: Plan, shown: Sequence[Disagreement]) -> set[str]:
    """Return the plan questions about a status that an export states, whatever a narrative says."""
    statuses = [each.conflict for each in shown if each.conflict.attribute == "status" and each.conflict.preferred]
    return {
        part.question_id
        for part in plan.subtasks
        for conflict in statuses
        if part.answer_type == "yes_no" and set(analyse(conflict.subject)) <= set(analyse(part.text))
    }


def stated_claims(plan: Plan, shown: Sequence[Disagreement], claims: Sequence[Claim], harness: Harness) -> list[Claim]:
    """Return the claims that tell the status asked for as an export has it, led by `No.` where it is not done."""
    questions = stated(plan, shown)
    done = {part.question_id for part in plan.subtasks if claims_done(part.text, harness)}
    quotes = [each.conflict.values[0].quote for each in shown if each.conflict.attribute == "status"]
    return [
        _denied(claim) if claim.question_id in done else claim
        for claim in claims
        if claim.question_id in questions and any(quote in quotes for quote in claim.quotes)
    ]


def says_again(claim: Claim, statuses: Sequence[Claim]) -> bool:
    """Whether a claim rests on the very words of a status that is told for its question already."""
    return any(claim.quotes == each.quotes and claim.question_id == each.question_id for each in statuses)


def _denied(claim: Claim) -> Claim:
    """Return a claim with `No.` before it, where its words deny what is asked."""
    told = f"No. {claim.text}"
    return claim.model_copy(update={"text": told}) if without_no(told) == claim.text else claim


def set_aside(
    plan: Plan, summary: Sequence[Claim], missing: Mapping[str, Sequence[Line]], harness: Harness
) -> list[Claim]:
    """Return the claims of a summary that only tell what was not delivered, of questions that others answer."""
    texts = {said_missing(line, harness) for lines in missing.values() for line in lines}
    asking = {
        part.question_id for part in plan.subtasks if asks_for_missing(part.text, harness) or asks_whether_it_came(part)
    }
    answered = {claim.question_id for claim in summary if claim.text not in texts}
    return [
        claim
        for claim in summary
        if claim.text in texts and claim.question_id in answered and claim.question_id not in asking
    ]


def unranked_questions(
    task: SynthesisTask, tabled: Sequence[Tabled], claims: Sequence[Claim]
) -> tuple[OpenQuestion, ...]:
    """Return the parts that asked for a ranking which could not be made, where nothing else answers them."""
    answered = {claim.question_id for claim in claims}
    files = {each.question_id: each.unranked for each in tabled if each.unranked}
    return tuple(
        OpenQuestion(
            question=part.text,
            reason=phrase("open_unranked", task.plan.language),
            queries=task.plan.queries,
            sources=files[part.question_id],
        )
        for part in task.plan.subtasks
        if part.question_id in files and part.question_id not in answered
    )


def still_open(
    draft: Draft,
    task: SynthesisTask,
    settled: Collection[str],
    missing: Mapping[str, Sequence[Line]],
    harness: Harness,
) -> tuple[OpenQuestion, ...]:
    texts = {part.text: part.question_id for part in task.plan.subtasks}
    holes = [hole for hole in draft.open_questions if texts.get(hole.question) not in settled]
    known = {hole.question for hole in holes}
    for part in task.plan.subtasks:
        lines = missing.get(part.question_id, [])
        if asks_for_missing(part.text, harness) or asks_whether_it_came(part):
            continue
        if lines and part.text not in known and part.question_id not in settled:
            holes.append(
                OpenQuestion(
                    question=part.text,
                    reason=f"asked for and not delivered: {missing_reason(lines[0])}",
                    queries=task.plan.queries,
                    sources=tuple(dict.fromkeys(line.uri for line in lines)),
                )
            )
    return tuple(holes)
