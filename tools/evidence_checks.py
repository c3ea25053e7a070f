"""The two diligence checks, for agents and people: does each cited file support its claim, is the output complete."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from ..errors import SourceError, UsageError, cause
from ..reasoners.support.formulas import judge_computed
from ..reports.contract import cited_path, validate_output_contract
from ..reports.findings import mentions
from ..retrievers.chunking import cut
from ..retrievers.parsers import Extraction, extract
from ..state.harness import Harness, load_harness
from ..state.records import Verdict
from ..text.words import analyse

PASSAGES_PER_FILE = 6
"""Passages of a cited file that a claim is checked against, those that share most of its rarer words."""

Judge = Callable[[str, Sequence[str]], Verdict]


class AuditedClaim(BaseModel):
    """A claim to check."""

    claim: str = Field(min_length=1, description="One factual sentence.")
    claim_type: str = Field(default="fact", description="fact, inference, estimate or open_question.")
    citations: list[str] = Field(description="Files relative to the dataroom; a leading `data/` is accepted.")


@dataclass
class CitedFiles:
    """Reads cited files once and finds the passages of them that a claim may rest on."""

    dataset_root: Path
    read: Callable[[Path], Extraction] = field(default_factory=lambda: lru_cache(maxsize=64)(_extraction))

    def passages(self, claim: str, citation: str) -> tuple[list[str], str]:
        """Return the best passages of a cited file and, where there are none, the reason."""
        path = cited_path(citation, self.dataset_root)
        if path is None:
            return [], "cited file does not exist in the dataroom"
        try:
            found = self.read(path)
        except SourceError as error:
            return [], f"cited file cannot be read: {error.reason}"
        if found.skipped:
            return [], f"cited file holds no text: {found.skipped}"
        return best_passages(claim, [chunk.text for chunk in cut(found, citation)]), ""


def best_passages(claim: str, texts: Sequence[str], limit: int = PASSAGES_PER_FILE) -> list[str]:
    """Return the passages that share most with a claim, weighted by rarity; the whole file where it is short."""
    if len(texts) <= limit:
        return list(texts)
    from ..retrievers.sparse import MemorySparse

    index = MemorySparse()
    index.add((f"{place}", analyse(text)) for place, text in enumerate(texts))
    hits = index.search(analyse(claim), k=limit)
    return [texts[int(name)] for name, _ in hits]


def check_evidence_coverage(
    claims: Sequence[Mapping[str, Any]],
    dataset_root: Path,
    *,
    judge: Judge | None = None,
    harness: Harness | None = None,
) -> dict[str, Any]:
    """Check that each claim is supported by the files it cites.

    Args:
        claims: Each with `claim`, `claim_type` and `citations`.
        dataset_root: The dataroom that citations are relative to.
        judge: Decides about support; the rule-based one by default.
        harness: Its vocabulary tells estimates and undelivered figures; the shipped one by default.
    Returns: `supported_claims`, `unsupported_claims`, `missing_citations` (rows with an `issue`),
        `recommended_caveats` and `passed`: no unsupported claim, no missing citation.
    Raises: UsageError where the claims have another shape or the dataroom is no folder.
    """
    if not dataset_root.is_dir():
        raise UsageError(f"{dataset_root}: the dataroom is not a folder")
    entries = _entries(claims)
    judge = judge or _rules
    harness = harness or load_harness()
    files = CitedFiles(dataset_root)
    result: dict[str, list[dict[str, Any]]] = {
        "supported_claims": [],
        "unsupported_claims": [],
        "missing_citations": [],
        "recommended_caveats": [],
    }
    for index, entry in enumerate(entries):
        row = {"claim_index": index, **entry.model_dump()}
        passages, problems = _gathered(entry, files)
        result["missing_citations"] += [{**row, **problem} for problem in problems]
        if not entry.citations:
            continue
        verdict = _verdict(entry, passages, judge)
        place = "supported_claims" if verdict.support == "supported" else "unsupported_claims"
        reasons = list(verdict.reasons)
        result[place].append({**row, "support": verdict.support, "score": round(verdict.score, 4), "reasons": reasons})
        result["recommended_caveats"] += [{**row, "caveat": text} for text in _caveats(entry, passages, harness)]
    passed = not result["unsupported_claims"] and not result["missing_citations"]
    return {**result, "passed": passed}


def read_claims(path: Path) -> list[dict[str, Any]]:
    """Read a claims file: a list, or an object whose `claims` is one.  Raises: UsageError in one line."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {cause(error)}") from error
    if isinstance(content, dict):
        content = content.get("claims")
    if not isinstance(content, list):
        raise UsageError(f"{path}: expected a list of claims")
    return content


