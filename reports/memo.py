"""The three texts of a diligence run: the answer, the memo, the open questions, every line with its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..state.records import Conflict, OpenQuestion
from .findings import Finding, Findings
from .markdown import escape
from .references import one_line
from .risks import Risk

STATUS = {
    "answered": "Answered.",
    "partial": "Answered in part: what is missing stands below.",
    "insufficient_evidence": "The dataroom does not hold enough evidence to answer.",
    "failed": "The run failed.",
}
KINDS = {"fact": "", "inference": "Inference: ", "estimate": "Unvalidated: "}


def render_summary(found: Findings, risks: Sequence[Risk]) -> str:
    """Return `summary_answer.md`: the question, the answer, conflicts, holes; the memo where one was asked for."""
    report = found.report
    lines = [f"# {escape(one_line(report.question))}", "", f"**{STATUS[report.status]}**", ""]
    lines += _claims(_summary(found) if report.answer.sections else found.claims)
    if any(guidance.memo_inline for guidance in found.harness.guidance_for(report.question)):
        lines += ["", *_sections(found), *_risks(risks)]
    elif report.answer.sections:
        lines += ["", *_sections(found)]
    lines += _conflicts(found.conflicts)
    lines += ["", "## What could not be established", ""]
    lines += _holes(found.open_questions, found.files_searched)
    lines += _limits(report.answer.risks_and_limits, "Limits")
    return _text(lines)


def render_memo(found: Findings, risks: Sequence[Risk]) -> str:
    """Return `investment_memo.md`: summary, sections, risks, conflicts, open questions, limits, files read."""
    report = found.report
    lines = [f"# Memo: {escape(one_line(report.answer.title or report.question))}", ""]
    lines += [f"Question: {escape(one_line(report.question))}", "", "## Summary", ""]
    lines += [STATUS[report.status], ""]
    lines += _claims(_summary(found) or found.claims[:3])
    lines += ["", *_sections(found), *_risks(risks), *_conflicts(found.conflicts)]
    lines += ["", "## Open questions", "", *_holes(found.open_questions, found.files_searched)]
    lines += _limits(report.answer.risks_and_limits, "Limits of this memo")
    lines += ["", "## Files cited", ""]
    cited = dict.fromkeys(file for finding in found.claims for file in finding.files)
    lines += [f"- `{file}`" for file in cited] or ["- none"]
    return _text(lines)


def _summary(found: Findings) -> list[Finding]:
    """Return what the answer's summary says, whether a section says it again or not."""
    first = {claim.claim_id for claim in found.report.answer.executive_summary}
    return [each for each in found.claims if each.claim.claim_id in first or not each.section]


def _limits(limits: Sequence[str], heading: str) -> list[str]:
    return ["", f"## {heading}", "", *(f"- {escape(one_line(line))}" for line in limits)] if limits else []


def render_open_questions(found: Findings, risks: Sequence[Risk]) -> str:
    """Return `open_questions.md`: the report's account of what stays open, and what the conflicts leave to ask."""
    lines = ["# Open questions", "", "## Could not be established", ""]
    lines += _holes(found.open_questions, found.files_searched)
    lines += ["", "## To ask because of what was found", ""]
    asked = [(question, risk.id) for risk in risks for question in risk.open_questions]
    lines += [f"- {escape(question)} ({risk_id})" for question, risk_id in asked] or ["- nothing"]
    return _text(lines)


def _claims(claims: Iterable[Finding]) -> list[str]:
    lines = [f"- {KINDS[each.kind]}{escape(each.text)} {_places(each.places)}".rstrip() for each in claims]
    return lines or ["No claim is made."]


def _sections(found: Findings) -> list[str]:
    lines: list[str] = []
    for section in found.report.answer.sections:
        inside = [each for each in found.claims if each.section == section.heading]
        lines += [f"## {escape(one_line(section.heading))}", "", *_claims(inside), ""]
    return lines


def _risks(risks: Sequence[Risk]) -> list[str]:
    lines = ["## Risks", ""]
    lines += [
        f"- {risk.id} ({risk.severity}): {escape(risk.title)}. {escape(risk.rationale)} {_places(risk.evidence)}"
        for risk in risks
    ] or ["- none found in the files read"]
    return [*lines, ""]


def _conflicts(conflicts: Sequence[Conflict]) -> list[str]:
    if not conflicts:
        return []
    lines = ["", "## Contradictions", ""]
    for conflict in conflicts:
        name = " ".join(part for part in (conflict.subject, conflict.attribute, conflict.period) if part)
        lines.append(f"- {escape(one_line(name))}:")
        for value in conflict.values:
            dated = f", dated {value.dated}" if value.dated else ""
            lines.append(f"  - {escape(one_line(value.value))} ({value.tier}{dated}) {_places((value.uri,))}")
        preferred = f"preferred: {conflict.preferred}; " if conflict.preferred else ""
        lines.append(f"  - {escape(one_line(preferred + conflict.reason))}")
    return lines


def _holes(holes: Sequence[OpenQuestion], searched: Sequence[str]) -> list[str]:
    lines = []
    for hole in holes:
        files = hole.sources or searched
        lines.append(f"- {escape(one_line(hole.question))}")
        lines.append(f"  - why: {escape(one_line(hole.reason or 'no source states it'))}")
        lines.append(f"  - files searched: {', '.join(f'`{file}`' for file in files) or 'none'}")
    return lines or ["- nothing"]


def _places(places: Iterable[str]) -> str:
    shown = "; ".join(place for place in places if place)
    return f"[{escape(shown)}]" if shown else ""


def _text(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip() + "\n"
