"""Cells of exports in words: units, digits, names and asides as a reader expects them."""

from __future__ import annotations

import pytest
from citewell.reasoners.tables.wording import (
    Spelling,
    clause,
    header_and_value,
    in_words,
    measure_words,
    record_in_words,
    subject_of,
)
from citewell.state.records import Cell, TableRow

LOAN = {
    "facility_id": "D-01",
    "facility": "Venture loan",
    "currency": "EUR",
    "principal_outstanding": "3000000",
    "interest_rate_percent": "9.75",
    "signed": "2023-11-08",
    "status": "drawn",
    "comment": "second tranche unused",
}


def row(label: str, cells: dict[str, str]) -> TableRow:
    made = tuple(Cell(header=header, text=text, start=0, end=1) for header, text in cells.items())
    return TableRow(uri="debt.csv", label=label, cells=made, start=0, end=10)


def cell_of(made: TableRow, header: str) -> Cell:
    return next(cell for cell in made.cells if cell.header == header)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("principal_outstanding", ("principal outstanding", "EUR 3,000,000")),
        ("interest_rate_percent", ("interest rate", "9.75%")),
        ("signed", ("signed", "2023-11-08")),
    ],
)
def test_money_has_its_currency_and_a_rate_its_sign(header, told):
    made = row("D-01", LOAN)
    assert header_and_value(cell_of(made, header), made) == told


def test_a_unit_in_the_header_goes_to_the_value_and_acronyms_are_spelled_as_in_prose():
    made = row("2025-03-31", {"as_of_date": "2025-03-31", "arr_usd": "17640000"})
    spelling = Spelling.of("What was ARR?", "Total arrears rose.")
    assert header_and_value(cell_of(made, "arr_usd"), made, spelling) == ("ARR", "USD 17,640,000")
    assert measure_words("arr_usd", spelling) == "ARR (USD)"


def test_a_word_that_prose_has_in_small_letters_is_no_acronym():
    assert Spelling.of("COST rose", "the cost fell")("unit cost") == "unit cost"


@pytest.mark.parametrize(
    ("header", "value", "said"),
    [
        ("requested by", "counsel", "requested by counsel"),
        ("signed", "2023-11-08", "signed on 2023-11-08"),
        ("status", "final", "status is final"),
        ("exceptions", "2", "exceptions are 2"),
    ],
)
def test_a_clause_has_the_verb_that_its_header_takes(header, value, said):
    assert clause(header, value) == said


def test_a_row_is_called_by_its_name_with_the_code_behind_it():
    assert subject_of(row("D-01", LOAN)).lead == "For Venture loan (D-01)"


def test_a_day_opens_the_sentence_and_what_tells_the_row_apart_is_named():
    def quarter(name: str) -> TableRow:
        return row("FY2025", {"fiscal_year": "FY2025", "fiscal_quarter": name, "period_end": "2024-12-31"})

    told = subject_of(quarter("Q3"), [quarter("Q3"), quarter("Q4")])
    assert told.lead == "At 2024-12-31, for FY2025, Q3"


def test_a_whole_row_is_one_sentence_with_its_remark_behind_it():
    assert in_words(row("D-01", LOAN)) == (
        "For Venture loan (D-01), principal outstanding is EUR 3,000,000, interest rate is 9.75%, signed on 2023-11-08 "
        "and status is drawn (comment: second tranche unused)."
    )
    assert record_in_words(row("D-01", LOAN)) == "Venture loan (D-01): drawn"


@pytest.mark.parametrize(
    ("label", "cells", "said"),
    [
        ("Peru", {"country": "Peru", "first_shipment_in": "2031-04-02"}, "For Peru, first shipment in: 2031-04-02."),
        ("Ivo", {"name": "Ivo", "registered_in": "Basel"}, "For Ivo, registered in Basel."),
        (
            "For-hire permit of pier 4",
            {"permit": "For-hire permit of pier 4", "status": "lapsed"},
            "For-hire permit of pier 4, status is lapsed.",
        ),
        (
            "A4",
            {"No.": "A4", "Action": "Replace the valve", "Owner": "Mara"},
            "For Replace the valve (A4), Owner is Mara.",
        ),
    ],
)
def test_a_row_opens_with_what_it_is_of_and_no_word_twice(label, cells, said):
    assert in_words(row(label, cells)) == said
