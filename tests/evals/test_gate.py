"""The shipped policy passes what reviewers taught about the sample dataroom."""

from __future__ import annotations

from pathlib import Path

import pytest
from citewell.evals.dataroom import as_table, read_cases
from citewell.evals.gate import replay
from citewell.settings import Environment, Settings
from citewell.state.harness import load_harness

ROOM = Path(__file__).parents[2] / "studio" / "dataroom"


@pytest.mark.slow
async def test_every_trap_of_the_sample_dataroom_is_seen(tmp_path):
    settings = Settings(engine="embedded", offline=True, trace=False)
    outcomes = await replay(read_cases(), ROOM, load_harness(), settings, Environment(home=tmp_path))
    assert all(outcome.passed for outcome in outcomes), as_table(outcomes)
    assert len(outcomes) >= 8
