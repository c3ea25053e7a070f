"""Bring a model's plan and its gaps within the contract: known parts, different queries, nothing asked twice."""

from __future__ import annotations

from collections.abc import Sequence

from ...state.records import Gap, Plan, PlanQuestion
from ..embedded.steps.plan import MAX_QUERIES, MIN_QUERIES, query_key, subtasks
from ..prompts import gap_detector, planner
from ..protocol import GapTask, PlanTask
from .drafting import without_links
from .labels import Known

MAX_PARTS = 6


def planned(reply: planner.PlanReply, base: Plan, task: PlanTask) -> Plan:
    """Return the model's plan within the contract: known fields by rule, 10 to 16 different queries, fixed checks."""

    def plain(text: str) -> str:
        return without_links(text, task.question)

    # A part becomes a heading of the report: a figure that the model made up would stand there unchecked.
    known = Known((task.question,))
    kinds = {
        text: part.answer_type
        for part in reply.subtasks
        if (text := plain(part.text)) and known.holds_figures(text, years=True)
    }
    parts = [_part(index, text, kind) for index, (text, kind) in enumerate(kinds.items(), start=1)][:MAX_PARTS]
    queries: dict[tuple[str, ...], str] = {}
    own = [plain(query)[:400] for query in reply.queries]
    for query in [task.question, *own]:
        if query and len(queries) < MAX_QUERIES:
            queries.setdefault(query_key(query), query)
    for query in base.queries:
        if len(queries) < MIN_QUERIES:
            queries.setdefault(query_key(query), query)
    return base.model_copy(
        update={
            "goal": plain(reply.goal) or base.goal,
            "subtasks": tuple(parts) or base.subtasks,
            "queries": tuple(queries.values()),
            "acceptance_checks": tuple(dict.fromkeys((*base.acceptance_checks, *map(plain, reply.acceptance_checks)))),
        }
    )


def _part(index: int, text: str, answer_type: planner.AnswerType) -> PlanQuestion:
    read = next(iter(subtasks(text)), None)
    part = read or PlanQuestion(question_id="", text=text)
    return part.model_copy(update={"question_id": f"Q{index}", "text": text, "answer_type": answer_type})


def open_parts(reply: gap_detector.GapsReply, task: GapTask, certain: Sequence[Gap]) -> list[Gap]:
    """Return the model's gaps about known parts with new queries only, then those that are certain without it."""
    known = [part.question_id for part in task.plan.subtasks]
    asked = {query_key(query) for query in task.asked}
    gaps: dict[str, Gap] = {}
    room = task.max_followups
    for item in reply.gaps:
        question_id = item.question_id.strip() if item.question_id.strip() in known else ""
        question_id = question_id or (known[0] if len(known) == 1 else "")
        if not question_id or question_id in gaps:
            continue
        fresh: list[str] = []
        for query in (without_links(query, task.question)[:400] for query in item.queries):
            if query and query_key(query) not in asked and len(fresh) < room:
                asked.add(query_key(query))
                fresh.append(query)
        room -= len(fresh)
        gaps[question_id] = Gap(question_id=question_id, reason=without_links(item.reason), queries=tuple(fresh))
    for gap in certain:
        if gap.question_id in gaps:
            continue
        fresh = [query for query in gap.queries if query_key(query) not in asked][:room]
        asked |= {query_key(query) for query in fresh}
        room -= len(fresh)
        gaps[gap.question_id] = gap.model_copy(update={"queries": tuple(fresh)})
    return sorted(gaps.values(), key=lambda gap: known.index(gap.question_id) if gap.question_id in known else 99)
