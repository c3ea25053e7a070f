"""A table row is told by its label and the cells that the question is about."""

from __future__ import annotations

from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.rows import row_statement
from citewell.state.records import Cell, TableRow


def row(label: str, **cells: str) -> TableRow:
    made = tuple(Cell(header=header.lstrip("_"), text=text, start=0, end=1) for header, text in cells.items())
    return TableRow(uri="a.pdf", label=label, cells=made, start=0, end=10)


def test_cells_of_the_periods_asked_for_are_told_in_order():
    rate = row("Effective tax rate", _2022="21.6 %", _2021="24.6 %", _2020="27.0 %")
    question = read_question("How much has the effective tax rate changed between FY2021 and FY2022?")
    assert row_statement(question, rate)[0] == "Effective tax rate: 21.6 % (2022), 24.6 % (2021)."


def test_without_a_period_the_figures_are_told():
    debt = row("Net debt", _2022="318", _2021="301")
    assert row_statement(read_question("What was net debt?"), debt)[0] == "Net debt: 318 (2022), 301 (2021)."


def test_columns_that_the_question_names_are_told_with_their_header():
    line = row("Nordwind AG", Jahr="2023", Umsatz="2.345,67 EUR", Notiz="geprüft")
    statement, cells = row_statement(read_question("Wie hoch war der Umsatz der Nordwind AG im Jahr 2023?"), line)
    assert statement == "Für Nordwind AG, Jahr ist 2023 und Umsatz ist 2.345,67 EUR."
    assert [cell.header for cell in cells] == ["Jahr", "Umsatz"]


def test_a_row_without_figures_or_shared_words_says_nothing():
    assert row_statement(read_question("What was net debt?"), row("Notes", Remark="none")) == ("", ())


def test_a_row_with_a_status_says_it_whole_where_no_figure_is_asked_for():
    audit = row("SOC 2 Type II", period="2025-01-01 to 2025-06-30", status="in progress, no report")
    said, chosen = row_statement(read_question("Is the SOC 2 Type II audit complete?"), audit)
    assert said == "For SOC 2 Type II, status is in progress, no report (period: 2025-01-01 to 2025-06-30)."
    assert [cell.header for cell in chosen] == ["period", "status"]


def test_a_row_of_figures_keeps_to_the_figure_that_is_asked_for():
    said, _ = row_statement(
        read_question("How many pallets are in Kelm?"), row("Kelm", pallets="4,120", note="counted by hand")
    )
    assert "4,120" in said
    assert "counted by hand" not in said


def test_an_export_reads_as_a_sentence_and_a_page_as_its_row():
    line = row("", as_of_date="2025-03-31", open_orders="41")
    question = read_question("How many open orders were there?")
    assert row_statement(question, line)[0] == "At 2025-03-31, open orders are 41."
    on_page = line.model_copy(update={"page": 3, "label": "North"})
    assert row_statement(question, on_page)[0] == "North: open_orders: 41."
