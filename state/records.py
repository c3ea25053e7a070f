"""The values a run is made of, from a source to the report.  Frozen, JSON-able, field names public."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha1
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Support = Literal["supported", "partial", "unsupported", "not_checked"]
Status = Literal["answered", "partial", "insufficient_evidence", "failed"]
StopReason = Literal[
    "max_iterations",
    "no_gaps",
    "max_facts",
    "diminishing_returns",
    "model_call_budget",
    "token_budget",
    "cost_budget",
    "time_budget",
    "no_evidence",
    "cancelled",
    "error",
]
AnswerType = Literal[
    "number", "date", "person", "place", "entity", "yes_no", "list", "comparison", "definition", "explanation"
]


class Record(BaseModel):
    """Base of all records: frozen, no unknown field."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def chunk_id_of(uri: str, index: int) -> str:
    """Return the id of a source's chunk: hex SHA-1 of the UTF-8 uri, a colon, the index from 0."""
    return f"{sha1(uri.encode()).hexdigest()}:{index}"


class Document(Record):
    """A text handed in by a program, or what intake made of a file or page."""

    uri: str
    text: str = Field(description="Extracted text; offsets of chunks and quotes count its characters.")
    metadata: dict[str, Any] = Field(default_factory=dict, description="Plain values; odd ones are flattened.")


class Source(Record):
    """A file, page or text that was read, or why it was not."""

    uri: str
    kind: Literal["web", "file", "document", "memory", "graph"]
    title: str = ""
    media_type: str = ""
    sha256: str = Field(default="", description="Of the bytes read, hex; empty where nothing was read.")
    tier: Literal["structured", "narrative"] = "narrative"
    fetched_at: datetime | None = None
    published_at: datetime | None = Field(default=None, description="The source's own date, where it states one.")
    extractor: str = Field(default="", description="Name and version of the parser, and the encoding it detected.")
    status: Literal["ok", "skipped", "failed"] = "ok"
    reason: str = Field(default="", description="Why it was skipped or failed, or what was left out of it.")
    tables_whole: bool = Field(default=True, description="Whether all records of its tables were kept as rows.")


class Chunk(Record):
    """A passage that indexing cut from a source: `text == source_text[start:end]`."""

    chunk_id: str
    uri: str
    index: int = Field(ge=0)
    text: str
    start: int = Field(ge=0, description="First character, counted in the source's extracted text.")
    end: int = Field(description="One past the last character.")
    page: int | None = Field(default=None, ge=1, description="Page on which the chunk begins, counted from 1.")
    sheet: str | None = None
    rows: tuple[int, int] | None = Field(default=None, description="First and last data row, counted from 1.")
    headings: tuple[str, ...] = Field(default=(), description="Heading path, outermost first.")


class Cell(Record):
    """One value of a table row with the header that names it."""

    header: str = Field(description="Column header, header rows joined by a space; empty where the table has none.")
    text: str = Field(description="The value word for word.")
    start: int = Field(ge=0, description="First character, counted in the source's extracted text.")
    end: int = Field(description="One past the last character.")


class TableRow(Record):
    """A row of a table, readable by itself, each cell tied to its place in the source."""

    uri: str
    label: str = Field(description="The row's name: the leading text cell, with its parent row's where indented.")
    cells: tuple[Cell, ...]
    caption: str = Field(default="", description="Title or unit note, e.g. `(Millions, except percentages)`.")
    page: int | None = Field(default=None, ge=1)
    sheet: str | None = None
    row: int | None = Field(default=None, ge=1, description="Data row, counted from 1.")
    start: int = Field(ge=0, description="First character of the row in the source's extracted text.")
    end: int = Field(description="One past its last character.")


class Hit(Record):
    """A chunk that a query found, with the scores and ranks that explain its place."""

    chunk_id: str
    score: float = Field(description="What orders the list.")
    rank: int = Field(ge=1)
    score_sparse: float | None = Field(default=None, description="BM25, 0 or more.")
    score_dense: float | None = Field(default=None, description="Cosine, in [-1, 1].")
    score_fused: float | None = Field(default=None, description="Reciprocal rank fusion of the two rankings.")
    rank_sparse: int | None = Field(default=None, ge=1)
    rank_dense: int | None = Field(default=None, ge=1)


