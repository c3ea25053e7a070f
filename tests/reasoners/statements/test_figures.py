"""Measures, changes and extremes are computed from statements, with their formulas and their rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from citewell.reasoners.statements.figure_ask import read_figure_ask
from citewell.reasoners.statements.figures import compute_figures
from citewell.reasoners.statements.inference import Inference
from citewell.reasoners.statements.lines import statements_of
from citewell.reasoners.statements.periods import Target, calendar_of, targets_of, when_of
from citewell.reasoners.statements.ranks import compute_ranks, edges_for, read_rank_ask
from citewell.reasoners.support.check import check_support
from citewell.reasoners.support.formulas import find_formulas
from statement_pages import BALANCE, CASH, EARNINGS, QUARTER, SEGMENTS, page_of
from statement_pages import YEARS as EARNINGS_YEARS

PAGES = [BALANCE, EARNINGS, CASH]


def answers(question: str, pages=PAGES, names=("Kelm",)) -> list[Inference]:
    statements = statements_of(pages)
    rank = read_rank_ask(question, names)
    ranked = compute_ranks(rank, statements) if rank else []
    return ranked or compute_figures(read_figure_ask(question, names), statements)


def answer(question: str, pages=PAGES) -> str:
    (found,) = answers(question, pages)
    return found.text


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is Kelm's FY2033 gross margin?", "10,000 / 46,000 = 21.7%"),
        ("What is Kelm's quick ratio for FY2033?", "(8,800 - 5,100) / 9,000 = 0.41"),
        ("What is the FY2033 working capital of Kelm?", "8,800 - 9,000 = -200"),
        ("What is Kelm's FY2033 fixed asset turnover?", "46,000 / ((2,350 + 2,250) / 2) = 20.00"),
        ("What is Kelm's FY2033 free cash flow?", "1,800 - 930 = 870"),
        (
            "What is Kelm's FY2033 days payable outstanding (DPO)? DPO is defined as: 365 * (average payables) / COGS.",
            "365 * ((5,700 + 6,800) / 2) / (36,000 + (5,100 - 6,000)) = 64.99 days",
        ),
    ],
)
def test_a_measure_asked_for_by_name_shows_its_formula(question, wanted):
    assert wanted in answer(question)


def test_an_average_over_years_is_taken_of_the_years_asked_for():
    text = answer("What is the FY2031 - FY2033 3 year average of capex as a % of revenue for Kelm?")
    assert "930 / 46,000 = 2.0%" in text
    assert "(1.5 + 1.4 + 2.0) / 3 = 1.6" in text


def test_a_value_is_told_from_the_primary_statement_in_its_own_words():
    assert answer("What is the FY2032 capital expenditure amount for Kelm?") == (
        "Additions to property and equipment: (740) (Fiscal Years Ended January 29, 2032), in millions."
    )


def test_a_change_says_which_way_and_how_far():
    text = answer("Did Kelm grow its PPNE between FY2032 and FY2033?")
    assert text.startswith("Yes. Inference: Net property and equipment rose from 2,250 (January 29, 2032) to 2,350")
    assert "(2,350 - 2,250) / 2,250 = 4.44%" in text
    assert answer("Did Kelm's inventories increase between FY2032 and FY2033?").startswith("No. Inference:")
    assert not answer("Did Kelm's inventories increase or decrease in FY2033?").startswith(("Yes", "No"))


def test_steadiness_is_held_to_the_bar_of_the_question():
    within = answer("Are Kelm's gross margins historically consistent (not moving more than 2% each year)?")
    assert within.startswith("Yes. Inference: Gross margin")
    assert "change 21.7 - 22.7 = -1.0 percentage points" in within
    assert answer("Are Kelm's gross margins historically consistent (not moving more than 0.3% each year)?").startswith(
        "No."
    )


def test_a_quarter_is_the_one_of_the_sources_name_and_a_year_ends_with_its_last_day():
    text = answer("Was there any drop in cash and cash equivalents between FY 2033 and Q2 of FY2034?", [QUARTER])
    assert text.startswith(
        "Yes. Inference: Cash and cash equivalents fell from $1,900 (January 28, 2033) to $1,100 (July 29"
    )
    assert answers("What was Kelm's inventory at the end of Q3 of FY2034?", [QUARTER]) == []


def test_the_extreme_of_a_group_is_set_beside_the_next():
    assert "Rest of the world is the lowest by % Change: (74)" in answer(
        "Which geographic region of Kelm had the biggest drop in Q2 2034 revenues (on a percentage basis)?", [SEGMENTS]
    )
    assert "Accounts payable is the highest" in answer("What was the largest current liability of Kelm in 2033?")
    assert "Total cash provided by operating activities is the highest: 1,800" in answer(
        "Among operating, investing, and financing activities, which brought in the most cash flow for Kelm in FY2033?"
    )


def test_nothing_is_computed_where_an_input_or_a_period_is_missing():
    assert answers("What is Kelm's FY2033 quick ratio?", [EARNINGS]) == []
    assert answers("What is Kelm's FY2029 gross margin?") == []
    assert answers("Who leads Kelm?") == []
    assert (
        answers("Why did the board of Kelm discuss the harbour dues and the net income of its tenants in 2033?") == []
    )


def test_part_of_the_income_is_not_the_net_income():
    page = page_of(
        "KELM_2033_10K.pdf",
        "Consolidated Statements of Income (MILLIONS)",
        ("Year Ended December 31, 2033",),
        [
            ("Less: Net income attributable to noncontrolling interests", ("45",)),
            ("Net income attributable to Kelm plc common shareholders", ("21,979",)),
        ],
    )
    assert "21,979" in answer("What is Kelm's FY2033 net income?", [page])


def test_every_computed_answer_holds_against_its_own_rows():
    questions = [
        "What is Kelm's FY2033 gross margin?",
        "What is Kelm's FY2033 days payable outstanding?",
        "Did Kelm grow its PPNE between FY2032 and FY2033?",
        "What was the largest current liability of Kelm in 2033?",
    ]
    pages = {page.chunk.chunk_id: page for page in PAGES}
    for question in questions:
        for found in answers(question):
            assert find_formulas(found.text)
            cited = [pages[quote.chunk_id] for quote in found.quotes]
            for quote in found.quotes:
                assert pages[quote.chunk_id].chunk.text[quote.start : quote.end] == quote.text
            verdict = check_support(found.text, [page.chunk.text for page in cited])
            assert verdict.support == "supported", (found.text, verdict.reasons)


@pytest.mark.parametrize(
    ("header", "year", "end", "months"),
    [
        ("Years Ended December 31, 2032", 2032, date(2032, 12, 31), 12),
        ("13 Weeks Ended January 28, 2033 (Unaudited)", 2033, date(2033, 1, 28), 3),
        ("Comparable Sales Three Months Ended July 30, 2032", 2032, date(2032, 7, 30), 3),
        ("2032", 2032, None, 0),
    ],
)
def test_a_header_tells_its_period(header, year, end, months):
    when = when_of(header)
    assert when is not None
    assert (when.year, when.end, when.months) == (year, end, months)


def test_a_change_between_two_years_is_no_period():
    assert when_of("Change 2032 vs. 2031") is None


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("between FY 2033 and Q2 of FY2034", [Target(2033), Target(2034, 2)]),
        ("in Q22033 year over year", [Target(2033, 2)]),
        ("the FY2031 - FY2033 3 year average", [Target(2031), Target(2032), Target(2033)]),
        ("between FY30 and FY31", [Target(2030), Target(2031)]),
        ("historically", []),
    ],
)
def test_a_question_tells_its_periods(question, wanted):
    assert targets_of(question) == wanted


def test_a_source_tells_its_calendar():
    headers = ("July 29, 2033", "January 28, 2033", "July 30, 2032", "Three Months Ended July 29, 2033")
    calendar = calendar_of("KELM_2034Q2_10Q.pdf", headers)
    assert (calendar.last, calendar.year, calendar.quarter, calendar.closing) == (date(2033, 7, 29), 2034, 2, 1)


def test_no_extreme_is_told_where_rows_of_the_best_table_were_not_retrieved():
    question = "Which geographic region of Kelm had the biggest drop in Q2 2034 revenues (on a percentage basis)?"
    torn = replace(SEGMENTS, rows=SEGMENTS.rows[:3])
    assert answers(question, [torn]) == []
    ask = read_rank_ask(question, ("Kelm",))
    assert ask is not None
    (edges,) = edges_for(ask, statements_of([torn]))
    assert edges.startswith("Home market 6,100")
    assert "Rest of the world 1,300" in edges


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What was Kelm's gross profit as a percentage of cost of sales in FY2033?", "10,000 / 36,000 = 27.8%"),
        ("What percentage of Kelm's revenue was gross profit in FY2033?", "10,000 / 46,000 = 21.7%"),
        ("What is Kelm's ratio of inventories to accounts payable at the end of FY2033?", "5,100 / 5,700 = 0.89"),
    ],
)
def test_a_share_of_two_items_needs_no_definition_of_its_own(question, wanted):
    assert wanted in answer(question)


def test_a_part_of_an_item_is_not_the_item():
    assert answers("Did Kelm's comparable revenue grow in FY2033?") == []
    assert answers("What was Kelm's lakeside revenue as a percentage of cost of sales in FY2033?") == []
    assert "46,000" in answer("Did Kelm's total revenue grow in FY2033?")


def test_a_row_called_by_the_very_words_of_the_question_is_told_for_its_period():
    page = page_of("KELM_2033_10K.pdf", "Notes", EARNINGS_YEARS, [("Wharf dues", ("$ 31", "$ 28", "$ 25"))])
    assert answer("What wharf dues did Kelm record in FY2032?", [page]).startswith("Wharf dues: $28")


def test_what_is_expected_is_not_read_from_statements_of_what_was():
    assert answers("What revenue does Kelm expect for FY2033?") == []
    assert answers("What is Kelm's outlook for revenue in FY2033?") == []


def test_a_name_with_best_in_it_asks_for_no_extreme():
    assert read_rank_ask("What are Best Quay's reportable segments?", ("Best Quay",)) is None
    assert read_rank_ask("Which segment of Best Quay had the highest revenue?", ("Best Quay",)) is not None


RELEASE = page_of(
    "talgo_release.pdf",
    "Fourth Quarter Fiscal 2032 Results. Net sales rose compared to fiscal 2031, after fiscal 2031 had been weak.",
    (
        "13 Weeks Ended January 28, 2033",
        "13 Weeks Ended January 29, 2032",
        "52 Weeks Ended January 28, 2033",
        "52 Weeks Ended January 29, 2032",
    ),
    [("Net sales", ("$ 320", "$ 270", "$ 1,000", "$ 860")), ("Gross profit", ("120", "101", "390", "330"))],
    caption="Statements of Income (in millions)",
)


def test_a_fiscal_year_is_the_one_that_the_source_calls_so():
    text = answer("What was Talgo's gross margin in fiscal 2032?", [RELEASE])
    assert "390 / 1,000 = 39.0% (52 Weeks Ended January 28, 2033)" in text
    # By the year of its end, where its own name would be a year not reported yet.
    assert "390 / 1,000 = 39.0%" in answer("What was Talgo's gross margin in FY2033?", [RELEASE])


def test_the_share_of_a_year_that_came_in_a_quarter_is_taken_from_one_row():
    text = answer("What share of Talgo's fiscal 2032 net sales came in the fourth quarter?", [RELEASE])
    assert "320 / 1,000 = 32.0%" in text
    assert check_support(text, [RELEASE.chunk.text]).support == "supported"
