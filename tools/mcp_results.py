"""What the MCP tools hand back: records with described fields, and a run's events as short lines."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from ..state.records import Report


class Cited(BaseModel):
    """A passage that a sentence rests on."""

    source: str
    page: int | None = None
    chunk_id: str
    quote: str = Field(description="Words of the passage, exactly as the source has them.")


class Sentence(BaseModel):
    """One sentence of the answer and what it rests on."""

    text: str
    support: str
    cited: list[Cited]


class Researched(BaseModel):
    """The outcome of a run; the text of the result is the answer for people."""

    status: str = Field(description="answered, partial, insufficient_evidence or failed.")
    stop_reason: str
    thread: str = Field(description="Pass it on to ask a follow-up question.")
    question: str = Field(description="The question as it was understood.")
    sentences: list[Sentence]
    open_questions: list[str]
    limits: list[str]


class Found(BaseModel):
    """A passage that a query found."""

    source: str
    page: int | None = None
    chunk_id: str
    score: float
    score_sparse: float | None = None
    score_dense: float | None = None
    text: str


class SearchResult(BaseModel):
    """Passages, best first."""

    hits: list[Found]
    note: str = Field(default="", description="What limited the search; empty where nothing did.")


class Stored(BaseModel):
    """What became of a memory."""

    memory_id: str
    action: str
    text: str


class Memories(BaseModel):
    """Memories, closest first."""

    memories: list[dict[str, Any]]


def researched(report: Report) -> Researched:
    """Return a report as the structured result of a call."""
    places = {one.chunk_id: one for one in report.evidence}
    sentences = [
        Sentence(
            text=claim.text,
            support=claim.support,
            cited=[
                Cited(
                    source=places[quote.chunk_id].uri,
                    page=places[quote.chunk_id].page,
                    chunk_id=quote.chunk_id,
                    quote=quote.text,
                )
                for quote in claim.quotes
                if quote.chunk_id in places
            ],
        )
        for claim in report.answer.claims
    ]
    return Researched(
        status=report.status,
        stop_reason=report.stop_reason,
        thread=report.thread_id,
        question=report.resolved_question or report.question,
        sentences=sentences,
        open_questions=[one.question for one in report.answer.open_questions],
        limits=list(report.answer.risks_and_limits),
    )


def progress_line(event: dict[str, Any]) -> str:
    """Return an event as a short line; empty where it is not worth one."""
    match event.get("type"):
        case "progress":
            return f"{event.get('stage')}: {event.get('done')} of {event.get('total')}"
        case "source" if event.get("status") != "ok":
            return f"not read: {event.get('uri')}: {event.get('reason')}"
        case "plan":
            return f"planned {len(event.get('queries') or ())} queries"
        case "query":
            return f"searching: {event.get('query')}"
        case "gap":
            return f"still open: {event.get('reason')}"
        case "repair":
            return f"repairing {event.get('claim_id')}: {event.get('action')}"
        case "fallback":
            return f"{event.get('step')} done another way: {event.get('reason')}"
        case "stop":
            return f"stopped: {str(event.get('stop_reason')).replace('_', ' ')}"
    return ""
