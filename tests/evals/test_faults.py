"""A sample of the campaign of kills: each part is killed at some of its writes and ends as if nothing had been."""

from __future__ import annotations

import pytest
from citewell.evals.faults import Campaign, _differences


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "first", "every"), [("run", 14, 40), ("index", 9, 30), ("compact", 33, 16), ("memory", 5, 23)]
)
def test_a_part_that_is_killed_goes_on_to_the_same_end(tmp_path, part, first, every):
    with Campaign(tmp_path) as campaign:
        kills = list(campaign.walk(part, first=first, every=every))
    assert kills
    assert [kill for kill in kills if kill.faults] == []


def test_the_campaign_sees_what_is_lost_doubled_or_out_of_step():
    rows = {"chunks": 3, "index": 3, "sparse": 2, "vectors": 3, "chroma": 3}
    calm = {"found": {}, "sources": [], "rows": rows | {"sparse": 3}}
    assert len(list(_differences("index", calm | {"rows": rows}, calm))) == 2
    listed = [["Ann's office is in Oslo.", False], ["Ann's office is in Oslo.", True]]
    told = list(_differences("memory", {"listed": listed, "hits": []}, {"listed": [], "hits": []}))
    assert any("is there 2 times" in each for each in told)
    assert any("is lost" in each for each in told)
    report = {"report": {"answer": {"title": "a"}}, "episodes": 1}
    other = {"report": {"answer": {"title": "b"}}, "episodes": 1}
    assert list(_differences("run", report, other)) == ["another end: .report.answer.title: a instead of b"]
