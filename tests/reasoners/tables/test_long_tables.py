"""Rows of members and years, told apart by the year: summed, shared out, ranked and compared within it."""

from __future__ import annotations

import pytest
from exports import told

ORCHARD = """financial_year,fruit,tonnes,pickers_hired
2020/21,dessert apple,410,95
2020/21,cider apple,655,95
2020/21,pear,120,95
2021/22,dessert apple,385,102
2021/22,cider apple,702,102
2021/22,pear,98,102
2022/23,dessert apple,431,99
2022/23,cider apple,640,99
2022/23,pear,133,99
"""
FILES = {"tonnage_by_fruit.csv": ORCHARD}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the total tonnage in 2021/22 over all fruit?", "Total tonnes, 2021/22: 1,185; 385 + 702 + 98"),
        ("What share of the 2021/22 tonnage was pear?", "98 / 1,185 = 8.3%"),
        ("How did the dessert apple change between 2020/21 and 2022/23?", "from 410 (2020/21) to 431 (2022/23)"),
        ("Which fruit had the highest tonnage in 2022/23?", "By fruit, for 2022/23, tonnes are highest for cider"),
        ("How many pickers were hired in 2021/22?", "Pickers hired, 2021/22: 102."),
    ],
)
def test_a_year_of_two_halves_is_one_time(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)


@pytest.mark.parametrize(
    "question",
    [
        "What was the tonnage of pear in each year?",
        "How did the tonnage of pear develop?",
        "pear tonnage trend",
        "What is the trend of the tonnage of pear?",
        "tonnage of pear over the years",
    ],
)
def test_a_series_is_told_with_each_of_its_times(question):
    assert any("2020/21: 120, 2021/22: 98, 2022/23: 133" in each for each in told(FILES, question))


def test_a_figure_of_the_year_is_not_added_up_over_its_members():
    assert not any("306" in each for each in told(FILES, "How many pickers were hired altogether in 2021/22?"))
