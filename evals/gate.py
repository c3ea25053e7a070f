"""Replay the questions of a dataroom on a policy, and say whether it may be promoted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..graph.diligence import adiligence
from ..graph.wiring import default_services
from ..settings import Environment, Settings
from ..state.harness import Harness
from .dataroom import Case, Outcome, judge_report


async def replay(
    cases: Sequence[Case],
    dataroom: Path,
    harness: Harness,
    settings: Settings,
    environment: Environment,
    *,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Run each question and judge its report, in order; the corpus is read once."""
    services = default_services(settings, environment)
    outcomes = []
    for case in cases:
        result = await adiligence(dataroom, case.question, harness=harness, services=services)
        outcome = judge_report(case, result.report)
        if not result.coverage.get("passed"):
            outcome = Outcome(case, outcome.status, (*outcome.failures, "check_evidence_coverage did not pass"))
        outcomes.append(outcome)
        if on_outcome:
            on_outcome(outcome)
    return outcomes
