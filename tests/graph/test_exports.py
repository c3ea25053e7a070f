"""Where the sources hold an export, research looks figures up in it and sets them against the narrative."""

from __future__ import annotations

import citewell
import openpyxl
import pytest


@pytest.mark.slow
def test_the_export_leads_and_the_deck_is_shown_as_a_conflict(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (room / "arr_by_month.csv").write_text(
        "as_of_date,arr_usd\n2024-03-31,12500000\n2025-02-28,17100000\n2025-03-31,17640000\n"
    )
    (room / "board_deck.md").write_text("# Board deck\n\nARR reached $18.9 million at 31 March 2025.\n")
    report = citewell.research("What was ARR at 31 March 2025?", docs=[room], engine="embedded")
    assert "17,640,000" in report.answer.executive_summary[0].text
    (conflict,) = report.answer.conflicts
    assert {value.value for value in conflict.values} == {"17640000", "$18.9 million"}
    assert conflict.preferred == "17640000"


@pytest.mark.slow
def test_narratives_alone_are_answered_without_the_policy(tmp_path):
    (tmp_path / "lake.txt").write_text("Lake Baikal is 1,642 m deep.")
    report = citewell.research("How deep is Lake Baikal?", docs=[tmp_path / "lake.txt"], engine="embedded")
    assert report.answer.executive_summary[0].text == "Lake Baikal is 1,642 m deep."
    assert report.status == "answered"


@pytest.mark.slow
def test_the_total_that_a_table_states_answers_for_its_departments(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (room / "headcount.csv").write_text(
        "as_of_date,department,employees\n2024-12-31,Yard,38\n2024-12-31,Office,7\n2024-12-31,Total,45\n"
        "2025-12-31,Yard,46\n2025-12-31,Office,9\n2025-12-31,Total,55\n"
    )
    report = citewell.research("How many employees were there at 31 December 2025?", docs=[room], engine="embedded")
    assert "employees were 55" in report.answer.executive_summary[0].text


@pytest.mark.slow
def test_another_date_and_a_list_mark_are_no_part_of_the_answer(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (room / "arr_by_month.csv").write_text("as_of_date,arr_usd\n2024-03-31,12500000\n2025-03-31,17640000\n")
    (room / "deck.md").write_text(
        "- ARR reached $12.5 million at 31 March 2024.\n- ARR was $18.9 million at 31 March 2025.\n"
    )
    report = citewell.research("What was ARR at 31 March 2025?", docs=[room], engine="embedded")
    assert all("2024" not in claim.text for claim in report.answer.claims)
    quotes = [value.quote.text for conflict in report.answer.conflicts for value in conflict.values if value.quote]
    assert quotes
    assert not [quote for quote in quotes if quote.startswith("-")]


@pytest.mark.slow
def test_a_status_that_an_export_states_settles_the_question_about_it(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (room / "audits.csv").write_text(
        "audit,period,status\nSOC 2 Type I,2024-10-31,report issued\nSOC 2 Type II,2025-06-30,in progress no report\n"
    )
    (room / "sheet.md").write_text("# Security\n\nSOC 2 Type II audit complete.\n")
    report = citewell.research("Is the SOC 2 Type II audit complete?", docs=[room], engine="embedded")
    assert report.answer.executive_summary[0].text.startswith("No. At 2025-06-30, for SOC 2 Type II, status is")
    assert [question.question for question in report.answer.open_questions] == []


VISITS = "month,visitors,region\n2024-01,1200,North\n2024-02,1340,North\n2024-03,1810,South\n2024-04,1810,South\n"


@pytest.mark.slow
def test_which_had_the_most_is_answered_with_its_row_and_the_next(tmp_path):
    (tmp_path / "visitors.csv").write_text(f"{VISITS}2024-06,990,North\n2024-07,2230,South\n")
    (tmp_path / "orders.csv").write_text("customer,orders\nAlder,14\nBirch,22\nCedar,9\n")
    asked = "Which month had the most visitors, and which customer placed the fewest orders?"
    report = citewell.research(asked, docs=[tmp_path], engine="embedded")
    first, second = report.answer.executive_summary
    assert "visitors are highest for 2024-07: 2,230, before 2024-03 and 2024-04 with 1,810" in first.text
    assert first.quotes[0].text.startswith("month: 2024-07")
    assert "orders are lowest for Cedar: 9" in second.text
    assert (report.status, report.answer.open_questions) == ("answered", ())


@pytest.mark.slow
def test_rows_that_cannot_be_ranked_are_no_answer(tmp_path):
    (tmp_path / "visitors.csv").write_text("month,adult_visitors,child_visitors\n2024-01,900,300\n2024-02,800,540\n")
    report = citewell.research("Which month had the most visitors?", docs=[tmp_path], engine="embedded")
    assert (report.status, report.answer.claims) == ("insufficient_evidence", ())
    assert "ranked" in report.answer.open_questions[0].reason


@pytest.mark.slow
def test_a_month_without_a_row_is_open_and_other_months_stand_as_the_nearest_only(tmp_path):
    (tmp_path / "visitors.csv").write_text(f"{VISITS}2024-06,990,North\n2024-07,2230,South\n")
    asked = "How many visitors were there in May 2024?"
    report = citewell.research(asked, docs=[tmp_path], engine="embedded")
    assert (report.status, report.answer.executive_summary) == ("partial", ())
    (section,) = report.answer.sections
    assert section.heading.startswith("Not May 2024")
    assert [hole.reason for hole in report.answer.open_questions] == ["No passage holds: May 2024."]
    assert report.stop_reason != "no_gaps"
    both = citewell.research("How many visitors came in April and May 2024?", docs=[tmp_path], engine="embedded")
    assert both.status == "partial"
    assert ["1810" in claim.text for claim in both.answer.claims] == [True]


@pytest.mark.slow
def test_a_refusal_answers_whether_something_was_granted(tmp_path):
    (tmp_path / "permits.csv").write_text("permit,decided_on,decision\nMill Lane,2024-05-03,refused\n")
    (tmp_path / "notes.md").write_text(
        "# Notes\n\nThe city refused the building permit for Pier Road on 12 March 2024.\n"
    )
    report = citewell.research("Was the building permit for Pier Road granted?", docs=[tmp_path], engine="embedded")
    assert report.answer.executive_summary[0].text.startswith("No. ")
    assert report.answer.executive_summary[0].support == "supported"
    row = citewell.research("Was the Mill Lane permit granted?", docs=[tmp_path], engine="embedded")
    assert row.answer.executive_summary[0].text.startswith("No. For Mill Lane, decision is refused")


@pytest.mark.slow
def test_each_part_is_ranked_by_its_own_measure(tmp_path):
    rows = "2023-Q3,482,7\n2023-Q4,441,9\n2024-Q2,468,3\n"
    (tmp_path / "water.csv").write_text(f"quarter,consumption,leaks\n{rows}")
    asked = "Which quarter had the lowest consumption, and how many leaks were there in Q4 2023?"
    report = citewell.research(asked, docs=[tmp_path], engine="embedded")
    first = report.answer.executive_summary[0]
    assert "consumption is lowest for 2023-Q4: 441" in first.text
    assert any("leaks" in claim.text.casefold() and "9" in claim.text for claim in report.answer.executive_summary[1:])


KILN = "cycles,shrinkage_percent,firing_gas_m3\n50,1.2,31\n100,1.9,33\n200,2.6,38\n"
OCHRE = "pigment,lead_content_mg,density\nOchre,12,2.9\nUmber,31,3.1\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What was the hardness of the glaze after 400 cycles?", "400 cycles"),
        ("How many guests were there in Kelm in 2021?", "2021"),
        ("What was the membership fee in 2022?", "2022"),
    ],
)
def test_a_year_or_a_condition_without_a_row_is_open_and_the_nearest_is_called_so(tmp_path, question, named):
    (tmp_path / "glaze.md").write_text(
        "# Glaze\n\nThe hardness of the glaze was 5.1 after 50 cycles and 5.6 after 100 cycles.\n"
    )
    book = openpyxl.Workbook()
    book.active.append(["Hotel", "Guests 2023", "Guests 2024"])
    book.active.append(["Kelm", 410, 455])
    book.active.append(["Lund", 300, 280])
    other = book.create_sheet("Rooms")
    other.append(["Hotel", "Rooms"])
    other.append(["Kelm", 40])
    book.save(tmp_path / "hotels.xlsx")
    (tmp_path / "club.md").write_text("# Club, report on 2024\n\nThe membership fee is EUR 90 a year (2023: EUR 80).\n")
    report = citewell.research(question, docs=[tmp_path], engine="embedded")
    assert (report.status, report.answer.executive_summary) == ("partial", ())
    assert all(section.heading.startswith(f"Not {named}") for section in report.answer.sections)
    assert named in report.answer.open_questions[0].reason
    told = [claim.text for section in report.answer.sections for claim in section.claims]
    assert question != "How many guests were there in Kelm in 2021?" or told[0] == (
        "Guests of Kelm: 410 (2023), 455 (2024)."
    )


@pytest.mark.slow
def test_a_row_of_a_condition_answers_with_it(tmp_path):
    (tmp_path / "kiln.csv").write_text(KILN)
    report = citewell.research("What was the shrinkage after 100 cycles?", docs=[tmp_path], engine="embedded")
    assert report.answer.executive_summary[0].text == "Shrinkage was 1.9% (cycles: 100)."


@pytest.mark.slow
def test_a_measure_that_no_table_holds_is_no_answer_by_another_one(tmp_path):
    (tmp_path / "pigments.csv").write_text(OCHRE)
    report = citewell.research("What was the cadmium content of Umber?", docs=[tmp_path], engine="embedded")
    assert not any("31" in claim.text for claim in report.answer.claims)
    report = citewell.research("What was the lead content of Umber?", docs=[tmp_path], engine="embedded")
    assert "31" in report.answer.executive_summary[0].text


@pytest.mark.slow
def test_one_path_handed_in_alone_is_one_source(tmp_path):
    lake = tmp_path / "lake.txt"
    lake.write_text("Lake Baikal is 1,642 m deep.")
    asked = {"question": "How deep is Lake Baikal?", "docs": str(lake)}
    report = citewell.research(engine="embedded", **asked)
    assert [source.uri for source in report.sources] == ["lake.txt"]
    assert "1,642" in citewell.build_research_graph().compile().invoke(asked)["answer"]
