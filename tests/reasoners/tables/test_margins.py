"""A margin that no table states is the profit over the revenue beside it; one that is stated is looked up."""

from __future__ import annotations

import pytest
from exports import told

LINES = """year,line,turnover_eur_k,ebit_eur_k,staff
2021,Island,1200,90,14
2021,Coast,2100,-63,30
2022,Island,1300,104,14
2022,Coast,2000,40,29
"""
STATEMENT = """# Board pack

| EUR thousand | Q1 FY2022 | Q4 FY2022 | Q1 FY2023 |
|---|---|---|---|
| Ticket revenue | 2,100 | 2,300 | 2,250 |
| Total revenue | 3,100 | 3,400 | 3,350 |
| Gross profit | 1,240 | 1,190 | 1,400 |
| Net loss | 12 | 20 | 31 |
"""
FILES = {"lines.csv": LINES, "board_pack.md": STATEMENT}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the EBIT margin of Island in 2022?", "EBIT margin of Island, 2022 (EBIT / turnover): 104 / 1,300"),
        ("EBIT margin coast 2021", "-63 / 2,100 = -3.0%"),
        ("What was the EBIT margin in 2022?", "104 + 40 = 144; 1,300 + 2,000 = 3,300; 144 / 3,300 = 4.4%"),
        ("What was the gross margin in Q1 FY2022?", "Q1 FY2022 (gross profit / total revenue): 1,240 / 3,100 = 40.0%"),
    ],
)
def test_a_margin_is_worked_out_of_profit_and_revenue(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)


def test_no_margin_is_made_of_a_loss_written_above_zero():
    assert not any("%" in each for each in told(FILES, "What was the net margin in Q1 FY2023?"))


def test_a_margin_that_is_stated_is_not_worked_out():
    stated = {"pack.md": STATEMENT + "| Gross margin (%) | 41 | 36 | 42 |\n"}
    assert not any("/ 3,100" in each for each in told(stated, "What was the gross margin in Q1 FY2022?"))
