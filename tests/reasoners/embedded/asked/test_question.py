"""A question is read for its type, names, periods and the thing it asks for."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import key_phrase, read_question


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How many pallets are in Kelm?", "number"),
        ("What was net debt at year end?", "number"),
        ("When does the tidal barrier open?", "date"),
        ("In which year was the mill built?", "date"),
        ("Who signed the lease?", "person"),
        ("Where is the spare key?", "place"),
        ("What does a place in the ferry cost?", "number"),
        ("Is the paper signed?", "yes_no"),
        ("As of June 2023, is Kelm AG selling any of its mills?", "yes_no"),
        ("What are the regions that Kelm AG serves?", "list"),
        ("Which dam is older, Varga Dam or Kelm Dam?", "comparison"),
        ("What is a tranche?", "definition"),
        ("Why did the margin fall?", "explanation"),
        ("Which pump feeds the tank?", "entity"),
        ("Wie hoch war der Umsatz der Nordwind AG 2023?", "number"),
        ("Quand ouvre la barrière ?", "date"),
        ("¿Quién firmó el contrato?", "person"),
        ("Dove si trova la chiave?", "place"),
        ("フェリーは何時に出ますか", "date"),
        ("合同的终止期限是多久？", "number"),
    ],
)
def test_type_is_told_by_the_words_of_each_language(text, kind):
    assert read_question(text).answer_type == kind


def test_names_leave_out_periods_and_openers():
    question = read_question("How much did Nordwind AG and Kelm Ltd earn between FY2021 and Q2 of FY2024?")
    assert question.names == ("Nordwind AG", "Kelm Ltd")
    assert [period.text for period in question.periods] == ["FY2021", "Q2 of FY2024"]


def test_fiscal_years_are_looked_for_by_their_number():
    assert {"2020", "2021"} <= set(read_question("Did Kelm grow its stock between FY20 and FY21?").terms)
    assert "fy20" not in read_question("Did Kelm grow its stock between FY20 and FY21?").terms


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("How much has the effective tax rate of Kelm AG changed since 2021?", "effective tax rate"),
        ("What was net debt at year end?", "net debt"),
        ("How many copies of the report were sold?", "copies"),
        ("What drove the increase in Kelm AG's timber stock balance in FY2023?", "timber stock balance"),
        ("What led to the fall of margins at Kelm AG?", "margins"),
        ("What percentage of Kelm AG's timber sales came from abroad?", "timber sales"),
        ("Wie hoch war der Umsatz der Nordwind AG?", "Umsatz"),
    ],
)
def test_focus_is_the_thing_asked_for(text, focus):
    assert read_question(text).focus == focus


def test_a_quarter_glued_to_its_year_is_a_period_and_no_name():
    question = read_question("Which region of Kelm had the biggest drop in Q22023?")
    assert question.names == ("Kelm",)
    assert {"q2", "2023"} <= set(question.terms)


def test_neither_the_class_of_a_list_nor_the_paper_it_stands_in_is_looked_for():
    assert read_question("What are three firms acquired by Kelm mentioned in this annual report?").terms == (
        "acquir",
        "kelm",
    )
    assert "compani" in read_question("Which companies are there?").terms


def test_the_word_for_causing_need_not_stand_in_a_source():
    assert "drove" not in read_question("What drove the growth of Kelm?").terms


@pytest.mark.parametrize("text", ["???", "the of and", "", "¿?"])
def test_a_question_of_marks_or_stop_words_asks_nothing(text):
    assert read_question(text).is_empty


def test_instructions_on_how_to_answer_are_not_searched_for():
    question = read_question("What drove the margin? If margin is not useful, then please state that and explain why.")
    assert question.text == "What drove the margin?"


def test_key_phrase_drops_framing_words_and_keeps_spelling():
    assert key_phrase("What is the yearly fee of the Kelm Club?", "en") == "yearly fee Kelm Club"
    assert key_phrase("合同的终止期限是多久？", "zh") == "合同 终止期限"
