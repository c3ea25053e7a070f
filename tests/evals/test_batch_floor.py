"""The floor of many runs is a bare graph that waits for its four calls and for nothing else."""

from __future__ import annotations

import pytest
from citewell.evals.batch_floor import ASKING, floor


@pytest.mark.slow
async def test_a_bare_run_waits_for_each_of_its_calls():
    delay_s = 0.02
    wall_s, cpu_s = await floor(runs=3, delay_s=delay_s)
    assert wall_s >= len(ASKING) * delay_s
    assert cpu_s > 0
