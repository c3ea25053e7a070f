"""`citewell verify`: check a report against itself, against its sources, and against the judge of support."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..reasoners.protocol import Passage, SupportJudge
from ..reports.verify import Finding, verify_report, verify_sources, verify_verdicts
from ..settings import Environment, Settings
from ..state.records import Chunk, Claim, Evidence, Hit, Report, Source, Verdict
from .exit_codes import ANSWERED, CHECK_FAILED
from .options import load, setting_options, split_flags
from .output import note, print_json, read_report, visible
from .sources_now import sources_now


@click.command(short_help="Check a report again.")
@click.argument("path", metavar="REPORT.json", type=click.Path(path_type=Path))
@click.option("--docs", multiple=True, metavar="PATH", help="The files or folders it was made from, as then given.")
@click.option("--corpus", metavar="DIR", help="The corpus that it was made from.")
@click.option("--judge/--no-judge", default=True, show_default=True, help="Judge every claim again.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@setting_options("embeddings", "offline")
def verify(path: Path, docs: tuple[str, ...], corpus: str | None, judge: bool, as_json: bool, **flags: Any) -> int:
    """Check a report: ids, quotes, offsets and citations in itself; its passages against the files or the corpus it
    was made from, where these are named; and every verdict, judged again.

    Exit code 1 where anything does not hold.
    """
    settings, environment = load(split_flags(flags)[0])
    report = read_report(path)
    findings = verify_report(report)
    now = sources_now(report, docs, corpus, settings, environment)
    findings += verify_sources(report, now)
    if judge and report.answer.claims:
        rejudge = _Rejudge(report, _judge(report, settings, environment))
        findings += asyncio.run(verify_verdicts(report, rejudge))
    quotes = sum(len(claim.quotes) for claim in report.answer.claims) + sum(len(fact.quotes) for fact in report.facts)
    checked = {
        "claims": len(report.answer.claims),
        "quotes": quotes,
        "passages": len(report.evidence),
        "sources": len(now),
        "verdicts": len(report.answer.claims) if judge else 0,
    }
    if as_json:
        print_json({"passed": not findings, "checked": checked, "findings": [vars(finding) for finding in findings]})
    else:
        _tell(findings, checked)
        if not now and report.sources:
            note("the sources were not read again: name them with --docs PATH or --corpus DIR")
    return CHECK_FAILED if findings else ANSWERED


def _tell(findings: Sequence[Finding], checked: Mapping[str, int]) -> None:
    for finding in findings:
        click.echo(visible(f"{finding.kind}: {finding.where}: {finding.message}"))
    counts = ", ".join(f"{count} {name}" for name, count in checked.items() if count)
    click.echo(f"{len(findings)} findings" if findings else "all holds", nl=False)
    click.echo(f" ({counts or 'nothing to check'})")


class _Rejudge:
    """Hands a report's passages to a judge as it saw them in the run."""

    def __init__(self, report: Report, judge: SupportJudge) -> None:
        self._judge = judge
        self._sources = {source.uri: source for source in report.sources}

    async def __call__(self, claim: Claim, cited: Sequence[Evidence]) -> Verdict:
        return await self._judge.judge(claim, [self._passage(item) for item in cited])

    def _passage(self, item: Evidence) -> Passage:
        place = item.model_dump(
            include={"chunk_id", "uri", "text", "start", "end", "page", "sheet", "rows", "headings"}
        )
        index = item.chunk_id.rpartition(":")[2]
        return Passage(
            chunk=Chunk(**place, index=int(index) if index.isdecimal() else 0),
            source=self._sources.get(item.uri) or Source(uri=item.uri, kind="document"),
            hit=Hit(chunk_id=item.chunk_id, score=item.score, rank=1),
            rows=item.table,
            queries=item.queries,
        )


def _judge(report: Report, settings: Settings, environment: Environment) -> SupportJudge:
    """Return the judge that needs no model, with the embeddings of the run unless others are named."""
    from ..reasoners.support.judge import RuleJudge
    from ..retrievers.embeddings import load_embedder

    used = report.settings.get("embeddings")
    if used and "embeddings" not in settings.model_fields_set:
        settings = settings.model_copy(update={"embeddings": used})
    return RuleJudge(load_embedder(settings, environment).embed)
