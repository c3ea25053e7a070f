"""A report as the page draws it: claims with numbered passages, each passage cut at its quotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...reports.diff import Change, ReportDiff
from ...reports.markdown import lead_of, plain_claim, spent
from ...reports.references import Reference, Segment, distinct_sources, one_line, place, references, safe_link
from ...reports.references import telling_title as title_of
from ...reports.wording import in_language, language_for, words_for
from ...state.records import Claim, Conflict, Fact, Report, Source


def report_view(report: Report) -> dict[str, Any]:
    """Return everything that the page shows of a report, as JSON values."""
    report = in_language(report)
    language = report.plan.language if report.plan else "en"
    words = words_for(language)
    refs = references(report)
    numbers = {ref.chunk_id: ref.number for ref in refs}
    answer = report.answer
    return {
        "run_id": report.run_id,
        "thread_id": report.thread_id,
        "created_at": report.created_at.isoformat(),
        "question": report.question,
        "resolved_question": report.resolved_question,
        "status": report.status,
        "status_text": words[f"status_{report.status}"],
        "stop_reason": report.stop_reason,
        "stop_text": f"{words['stopped']} {words[f'stop_{report.stop_reason}']}",
        "engine": report.engine,
        "language": language_for(language),
        "title": one_line(answer.title or report.question),
        "lead": lead_of(report, words),
        "summary": [_claim(claim, numbers) for claim in answer.executive_summary],
        "sections": [
            {"heading": section.heading, "claims": [_claim(claim, numbers) for claim in section.claims]}
            for section in answer.sections
        ],
        "conflicts": [_conflict(conflict, numbers, words) for conflict in answer.conflicts],
        "open_questions": [item.model_dump(mode="json") for item in answer.open_questions],
        "risks": list(answer.risks_and_limits),
        "references": [_reference(ref, words) for ref in refs],
        "sources": [_source(source) for source in distinct_sources(report.sources)],
        "plan": report.plan.model_dump(mode="json") if report.plan else None,
        "steps": [step.model_dump(mode="json") for step in report.steps],
        "hits": _hits(report),
        "facts": [_fact(fact, numbers) for fact in report.facts],
        "issues": [issue.model_dump(mode="json") for issue in report.issues],
        "repairs": [patch.model_dump(mode="json") for patch in report.repairs],
        "fallbacks": [fallback.model_dump(mode="json") for fallback in report.fallbacks],
        "episodes": [episode.question for episode in report.episodes],
        "hosts": list(report.hosts_contacted),
        "ledger": report.ledger.model_dump(mode="json"),
        "spent": spent(report, words),
        "settings": dict(report.settings),
    }


def diff_view(found: ReportDiff) -> dict[str, Any]:
    """Return what changed between two reports, as JSON values."""

    def claims(many: Sequence[Claim]) -> list[dict[str, Any]]:
        return [{"id": claim.claim_id, "text": plain_claim(claim.text), "support": claim.support} for claim in many]

    def changes(many: Sequence[Change]) -> list[dict[str, Any]]:
        return [dict(zip(("before", "after"), claims((each.before, each.after)), strict=True)) for each in many]

    return {
        "different": bool(found),
        "values": changes(found.values),
        "worded": changes(found.worded),
        "support": changes(found.support),
        "cited": changes(found.cited),
        "new": claims(found.new),
        "gone": claims(found.gone),
        "other": {name: {"before": old, "after": new} for name, (old, new) in found.facets.items()},
    }


def _claim(claim: Claim, numbers: Mapping[str, int]) -> dict[str, Any]:
    return {
        "id": claim.claim_id,
        "text": plain_claim(claim.text),
        "numbers": _distinct(numbers[chunk_id] for chunk_id in claim.citations),
        "support": claim.support,
        "score": round(claim.score, 3),
        "reasons": list(claim.reasons),
    }


def _conflict(conflict: Conflict, numbers: Mapping[str, int], words: Mapping[str, str]) -> dict[str, Any]:
    return {
        "about": " · ".join(filter(None, (conflict.subject, conflict.attribute, conflict.period))),
        "preferred": conflict.preferred,
        "reason": conflict.reason,
        "values": [
            {
                "value": value.value,
                "number": numbers[value.chunk_id],
                "uri": value.uri,
                "tier": words[f"tier_{value.tier}"],
                "dated": value.dated,
                "quote": value.quote.text if value.quote else "",
            }
            for value in conflict.values
        ],
    }


def _reference(ref: Reference, words: Mapping[str, str]) -> dict[str, Any]:
    item = ref.evidence
    return {
        "number": ref.number,
        "chunk_id": ref.chunk_id,
        "uri": ref.uri,
        "title": ref.title,
        "link": ref.link,
        "place": place(item, words) if item else "",
        "page": item.page if item else None,
        "quotes": list(ref.quotes),
        "segments": [_segment(piece) for piece in ref.segments],
        "claims": list(ref.claims),
        "scores": item.model_dump(mode="json", include=SCORES) if item else {},
        "queries": list(item.queries) if item else [],
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "uri": source.uri,
        "title": title_of(source),
        "link": safe_link(source),
        "status": source.status,
        "reason": source.reason,
        "tier": source.tier,
        "dated": source.published_at.date().isoformat() if source.published_at else "",
    }


def _fact(fact: Fact, numbers: Mapping[str, int]) -> dict[str, Any]:
    cited = (numbers[quote.chunk_id] for quote in fact.quotes if quote.chunk_id in numbers)
    return {"statement": fact.statement, "iteration": fact.iteration, "numbers": _distinct(cited)}


def _hits(report: Report) -> dict[str, list[dict[str, Any]]]:
    """The best passages of each query among those that the report holds."""
    found: dict[str, list[dict[str, Any]]] = {}
    for item in sorted(report.evidence, key=lambda item: (-item.score, item.chunk_id)):
        for query in item.queries:
            shown = {"uri": item.uri, "page": item.page, "score": item.score, "preview": item.text[:PREVIEW_CHARS]}
            found.setdefault(query, []).append(shown)
    return found


PREVIEW_CHARS = 160
SCORES = {"score", "score_sparse", "score_dense", "score_fused", "rank_sparse", "rank_dense"}


def _segment(piece: Segment) -> dict[str, Any]:
    return {"text": piece.text, "marked": piece.marked, "claims": list(piece.claims)}


def _distinct(numbers: Any) -> list[int]:
    return list(dict.fromkeys(numbers))
