"""The critical path is what must be waited for; a repeated beginning is what a cache may serve."""

from __future__ import annotations

import pytest
from citewell.evals.orchestration import between_s, critical_path_s, measure, repeated_share
from citewell.settings import Settings


def test_the_critical_path_takes_the_longest_call_of_each_super_step():
    calls = [("plan", 0.0, 0.2), ("facts", 0.3, 0.5), ("facts", 0.3, 0.8), ("gaps", 0.9, 1.1), ("facts", 1.2, 1.3)]
    assert critical_path_s(calls) == pytest.approx(0.2 + 0.5 + 0.2 + 0.1)
    assert critical_path_s([]) == 0


def test_what_is_spent_between_calls_leaves_out_every_stretch_that_something_is_under_way():
    busy = [((1.0, 0.1), (2.0, 0.3)), ((1.5, 0.2), (1.8, 0.25)), ((4.0, 0.9), (5.0, 1.0))]
    assert between_s((0.0, 0.0), (6.0, 1.4), busy) == pytest.approx(0.1 + 0.6 + 0.4)
    assert between_s((0.0, 0.5), (6.0, 1.5), []) == pytest.approx(1.0)


def test_a_prompt_repeats_the_longest_beginning_it_shares_with_an_earlier_one():
    assert repeated_share(["abcd", "abxy", "zzzz"]) == pytest.approx(2 / 12)
    assert repeated_share(["abcd"], before=["abce"]) == pytest.approx(3 / 4)
    assert repeated_share([]) == 0


@pytest.mark.slow
async def test_a_run_is_measured_from_the_servers_log(tmp_path):
    (tmp_path / "rent.md").write_text("The yearly rent of the boat house is 9,100 euros.")
    settings = Settings(engine="chat", trace=False)
    (timing,) = await measure(tmp_path, ["What is the yearly rent?"], delay_s=0.05, runs=1, settings=settings)
    assert timing.wall_s > timing.model_s >= 0.05 * 3
    assert timing.calls >= 3
    assert 0 < timing.between_s < timing.cpu_s
    assert timing.prompt_tokens > 500
    assert timing.repeated_later > timing.repeated >= 0
