"""A sample of the campaign that damages files: a command ends as before, or tells."""

from __future__ import annotations

import pytest
from citewell.evals.damage import CASES, Campaign, Ended, _verdict


@pytest.mark.slow
def test_a_damaged_file_is_told_or_has_no_effect(tmp_path):
    campaign = Campaign(tmp_path)
    ended = [found for case in (CASES[0], CASES[4]) for found in campaign.walk(case, count=4, seed=7)]
    assert len(ended) == 8
    assert [(what, verdict) for what, verdict in ended if verdict not in ("same", "told")] == []


def test_the_campaign_tells_an_end_as_before_a_told_one_and_a_fault_apart():
    calm = Ended(0, "1,642 m\n", "")
    assert _verdict(Ended(0, "1,642 m\n", ""), calm) == "same"
    assert _verdict(Ended(2, "", "citewell: corpus.sqlite: the file is damaged; delete it"), calm) == "told"
    assert _verdict(Ended(0, "1,643 m\n", ""), calm).startswith("ANOTHER END, 0: '1,643 m' instead of '1,642 m'")
    assert _verdict(Ended(None, "", ""), calm).startswith("HUNG")
    assert _verdict(Ended(2, "", "citewell: unexpected KeyError: 1"), calm).startswith("CRASHED")
