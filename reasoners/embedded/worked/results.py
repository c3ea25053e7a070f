"""How what was worked out is told: with the sentences that it follows from."""

from __future__ import annotations

from collections.abc import Sequence

from ...statements.inference import Inference
from ..found.findings import Finding


def inference_of(worked: str, findings: Sequence[Finding], subject: str) -> Inference:
    """Return what was worked out, with the sentences that it follows from."""
    told = [each.statement.rstrip() for each in findings]
    told = [each if each.endswith((".", "!", "?")) else f"{each}." for each in told]
    quotes = [quote for each in findings for quote in each.quotes]
    return Inference(" ".join([worked, *told]), tuple(dict.fromkeys(quotes)), subject)
