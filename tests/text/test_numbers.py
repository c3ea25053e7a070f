"""Numbers are read with scale, unit and sign, and compared as people compare them."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from citewell.text.numbers import find_numbers, in_one_unit, same_unit, same_value
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$43.0M", "43000000", "USD"),
        ("43 million", "43000000", ""),
        ("43,000,000", "43000000", ""),
        ("forty-three million dollars", "43000000", "USD"),
        ("12 %", "12", "%"),
        ("12\u202f%", "12", "%"),
        ("12 per cent", "12", "%"),
        ("twenty percent", "20", "%"),
        ("1.5 percentage points", "1.5", "pp"),
        ("25 basis points", "25", "bp"),
        ("(1.2)", "-1.2", ""),
        ("(12.5%)", "-12.5", "%"),
        ("-3.5%", "-3.5", "%"),
        ("\u22123.5%", "-3.5", "%"),
        ("1.234,56 EUR", "1234.56", "EUR"),
        ("1 234.56", "1234.56", ""),
        ("1\u2009250\u2009000", "1250000", ""),
        ("12,5 Mio. €", "12500000", "EUR"),
        ("£1.2bn", "1200000000", "GBP"),
        ("1.2 × 10^6", "1200000", ""),
        ("10⁵", "100000", ""),
        ("1½", "1.5", ""),
        ("3/4", "0.75", ""),
        ("百分之五", "5", "%"),
        ("三十", "30", ""),
        ("3.5万", "35000", ""),
        ("30°C", "30", "°C"),
        ("5 crore", "50000000", ""),
        ("0.2 degrees Celsius", "0.2", "°C"),
        ("550 ppm", "550", "ppm"),
        ("3 ppts", "3", "pp"),
    ],
)
def test_a_number_is_read_with_scale_unit_and_sign(text: str, value: str, unit: str) -> None:
    (number,) = find_numbers(text)
    assert (number.value, number.unit) == (Decimal(value), unit)


@pytest.mark.parametrize("text", ["COVID-19", "PM2.5", "IL-6", "version 3.2.1", "B2", "4x4", "no figures", ""])
def test_a_number_that_hangs_on_letters_is_none(text: str) -> None:
    assert find_numbers(text) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It rose by about 30 percent.13,14", 1),
        ("The pressure rose.3 It fell later.", 0),
        ("It costs approx.30 euros.", 1),
        ("See p.23", 1),
    ],
)
def test_a_note_glued_to_its_sentence_is_no_number(text: str, count: int) -> None:
    assert len(find_numbers(text)) == count


def test_a_comma_is_read_by_the_other_numbers_of_the_text() -> None:
    german, english = find_numbers("1.234,56 und 1.500"), find_numbers("1,234.56 and 1.500")
    assert [number.value for number in german] == [Decimal("1234.56"), Decimal(1500)]
    assert [number.value for number in english] == [Decimal("1234.56"), Decimal("1.500")]


def test_a_range_has_two_positive_ends() -> None:
    assert [number.value for number in find_numbers("10-20 people")] == [10, 20]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("rose to $104.2\nmillion", "104200000", "USD"),
        ("stieg auf 12,5\r\nMillionen €", "12500000", "EUR"),
        ("in all EUR\n4,812 million", "4812000000", "EUR"),
        ("brought 30 percentage\npoints", "30", "pp"),
        ("fiel um 3 \nProzent", "3", "%"),
    ],
)
def test_a_figure_is_read_across_the_break_of_a_line(text: str, value: str, unit: str) -> None:
    (number,) = find_numbers(text)
    assert (number.value, number.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(("text", "units"), [("in EUR\n2024\n4,812", ["", ""]), ("12\nMetres of rope", [""])])
def test_a_line_of_a_table_gives_the_one_before_no_unit(text: str, units: list[str]) -> None:
    assert [number.unit for number in find_numbers(text)] == units


def test_a_bracketed_list_mark_is_not_negative() -> None:
    assert [number.value for number in find_numbers("(2) the second point")] == [2]


def test_columns_of_figures_do_not_run_together() -> None:
    assert [number.value for number in find_numbers("52,862 42 380")] == [52862, 42, 380]


@pytest.mark.parametrize(
    ("bound", "text"), [(">", "more than 50%"), ("<", "under 50%"), ("~", "about 50%"), ("", "a turnover of 50%")]
)
def test_a_bound_before_a_number_is_kept(bound: str, text: str) -> None:
    assert find_numbers(text)[0].bound == bound


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("$43.0M", "43 million", True),
        ("$43.0M", "43,000,000", True),
        ("$43.04M", "$43.0M", True),
        ("$43.1M", "$43.0M", False),
        ("12%", "12", True),
        ("12%", "12 pp", False),
        ("1.6 km", "1,600 m", True),
        ("150 bp", "1.5 percentage points", True),
        ("$5 million", "€5 million", False),
        ("12 kg", "12 km", False),
        ("24.6%", "25%", True),
        ("24.6%", "24%", False),
        ("2 degrees", "2 °C", True),
        ("2 °F", "2 °C", False),
    ],
)
def test_two_numbers_are_the_same_after_scale_unit_and_rounding(a: str, b: str, same: bool) -> None:
    (first,), (second,) = find_numbers(a), find_numbers(b)
    assert same_value(first, second) is same
    assert same_value(second, first) is same


def test_units_that_do_not_convert_cannot_be_compared() -> None:
    (weight,), (length,) = find_numbers("12 kg"), find_numbers("12 km")
    assert not same_unit(weight, length)
    with pytest.raises(ValueError, match="cannot be compared"):
        in_one_unit(weight, length)


@given(st.integers(min_value=0, max_value=10**12))
def test_grouping_by_commas_changes_no_value(number: int) -> None:
    assert [found.value for found in find_numbers(f"{number:,}")] == [number]


@given(st.decimals(min_value=0, max_value=10**6, places=2, allow_nan=False))
def test_a_percentage_reads_as_written(value: Decimal) -> None:
    (found,) = find_numbers(f"{value}%")
    assert (found.value, found.unit) == (value, "%")


@given(st.text(max_size=200))
def test_spans_index_the_text_in_order_without_overlap(text: str) -> None:
    found = find_numbers(text)
    assert all(text[number.start : number.end] == number.text for number in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Die Anlage kostete 41.200 Euro im Jahr.", "41200"),
        ("41.200 Euro", "41200"),
        ("Die Miete beträgt EUR 41.200 und ist im Mai fällig.", "41200"),
        ("La planta costó 41.200 euros en el año.", "41200"),
        ("Die Stadt hat 41.200 Einwohner.", "41200"),
        ("Der Umsatz war 1.234.567 Euro.", "1234567"),
        ("It weighs 41.200 kg.", "41.200"),
        ("Die Probe wog 41.200 kg.", "41.200"),
        ("Diesel was 1.459 euros per litre.", "1.459"),
        ("The Euro bought 1.085 Dollars in that week.", "1.085"),
        ("Der Zug fährt um 10.500 Uhr.", "10.500"),
        ("Die Probe ist 1.500 mal so gross.", "1.500"),
    ],
)
def test_a_point_before_three_digits_groups_money_and_counts_in_languages_that_write_so(text, value):
    assert find_numbers(text)[0].value == Decimal(value)