def diligence_tools(dataset_root: Path, outputs: Path) -> list[BaseTool]:
    """Return the two checks as LangChain tools, bound to a dataroom and an output folder that a model cannot change."""

    def coverage(claims: list[AuditedClaim]) -> dict[str, Any]:
        return check_evidence_coverage([claim.model_dump() for claim in claims], dataset_root)

    def contract() -> dict[str, Any]:
        return validate_output_contract(outputs, dataset_root)

    return [
        StructuredTool.from_function(
            coverage,
            name="check_evidence_coverage",
            description="Tell which claims the cited files of the dataroom support, and which citations are missing.",
        ),
        StructuredTool.from_function(
            contract,
            name="validate_output_contract",
            description="Tell whether the required artifacts are in the output folder and well formed.",
        ),
    ]


def _entries(claims: Sequence[Mapping[str, Any]]) -> list[AuditedClaim]:
    entries = []
    for index, claim in enumerate(claims):
        try:
            entries.append(AuditedClaim.model_validate(claim))
        except ValueError as error:
            problem = str(error).splitlines()[1:3]
            raise UsageError(f"claim {index}: {' '.join(' '.join(problem).split())}") from error
    return entries


def _gathered(entry: AuditedClaim, files: CitedFiles) -> tuple[list[str], list[dict[str, str]]]:
    passages: list[str] = []
    problems: list[dict[str, str]] = []
    if not entry.citations:
        problems.append({"issue": "claim has no citation"})
    for citation in entry.citations:
        found, problem = files.passages(entry.claim, citation)
        passages += found
        if problem:
            problems.append({"citation": citation, "issue": problem})
    return passages, problems


def _verdict(entry: AuditedClaim, passages: Sequence[str], judge: Judge) -> Verdict:
    if not passages:
        return Verdict(support="unsupported", score=0.0, reasons=("citation: no cited file could be read",))
    if entry.claim_type == "open_question":
        # What is absent cannot be quoted; that the files were searched is what can be checked.
        return Verdict(support="supported", score=1.0, reasons=("open question: the cited files were read",))
    return judge_computed(entry.claim, passages) or judge(entry.claim, passages)


def _caveats(entry: AuditedClaim, passages: Sequence[str], harness: Harness) -> list[str]:
    caveats = []
    unvalidated = mentions(entry.claim, harness.words("unvalidated"))
    if entry.claim_type == "estimate" and not unvalidated:
        caveats.append("call the figure an unvalidated estimate in the sentence itself")
    strict = [word for word in harness.words("unvalidated") if word.startswith(("not ", "un", "has not "))]
    if entry.claim_type == "fact" and not unvalidated and any(_says(text, strict, entry.claim) for text in passages):
        caveats.append("a cited file says that a figure was not validated: say so, or cite a controlled source")
    if entry.claim_type == "inference" and judge_computed(entry.claim, passages) is None:
        caveats.append("show the formula and its inputs, or state it as an open question")
    if entry.citations and not any(citation.lower().endswith(_EXPORTS) for citation in entry.citations):
        caveats.append("rests on narratives alone; a structured export would outrank them")
    return caveats


_EXPORTS = (".csv", ".tsv", ".json", ".jsonl", ".xlsx")


def _says(text: str, words: Sequence[str], claim: str) -> bool:
    """Whether a passage that shares a figure with the claim says that something was not validated."""
    figures = {token for token in analyse(claim) if any(sign.isdigit() for sign in token)}
    return bool(figures & set(analyse(text))) and mentions(text, words)


def _rules(claim: str, passages: Sequence[str]) -> Verdict:
    from ..reasoners.support import check_support

    return check_support(claim, passages)


def _extraction(path: Path) -> Extraction:
    return extract(path.read_bytes(), name=path.name)
