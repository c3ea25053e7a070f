"""A report as one HTML file that needs nothing else: passages open at their citations, the run stands as a timeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from ..state.records import Claim, Report, Step
from .markdown import lead_of, plain_claim, spent
from .page import asset, environment, policy_of
from .references import distinct_sources, one_line, place, references, safe_link, telling_title
from .wording import in_language, language_for, words_for


@dataclass(frozen=True)
class Query:
    """A query of a round with the passages and facts it gave."""

    text: str
    passages: int
    facts: int


@dataclass(frozen=True)
class Round:
    """One round of the timeline; `share` is its part of all new facts, 0 to 100."""

    step: Step
    queries: tuple[Query, ...]
    share: int


def render_html(report: Report) -> str:
    """Return the report as a self-contained page; every text of it is escaped and its own script is the only one."""
    report = in_language(report)
    language = report.plan.language if report.plan else "en"
    words = words_for(language)
    refs = references(report)
    style, script = asset("report.css"), asset("report.js")
    return (
        environment()
        .get_template("report.html")
        .render(
            report=report,
            answer=report.answer,
            words=words,
            language=language_for(language),
            title=one_line(report.answer.title or report.question),
            references=refs,
            numbers={ref.chunk_id: ref.number for ref in refs},
            sources=distinct_sources(report.sources),
            counts=_counts(report),
            rounds=_rounds(report),
            verdicts=_verdicts(report),
            lead=lead_of(report, words),
            spent=spent(report, words),
            place=lambda item: place(item, words),
            sentence=lambda claim: plain_claim(claim.text),
            one_line=one_line,
            safe_link=safe_link,
            telling_title=telling_title,
            distinct=lambda ids: tuple(dict.fromkeys(ids)),
            style=Markup(style),  # noqa: S704 (our own file)
            script=Markup(script),  # noqa: S704 (our own file)
            policy=policy_of(style, script),
        )
    )


def _counts(report: Report) -> Mapping[str, int]:
    """How many sources were read, skipped and failed."""
    return {status: sum(source.status == status for source in report.sources) for status in ("ok", "skipped", "failed")}


def _rounds(report: Report) -> tuple[Round, ...]:
    total = sum(step.new_facts for step in report.steps)
    return tuple(
        Round(
            step=step,
            queries=tuple(
                Query(
                    text=query,
                    passages=sum(query in item.queries for item in report.evidence),
                    facts=sum(fact.query == query and fact.iteration == step.iteration for fact in report.facts),
                )
                for query in step.queries
            ),
            share=round(100 * step.new_facts / total) if total else 0,
        )
        for step in report.steps
    )


def _verdicts(report: Report) -> Mapping[str, Claim]:
    return {claim.claim_id: claim for claim in report.answer.claims}
