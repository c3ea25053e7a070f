"""Ask questions over filings through the research graph, and hold the answers to the gold ones.

python -m citewell.evals.filings --data DIR --home DIR [--only ID]… [--json FILE]

DIR holds `pdfs/` and, in the layout of BEIR, `queries.jsonl` with gold answers and `qrels.tsv` with gold pages
(`NAME#pN`, N from 0).  The home keeps the embedded pages, so that a second run takes a minute or two.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import click

from ..graph.run import aresearch
from ..graph.wiring import default_services
from ..settings import Environment, Settings
from ..state.records import Evidence, Report
from .gold_answers import read_gold, says_gold

FIXED = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A question with its gold answer and gold pages (file stem, page from 1)."""

    case_id: str
    question: str
    answer: str
    pages: frozenset[tuple[str, int]]


@dataclass(frozen=True)
class Outcome:
    """How one question went.

    Attributes:
        in_evidence: Whether a gold page is among the report's evidence; in_claims: whether a claim cites one.
        lacks: What the gold answer rests on and the answer lacks.
        lead_lacks: The same, looked for in the summary alone.
    """

    case: Case
    report: Report
    in_evidence: bool
    in_claims: bool
    lacks: tuple[str, ...]
    lead_lacks: tuple[str, ...]
    seconds: float

    @property
    def answered(self) -> bool:
        """Whether the answer says what the gold answer rests on; a bare yes or no must stand on a gold page too."""
        return not self.lacks

    @property
    def leads(self) -> bool:
        """Whether the summary alone says it."""
        return not self.lead_lacks


def read_cases(data: Path) -> list[Case]:
    """Return the questions of a folder in the order of its file."""
    pages: dict[str, set[tuple[str, int]]] = {}
    for line in (data / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query_id, document_id, _ = line.split("\t")
        name, _, page = document_id.rpartition("#p")
        pages.setdefault(query_id, set()).add((name, int(page) + 1))
    rows = [json.loads(line) for line in (data / "queries.jsonl").read_text(encoding="utf-8").splitlines() if line]
    return [
        Case(row["_id"], row["text"], str(row["metadata"]["answer"]), frozenset(pages.get(row["_id"], ())))
        for row in rows
    ]


def judge(case: Case, report: Report, seconds: float) -> Outcome:
    """Hold a report to its gold answer and pages."""
    places = {item.chunk_id: _pages(item) for item in report.evidence}
    seen = set().union(*places.values()) if places else set()
    cited = {page for claim in report.answer.claims for key in claim.citations for page in places.get(key, ())}
    gold = read_gold(case.question, case.answer)
    summary = [claim.text for claim in report.answer.executive_summary]
    claims = [claim.text for claim in report.answer.claims]
    parts = report.plan.subtasks if report.plan else ()
    short = any(part.answer_type in ("yes_no", "number", "comparison") for part in parts)
    lacks = says_gold(gold, summary, claims, short=short)
    lead_lacks = says_gold(gold, summary, summary, short=short)
    if gold.polarity and not (gold.figures or gold.names or case.pages & cited):
        # Yes, no and none are easily right by chance.
        lacks, lead_lacks = (*lacks, "gold page cited"), (*lead_lacks, "gold page cited")
    return Outcome(case, report, bool(case.pages & seen), bool(case.pages & cited), lacks, lead_lacks, seconds)


def _pages(item: Evidence) -> set[tuple[str, int]]:
    """Return the pages of a passage: the one that it begins on, and those of its table rows."""
    pages = {item.page, *(row.page for row in item.table)}
    return {(PurePosixPath(item.uri).stem, page) for page in pages if page is not None}


async def ask_all(
    cases: list[Case], documents: Path, home: Path, on_outcome: Callable[[Outcome], None] | None = None
) -> list[Outcome]:
    """Ask each question in the embedded engine, in order."""
    settings = Settings(engine="embedded", offline=True, fixed_time=FIXED)
    environment = Environment(home=home)
    services = default_services(settings, environment)
    outcomes = []
    for case in cases:
        clock = time.perf_counter()
        # A new thread each time: an old one would answer from its checkpoint.
        report = await aresearch(
            case.question,
            docs=[documents],
            thread_id=f"filings-{time.time_ns()}",
            settings=settings,
            environment=environment,
            services=services,
        )
        outcomes.append(judge(case, report, time.perf_counter() - clock))
        if on_outcome:
            on_outcome(outcomes[-1])
    return outcomes


def shown(outcome: Outcome) -> str:
    """Return one question with its answer, for reading."""
    report = outcome.report
    places = {item.chunk_id: f"{PurePosixPath(item.uri).stem} p.{item.page}" for item in report.evidence}
    mark = "said" if outcome.answered else "MISS"
    page = "page" if outcome.in_evidence else "NO PAGE"
    gold = ", ".join(f"{name} p.{number}" for name, number in sorted(outcome.case.pages))
    lines = [
        f"{mark} · {page} · {outcome.case.case_id} · {report.status} · {outcome.seconds:.1f} s",
        f"  Q: {outcome.case.question}",
        f"  gold: {outcome.case.answer}  [{gold}]",
    ]
    lines += [f"  lacks: {'; '.join(outcome.lacks)}"] if outcome.lacks else []
    for number, claim in enumerate(report.answer.claims):
        place = "•" if number < len(report.answer.executive_summary) else "·"
        cited = ", ".join(dict.fromkeys(places.get(key, key) for key in claim.citations))
        lines.append(f"    {place} {claim.text}  [{cited}]")
    lines += [f"    open: {item.question} – {item.reason}" for item in report.answer.open_questions]
    return "\n".join(lines)


def totals(outcomes: list[Outcome]) -> str:
    """Return the figures in one line."""
    of = len(outcomes)
    return (
        f"gold page in evidence {sum(o.in_evidence for o in outcomes)} of {of}, cited by a claim "
        f"{sum(o.in_claims for o in outcomes)}; gold answer said {sum(o.answered for o in outcomes)}, "
        f"in the summary {sum(o.leads for o in outcomes)}"
    )


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--home", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--only", multiple=True, help="Ask only questions whose id ends so.")
@click.option("--json", "as_json", type=click.Path(dir_okay=False, path_type=Path), help="Write the answers here.")
def main(data: Path, home: Path, only: tuple[str, ...], as_json: Path | None) -> None:
    cases = [case for case in read_cases(data) if not only or case.case_id.endswith(only)]
    outcomes = asyncio.run(ask_all(cases, data / "pdfs", home, lambda outcome: click.echo(shown(outcome) + "\n")))
    click.echo(totals(outcomes))
    if as_json:
        rows = [
            {
                "id": outcome.case.case_id,
                "status": outcome.report.status,
                "page": outcome.in_evidence,
                "lacks": outcome.lacks,
                "claims": [claim.text for claim in outcome.report.answer.claims],
            }
            for outcome in outcomes
        ]
        as_json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
