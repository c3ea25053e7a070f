"""Replay questions over a dataroom and hold each report to what reviewers require, forbid and expect."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..errors import UsageError, cause
from ..state.records import Report
from ..text.numbers import find_numbers, same_value

DEFAULT = Path(__file__).parent / "dataroom_questions.json"


class Observation(BaseModel):
    """What a report must, or must not, say; any of the wordings will do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str
    any_of: tuple[str, ...] = ()
    sources: tuple[str, ...] = Field(default=(), description="One of these files must be cited for it.")
    headings: tuple[str, ...] = Field(default=(), description="Section headings that must be there, in order.")


class ExpectedConflict(BaseModel):
    """A conflict that must be shown with all its values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    values: tuple[str, ...]
    preferred: str = ""


class Case(BaseModel):
    """One question with what reviewers taught about it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str
    required: tuple[Observation, ...] = ()
    prohibited: tuple[Observation, ...] = ()
    conflicts: tuple[ExpectedConflict, ...] = ()
    open: bool = Field(default=False, description="Whether the question must stay under open questions.")


@dataclass(frozen=True)
class Outcome:
    """How a report did on a case; `failures` says in words what is wrong."""

    case: Case
    status: str
    failures: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        return not self.failures


def read_cases(path: Path = DEFAULT) -> list[Case]:
    """Read questions.  Raises: UsageError in one line."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return [Case.model_validate(each) for each in content["questions"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: {cause(error)[:300]}") from error


def judge_report(case: Case, report: Report) -> Outcome:
    """Hold a report to a case.

    Required is read in claims and conflicts, prohibited in claims alone: a conflict shows what the losing source says.
    """
    evidence = {item.chunk_id: item.uri for item in report.evidence}
    claims = [(claim.text, {evidence.get(key, "") for key in claim.citations}) for claim in report.answer.claims]
    shown = [
        (value.value + " " + (value.quote.text if value.quote else ""), {value.uri})
        for conflict in report.answer.conflicts
        for value in conflict.values
    ]
    failures = [f"required: {item.what}" for item in case.required if not _met(item, [*claims, *shown], report)]
    failures += [
        f"prohibited: {item.what}" for item in case.prohibited if any(says(text, item.any_of) for text, _ in claims)
    ]
    failures += [f"conflict: {' / '.join(each.values)}" for each in case.conflicts if not _shown(each, report)]
    if case.open and not report.answer.open_questions:
        failures.append("open: the question is not listed as open")
    return Outcome(case=case, status=report.status, failures=tuple(failures))


def says(text: str, wordings: Sequence[str]) -> bool:
    """Whether a text has one of the wordings: as words, or, where it is one number, as an equal number."""
    folded = _folded(text)
    for wording in wordings:
        if _folded(wording) in folded:
            return True
        wanted = find_numbers(wording)
        if len(wanted) == 1 and wanted[0].text.strip() == wording.strip():
            if any(same_value(wanted[0], number) for number in find_numbers(text)):
                return True
            if wording.replace(",", "") in text.replace(",", ""):
                return True
    return False


def as_table(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes as lines, failures below their question."""
    lines = []
    for each in outcomes:
        lines.append(f"{'pass' if each.passed else 'FAIL'}  {each.case.id:20}  {each.status:22}  {each.case.question}")
        lines += [f"      - {failure}" for failure in each.failures]
    passed = sum(each.passed for each in outcomes)
    return "\n".join([*lines, f"{passed} of {len(outcomes)} questions pass"])


def as_data(outcomes: Sequence[Outcome], **more: Any) -> Mapping[str, Any]:
    """Return the outcomes as JSON values."""
    rows = [
        {"id": each.case.id, "question": each.case.question, "status": each.status}
        | {"passed": each.passed, "failures": list(each.failures)}
        for each in outcomes
    ]
    return {**more, "passed": all(each.passed for each in outcomes), "questions": rows}


def _met(item: Observation, places: Sequence[tuple[str, set[str]]], report: Report) -> bool:
    if item.headings:
        headings = [section.heading for section in report.answer.sections]
        return [heading for heading in headings if heading in item.headings] == list(item.headings)
    return any(says(text, item.any_of) and (not item.sources or files & set(item.sources)) for text, files in places)


def _shown(expected: ExpectedConflict, report: Report) -> bool:
    for conflict in report.answer.conflicts:
        texts = [value.value + " " + (value.quote.text if value.quote else "") for value in conflict.values]
        if all(any(says(text, [value]) for text in texts) for value in expected.values) and (
            not expected.preferred or says(conflict.preferred, [expected.preferred])
        ):
            return True
    return False


def _folded(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").casefold().split())
