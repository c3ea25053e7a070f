"""Write the artifacts of a diligence run, whole or not at all, the same bytes for the same findings."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..state.harness import Harness
from ..state.records import Report
from .files import write_atomically
from .findings import Finding, Findings, findings
from .memo import render_memo, render_open_questions, render_summary
from .references import one_line
from .risks import risks_of

AUDIT_INPUT = "claim_audit_input.json"
COVERAGE = "evidence_coverage.json"
VALIDATION = "output_contract_validation.json"
CONTRADICTIONS = "contradictions.json"
MANIFEST = "run_manifest.json"
MANIFEST_SCHEMA = "citewell.diligence/1"
LEFT_BEHIND = (
    "summary_answer.md",
    "investment_memo.md",
    "risk_register.json",
    "open_questions.md",
    "citations.json",
    "evidence_table.csv",
    AUDIT_INPUT,
    COVERAGE,
    VALIDATION,
    CONTRADICTIONS,
    MANIFEST,
)
"""Every file that a run leaves in its output folder."""


def artifact_texts(report: Report, harness: Harness) -> dict[str, str]:
    """Return the artifacts that follow from the report alone, by file name: the six, the claims to audit, conflicts."""
    found = findings(report, harness)
    risks = risks_of(found)
    return {
        "summary_answer.md": render_summary(found, risks),
        "investment_memo.md": render_memo(found, risks),
        "risk_register.json": as_json([risk.model_dump(mode="json") for risk in risks]),
        "open_questions.md": render_open_questions(found, risks),
        "citations.json": as_json(
            [
                {"claim_id": each.claim.claim_id, "claim": each.text, "sources": list(each.files)}
                for each in found.claims
            ]
        ),
        "evidence_table.csv": _evidence_table(found.claims),
        AUDIT_INPUT: as_json(audit_input(found)),
        CONTRADICTIONS: as_json(_contradictions(found)),
    }


def audit_input(found: Findings) -> list[dict[str, Any]]:
    """Return the claims as `check_evidence_coverage` takes them."""
    return [
        {"claim_id": each.claim.claim_id, "claim": each.text, "claim_type": each.kind, "citations": list(each.files)}
        for each in found.claims
    ]


def write_artifacts(texts: Mapping[str, str], out_dir: Path) -> list[Path]:
    """Put the texts into the output folder under their names, in the order given.

    Raises: UsageError where the folder cannot be written.
    """
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_atomically(out_dir / name, text)
    except OSError as error:
        raise UsageError(f"{error.filename or out_dir}: cannot be written ({error.strerror or error})") from error
    return [out_dir / name for name in texts]


def earlier_run_in(out_dir: Path) -> bool:
    """Whether an output folder holds an earlier run, which another one may replace.

    Raises: UsageError where the folder holds anything else, or where an artifact was changed since it was written.
    """
    try:
        entries = (
            sorted(path for path in out_dir.iterdir() if not path.name.startswith(".")) if out_dir.is_dir() else []
        )
        if not entries:
            return False
        written = _written(out_dir / MANIFEST)
        if written is None:
            raise UsageError(
                f"{out_dir}: holds {entries[0].name} and no {MANIFEST} of an earlier run; nothing is overwritten: "
                "name an empty folder"
            )
        for name in LEFT_BEHIND:
            path = out_dir / name
            if name in (MANIFEST, VALIDATION) or not path.exists():
                continue
            if not path.is_file() or sha256(path.read_bytes()).hexdigest() != written.get(name):
                raise UsageError(
                    f"{path}: was changed since an earlier run wrote it; nothing is overwritten: name another folder"
                )
    except OSError as error:
        raise UsageError(f"{error.filename or out_dir}: cannot be read ({error.strerror or error})") from error
    return True


def _written(path: Path) -> dict[str, str] | None:
    """Return the artifacts that a manifest lists with their hashes; None where it is no manifest of a run."""
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.get("schema") != MANIFEST_SCHEMA:
        return None
    artifacts = content.get("artifacts")
    return {str(name): str(value) for name, value in artifacts.items()} if isinstance(artifacts, dict) else None


def run_manifest(
    report: Report,
    harness: Harness,
    files: Sequence[Mapping[str, Any]],
    texts: Mapping[str, str],
) -> dict[str, Any]:
    """Return what the run rested on: policy, files with hashes, settings, versions, and the artifacts' hashes.

    It names no time and no id of the run, so that two runs over the same files leave the same bytes.
    """
    settings = {name: value for name, value in report.settings.items() if name != "fixed_time"}
    return {
        "schema": MANIFEST_SCHEMA,
        "question": report.question,
        "engine": report.engine,
        "status": report.status,
        "stop_reason": report.stop_reason,
        "harness": {"version": harness.version, "sha256": harness.sha256, "status": harness.eval_metadata.status},
        "runtime_scope": "dataroom",
        "files": list(files),
        "settings": settings,
        "versions": dict(sorted(report.versions.items())),
        "artifacts": {name: sha256(text.encode()).hexdigest() for name, text in sorted(texts.items())},
    }


def as_json(value: Any) -> str:
    """Return JSON as the artifacts have it: indented, every script as it is, one line break at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _evidence_table(claims: Sequence[Finding]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["claim_id", "claim", "sources"])
    for each in claims:
        writer.writerow([each.claim.claim_id, guarded(each.text), "; ".join(each.files)])
    return out.getvalue()


def guarded(text: str) -> str:
    """Return a cell that a spreadsheet shows and does not run."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not text[1:2].isdigit() else text


def _contradictions(found: Findings) -> list[dict[str, Any]]:
    return [
        {
            "subject": conflict.subject,
            "attribute": conflict.attribute,
            "period": conflict.period,
            "values": [
                {
                    "value": one_line(value.value),
                    "source": value.uri,
                    "tier": value.tier,
                    "dated": value.dated,
                    "quote": value.quote.text if value.quote else "",
                }
                for value in conflict.values
            ],
            "preferred": one_line(conflict.preferred),
            "reason": one_line(conflict.reason),
        }
        for conflict in found.conflicts
    ]
