"""Risks that follow from the findings: contradictions, unvalidated figures, holes, concentrations, legal matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from ..state.records import Conflict, Record
from ..text.numbers import find_numbers
from .findings import Finding, Findings, mentions
from .references import one_line

Severity = Literal["high", "medium", "low"]
HIGH_SHARE = 20
"""A single counterparty from this percentage on is a high risk."""
MEDIUM_SHARE = 10
LARGE_GAP = Decimal("0.05")
"""Two values of one figure that differ by more than this share of the preferred one."""


CORRECTED = "corrected figure"
"""What the attribute of a conflict is called where a source itself replaces a figure."""
_OVER_BUDGET = re.compile(r"(?P<what>.+?) is over budget by \d")


class Risk(Record):
    """One line of the risk register."""

    id: str
    title: str
    severity: Severity
    rationale: str
    evidence: tuple[str, ...]
    open_questions: tuple[str, ...] = ()


def risks_of(found: Findings) -> tuple[Risk, ...]:
    """Return the risks that the findings support, the severe ones first, each with the files it rests on."""
    drafts = [
        *_from_conflicts(found),
        *_from_claims(found),
        *_from_holes(found),
    ]
    distinct = {(draft.title, draft.evidence): draft for draft in drafts if draft.evidence}
    order = {"high": 0, "medium": 1, "low": 2}
    ranked = sorted(distinct.values(), key=lambda risk: order[risk.severity])
    return tuple(risk.model_copy(update={"id": f"R-{number:03d}"}) for number, risk in enumerate(ranked, start=1))


def _from_conflicts(found: Findings) -> Iterator[Risk]:
    evidence = {item.chunk_id: item.uri for item in found.report.evidence}
    for conflict in found.conflicts:
        name = " ".join(part for part in (conflict.subject, conflict.attribute, conflict.period) if part)
        files = tuple(dict.fromkeys(value.uri or evidence.get(value.chunk_id, "") for value in conflict.values))
        values = "; ".join(f"{one_line(value.value)} ({value.uri})" for value in conflict.values)
        wanted = (
            f"preferred: {one_line(conflict.preferred)}, {conflict.reason}" if conflict.preferred else conflict.reason
        )
        yield Risk(
            id="",
            title=f"Corrected figure: {conflict.subject}"
            if conflict.attribute == CORRECTED
            else f"Sources disagree about {name}",
            severity=_gap(conflict),
            rationale=one_line(f"{values}. {wanted}".strip()),
            evidence=tuple(file for file in files if file),
            open_questions=(f"Where is the older figure for {conflict.subject} still relied on?",)
            if conflict.attribute == CORRECTED
            else (f"Which figure holds for {name}, and what explains the difference?",),
        )


def _gap(conflict: Conflict) -> Severity:
    """High where a status is contradicted or figures lie more than 5% apart, else medium."""
    numbers = [find_numbers(value.value) for value in conflict.values]
    if any(not each for each in numbers):
        return "high"
    values = [each[0].value for each in numbers]
    units = {each[0].unit for each in numbers}
    base = max(abs(value) for value in values)
    if len(units) == 1 and base and (max(values) - min(values)) / base <= LARGE_GAP:
        return "medium"
    return "high"


def _from_claims(found: Findings) -> Iterator[Risk]:
    for finding in found.claims:
        seen = _seen_in(finding, found) if finding.files else None
        if seen is not None:
            title, severity, question = seen
            yield Risk(
                id="",
                title=title,
                severity=severity,
                rationale=finding.text,
                evidence=finding.files,
                open_questions=(question,),
            )


def _seen_in(finding: Finding, found: Findings) -> tuple[str, Severity, str] | None:
    """Return title, severity and the question that stays open of the risk that a claim tells of; None where of none."""
    share = _share(finding.text)
    if finding.kind == "inference" and share is not None and share >= MEDIUM_SHARE:
        severity: Severity = "high" if share >= HIGH_SHARE else "medium"
        question = "When do the agreements behind this share end, and who may terminate them?"
        return f"Concentration: {_subject(finding)}", severity, question
    if finding.kind == "estimate":
        question = "Who validates the figure, against which system, and when?"
        return f"Unvalidated: {_subject(finding)}", "medium", question
    if finding.kind == "inference" and (over := _OVER_BUDGET.match(finding.text)):
        return f"Over budget: {over['what']}", "medium", "Why was more spent than granted, and who approved it?"
    if mentions(finding.text, found.harness.words("not_delivered")):
        return f"Not delivered: {_subject(finding)}", "medium", "When is it delivered?"
    if legal := _legal_severity(finding, found):
        question = "What outcome does counsel expect, and is it insured or provided for?"
        return f"Legal: {_subject(finding)}", legal, question
    return None


def _from_holes(found: Findings) -> Iterator[Risk]:
    own = found.harness.own_questions
    for hole in found.open_questions:
        if hole.question in own and one_line(hole.question).casefold() not in found.report.question.casefold():
            continue  # What only the policy asked, in any dataroom, says nothing of this one where it stays open.
        files = hole.sources or found.files_searched
        yield Risk(
            id="",
            title=f"Could not be established: {one_line(hole.question)}",
            severity="medium",
            rationale=one_line(hole.reason or "No source in the dataroom states it."),
            evidence=tuple(files),
            open_questions=(one_line(hole.question),),
        )


def _share(text: str) -> Decimal | None:
    shares = [number.value for number in find_numbers(text) if number.unit == "%"]
    return max(shares) if shares else None


def _legal_severity(finding: Finding, found: Findings) -> Severity | None:
    if not mentions(finding.text, found.harness.words("risk_legal")):
        return None
    amounts = [number for number in find_numbers(finding.text) if len(number.unit) == 3 and number.unit.isupper()]
    settled = re.search(r"\bsettled\b", finding.text, re.IGNORECASE)
    return "low" if settled else "high" if amounts or "terminate" in finding.text.casefold() else "medium"


def _subject(finding: Finding, limit: int = 70) -> str:
    words: Sequence[str] = finding.text.split()
    title = ""
    for word in words:
        if len(title) + len(word) > limit:
            return title.rstrip(" ,;:") + " …"
        title = f"{title} {word}".strip()
    return title.rstrip(".")
