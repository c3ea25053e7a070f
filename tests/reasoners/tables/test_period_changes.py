"""How a figure moved between two times, asked in a language in which questions are not reckoned word by word."""

from __future__ import annotations

import pytest
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import catalog
from citewell.retrievers.parsers import extract, with_uri

STATES = b"as_of,arr_usd\n2024-03-31,12000000\n2024-09-30,13000000\n2025-03-31,17640000\n"
SALES = b"""date,region,revenue_eur
2024-01-31,North,100
2024-02-29,South,140
2025-01-31,North,120
2025-02-28,South,180
"""
YEARS = b"fiscal_year,revenue_usd\nFY2023,0\nFY2024,13720000\nFY2025,18400000\n"


def told(question: str, name: str, data: bytes) -> list[str]:
    tables = catalog(with_uri(extract(data, name=name).rows, name), {name: True})
    return [answer.text for answer in compute(read_ask(question), tables)]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Wie hoch war die Veränderung des ARR zwischen März 2024 und März 2025?", "Veränderung zwischen"),
        ("Quelle a été la croissance de l'ARR entre mars 2024 et mars 2025 ?", "évolution entre"),
    ],
)
def test_two_states_are_set_against_each_other_by_their_days(question, words):
    (text,) = told(question, "arr.csv", STATES)
    assert words in text
    assert "17,640,000 - 12,000,000 = 5,640,000; (17,640,000 - 12,000,000) / 12,000,000 = 47.0%." in text


def test_what_happened_in_two_years_is_added_up_first():
    (text,) = told("Wie hoch war das Wachstum der Revenue zwischen 2024 und 2025?", "sales.csv", SALES)
    assert "2024: 100 + 140 = 240; 2025: 120 + 180 = 300" in text
    assert "300 - 240 = 60; (300 - 240) / 240 = 25.0%." in text


def test_rows_of_a_company_s_own_years_are_found_by_their_labels():
    (text,) = told("Wie hoch war das Wachstum der Revenue zwischen FY2024 und FY2025?", "years.csv", YEARS)
    assert "18,400,000 - 13,720,000 = 4,680,000; (18,400,000 - 13,720,000) / 13,720,000 = 34.1%." in text


def test_a_change_from_nothing_has_no_rate():
    (text,) = told("Wie hoch war das Wachstum der Revenue zwischen FY2023 und FY2024?", "years.csv", YEARS)
    assert text.endswith("13,720,000 - 0 = 13,720,000.")


def test_a_day_without_a_row_gives_no_change():
    assert told("Wie hoch war die Veränderung des ARR zwischen März 2023 und März 2025?", "arr.csv", STATES) == []
