"""Figures below zero add up with their sign, and of losses the most is the farthest from zero."""

from __future__ import annotations

import pytest
from exports import told

HARBOURS = """quarter_end,harbour,result_eur,writedown_eur
2023-06-30,Lister,120,-4000
2023-06-30,Vardal,-35,-9500
2023-06-30,Bryne,64,-700
2023-09-30,Lister,98,-5200
2023-09-30,Vardal,-52,-8100
2023-09-30,Bryne,71,-900
"""
FILES = {"harbours.csv": HARBOURS}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the total result in the quarter ended 30 June 2023?", "120 - 35 + 64 = 149"),
        ("What were the total writedowns of Vardal?", "-9,500 - 8,100 = -17,600"),
        (
            "By how much did the result of Vardal fall from the quarter ended 30 June 2023 to 30 September 2023?",
            "-52 - (-35) = -17",
        ),
        ("Which harbour had the largest writedown in the quarter ended 30 September 2023?", "largest for Vardal: -8"),
        ("Which harbour had the smallest writedown in the quarter ended 30 June 2023?", "smallest for Bryne: -700"),
        ("Which harbour had the lowest result in the quarter ended 30 June 2023?", "lowest for Vardal: -35"),
        ("Which harbour had the highest writedown in the quarter ended 30 June 2023?", "highest for Bryne: -700"),
    ],
)
def test_negative_figures_are_added_compared_and_ranked_with_their_sign(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)
