"""What a question asks to be worked out is, with its terms, where a table holds every word of it; else nothing is."""

from __future__ import annotations

import pytest
from citewell.reasoners.support.formulas import judge_computed
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import Catalog, catalog
from citewell.reasoners.tables.lookups import look_up
from citewell.retrievers.parsers import extract, with_uri

CATCH = """month,port,landings_tonnes,fuel_price_eur,boats
2024-01,Ystad,31.5,0.91,12
2024-01,Skagen,80.0,0.88,40
2024-02,Ystad,28.5,0.93,12
2024-02,Skagen,76.5,0.90,41
2024-03,Ystad,33.0,0.95,13
2024-03,Skagen,90.0,0.92,41
2024-04,Ystad,20.0,0.90,13
2024-04,Skagen,61.5,0.89,42
2024-05,Ystad,22.0,0.91,13
2024-05,Skagen,60.0,0.90,42
2024-06,Ystad,25.0,0.92,14
2024-06,Skagen,72.0,0.91,42
"""
BEDS = """Ward,Patients 2023,Patients 2024
Surgery,410,455
Maternity,300,270
Eye clinic,95,95
"""
WORKS = """| Bridge | Planned cost (EUR k) | Actual cost (EUR k) |
| --- | --- | --- |
| Mill Bridge | 120 | 141 |
| Park Bridge | 80 | 75 |
| Quay Bridge | 60 | 60 |
"""
FILES = {"catch.csv": CATCH, "hospital.csv": BEDS, "works.md": f"# Works\n\n{WORKS}\nAll of them are open.\n"}


def tables() -> Catalog:
    rows = [row for name, text in FILES.items() for row in with_uri(extract(text.encode(), name=name).rows, name)]
    return catalog(rows, {name: name.endswith(".csv") for name in FILES})


def told(question: str) -> list[str]:
    answers = compute(read_ask(question), tables())
    for answer in answers:
        cited = ["; ".join(f"{cell.header}: {cell.text}" for cell in row.cells) for row in answer.rows]
        verdict = judge_computed(answer.text, cited)
        assert verdict is None or verdict.support == "supported", (answer.text, verdict)
    return [answer.text for answer in answers]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What were the total landings of Ystad in the first quarter of 2024?", "31.5 + 28.5 + 33.0 = 93.0"),
        ("What were the landings of all ports together in 2024?", "72.0 = 600.0"),
        ("What were the average monthly landings in Skagen in Q1 2024?", "(80.0 + 76.5 + 90.0) / 3 = 82.167"),
        ("What was the average number of patients per ward in 2024?", "(455 + 270 + 95) / 3 = 273.33"),
        ("What is the difference in patients between Surgery and Maternity in 2024?", "455 - 270 = 185"),
        ("How many more patients were there in Surgery than in Maternity in 2023?", "410 - 300 = 110"),
        ("By how much did landings in Ystad fall from March to April 2024?", "20.0 - 33.0 = -13.0"),
        ("By how many percent did the patients of the Maternity ward decrease?", "(270 - 300) / 300 = -10.0%"),
        ("How much less was the actual cost than the planned cost of Park Bridge?", "80 - 75 = 5"),
    ],
)
def test_what_is_asked_for_is_worked_out_with_its_terms(question, answer):
    assert answer in "\n".join(told(question))


def test_only_those_that_hold_the_comparison_are_listed():
    (text,) = told("Which bridges were over the planned cost?")
    assert text == "Over planned cost: Mill Bridge, actual cost 141 EUR k, planned cost 120 EUR k: 141 - 120 = 21."
    (text,) = told("Which wards had fewer patients in 2024 than in 2023?")
    assert "Maternity" in text
    assert "Surgery" not in text
    assert "Eye clinic" not in text
    (text,) = told("Which wards grew between 2023 and 2024?")
    assert "Surgery" in text
    assert "Maternity" not in text


def test_whether_something_grew_is_answered_with_both_figures():
    assert told("Did the landings in Ystad grow between January and June 2024?")[0].startswith(
        "No. Landings of Ystad fell from 31.5 tonnes (2024-01)"
    )
    assert told("Are the patients of Surgery in 2024 above 460?") == ["No. Patients of Surgery are 455."]
    assert told("Is Quay Bridge within the planned cost?")[0].startswith("Yes. Quay Bridge, actual cost 60 EUR k")


def test_months_are_brought_together_where_a_quarter_is_asked_for():
    (text,) = told("Which quarter had the highest landings in Skagen?")
    assert "highest for Q1 2024: 80 + 76.5 + 90 = 246.5" in text


@pytest.mark.parametrize(
    "question",
    [
        "By how many percentage points did sickness rise from 2023 to 2024?",
        "What was the yield per share in 2024?",
        "What was the total of shrimp landings in 2024?",
        "What was the average waiting time of the wards in 2024?",
        "What were the total landings of Ystad in 2023?",
        "How many patients were there in all wards in 2022?",
        "What is the sum of the fuel price in 2024?",
        "How many boats were there in total in the first quarter of 2024?",
        "How much did revenue grow from 2023 to 2024?",
        "What does average mean?",
    ],
)
def test_nothing_is_worked_out_of_a_measure_period_or_name_that_no_table_holds(question):
    assert told(question) == []


def test_a_member_of_two_letters_is_named_as_it_is_written():
    rows = with_uri(extract(b"Team,Staff 2023,Staff 2024\nIT,17,19\nHR,9,8\n", name="staff.csv").rows, "staff.csv")
    found = catalog(rows, {"staff.csv": True})
    lookup = look_up(read_ask("How many staff were in IT in 2024?"), found)
    assert lookup is not None
    assert lookup.text == "Staff of IT, 2024: 19."
    assert look_up(read_ask("How many staff did it have in 2024?"), found) is None


def test_a_condition_is_a_key_of_its_row_and_two_of_them_are_compared():
    data = b"cycles,shrinkage_percent,gas_m3\n50,1.2,31\n100,1.9,33\n200,2.6,38\n"
    kiln = catalog(with_uri(extract(data, name="kiln.csv").rows, "kiln.csv"), {"kiln.csv": True})
    lookup = look_up(read_ask("What was the shrinkage after 100 cycles?"), kiln)
    assert lookup is not None
    assert lookup.text == "Shrinkage was 1.9% (cycles: 100)."
    assert look_up(read_ask("What was the shrinkage after 400 cycles?"), kiln) is None
    (answer,) = compute(read_ask("How much shrinkage was gained between 50 and 200 cycles?"), kiln)
    assert "2.6 - 1.2 = 1.4 percentage points" in answer.text