class Quote(Record):
    """Words of one chunk that carry a fact, exactly as the source has them."""

    chunk_id: str
    start: int = Field(ge=0, description="First character, counted in the chunk's text.")
    end: int = Field(description="One past the last character.")
    text: str = Field(description="The span word for word.")


class Fact(Record):
    """One atomic statement with the words that carry it."""

    fact_id: str
    statement: str
    quotes: tuple[Quote, ...]
    query: str = Field(default="", description="The query that found it.")
    iteration: int = Field(default=1, ge=1)
    score: float = Field(default=0.0, description="How well it answers its plan question, higher is better.")
    question_id: str = Field(default="", description="The plan question it bears on.")
    value: float | None = None
    unit: str = ""
    period: str = ""
    entity: str = ""
    attribute: str = Field(default="", description="What was measured, e.g. `effective tax rate`.")


class PlanQuestion(Record):
    """One part of the question that the answer must settle."""

    question_id: str = Field(description="`Q1` and on, in order.")
    text: str
    answer_type: AnswerType = "explanation"
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    optional: bool = Field(default=False, description="Asked by a policy, not by the user: it may stay open.")


class Plan(Record):
    """What is to be found out and how."""

    goal: str
    subtasks: tuple[PlanQuestion, ...]
    queries: tuple[str, ...]
    acceptance_checks: tuple[str, ...] = ()
    recalled: tuple[str, ...] = Field(default=(), description="Ids of recalled episodes that shaped the plan.")
    language: str = Field(default="en", description="ISO 639-1 code of the question.")


class Gap(Record):
    """A plan question that the facts do not settle yet, and the queries that may."""

    question_id: str
    reason: str
    queries: tuple[str, ...] = ()
    optional: bool = Field(default=False, description="True where the question is answered but a hop may add to it.")


class Claim(Record):
    """One sentence of the answer with the passages it rests on."""

    claim_id: str = Field(description="`C-001` and on.")
    text: str
    citations: tuple[str, ...] = Field(default=(), description="Chunk ids.")
    quotes: tuple[Quote, ...] = ()
    support: Support = "not_checked"
    score: float = Field(default=0.0, ge=0, le=1)
    reasons: tuple[str, ...] = ()
    question_id: str = Field(default="", description="The plan question it answers.")


class Section(Record):
    """A headed group of claims."""

    heading: str
    claims: tuple[Claim, ...]


class ConflictValue(Record):
    """One of several values that sources give for the same thing."""

    value: str = Field(description="As the source writes it.")
    chunk_id: str
    quote: Quote | None = None
    uri: str = ""
    tier: Literal["structured", "narrative"] = "narrative"
    dated: str = Field(default="", description="Date of the statement or its source, ISO 8601 where known.")


class Conflict(Record):
    """Sources that disagree about one attribute of one subject in one period."""

    subject: str
    attribute: str
    period: str = ""
    values: tuple[ConflictValue, ...]
    preferred: str = Field(default="", description="The preferred value as written; empty where none is.")
    reason: str = Field(default="", description="Why it is preferred, or why none is.")


class OpenQuestion(Record):
    """What could not be established, and what was tried."""

    question: str
    reason: str = ""
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = Field(default=(), description="Uris of the sources seen.")


