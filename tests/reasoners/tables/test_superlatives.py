"""The oldest has the highest age and the cheapest the lowest price, where a table has such a column."""

from __future__ import annotations

import pytest
from exports import told

FERRIES = """ferry,average_age,length_m,ticket_price_eur,crew
Tern,12.5,88,14,21
Skua,31,64,9,15
Gannet,4,102,18.5,26
"""
FILES = {"ferries.csv": FERRIES}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which ferry is the oldest?", "average age is highest for Skua: 31"),
        ("Which is the youngest ferry?", "average age is lowest for Gannet: 4"),
        ("Which ferry is the longest?", "length m is highest for Gannet: 102"),
        ("Which ferry has the cheapest ticket?", "ticket price (EUR) is lowest for Skua: 9"),
    ],
)
def test_a_superlative_names_its_measure(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)


def test_where_no_column_measures_it_nobody_is_the_heaviest():
    assert told(FILES, "Which ferry is the heaviest?") == []
