"""Dates and periods are read in the forms people write them."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from citewell.text.periods import contains, find_periods, overlaps, same_period
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("12 March 2021", ["2021-03-12"]),
        ("March 12, 2021", ["2021-03-12"]),
        ("2021-03-12", ["2021-03-12"]),
        ("12.03.2021", ["2021-03-12"]),
        ("25/12/2021", ["2021-12-25"]),
        ("03/12/2021", ["2021-03-12"]),
        ("12 mars 2021", ["2021-03-12"]),
        ("3. Oktober 1990", ["1990-10-03"]),
        ("2021年3月12日", ["2021-03-12"]),
        ("Sept. 2020", ["2020-09"]),
        ("Q1 2021", ["2021-Q1"]),
        ("1Q21", ["2021-Q1"]),
        ("first quarter of 2021", ["2021-Q1"]),
        ("Q3 FY22", ["FY2022-Q3"]),
        ("H1 2021", ["2021-H1"]),
        ("Q22023, Q4FY23 and H12024", ["FY2023-Q2", "FY2023-Q4", "FY2024-H1"]),
        ("FY2021 and fiscal 2022", ["FY2021", "FY2022"]),
        ("fiscal year 2021/22", ["FY2022"]),
        ("2019-2021", ["2019-01-01/2021-12-31"]),
        ("2019/20", ["2019-01-01/2020-12-31"]),
        ("the 1990s", ["1990s"]),
        ("19th century", ["1801-01-01/1900-12-31"]),
        ("March 31", ["--03-31"]),
        ("in 1642 1,642 m were", ["1642"]),
        ("$2021, 2021.5, 2021%", []),
        ("2020 people", []),
        ("last year", []),
        ("the warmest of the last 1000 years", []),
        ("30 February 2021", ["2021-02"]),
        ("", []),
    ],
)
def test_a_period_is_named(text: str, labels: list[str]) -> None:
    assert [period.label() for period in find_periods(text)] == labels


def test_relative_words_count_from_the_anchor() -> None:
    anchor = date(2024, 1, 1)
    found = [period.label() for period in find_periods("last year, yesterday, last quarter, March 31", anchor)]
    assert found == ["2023", "2023-12-31", "2023-Q4", "2024-03-31"]


def test_a_fiscal_year_equals_the_calendar_year_of_its_number() -> None:
    (fiscal,), (year,), (month,) = find_periods("FY2022"), find_periods("2022"), find_periods("May 2022")
    assert same_period(fiscal, year)
    assert fiscal.is_fiscal
    assert contains(year, month)
    assert not contains(month, year)
    assert overlaps(month, year)


def test_a_day_without_a_year_meets_the_same_day_of_any_year() -> None:
    (yearless,), (dated,) = find_periods("March 31"), find_periods("31 March 2024")
    assert overlaps(yearless, dated)
    assert same_period(yearless, dated)


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2199, 12, 31)))
def test_every_date_reads_back(day: date) -> None:
    assert [(p.start, p.end) for p in find_periods(day.isoformat())] == [(day, day)]
    assert [p.start for p in find_periods(f"on {day.day} {day.strftime('%B')} {day.year:04d}.")] == [day]


@given(st.text(max_size=200))
def test_spans_index_the_text_in_order_without_overlap(text: str) -> None:
    found = find_periods(text)
    assert all(text[period.at : period.to] == period.text for period in found)
    assert all(a.to <= b.at for a, b in pairwise(found))