class Answer(Record):
    """The answer: claims with citations, conflicts, and what stays open."""

    title: str = ""
    executive_summary: tuple[Claim, ...] = ()
    summary_text: str = Field(default="", description="The summary with `(cite: <chunk_id>)` verbatim.")
    sections: tuple[Section, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    risks_and_limits: tuple[str, ...] = ()
    citations: tuple[str, ...] = Field(default=(), description="Distinct chunk ids: of claims, then of conflicts.")
    sources: tuple[str, ...] = Field(default=(), description="Uris of the cited sources, in order of first use.")

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Summary plus sections in order, each claim once."""
        every = [*self.executive_summary, *(claim for section in self.sections for claim in section.claims)]
        return tuple({claim.claim_id: claim for claim in every}.values())


class Draft(Record):
    """An answer before it is checked."""

    title: str = ""
    summary: tuple[Claim, ...] = ()
    sections: tuple[Section, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="For risks and limits.")
    bearing: tuple[str, ...] | None = Field(
        default=None, description="Chunks that answer, by whoever wrote it; None where that is not known."
    )

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Summary plus sections in order, each claim once."""
        every = [*self.summary, *(claim for section in self.sections for claim in section.claims)]
        return tuple({claim.claim_id: claim for claim in every}.values())


class Verdict(Record):
    """Whether passages support a claim, how surely, and why."""

    support: Support
    score: float = Field(ge=0, le=1)
    reasons: tuple[str, ...] = Field(default=(), description="`kind: detail`, e.g. `number: 24.6% is absent`.")
    quotes: tuple[Quote, ...] = ()


class Issue(Record):
    """A named failure of the draft."""

    kind: Literal[
        "unknown_id",
        "foreign_source",
        "uncited",
        "unsupported",
        "partial",
        "not_checked",
        "quote_mismatch",
        "too_few_citations",
        "too_few_summary_citations",
        "conflict_ignored",
        "open_question",
    ]
    message: str
    claim_id: str = ""
    chunk_ids: tuple[str, ...] = ()


class Patch(Record):
    """One change the fixer made or asked for."""

    repair: int = Field(ge=1, description="Which repair, counted from 1.")
    claim_id: str
    action: Literal["recite", "soften", "drop", "retrieve"]
    before: str = ""
    after: str = ""
    reason: str = ""
    taken: bool = Field(default=True, description="False where the patch would have lowered the total support.")


class Fallback(Record):
    """A step that had to be done another way."""

    step: str
    reason: str


class Step(Record):
    """One round of retrieval."""

    iteration: int = Field(ge=1)
    queries: tuple[str, ...]
    hits: int = Field(ge=0, description="Distinct chunks found in this round.")
    new_facts: int = Field(ge=0)
    gaps: tuple[Gap, ...] = ()


class Evidence(Record):
    """A passage of the report: the text once, with its place and scores."""

    chunk_id: str
    uri: str
    text: str
    start: int = Field(ge=0, description="First character in the source's extracted text.")
    end: int
    page: int | None = None
    sheet: str | None = None
    rows: tuple[int, int] | None = None
    headings: tuple[str, ...] = ()
    score: float = 0.0
    score_sparse: float | None = None
    score_dense: float | None = None
    score_fused: float | None = None
    rank_sparse: int | None = None
    rank_dense: int | None = None
    queries: tuple[str, ...] = Field(default=(), description="The queries that found it.")
    table: tuple[TableRow, ...] = Field(
        default=(), description="Table rows recovered inside a cited passage, which verdicts rest on."
    )


class Ledger(Record):
    """What a run spent."""

    iterations: int = 0
    facts: int = 0
    repairs: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = Field(default=None, description="US dollars; None where a price is unknown.")
    seconds: float = 0.0


class Episode(Record):
    """A finished run worth remembering: what was asked and what worked.  Never evidence."""

    episode_id: str
    created_at: datetime
    question: str
    sources: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    useful_sources: tuple[str, ...] = ()
    user: str = ""


class Report(Record):
    """Everything a run found, said, checked and spent."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["citewell.report/1"] = Field(default="citewell.report/1", alias="schema")
    run_id: str
    thread_id: str = ""
    created_at: datetime
    question: str
    resolved_question: str = ""
    status: Status
    stop_reason: StopReason
    failed_with: int = Field(default=0, description="Exit code of a failed run: 2 bad input, 4 a provider; else 0.")
    engine: str
    settings: dict[str, Any] = Field(default_factory=dict)
    answer: Answer = Answer()
    evidence: tuple[Evidence, ...] = ()
    facts: tuple[Fact, ...] = ()
    plan: Plan | None = None
    sources: tuple[Source, ...] = ()
    steps: tuple[Step, ...] = ()
    issues: tuple[Issue, ...] = ()
    repairs: tuple[Patch, ...] = ()
    fallbacks: tuple[Fallback, ...] = ()
    hosts_contacted: tuple[str, ...] = ()
    episodes: tuple[Episode, ...] = Field(default=(), description="Recalled episodes; they shape the plan only.")
    ledger: Ledger = Ledger()
    versions: dict[str, str] = Field(default_factory=dict)


class IndexReport(Record):
    """What adding to a corpus did, by uri."""

    added: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[Source, ...] = Field(default=(), description="Sources that failed or were skipped, with the reason.")
    chunks: int = Field(default=0, description="Chunks of the added and updated sources.")
