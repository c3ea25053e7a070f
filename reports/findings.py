"""A report seen as a reviewer sees it: each claim with its kind and its files, each conflict, each hole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..state.harness import Harness
from ..state.records import Claim, Conflict, Evidence, OpenQuestion, Report
from .markdown import plain_claim
from .references import one_line

ClaimType = Literal["fact", "inference", "estimate"]
FORMULA = re.compile(r"\d[^.;]*\s=\s[^=]*\d")
"""A computed number as citewell writes it: inputs, an equals sign, the result."""


@dataclass(frozen=True)
class Finding:
    """One claim with what it rests on.

    Attributes:
        kind: `inference` where the claim holds a computed number, `estimate` where it says that nobody validated it.
        files: Uris of the cited sources, in order of first citation.
        places: `file, page 3` or `file, rows 1-9` for each citation, distinct.
        section: Heading it stands under, empty in the summary.
    """

    claim: Claim
    kind: ClaimType
    files: tuple[str, ...]
    places: tuple[str, ...]
    section: str = ""

    @property
    def text(self) -> str:
        """The claim as one line of plain text."""
        return one_line(plain_claim(self.claim.text))


@dataclass(frozen=True)
class Findings:
    """All that a diligence run found, ready to be written down."""

    report: Report
    harness: Harness
    claims: tuple[Finding, ...]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Conflicts in the order of the answer."""
        return self.report.answer.conflicts

    @property
    def open_questions(self) -> tuple[OpenQuestion, ...]:
        """What could not be established."""
        return self.report.answer.open_questions

    @property
    def files_searched(self) -> tuple[str, ...]:
        """Uris of the sources that were read, sorted."""
        return tuple(sorted(source.uri for source in self.report.sources if source.status == "ok"))


def findings(report: Report, harness: Harness) -> Findings:
    """Read a report as findings."""
    evidence = {item.chunk_id: item for item in report.evidence}
    headings = {claim.claim_id: section.heading for section in report.answer.sections for claim in section.claims}
    claims = tuple(
        Finding(
            claim=claim,
            kind=claim_type(claim.text, harness),
            files=tuple(dict.fromkeys(evidence[key].uri for key in claim.citations if key in evidence)),
            places=tuple(dict.fromkeys(place(evidence[key]) for key in claim.citations if key in evidence)),
            section=headings.get(claim.claim_id, ""),
        )
        for claim in report.answer.claims
    )
    return Findings(report=report, harness=harness, claims=claims)


def claim_type(text: str, harness: Harness) -> ClaimType:
    """Tell an inference (it shows its formula) and an unvalidated estimate (it says so) from a fact."""
    if FORMULA.search(text):
        return "inference"
    return "estimate" if mentions(text, harness.words("unvalidated")) else "fact"


def mentions(text: str, words: Sequence[str]) -> bool:
    """Whether one of the words stands in the text as a whole word, whatever its case."""
    folded = text.casefold()
    return any(re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", folded) for word in words)


def place(item: Evidence) -> str:
    """Return where a passage stands, in words."""
    if item.page is not None:
        return f"{item.uri}, page {item.page}"
    sheet = f", sheet {item.sheet}" if item.sheet else ""
    if item.rows is not None:
        first, last = item.rows
        return f"{item.uri}{sheet}, row {first}" if first == last else f"{item.uri}{sheet}, rows {first}-{last}"
    return f"{item.uri}{sheet}"
