"""What happened adds up over time and by group; the states of a day never do."""

from __future__ import annotations

import pytest
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import Catalog, catalog
from citewell.reasoners.tables.lookups import look_up
from citewell.retrievers.parsers import extract, with_uri

SALES = b"""Date,Region,Product,Units,Revenue EUR
2026-01-31,North,Buoy S,14,42000
2026-01-31,South,Buoy S,9,27000
2026-01-31,North,Buoy L,3,24600
2026-02-28,North,Buoy S,11,33000
2026-02-28,South,Buoy S,15,45000
"""
CASH = b"as_of_date,cash_usd\n2026-01-31,100\n2026-02-28,90\n2026-03-31,80\n"
INCOME = b"""line_item,fy2024_as_first_reported_usd,fy2024_restated_usd,fy2025_usd
Total revenue,14150000,13720000,18400000
Cost of revenue,5164750,4939200,6256000
"""
QUARTERS = b"""fiscal_year,fiscal_quarter,period_start,period_end,total_revenue_usd
FY2025,Q3,2024-10-01,2024-12-31,4780000
FY2025,Q4,2025-01-01,2025-03-31,5070000
"""


def tables(name: str, data: bytes) -> Catalog:
    return catalog(with_uri(extract(data, name=name).rows, name), {name: True})


def told(question: str, name: str, data: bytes) -> list[str]:
    return [answer.text for answer in compute(read_ask(question), tables(name, data), ("first reported",))]


def test_a_total_over_a_stretch_of_time_is_summed_where_it_is_asked_for():
    (text,) = told("What was total revenue in January 2026?", "sales.csv", SALES)
    assert text == "Total revenue, 2026-01: EUR 93,600; 42,000 + 27,000 + 24,600 = 93,600."
    assert told("What was revenue in January 2026?", "sales.csv", SALES) == []


def test_the_states_of_a_day_are_never_summed():
    assert told("What was total cash in the first quarter of 2026?", "cash.csv", CASH) == []


def test_the_largest_group_is_told_with_the_sums_of_all():
    (text,) = told("Which region sold the most units?", "sales.csv", SALES)
    assert "that of North: 14 + 3 + 11 = 28; South: 9 + 15 = 24" in text


def test_a_change_between_months_adds_up_each_of_them():
    question = "How did revenue in the North change between January and February 2026?"
    (text,) = told(question, "sales.csv", SALES)
    assert "2026-01: 42,000 + 24,600 = 66,600; revenue of North fell" in text
    assert "33,000 - 66,600 = -33,600" in text


@pytest.mark.parametrize(
    ("question", "name", "data", "formula"),
    [
        (
            "How did revenue change between the third and the fourth quarter of fiscal year 2025?",
            "revenue_by_quarter.csv",
            QUARTERS,
            "FY2025 Q3 and FY2025 Q4: 5,070,000 - 4,780,000 = 290,000",
        ),
        (
            "How did revenue change between FY2024 and FY2025?",
            "income_statement.csv",
            INCOME,
            "18,400,000 - 13,720,000 = 4,680,000",
        ),
    ],
)
def test_the_periods_of_a_companys_own_year_are_found_by_their_labels(question, name, data, formula):
    (text,) = told(question, name, data)
    assert formula in text


def test_the_row_that_is_called_what_is_asked_for_answers_under_its_year():
    found = look_up(read_ask("What was revenue in fiscal year 2025?"), tables("income_statement.csv", INCOME))
    assert found is not None
    assert found.text == "Total revenue: USD 18,400,000 (FY2025)."


def test_the_day_on_which_something_was_signed_makes_no_later_state_of_it():
    data = b"contract_id,signed,fee_usd\nK-1,2024-01-01,100\nK-2,2025-01-01,200\n"
    assert look_up(read_ask("What is the fee?"), tables("contracts.csv", data)) is None
