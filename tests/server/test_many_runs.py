"""A sample of `python -m citewell.evals.serving`: many runs at once on one server are all there, each with its own."""

from __future__ import annotations

import pytest
from citewell.evals.serving import campaign, cases, serving

pytestmark = [pytest.mark.server, pytest.mark.slow]
RUNS = 12


async def test_of_many_runs_at_once_none_is_lost_and_none_is_mixed(tmp_path):
    with serving(tmp_path, jobs=RUNS) as served:
        outcome = await campaign(served.url, cases(tmp_path, RUNS))
    assert (outcome.runs, outcome.lost, outcome.mixed) == (RUNS, (), ())
    log = served.log.read_text()
    assert "BlockingError" not in log
    assert "Traceback" not in log
