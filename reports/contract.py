"""The shape of a diligence output folder: which files, which fields, and that every cited file exists."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ..errors import cause
from ..state.harness import load_harness

CSV_COLUMNS = ("claim_id", "claim", "sources")
INDEX = {"risk_register.json": "risk_index", "citations.json": "citation_index", "evidence_table.csv": "row_index"}
Text = Annotated[str, Field(min_length=1)]


class RiskEntry(BaseModel):
    """One risk of `risk_register.json`."""

    model_config = ConfigDict(title="Risk")

    id: Text
    title: Text
    severity: Literal["critical", "high", "medium", "low"]
    rationale: Text
    evidence: list[Text] = Field(min_length=1, description="Files of the dataroom, relative to its root.")
    open_questions: list[str]


class CitationEntry(BaseModel):
    """One claim of `citations.json`."""

    model_config = ConfigDict(title="Citation")

    claim_id: Text
    claim: Text
    sources: list[Text] = Field(min_length=1, description="Files of the dataroom, relative to its root.")


class AuditEntry(BaseModel):
    """One claim as `check_evidence_coverage` takes it."""

    model_config = ConfigDict(title="Claim to audit")

    claim: Text
    claim_type: str = "fact"
    citations: list[str]


class ContradictionValue(BaseModel):
    """What one source says."""

    value: str
    source: str
    tier: Literal["structured", "narrative"]
    dated: str
    quote: str


class ContradictionEntry(BaseModel):
    """One entry of `contradictions.json`."""

    model_config = ConfigDict(title="Contradiction")

    subject: str
    attribute: str
    period: str
    values: list[ContradictionValue] = Field(min_length=2)
    preferred: str
    reason: str


SHAPES: dict[str, TypeAdapter[Any]] = {
    "risk_register.json": TypeAdapter(list[RiskEntry]),
    "citations.json": TypeAdapter(list[CitationEntry]),
    "claim_audit_input.json": TypeAdapter(list[AuditEntry]),
    "contradictions.json": TypeAdapter(list[ContradictionEntry]),
}


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an artifact, as published in `reports/schemas`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **SHAPES[name].json_schema()}


def validate_output_contract(
    outputs: Path, dataset_root: Path | None = None, *, required: Sequence[str] = ()
) -> dict[str, Any]:
    """Check an output folder.

    Args:
        outputs: The folder with the artifacts.
        dataset_root: The dataroom; where given, every cited file must exist in it.
        required: Names of the files that must be there; those of the shipped policy where empty.
    Returns: `passed`, `issues` (each with `file`, `issue` and, for a list, the index of the entry from 0) and
        `required_files`.
    """
    names = tuple(required) or load_harness().tool_policy.required_artifacts
    issues: list[dict[str, Any]] = []
    for name in dict.fromkeys((*names, *(name for name in SHAPES if (outputs / name).exists()))):
        issues += _file_issues(outputs / name, name, dataset_root)
    return {"passed": not issues, "issues": issues, "required_files": list(names)}


def cited_path(source: str, dataset_root: Path) -> Path | None:
    """Return the file that a citation names, or None where there is none inside the dataroom.

    A leading `data/` is accepted where no folder of that name exists, and what follows `#` is a place in the file.
    """
    root = dataset_root.resolve()
    for name in dict.fromkeys((source, source.partition("#")[0])):
        for relative in dict.fromkeys((name, name.removeprefix("data/"))):
            if not relative or PurePosixPath(relative).is_absolute() or "\0" in relative:
                continue
            path = (root / relative).resolve()
            if path.is_relative_to(root) and path.is_file():
                return path
    return None


def _file_issues(path: Path, name: str, dataset_root: Path | None) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        yield {"file": name, "issue": "required file is missing"}
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        yield {"file": name, "issue": f"cannot be read: {cause(error)}"}
        return
    if not text.strip():
        yield {"file": name, "issue": "file is empty"}
    elif name in SHAPES:
        yield from _json_issues(text, name, dataset_root)
    elif name == "evidence_table.csv":
        yield from _table_issues(text, name, dataset_root)
    elif name.endswith(".json"):
        try:
            json.loads(text)
        except ValueError as error:
            yield {"file": name, "issue": f"not JSON: {error}"}


def _json_issues(text: str, name: str, dataset_root: Path | None) -> Iterator[dict[str, Any]]:
    try:
        content = json.loads(text)
    except ValueError as error:
        yield {"file": name, "issue": f"not JSON: {error}"}
        return
    if not isinstance(content, list):
        yield {"file": name, "issue": f"expected a list, found {type(content).__name__}"}
        return
    try:
        SHAPES[name].validate_python(content, strict=True)
    except ValidationError as error:
        for problem in error.errors():
            place, *field = problem["loc"]
            where = ".".join(str(part) for part in field)
            yield {"file": name, "issue": f"{where}: {problem['msg']}" if where else problem["msg"]} | _at(name, place)
    if name not in INDEX:
        return
    for index, entry in enumerate(content):
        cited = (
            entry.get("evidence" if name == "risk_register.json" else "sources") if isinstance(entry, dict) else None
        )
        if isinstance(cited, list):
            yield from _missing_files([each for each in cited if isinstance(each, str)], name, index, dataset_root)


def _table_issues(text: str, name: str, dataset_root: Path | None) -> Iterator[dict[str, Any]]:
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or tuple(cell.strip().lstrip("\ufeff") for cell in rows[0]) != CSV_COLUMNS:
        yield {"file": name, "issue": f"columns must be {', '.join(CSV_COLUMNS)}"}
        return
    for index, row in enumerate(rows[1:]):
        if len(row) != len(CSV_COLUMNS):
            yield {"file": name, "issue": f"expected {len(CSV_COLUMNS)} cells, found {len(row)}"} | _at(name, index)
            continue
        sources = [part.strip() for part in row[2].split(";") if part.strip()]
        if not row[0].strip() or not row[1].strip() or not sources:
            yield {"file": name, "issue": "claim_id, claim and sources must not be empty"} | _at(name, index)
        yield from _missing_files(sources, name, index, dataset_root)


def _missing_files(
    sources: Sequence[str], name: str, index: int, dataset_root: Path | None
) -> Iterator[dict[str, Any]]:
    for source in sources:
        if dataset_root is not None and cited_path(source, dataset_root) is None:
            yield {"file": name, "issue": f"cited file does not exist in the dataroom: {source}"} | _at(name, index)


def _at(name: str, index: Any) -> dict[str, Any]:
    return {INDEX[name]: index} if name in INDEX and isinstance(index, int) else {}
