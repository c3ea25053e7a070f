"""A question that names one member of a table is not answered by the row of another."""

from __future__ import annotations

import citewell
import pytest

TRIALS = """trial,year,design,participants
NORD-M,2018,double-blind,318
SUD-M (50 mg),2016,double-blind,612
WEST-M,2019,open-label,744
"""
WEST = "# The trial WEST-M\n\nWEST-M was an open-label trial with a blinded endpoint at 27 centres.\n"


@pytest.mark.slow
def test_the_row_of_another_member_does_not_answer(tmp_path):
    (tmp_path / "trials.csv").write_text(TRIALS)
    (tmp_path / "west.md").write_text(WEST)
    answer = citewell.research("Is WEST-M double-blind?", docs=[tmp_path], engine="embedded").answer
    assert answer.claims
    assert not any("NORD-M" in claim.text or "SUD-M" in claim.text for claim in answer.claims)
