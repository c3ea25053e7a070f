"""Shares, ratios, series and counts over exports: like is held against like, and a total is no member."""

from __future__ import annotations

import pytest
from citewell.reasoners.support.formulas import judge_computed
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import Catalog, catalog
from citewell.reasoners.tables.lookups import look_up
from citewell.retrievers.parsers import extract, with_uri

QUARTERS = """quarter,turnover_eur,repairs,ferry_tickets,headcount
2022-Q1,310000,12,4100,31
2022-Q2,420000,9,6200,33
2022-Q3,510000,15,8800,36
2022-Q4,300000,11,3900,32
2023-Q1,330000,14,4300,33
2023-Q2,450000,10,6400,35
"""
PIERS = """Pier,Turnover 2022 (EUR),Berths,Warden
North pier,620000,40,Ida Holm
South pier,380000,22,Jan Brok
Mole,540000,31,Eva Lind
Total,1540000,93,
"""
PURSE = """year,type,harbour_eur,lights_eur,total_eur,loans_at_year_end_eur,residents
2021,actual,210000,80000,290000,900000,4100
2022,actual,230000,70000,300000,850000,4150
2023,budget,250000,90000,340000,990000,4200
"""
REGISTER = """ref,subject,sum_eur,award_date,awarded_by,status
H-23-01,Dredging,88000,2023-02-11,harbour board,completed
H-23-02,Buoys (12),9300,2023-03-04,office,running
H-23-03,Crane rail,41000,2023-05-20,harbour board,running
H-23-04,Signage,2100,2023-06-02,office,cancelled
"""
FILES = {
    "ferry_quarters.csv": QUARTERS,
    "piers.csv": PIERS,
    "purse.csv": PURSE,
    "harbour_register_2023.csv": REGISTER,
}


def tables(*names: str) -> Catalog:
    names = names or tuple(FILES)
    rows = [row for name in names for row in with_uri(extract(FILES[name].encode(), name=name).rows, name)]
    return catalog(rows, dict.fromkeys(names, True))


def told(question: str) -> list[str]:
    answers = compute(read_ask(question), tables())
    for answer in answers:
        cited = ["; ".join(f"{cell.header}: {cell.text}" for cell in row.cells) + f"\n{row.uri}" for row in answer.rows]
        verdict = judge_computed(answer.text, cited)
        assert verdict is None or verdict.support == "supported", (answer.text, verdict)
    return [answer.text for answer in answers]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How did turnover in the first six months of 2023 compare with the same period of 2022?",
            "780,000 - 730,000 = 50,000",
        ),
        ("How many more repairs were there in 2022 than in 2023?", "of 2023 only 2023-Q1 and 2023-Q2 are given"),
        ("How did turnover change from 2022 to 2023?", "of 2023 only 2023-Q1 and 2023-Q2 are given"),
        ("Which pier had the highest turnover in 2022?", "North pier"),
        ("What share of 2022 turnover came from the Mole?", "540,000 / 1,540,000 = 35.1%"),
        ("What share of the 2023 budget goes to lights?", "90,000 / 340,000 = 26.5%"),
        ("How did loans develop from 2021 to 2023?", "2021: EUR 900,000, 2022: EUR 850,000, 2023: EUR 990,000"),
        ("What was the total spending on lights from 2021 to 2022?", "80,000 + 70,000 = 150,000"),
        ("How many ferry tickets were sold in 2022 in total?", "= 23,000"),
        ("What were the loans per resident at the end of 2022?", "850,000 / 4,150 = 204.82"),
        ("What was turnover per employee in 2022-Q3?", "510,000 / 36 = 14,166.67"),
        ("In which year was harbour spending highest?", "2023"),
        ("How many contracts were awarded by the harbour board in 2023?", "1 + 1 = 2 (H-23-01, H-23-03)"),
        (
            "How many contracts did the office award, and how many of them are running?",
            "of these status running: 0 + 1",
        ),
    ],
)
def test_what_is_asked_is_worked_out_of_like_figures(question: str, answer: str) -> None:
    assert any(answer in each for each in told(question)), told(question)


def test_a_year_compared_with_a_part_of_one_gets_no_rate() -> None:
    (answer,) = told("How many more repairs were there in 2022 than in 2023?")
    assert "%" not in answer
    assert "in part" in answer


def test_the_row_of_the_total_is_no_member_of_a_ranking() -> None:
    assert not any("Total" in each for each in told("Which pier had the highest turnover in 2022?"))


def test_a_quarter_is_not_told_by_the_figure_of_its_year() -> None:
    found = look_up(read_ask("What was turnover in 2022-Q2?"), tables())
    assert found is not None
    assert found.cell.text == "420000"
    assert look_up(read_ask("What was turnover of the Mole in 2022-Q2?"), tables("piers.csv")) is None


def test_what_was_spent_on_a_thing_is_its_column_of_money_and_no_other() -> None:
    found = look_up(read_ask("How much did the town spend on lights in 2022?"), tables())
    assert found is not None
    assert found.cell.text == "70000"
    assert look_up(read_ask("How much did the town spend on residents in 2022?"), tables()) is None


@pytest.mark.parametrize(
    ("question", "refs"),
    [
        ("Which contracts are still running?", ["H-23-02", "H-23-03"]),
        ("Which contract was cancelled?", ["H-23-04"]),
        ("Which contracts are not running?", []),
        ("How many of them are running?", []),
    ],
)
def test_records_are_listed_by_the_value_that_a_question_names(question: str, refs: list[str]) -> None:
    found = told(question)
    assert len(found) == len(refs)
    assert all(ref in each for ref, each in zip(refs, found, strict=True)), found
