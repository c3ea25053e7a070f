"""Channels of the research graph, one line of meaning each, and the reducers that read and join what is written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from os import PathLike
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from .channels import Joined, last, optional
from .episodes import DEFAULT_USER
from .records import Draft, Episode, Fact, Fallback, Gap, Hit, Issue, Patch, Plan, Record, Report, Source, Step, Verdict


class RunInfo(Record):
    """Identity of a run and what stays fixed while it lasts."""

    run_id: str
    thread_id: str = ""
    created_at: datetime
    question: str
    resolved_question: str = ""
    engine: str
    settings: dict[str, Any] = Field(default_factory=dict, description="The effective settings, as JSON values.")
    corpus: str = Field(default="", description="Folder of the corpus; empty where there is none.")
    web: bool = False
    guidance: str = Field(default="", description="What a policy asks of the answer, e.g. of a diligence run.")
    from_messages: bool = Field(default=False, description="The question came as the last message.")
    user: str = Field(default=DEFAULT_USER, description="Whose earlier runs are recalled.")


class Pack(Record):
    """What one query found."""

    query: str
    iteration: int = Field(ge=0, description="Round of the query; 0 for a retrieval that the fixer asked for.")
    chunk_ids: tuple[str, ...] = Field(description="Best first.")
    unsearched: str = Field(default="", description="Why the web could not be searched for it; empty where it was.")


class RepairRequest(Record):
    """One targeted retrieval that the fixer asked for."""

    claim_id: str
    query: str


def merge_hits(left: dict[str, Hit], right: dict[str, Hit]) -> dict[str, Hit]:
    """Union by chunk id, the better score wins; merging the same update twice changes nothing."""
    found = _HITS.validate_python(right)
    return left | {key: hit for key, hit in found.items() if key not in left or hit.score > left[key].score}


def merge_packs(left: dict[str, Pack], right: dict[str, Pack]) -> dict[str, Pack]:
    """Union by query; the first answer to a query stays."""
    return left | {query: pack for query, pack in _PACKS.validate_python(right).items() if query not in left}


def merge_sources(left: dict[str, Source], right: dict[str, Source]) -> dict[str, Source]:
    """Union by uri; a source that was read is not lost to a later failure."""
    tried = _SOURCES.validate_python(right)
    return left | {uri: source for uri, source in tried.items() if uri not in left or source.status == "ok"}


def merge_fallbacks(left: tuple[Fallback, ...], right: tuple[Fallback, ...]) -> tuple[Fallback, ...]:
    """Append those not seen before, in order."""
    return (*left, *(fallback for fallback in dict.fromkeys(_FALLBACKS.validate_python(right)) if fallback not in left))


def merge_hosts(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    """Union, sorted."""
    return tuple(sorted({*left, *right}))


_HITS = TypeAdapter(dict[str, Hit])
_PACKS = TypeAdapter(dict[str, Pack])
_SOURCES = TypeAdapter(dict[str, Source])
_FALLBACKS = TypeAdapter(tuple[Fallback, ...])


def as_list(named: str | PathLike[str] | Iterable[str | PathLike[str]] | None) -> list[str]:
    """Return the sources that a caller named; a string alone is one source, not its letters."""
    if named is None:
        return []
    return [str(named)] if isinstance(named, str | PathLike) else [str(each) for each in named]


class ResearchInput(TypedDict, total=False):
    """What a caller hands in: `question` or `messages`, and where to look."""

    question: Annotated[str, Field(description="The question, in any language.")]
    messages: Annotated[list[AnyMessage], add_messages]
    docs: Annotated[list[str], Field(description="Files and folders to read.")]
    urls: Annotated[list[str], Field(description="Pages to read, http or https.")]
    web: Annotated[bool, Field(description="Search the web too.")]
    corpus: Annotated[str, Field(description="Folder of a kept corpus.")]


class ResearchOutput(TypedDict, total=False):
    """What a run hands back: the report, the answer as Markdown, one AI message."""

    report: Report
    answer: str
    messages: Annotated[list[AnyMessage], add_messages]


class ResearchState(TypedDict, total=False):
    """Everything a resumed thread needs; passages, clients and keys live outside."""

    question: str
    """The open question; cleared when its report is published."""
    messages: Annotated[list[AnyMessage], add_messages]
    """The conversation: questions and answers."""
    docs: list[str]
    """Files and folders to read."""
    urls: list[str]
    """Pages to read."""
    web: bool
    """Whether to search the web."""
    corpus: str
    """Folder of a kept corpus."""
    run: Annotated[RunInfo, last(RunInfo)]
    """Identity and settings of the current run."""
    sources: Annotated[dict[str, Source], Joined(dict[str, Source], merge_sources)]
    """Every source that was tried, by uri."""
    episodes: Annotated[tuple[Episode, ...], last(tuple[Episode, ...])]
    """Recalled earlier runs."""
    plan: Annotated[Plan, last(Plan)]
    """What is to be found out."""
    packs: Annotated[dict[str, Pack], Joined(dict[str, Pack], merge_packs)]
    """What each query found."""
    evidence: Annotated[dict[str, Hit], Joined(dict[str, Hit], merge_hits)]
    """Best hit per chunk."""
    iteration: Annotated[int, last(int)]
    """Current round, from 1."""
    facts: Annotated[tuple[Fact, ...], last(tuple[Fact, ...])]
    """Facts so far, in the order found."""
    new_facts: Annotated[int, last(int)]
    """Facts that the current round added, after deduplication."""
    gaps: Annotated[tuple[Gap, ...], last(tuple[Gap, ...])]
    """Plan questions that stay open."""
    followups: Annotated[tuple[str, ...], last(tuple[str, ...])]
    """Queries of the next round."""
    steps: Annotated[tuple[Step, ...], last(tuple[Step, ...])]
    """Rounds so far."""
    draft: Annotated[Draft, last(Draft)]
    """The current draft."""
    best: Annotated[Draft, last(Draft)]
    """The best checked draft."""
    verdicts: Annotated[dict[str, Verdict], last(dict[str, Verdict])]
    """Verdicts on the best draft, by claim id."""
    issues: Annotated[tuple[Issue, ...], last(tuple[Issue, ...])]
    """Named failures of the best draft."""
    repairs: Annotated[int, last(int)]
    """Repairs made."""
    patches: Annotated[tuple[Patch, ...], last(tuple[Patch, ...])]
    """Changes of all repairs."""
    repair_request: Annotated[RepairRequest | None, optional(RepairRequest)]
    """An open targeted retrieval."""
    fallbacks: Annotated[tuple[Fallback, ...], Joined(tuple[Fallback, ...], merge_fallbacks)]
    """Steps that had to be done another way."""
    hosts: Annotated[tuple[str, ...], Joined(tuple[str, ...], merge_hosts)]
    """Hosts contacted."""
    failure: Annotated[str, last(str)]
    """Why the run cannot succeed; empty where it can."""
    failed_with: Annotated[int, last(int)]
    """Exit code that goes with the failure."""
    stop_reason: Annotated[str, last(str)]
    """What ended retrieval, written once."""
    seconds: Annotated[float, last(float)]
    """Active wall time so far, in seconds."""
    report: Annotated[Report, last(Report)]
    """The finished report."""
    answer: str
    """The answer as Markdown."""
