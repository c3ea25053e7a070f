"""A list of the largest is no whole: it has a largest and a sum of its own, and gives no share of everything."""

from __future__ import annotations

import pytest
from exports import told

SUPPLIERS = """supplier,country,spend_eur,contract_end
Voss Steel,Germany,910000,2026-03-31
Lindal Pumps,Sweden,540000,2025-12-31
Orme Cables,UK,310000,2027-01-31
"""
STUDIES = """# Brochure

| Study | Phase | Participants |
|---|---|---|
| AQ-10 | 1 | 40 |
| AQ-11 | 2 | 88 |
| AQ-12 | 3 | 359 |
"""
FILES = {"top_suppliers.csv": SUPPLIERS, "brochure.md": STUDIES}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the largest supplier?", "the largest is Voss Steel: spend (EUR) 910,000."),
        ("How much do we spend on the top suppliers in total?", "910,000 + 540,000 + 310,000 = 1,760,000"),
    ],
)
def test_a_list_of_the_largest_is_ranked_and_added_up_as_such(question, answer):
    (said,) = told(FILES, question)
    assert answer in said
    assert "%" not in said


@pytest.mark.parametrize(
    "question",
    [
        "What share of spend goes to Voss Steel?",
        "What is our total spend on suppliers?",
        "How many participants were randomised?",
    ],
)
def test_a_part_is_not_taken_for_the_whole(question):
    assert told(FILES, question) == []
