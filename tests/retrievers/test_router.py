"""The router: which sources a question names."""

from __future__ import annotations

import pytest
from citewell.retrievers.router import LONG_CHARS, Period, Router, forms_of

ROOM = Router.over(
    [
        ("NORTHWIND_2022_10K.pdf", "Northwind Traders Inc.", "FORM 10-K\nFor the fiscal year ended 2022", LONG_CHARS),
        ("NORTHWIND_2023Q2_10Q.pdf", "Northwind Traders Inc.", "FORM 10-Q\nquarterly period 2023", LONG_CHARS),
        ("HARBOURTOOLS_2023_10K.pdf", "", "FORM 10-K\nHarbour Tools plc\nfiscal year ended 2023", LONG_CHARS),
        ("notes/river-survey.md", "River survey", "# River survey\nThe river was measured.", 900),
    ]
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What was Northwind's margin in FY2022?", "NORTHWIND_2022_10K.pdf"),
        ("What did Northwind sell in Q2 of 2023?", "NORTHWIND_2023Q2_10Q.pdf"),
        ("What does the 10-Q of Northwind say about leases?", "NORTHWIND_2023Q2_10Q.pdf"),
        ("How much debt does Harbour Tools carry?", "HARBOURTOOLS_2023_10K.pdf"),
        ("What did the River Survey find?", "notes/river-survey.md"),
        ("Was there any drop in cash in Q2 of FY2023?", "NORTHWIND_2023Q2_10Q.pdf"),
    ],
)
def test_the_source_that_a_question_names_comes_first(question, first):
    assert ROOM.route(question)[0][0] == first


def test_a_company_with_two_filings_gives_both_where_no_period_is_named():
    assert {uri for uri, _ in ROOM.route("Where does Northwind operate?")} == {
        "NORTHWIND_2022_10K.pdf",
        "NORTHWIND_2023Q2_10Q.pdf",
    }


@pytest.mark.parametrize("question", ["What was the margin?", "When does the tidal barrier open?", "", "???"])
def test_a_question_that_names_nothing_is_not_routed(question):
    assert ROOM.route(question) == []
    assert ROOM.boosts(question) == (question, {})


def test_a_long_source_is_searched_without_its_own_name():
    rest, boosts = ROOM.boosts("How much debt does Harbour Tools carry?")
    assert rest.split() == ["How", "much", "debt", "does", "carry?"]
    assert list(boosts) == ["HARBOURTOOLS_2023_10K.pdf"]


def test_a_short_source_is_left_to_its_own_words():
    assert ROOM.boosts("What did the River Survey find?") == ("What did the River Survey find?", {})


@pytest.mark.parametrize(
    ("text", "years", "quarters"),
    [
        ("FY2022", {2022}, set()),
        ("between FY20 and FY21", {2020, 2021}, set()),
        ("Q2 of FY2024", {2024}, {2}),
        ("Q22023", {2023}, {2}),
        ("Q2'2023", {2023}, {2}),
        ("X_2023Q4_EARNINGS", {2023}, {4}),
        ("the second quarter of 2021", {2021}, {2}),
        ("in 12345 units", set(), set()),
    ],
)
def test_periods_are_read_in_the_ways_filings_write_them(text, years, quarters):
    assert Period.of(text) == Period(frozenset(years), frozenset(quarters))


def test_kinds_of_filing_are_told_apart():
    assert forms_of("Form 10-K") == forms_of("ACME_2022_10K") == forms_of("annual report") == {"annual"}
    assert forms_of("10-Q") == {"quarterly"}


def test_a_short_form_made_of_the_beginnings_of_a_name_names_the_source():
    heads = {"KELMHARBOUR_2032_10K.pdf": "KELM HARBOUR COMPANY annual report", "VARGA_2032_10K.pdf": "VARGA plc"}
    router = Router.over([(uri, "", head, 90_000) for uri, head in heads.items()])
    assert [uri for uri, _ in router.route("Does KEHA have a rising margin?")] == ["KELMHARBOUR_2032_10K.pdf"]
    assert router.route("Does KAHE have a rising margin?") == []
    assert router.route("What is the GAAP margin?") == []
