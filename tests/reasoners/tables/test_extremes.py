"""Which one has the most or the least: the row, ties and the next, or nothing where the column is unclear."""

from __future__ import annotations

import pytest
from citewell.reasoners.support.formulas import judge_computed
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import Catalog, catalog
from citewell.reasoners.tables.places import wanted_places
from citewell.retrievers.parsers import extract, with_uri

VISITS = """month,visitors,region
2024-01,1200,North
2024-02,1340,North
2024-03,1810,South
2024-04,1810,South
2024-06,990,North
2024-07,2230,South
"""
CUSTOMERS = """customer,orders,revenue_eur
Alder Foods,14,120400
Birch Tools,22,98250
Cedar Toys,9,143000
Total,45,361650
"""
STOCK = """as_of_date,warehouse,pallets_in_stock
2025-01-31,Kelm,410
2025-01-31,Lund,380
2025-02-28,Kelm,120
2025-02-28,Lund,390
"""


def tables(**files: str) -> Catalog:
    texts = {f"{name}.csv": text.encode() for name, text in files.items()}
    rows = [row for name, data in texts.items() for row in with_uri(extract(data, name=name).rows, name)]
    return catalog(rows, dict.fromkeys(texts, True))


FILES = {"visitors": VISITS, "customers": CUSTOMERS}


def told(question: str, **files: str) -> list[str]:
    return [answer.text for answer in compute(read_ask(question), tables(**(files or FILES)))]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Which month had the most visitors?",
            "By month, visitors are highest for 2024-07: 2,230, before 2024-03 and 2024-04 with 1,810: "
            "2,230 - 1,810 = 420.",
        ),
        (
            "When were visitors lowest?",
            "By month, visitors are lowest for 2024-06: 990, before 2024-01 with 1,200: 1,200 - 990 = 210.",
        ),
        (
            "Which month had the fewest visitors in the South?",
            "By month, for South, visitors are lowest for 2024-03 and 2024-04: 1,810, before 2024-07 with 2,230: "
            "2,230 - 1,810 = 420.",
        ),
        (
            "Which customer placed the least orders?",
            "By customer, orders are lowest for Cedar Toys: 9, before Alder Foods with 14: 14 - 9 = 5.",
        ),
        (
            "Name the two largest customers by revenue.",
            "By customer, revenue (EUR) is highest for Cedar Toys: 143,000; Alder Foods: 120,400, before Birch Tools "
            "with 98,250: 120,400 - 98,250 = 22,150.",
        ),
        (
            "Welcher Monat hatte die meisten visitors?",
            "Nach month: höchster Wert von visitors bei 2024-07: 2,230, vor 2024-03 und 2024-04 mit 1,810: "
            "2,230 - 1,810 = 420.",
        ),
    ],
)
def test_the_extreme_is_told_with_ties_and_the_next(question, answer):
    assert told(question) == [answer]


def test_a_group_of_several_rows_is_compared_by_its_sum():
    (text,) = told("Which region had the most visitors?")
    assert "the sum of visitors is highest for South: 1,810 + 1,810 + 2,230 = 5,850, before North" in text


def test_a_long_sum_is_told_by_its_total_and_the_number_of_its_rows():
    rows = "month,site,tonnes\n" + "".join(
        f"2024-{month:02d},{site},{month}\n" for month in range(1, 9) for site in "AB"
    )
    (answer,) = compute(read_ask("Which site has the most tonnes?"), tables(tonnes=f"{rows}2024-09,A,5\n"))
    assert "highest for A: 41 (sum of 9 rows), before B with 36 (sum of 8 rows): 41 - 36 = 5." in answer.text
    assert len(answer.rows) == 17


def test_what_a_day_holds_is_compared_at_the_last_day_and_never_added_up():
    (text,) = told("Which warehouse has the most pallets in stock?", stock=STOCK)
    assert "highest for Lund: 390, before Kelm with 120" in text


