"""What the answer has to show as a conflict: later values, and facts that disagree; both sides of each are told."""

from __future__ import annotations

from collections.abc import Sequence

from ....state.records import Claim, Conflict, Fact
from ...protocol import Passage
from ...support.conflicts import disagreements
from ..settled.verdicts import verdict_conflict
from ..settled.version_conflicts import conflict_of
from ..settled.versions import asks_for_former
from .claims import Writer
from .parts import Part

_CONFLICT_FLOOR = 0.6


def changes(answered: Sequence[Part], language: str) -> list[Conflict]:
    """Return what sentences say otherwise than later ones, of parts that nothing was computed for."""
    found: list[Conflict] = []
    for part in (each for each in answered if not each.inferences):
        if part.verdict is not None and part.verdict.against:
            found.append(verdict_conflict(part.question, part.verdict, language))
        if len(part.versions) > 1 and not asks_for_former(part.question):
            found.append(conflict_of(part.question, part.versions, language))
    return found


def fact_conflicts(
    facts: Sequence[Fact], passages: Sequence[Passage], answered: Sequence[Part]
) -> tuple[Conflict, ...]:
    """Return disagreements among the facts that the answer may use."""
    used = {
        fact.fact_id
        for part in answered
        for finding in part.findings
        if finding.scored.score >= _CONFLICT_FLOOR * part.findings[0].scored.score
        and not (part.verdict and finding in part.verdict.aside)  # a target does not contradict what came
        for fact in finding.facts
    }
    bearing = [fact for fact in facts if fact.fact_id in used]
    return disagreements(bearing, passages) if bearing else ()


def each_once(conflicts: Sequence[Conflict]) -> tuple[Conflict, ...]:
    """Leave out a conflict between values that an earlier one has set against each other."""
    kept: dict[frozenset[tuple[str, str]], Conflict] = {}
    for conflict in conflicts:
        kept.setdefault(frozenset((value.value, value.chunk_id) for value in conflict.values), conflict)
    return tuple(kept.values())


def conflict_claims(conflicts: Sequence[Conflict], answered: Sequence[Part], writer: Writer) -> list[Claim]:
    """Return claims for both sides of each conflict, so that neither is hidden in a section."""
    claims: list[Claim] = []
    for conflict in conflicts:
        for value in conflict.values:
            for part in answered:
                found = next(
                    (
                        finding
                        for finding in part.findings
                        if value.chunk_id in finding.citations
                        and any(value.value in quote.text for quote in finding.quotes)
                    ),
                    None,
                )
                if found is not None:
                    if part.verdict is None or found is not part.verdict.finding:
                        claims.append(writer.of(found, part.part.question_id))
                    break
    return claims
