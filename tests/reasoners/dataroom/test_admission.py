"""Beside a figure that an export answers with, only what is of its measure stays."""

from __future__ import annotations

import citewell
import pytest

DRIVERS = "as_of_date,depot,drivers\n2024-03-31,Total,41\n2024-03-31,Holm,25\n2024-03-31,Sund,16\n"
LEAFLET = "# Kelva Rail at a glance\n\n60 people in two towns.\nFounded in 2009 by Ida Morn.\n"


@pytest.mark.slow
def test_nothing_stays_beside_a_looked_up_figure_without_a_word_of_its_measure(tmp_path):
    (tmp_path / "drivers.csv").write_text(DRIVERS)
    (tmp_path / "leaflet.md").write_text(LEAFLET)
    question = "How many drivers were there at 31 March 2024?"
    told = " ".join(
        claim.text for claim in citewell.research(question, docs=[tmp_path], engine="embedded").answer.claims
    )
    assert "41" in told
    assert "60 people" not in told