def test_files_of_one_shape_are_compared_together():
    earlier = VISITS.replace("2024", "2023").replace("2230", "4000")
    (text,) = told("Which month had the most visitors?", visitors_2023=earlier, visitors_2024=VISITS)
    assert "highest for 2023-07: 4,000, before 2024-07 with 2,230" in text


def test_the_one_column_of_figures_needs_no_name():
    (text,) = told("Which month was the busiest?", visitors=VISITS)
    assert "highest for 2024-07" in text


@pytest.mark.parametrize(
    "question",
    [
        "Which supplier had the highest revenue?",
        "Which customer is the strongest?",
        "Which month had the most visitors in 2022?",
        "Which month had the most complaints?",
        "Which customer had the highest revenue and orders?",
    ],
)
def test_nothing_is_ranked_where_the_column_or_what_is_compared_is_unclear(question):
    assert told(question) == []


def test_amounts_in_several_currencies_are_not_compared():
    rows = "customer,fee,currency\nAlder,100,EUR\nBirch,90,USD\nCedar,40,EUR\n"
    assert told("Which customer pays the highest fee?", fees=rows) == []
    assert "Alder: 100" in told("Which customer pays the highest fee?", fees=rows.replace("USD", "EUR"))[0]


def test_a_ranking_stands_the_check_of_its_formula():
    (answer,) = compute(read_ask("Which month had the most visitors?"), tables(**FILES))
    cited = ["; ".join(f"{cell.header}: {cell.text}" for cell in row.cells) for row in answer.rows]
    verdict = judge_computed(answer.text, ["\n".join(cited)])
    assert verdict is not None
    assert verdict.support == "supported"


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("What are the top 3 months?", 3),
        ("Which were the three largest customers?", 3),
        ("Welche sind die fünf größten Kunden?", 5),
        ("Which 2 customers had the highest revenue?", 2),
        ("Which month was best?", 1),
    ],
)
def test_a_question_may_ask_for_several_places(question, places):
    assert wanted_places(question) == places


@pytest.mark.parametrize(
    ("question", "column", "opening"),
    [
        (
            "Welcher Monat hatte die meisten Besucher?",
            "Monat",
            "Nach Monat: höchster Wert von Besucher bei 2024-02: 180",
        ),
        ("Wie hoch ist die Summe der Besucher?", "Standort", "Summe von Besucher: 120 + 180 + 150 = 450"),
    ],
)
def test_what_is_computed_is_said_in_the_language_of_the_question_and_stands_its_check(question, column, opening):
    names = ("2024-01", "2024-02", "2024-04") if column == "Monat" else ("Nord", "Süd", "Ost")
    rows = f"{column},Besucher\n{names[0]},120\n{names[1]},180\n{names[2]},150\n"
    (answer,) = compute(read_ask(question), tables(besucher=rows))
    assert answer.text.startswith(opening)
    cited = ["\n".join("; ".join(f"{cell.header}: {cell.text}" for cell in row.cells) for row in answer.rows)]
    verdict = judge_computed(answer.text, cited)
    assert verdict is not None
    assert verdict.support == "supported"


def test_columns_of_one_measure_are_told_apart_by_the_year_in_their_headers():
    fares = "line,fare income 2030,fare income 2031\nRed,900,1100\nBlue,1200,1000\nGreen,300,1400\n"
    (text,) = told("Which line had the highest fare income in 2031?", fares=fares)
    assert "highest for Green: 1,400" in text
    (text,) = told("Which line had the highest fare income in 2030?", fares=fares)
    assert "highest for Blue: 1,200" in text


def test_the_word_behind_which_names_the_rows_and_the_other_what_is_ranked():
    rows = "Organisation,Grant GBP,Score\nMill Trust,72600,68\nOsier House,28500,88\nHarbour Hostel,19900,71\n"
    (answer,) = told("Which grant had the highest score?", grants=rows)
    assert "score is highest for Osier House: 88" in answer
    (answer,) = told("Which grant is the highest?", grants=rows)
    assert "highest for Mill Trust: 72,600" in answer
