"""Write the answer from facts and passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from ...state.records import Conflict
from ..protocol import Passage, SynthesisTask
from .evidence import RULE, fenced, quote_passages
from .shapes import Listed, Reply, Spoken, Text, Texts, also
from .wording import today_is, write_in

SYSTEM = f"""\
You write a research answer in which every sentence is carried by the passages it cites.
{RULE} The same holds for <fact> tags.
Rules:
- One factual statement per sentence, with `citations`: the numbers of the passages that say so. Cite nothing else, and
  write no marker, link or reference list into the text itself.
- Say only what the cited passages say: their numbers with units and periods, their names, their certainty. Compute
  nothing unless the question asks for it; then write the formula with its numbers into the sentence.
- The summary answers the question directly in two to four sentences. Sections then follow the parts of the question.
- Where passages disagree, give each value with its date and its passage, and never a mean.
- What the passages do not settle goes into `open_questions`. Where they do not bear on the question at all, summary and
  sections are empty.
Reply with JSON: {{"title": "…", "summary": [{{"text": "…", "citations": [1]}}], "sections": [{{"heading": "…",
"sentences": [{{"text": "…", "citations": [1], "question_id": "Q1"}}]}}], "open_questions": [{{"question": "…",
"reason": "…"}}], "limits": ["…"]}}
"""


class Sentence(Reply):
    """One statement of the answer."""

    text: str = also("text", "sentence", "claim", "statement", description="One factual statement.")
    citations: Texts = also("citations", "citation", "sources", "passages", default=[], description="Passage numbers.")
    question_id: Text = also("question_id", default="", description="The part it answers, e.g. Q1.")


class SectionReply(Reply):
    """A headed group of sentences."""

    heading: Text = also("heading", "title", default="", description="In the language of the answer.")
    sentences: Annotated[list[Sentence], Spoken] = also(
        "sentences", "claims", "content", default=[], description="In order."
    )


class OpenItem(Reply):
    """What the passages do not settle."""

    question: str = also("question", "text", description="What stays open.")
    reason: Text = also("reason", default="", description="Why.")


class DraftReply(Reply):
    """The answer."""

    title: Text = also("title", default="", description="Short.")
    summary: Annotated[list[Sentence], Spoken] = also(
        "summary", "executive_summary", "answer", description="The direct answer."
    )
    sections: Annotated[list[SectionReply], Listed] = also(
        "sections", default=[], description="One per part of the question."
    )
    open_questions: Annotated[list[OpenItem], Spoken] = also(
        "open_questions", default=[], description="What stays open."
    )
    limits: Texts = also("limits", "risks_and_limits", default=[], description="What a reader should beware of.")


def render(
    task: SynthesisTask,
    passages: Sequence[Passage],
    conflicts: Sequence[Conflict],
    *,
    today: date,
) -> list[BaseMessage]:
    """Render the evidence and the facts that rest on it, then conflicts, parts and the question."""
    numbers = {passage.chunk.chunk_id: number for number, passage in enumerate(passages, start=1)}
    parts = [f"{part.question_id}: {part.text}" for part in task.plan.subtasks]
    wanted = (
        f"Use at least {task.min_citations} different passages, {task.min_summary_citations} of them in the summary, "
    )
    blocks = [
        quote_passages(passages),
        "\n".join(["Facts found:", *(_facts(task, numbers) or ["(none)"])]),
        "\n".join(["Values that disagree:", *_conflicts(conflicts, numbers)]) if conflicts else "",
        f"Use these section headings, in this order: {'; '.join(task.sections)}" if task.sections else "",
        task.guidance,
        f"{today_is(today)} {write_in(task.plan.language)} {wanted}",
        "\n".join([f"Question: {task.question}", "Parts:", *parts]),
    ]
    return [SystemMessage(SYSTEM), HumanMessage("\n\n".join(block for block in blocks if block))]


def _facts(task: SynthesisTask, numbers: Mapping[str, int]) -> list[str]:
    shown = []
    for fact in task.facts:
        cited = sorted({numbers[quote.chunk_id] for quote in fact.quotes if quote.chunk_id in numbers})
        if cited:
            places = ",".join(map(str, cited))
            shown.append(f'<fact passages="{places}" part="{fact.question_id}">{fenced(fact.statement)}</fact>')
    return shown


def _conflicts(conflicts: Sequence[Conflict], numbers: Mapping[str, int]) -> list[str]:
    shown = []
    for conflict in conflicts:
        values = [
            f"{fenced(value.value)} ({', '.join(filter(None, (_place(value.chunk_id, numbers), value.dated)))})"
            for value in conflict.values
        ]
        subject = fenced(f"{conflict.subject} {conflict.attribute} {conflict.period}".strip())
        shown.append(f"- {subject}: {'; '.join(values)}")
    return shown


def _place(chunk_id: str, numbers: Mapping[str, int]) -> str:
    return f"passage {numbers[chunk_id]}" if chunk_id in numbers else ""
