"""A report about a fictional ferry line whose offsets, hashes and ids hold, to be rendered, verified and changed."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from citewell.state.records import (
    Answer,
    Claim,
    Conflict,
    ConflictValue,
    Evidence,
    Fact,
    Gap,
    Issue,
    Ledger,
    OpenQuestion,
    Patch,
    Plan,
    PlanQuestion,
    Quote,
    Report,
    Section,
    Source,
    Step,
    chunk_id_of,
)

ANNUAL = "filings/brackwater_2024.pdf"
EXPORT = "exports/fleet.csv"
WIKI = "https://wiki.test/Brackwater_(ferries)"
TEXTS = {
    ANNUAL: (
        "Brackwater Ferries annual report\n\n"
        "Fuel cost rose to EUR 41.2 million in 2024 from EUR 37.9 million in 2023. "
        "The increase follows the longer winter timetable.\n"
        "At year end the line ran 14 ships."
    ),
    EXPORT: "Year: 2024; Ships: 15; Crew: 612\nYear: 2023; Ships: 13; Crew: 588",
    WIKI: "Brackwater Ferries is a ferry line based in Halmouth. It was founded in 1921 and carries cars.",
}
QUESTION = "How did fuel cost at Brackwater Ferries change in 2024, and how many ships did it run?"
HOSTILE = "<script>window.hit=1</script><img src=https://evil.test/x onerror=hit()>\"'></title></style></script>{{7*7}}"
QUERIES = ("Brackwater Ferries fuel cost 2024", "Brackwater Ferries ships", "fuel cost change")


def quote(uri: str, words: str) -> Quote:
    """Return a quote of the only chunk of one of the texts."""
    start = TEXTS[uri].index(words)
    return Quote(chunk_id=chunk_id_of(uri, 0), start=start, end=start + len(words), text=words)


def claim(number: int, text: str, uri: str, words: str, **changes: Any) -> Claim:
    """Return a supported claim that cites one passage and quotes it."""
    fields: dict[str, Any] = {
        "claim_id": f"C-{number:03d}",
        "text": text,
        "citations": (chunk_id_of(uri, 0),),
        "quotes": (quote(uri, words),),
        "support": "supported",
        "score": 0.93,
        "reasons": ("number: all figures stand in the passage",),
        "question_id": "Q1",
    }
    return Claim.model_validate(fields | changes)


FUEL = claim(
    1,
    "Fuel cost rose to EUR 41.2 million in 2024, from EUR 37.9 million in 2023.",
    ANNUAL,
    "Fuel cost rose to EUR 41.2 million in 2024 from EUR 37.9 million in 2023.",
)
SHIPS = claim(2, "It ran 15 ships in 2024.", EXPORT, "Year: 2024; Ships: 15", question_id="Q2")
FOUNDED = claim(3, "The line was founded in 1921.", WIKI, "It was founded in 1921")
REASON = claim(
    4,
    "The longer winter timetable may have raised the cost.",
    ANNUAL,
    "The increase follows the longer winter timetable.",
    support="partial",
    score=0.61,
    reasons=("modality: the passage says follows, the claim says may have raised",),
)


def evidence(uri: str, rank: int, **changes: Any) -> Evidence:
    """Return the only chunk of one of the texts as evidence."""
    fields: dict[str, Any] = {
        "chunk_id": chunk_id_of(uri, 0),
        "uri": uri,
        "text": TEXTS[uri],
        "start": 0,
        "end": len(TEXTS[uri]),
        "score": 1.0 / rank,
        "score_sparse": 12.5 / rank,
        "score_dense": 0.81 / rank,
        "score_fused": 2 / (60 + rank),
        "rank_sparse": rank,
        "rank_dense": rank,
        "queries": QUERIES[:rank],
    }
    return Evidence.model_validate(fields | changes)


def source(uri: str, **changes: Any) -> Source:
    """Return one of the texts as a source that was read."""
    fields: dict[str, Any] = {
        "uri": uri,
        "kind": "web" if uri.startswith("http") else "file",
        "title": "",
        "media_type": "text/plain",
        "sha256": sha256(TEXTS.get(uri, "").encode()).hexdigest(),
        "extractor": "text/1 utf-8",
    }
    return Source.model_validate(fields | changes)


def sample_answer() -> Answer:
    """Return the answer of the sample report."""
    return Answer(
        title="Fuel cost and fleet of Brackwater Ferries in 2024",
        executive_summary=(FUEL, SHIPS),
        summary_text=f"{FUEL.text} (cite: {FUEL.citations[0]}) {SHIPS.text} (cite: {SHIPS.citations[0]})",
        sections=(
            Section(heading="How did fuel cost change in 2024?", claims=(FUEL, REASON)),
            Section(heading="Background", claims=(FOUNDED,)),
        ),
        conflicts=(
            Conflict(
                subject="Brackwater Ferries",
                attribute="ships",
                period="2024",
                values=(
                    ConflictValue(
                        value="15",
                        chunk_id=chunk_id_of(EXPORT, 0),
                        quote=quote(EXPORT, "Year: 2024; Ships: 15"),
                        uri=EXPORT,
                        tier="structured",
                        dated="2024-12-31",
                    ),
                    ConflictValue(
                        value="14 ships",
                        chunk_id=chunk_id_of(ANNUAL, 0),
                        quote=quote(ANNUAL, "At year end the line ran 14 ships."),
                        uri=ANNUAL,
                    ),
                ),
                preferred="15",
                reason="a structured export outranks a narrative",
            ),
        ),
        open_questions=(
            OpenQuestion(
                question="What did the winter timetable alone cost?",
                reason="no passage states it",
                queries=("winter timetable cost",),
                sources=(ANNUAL, EXPORT),
            ),
        ),
        risks_and_limits=("Only 3 distinct citations were found where 6 were asked for.",),
        citations=(chunk_id_of(ANNUAL, 0), chunk_id_of(EXPORT, 0), chunk_id_of(WIKI, 0)),
        sources=(ANNUAL, EXPORT, WIKI),
    )


def sample_report(**changes: Any) -> Report:
    """Return the sample report, with some fields replaced."""
    fields: dict[str, Any] = {
        "run_id": "run-0001",
        "thread_id": "t-1",
        "created_at": datetime(2025, 3, 4, 9, 30, tzinfo=UTC),
        "question": QUESTION,
        "status": "partial",
        "stop_reason": "diminishing_returns",
        "engine": "embedded",
        "settings": {"max_iterations": 4},
        "answer": sample_answer(),
        "evidence": (
            evidence(ANNUAL, 1, page=12, headings=("Annual report", "Cost")),
            evidence(EXPORT, 2, rows=(1, 2)),
            evidence(WIKI, 3),
        ),
        "facts": (
            Fact(fact_id="F-001", statement=FUEL.text, quotes=FUEL.quotes, query=QUERIES[0]),
            Fact(fact_id="F-002", statement=SHIPS.text, quotes=SHIPS.quotes, query=QUERIES[1]),
            Fact(fact_id="F-003", statement=FOUNDED.text, quotes=FOUNDED.quotes, query=QUERIES[2], iteration=2),
        ),
        "plan": Plan(
            goal="Find the change of fuel cost and the number of ships.",
            subtasks=(
                PlanQuestion(question_id="Q1", text="How did fuel cost change in 2024?", answer_type="number"),
                PlanQuestion(question_id="Q2", text="How many ships did it run?", answer_type="number"),
            ),
            queries=QUERIES[:2],
        ),
        "sources": (
            source(ANNUAL, title="Brackwater Ferries annual report", media_type="application/pdf"),
            source(EXPORT, tier="structured", media_type="text/csv", published_at=datetime(2024, 12, 31, tzinfo=UTC)),
            source(WIKI, title="Brackwater (ferries)"),
            Source(uri="filings/locked.pdf", kind="file", status="failed", reason="needs a password"),
            Source(uri="filings/empty.txt", kind="file", status="skipped", reason="empty"),
        ),
        "steps": (
            Step(
                iteration=1,
                queries=QUERIES[:2],
                hits=2,
                new_facts=2,
                gaps=(Gap(question_id="Q2", reason="one figure only", queries=QUERIES[2:]),),
            ),
            Step(iteration=2, queries=QUERIES[2:], hits=1, new_facts=1),
        ),
        "issues": (Issue(kind="partial", message="the passage does not say why", claim_id="C-004"),),
        "repairs": (
            Patch(
                repair=1,
                claim_id="C-004",
                action="soften",
                before="The longer winter timetable raised the cost.",
                after=REASON.text,
                reason="the passage says follows",
            ),
        ),
        "fallbacks": (),
        "hosts_contacted": ("wiki.test",),
        "ledger": Ledger(iterations=2, facts=3, repairs=1, seconds=1.25),
        "versions": {"citewell": "0.1.0"},
    }
    return Report.model_validate(fields | changes)


def hostile_report() -> Report:
    """A report in which every text that comes from outside tries to break out."""
    told = claim(1, HOSTILE, ANNUAL, "Fuel cost rose", reasons=(HOSTILE,))
    report = sample_report()
    answer = sample_answer().model_copy(
        update={
            "title": HOSTILE,
            "executive_summary": (told,),
            "sections": (Section(heading=HOSTILE, claims=(told,)),),
            "risks_and_limits": (HOSTILE,),
        }
    )
    evidence = report.evidence[0].model_copy(update={"text": TEXTS[ANNUAL] + HOSTILE, "queries": (HOSTILE,)})
    return report.model_copy(
        update={
            "question": HOSTILE,
            "answer": answer,
            "evidence": (evidence, *report.evidence[1:]),
            "sources": (
                source(ANNUAL, title=HOSTILE, reason=HOSTILE),
                *report.sources[1:],
                source(f"https://x.test/{HOSTILE}", title=HOSTILE),
            ),
            "engine": HOSTILE,
        }
    )
