"""Check the claims against their files, write the artifacts, check their shape.  Reads report; writes artifacts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..errors import UsageError
from ..reports.artifacts import (
    AUDIT_INPUT,
    COVERAGE,
    MANIFEST,
    VALIDATION,
    artifact_texts,
    as_json,
    run_manifest,
    write_artifacts,
)
from ..reports.contract import validate_output_contract
from ..reports.markdown import render_markdown
from ..reports.traces.recording import work
from ..state.diligence import DiligenceState
from ..state.harness import Harness
from ..state.records import OpenQuestion, Report


class EvidenceCheck(Protocol):
    """Tells which claims the cited files of a dataroom support."""

    def __call__(
        self, claims: Sequence[Mapping[str, Any]], dataset_root: Path, *, harness: Harness | None = None
    ) -> dict[str, Any]: ...


@dataclass(frozen=True)
class ArtifactWriter:
    """Writes what a reviewer opens.  A claim that its file does not support is taken out first, and told."""

    harness: Harness
    check: EvidenceCheck

    async def __call__(self, state: DiligenceState) -> DiligenceState:
        return await asyncio.to_thread(self.write, state)

    def write(self, state: DiligenceState) -> DiligenceState:
        """Check, repair, write, check; in this thread."""
        report, room = state["report"], Path(state["docs"][0])
        texts = artifact_texts(report, self.harness)
        with work("check_evidence_coverage"):
            coverage = self.check(json.loads(texts[AUDIT_INPUT]), room, harness=self.harness)
        if not coverage["passed"]:
            report = without_unsupported(report, coverage)
            texts = artifact_texts(report, self.harness)
            coverage = self.check(json.loads(texts[AUDIT_INPUT]), room, harness=self.harness)
        update: DiligenceState = {"report": report, "answer": render_markdown(report), "coverage": coverage}
        if not state.get("out") or report.failed_with == UsageError.exit_code:  # nothing was read: nothing is left
            return update
        out = Path(state["out"]).expanduser()
        texts[COVERAGE] = as_json(coverage)
        texts[MANIFEST] = as_json(run_manifest(report, self.harness, state["staged"], texts))
        written: list[str] = []
        for name, text in texts.items():
            with work(f"artifact:{name}", bytes=len(text.encode())):
                written += map(str, write_artifacts({name: text}, out))
        required = self.harness.tool_policy.required_artifacts
        with work("validate_output_contract"):
            validation = validate_output_contract(out, room, required=required)
        written += map(str, write_artifacts({VALIDATION: as_json(validation)}, out))
        return update | {"artifacts": written, "validation": validation}


def without_unsupported(report: Report, coverage: dict[str, Any]) -> Report:
    """Return the report without the claims that their cited files do not support; each becomes an open question."""
    claims = report.answer.claims
    failed = {row["claim_index"] for row in (*coverage["unsupported_claims"], *coverage["missing_citations"])}
    lost = {claims[index].claim_id: claims[index] for index in sorted(failed)}
    answer = report.answer
    holes = tuple(
        OpenQuestion(question=claim.text, reason="the cited file does not support it", sources=answer.sources)
        for claim in lost.values()
    )
    sections = tuple(
        section.model_copy(update={"claims": tuple(each for each in section.claims if each.claim_id not in lost)})
        for section in answer.sections
    )
    summary = tuple(each for each in answer.executive_summary if each.claim_id not in lost)
    left = answer.model_copy(
        update={
            "executive_summary": summary,
            "sections": tuple(section for section in sections if section.claims),
            "open_questions": (*answer.open_questions, *holes),
        }
    )
    status = report.status if report.status != "answered" else "partial"
    if not left.claims:
        status = "insufficient_evidence"
    return report.model_copy(update={"answer": left, "status": status})
