"""`citewell check-evidence` and `citewell validate-output`: the diligence checks on anybody's folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .targets import TargetFile, write


@click.command("check-evidence")
@click.option(
    "--claims-json", required=True, type=click.Path(path_type=Path), help="List of claim, claim_type, citations."
)
@click.option("--dataset-root", required=True, type=click.Path(path_type=Path), help="The dataroom.")
@click.option("--output", type=TargetFile(), help="Also write the result here.")
def check_evidence(claims_json: Path, dataset_root: Path, output: Path | None) -> int:
    """Check that each claim is supported by the files it cites.  Exits with 1 where one is not."""
    from ..tools.evidence_checks import check_evidence_coverage, read_claims

    return _deliver(check_evidence_coverage(read_claims(claims_json), dataset_root), output)


@click.command("validate-output")
@click.option("--outputs", required=True, type=click.Path(path_type=Path), help="Folder with the artifacts.")
@click.option("--dataset-root", type=click.Path(path_type=Path), help="The dataroom that citations are relative to.")
@click.option("--output", type=TargetFile(), help="Also write the result here.")
def validate_output(outputs: Path, dataset_root: Path | None, output: Path | None) -> int:
    """Check the artifacts of a diligence run: files, shapes, cited files.  Exits with 1 where something is wrong."""
    from ..reports.contract import validate_output_contract

    if dataset_root is not None and not dataset_root.is_dir():
        raise UsageError(f"{dataset_root}: the dataroom is not a folder")
    if not outputs.is_dir():
        raise UsageError(f"{outputs}: there is no such output folder")
    return _deliver(validate_output_contract(outputs, dataset_root), output)


def _deliver(result: dict[str, Any], output: Path | None) -> int:
    text = json.dumps(result, ensure_ascii=False, indent=2)
    click.echo(text)
    if output is not None:
        write(output, text + "\n")
    return 0 if result["passed"] else 1
