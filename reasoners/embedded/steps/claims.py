"""The claims of a draft as they are written: each statement of a plan question once, with its id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ....state.records import Claim, Quote
from ..found.findings import Finding


@dataclass
class Writer:
    """Gives claims their ids and keeps one claim for one statement of one plan question."""

    claims: dict[tuple[str, str], Claim] = field(default_factory=dict)

    def claim(self, text: str, quotes: Sequence[Quote], question_id: str) -> Claim:
        key = (question_id, " ".join(text.casefold().split()))
        if key not in self.claims:
            self.claims[key] = Claim(
                claim_id=f"C-{len(self.claims) + 1:03d}",
                text=text,
                citations=tuple(dict.fromkeys(quote.chunk_id for quote in quotes)),
                quotes=tuple(quotes),
                question_id=question_id,
            )
        return self.claims[key]

    def of(self, finding: Finding, question_id: str) -> Claim:
        return self.claim(finding.statement, finding.quotes, question_id)
