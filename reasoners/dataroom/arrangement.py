"""Where claims stand: sections that the policy asks for, a summary with citations enough, each text once, numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...state.harness import Harness
from ...state.records import Claim, Draft, Plan, Section
from .topics import topic_stems, topics_of


def sections_of(harness: Harness, question: str) -> dict[str, tuple[str, ...]]:
    """Return the sections that the policy asks for with what to find out for each, in order.

    What a memo is asked to cover leads, each topic with the policy's questions about it and itself.
    """
    for guidance in harness.guidance_for(question):
        if guidance.sections:
            sections = {heading: guidance.section_questions.get(heading, (heading,)) for heading in guidance.sections}
            return _with_topics(sections, topics_of(question)) if guidance.memo_inline else sections
    return {}


def topics_named(harness: Harness, question: str) -> dict[str, str]:
    """Return the topics that a request for a memo names, by the headings of their sections."""
    if not any(guidance.memo_inline and guidance.sections for guidance in harness.guidance_for(question)):
        return {}
    return {_heading(topic): topic for topic in topics_of(question)}


def _with_topics(sections: Mapping[str, tuple[str, ...]], topics: Sequence[str]) -> dict[str, tuple[str, ...]]:
    led: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    for topic in topics:
        stems = topic_stems(topic)
        about = [
            question
            for questions in sections.values()
            for question in questions
            if stems & topic_stems(question) and question not in taken
        ]
        taken |= {*about}
        led[_heading(topic)] = (*about, topic)
    rest = {heading: tuple(each for each in questions if each not in taken) for heading, questions in sections.items()}
    return led | {heading: (*led.get(heading, ()), *questions) for heading, questions in rest.items() if questions}


def _heading(topic: str) -> str:
    return topic[:1].upper() + topic[1:]


def topped_up(summary: list[Claim], sections: list[Section], wanted: int) -> tuple[list[Claim], list[Section]]:
    """Move claims of the sections up while the policy has left the summary fewer citations than are asked for."""
    for section in sections:
        for claim in section.claims:
            cited = {chunk_id for each in summary for chunk_id in each.citations}
            if summary and len(cited) < wanted and not set(claim.citations) <= cited:
                summary = [*summary, claim]
    moved = [(claim.text, claim.question_id) for claim in summary]
    kept = [
        section.model_copy(
            update={"claims": tuple(each for each in section.claims if (each.text, each.question_id) not in moved)}
        )
        for section in sections
    ]
    return summary, kept


def with_claims(plan: Plan, sections: Sequence[Section], claims: Sequence[Claim]) -> list[Section]:
    """Return sections with further claims, each under its plan question."""
    heading_of = {part.question_id: part.text for part in plan.subtasks}
    found = {section.heading: section for section in sections}
    for claim in claims:
        heading = heading_of.get(claim.question_id, plan.goal)
        known = found.get(heading, Section(heading=heading, claims=()))
        found[heading] = known.model_copy(update={"claims": (*known.claims, claim)})
    return list(found.values())


def once(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims without those whose words an earlier one has, case and white space aside."""
    return list({" ".join(claim.text.casefold().split()): claim for claim in reversed(claims)}.values())[::-1]


def shortened(plan: Plan, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the first claim of each question, so that a memo's summary stays one."""
    first = {claim.question_id: claim for claim in reversed(once(claims))}
    return tuple(first[part.question_id] for part in plan.subtasks if part.question_id in first)


def grouped(
    plan: Plan, headings: Mapping[str, tuple[str, ...]], summary: Sequence[Claim], sections: Sequence[Section]
) -> tuple[Section, ...]:
    """Return one section per heading with the claims of its questions."""
    heading_of = {question: heading for heading, questions in headings.items() for question in questions}
    by_id = {part.question_id: heading_of.get(part.text, "") for part in plan.subtasks}
    claims = once([*summary, *(claim for section in sections for claim in section.claims)])
    return tuple(
        Section(heading=heading, claims=tuple(claim for claim in claims if by_id.get(claim.question_id) == heading))
        for heading in headings
    )


def filled(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the sections that hold a claim."""
    return tuple(section for section in sections if section.claims)


def renumbered(draft: Draft) -> Draft:
    """Return the draft with claim ids from `C-001` on, one id for one text of one plan question."""
    ids: dict[tuple[str, str], str] = {}

    def numbered(claims: Sequence[Claim]) -> tuple[Claim, ...]:
        for claim in claims:
            ids.setdefault((claim.text, claim.question_id), f"C-{len(ids) + 1:03d}")
        return tuple(claim.model_copy(update={"claim_id": ids[claim.text, claim.question_id]}) for claim in claims)

    summary = numbered(draft.summary)
    sections = tuple(section.model_copy(update={"claims": numbered(section.claims)}) for section in draft.sections)
    return draft.model_copy(update={"summary": summary, "sections": sections})
