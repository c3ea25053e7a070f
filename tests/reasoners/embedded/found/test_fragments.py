"""Headings and labels are told from sentences, and lead those that they stand over."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.found.fragments import has_verb, is_heading, is_letterhead, run_in_heading
from citewell.reasoners.embedded.steps.facts import statement_of
from passages import passage_of

MINUTES = """# Minutes

1. Results. The board took note of the deck.
2. Gross margin by product line. The analysis was not delivered. The item is carried
   forward without a new date.
3. The CFO left on 28 February 2025."""
LETTER = """Penhallow Assurance LLP
Certified public accountants, Providence
Status of the two engagements
Type I. Our report on the design of controls was issued in December of that year.
Type II. Testing of operating effectiveness is under way since January.
This letter is not a report and gives no assurance. It may not be presented as evidence."""
NOTES = """# Project notes

## Decisions

- The pilot starts in September.

## Risks

- The weather window closes in November."""


def told(question: str, text: str) -> list[str]:
    asked = read_question(question)
    return [statement_of(asked, each)[0] for each in candidates_of(passage_of("a.txt", text))]


def test_a_label_leads_the_sentences_of_its_item_and_stands_for_none():
    lines = told("What was not delivered?", MINUTES)
    assert "Gross margin by product line: The analysis was not delivered." in lines
    assert any(line.startswith("Gross margin by product line: The item is carried") for line in lines)
    assert "Minutes: The CFO left on 28 February 2025." in lines
    assert not [line for line in lines if line.endswith("product line.")]


def test_headings_that_a_page_glued_before_a_label_are_no_sentence():
    lines = told("What is the status?", LETTER)
    assert lines[0] == "Type I: Our report on the design of controls was issued in December of that year."
    assert lines[1].startswith("Type II: Testing")


def test_a_bare_pronoun_is_led_by_the_sentence_before_it():
    line = told("What is the status?", LETTER)[-1]
    assert line == "This letter is not a report and gives no assurance. It may not be presented as evidence."


def test_the_heading_that_is_asked_for_leads_its_lines():
    lines = told("What are the risks?", NOTES)
    assert "Risks: The weather window closes in November." in lines
    assert "Project notes: The pilot starts in September." in lines


def test_a_headline_does_not_head_a_sentence_that_says_the_same_word_of_the_question():
    text = "Press\n\n# Ida Morn to lead Kelva Rail\n\nKelva Rail denies that it will close the depot.\n"
    assert (
        told("Will Kelva Rail close the depot?", text)[-1] == "Press: Kelva Rail denies that it will close the depot."
    )


def test_a_heading_without_a_stop_is_no_candidate():
    text = "Agreement\n\nSchedule 1: listed companies\n\nThe term ends in May.\n\nGoverning law\n\nEnglish law applies."
    assert told("When does the term end?", text) == [
        "Agreement: The term ends in May.",
        "Agreement: English law applies.",
    ]


def test_a_line_goes_on_where_its_title_begins_it():
    text = "Framework agreement\n\nbetween Kelm B.V. and Corvane Group, for itself and for others."
    assert told("Who signed?", text) == [
        "Framework agreement between Kelm B.V. and Corvane Group, for itself and for others."
    ]


@pytest.mark.parametrize(
    "line", ["The board met.", "It was sold.", "Ann leads the team.", "Dogs need a lead.", "Die Frist ist kurz."]
)
def test_a_sentence_has_a_verb(line):
    assert has_verb(line)


@pytest.mark.parametrize(
    "line", ["Gross margin by product line.", "Type II.", "Governing law", "Sales share by region."]
)
def test_a_label_has_none(line):
    assert not has_verb(line)


def test_who_wrote_to_whom_is_a_letterhead():
    assert is_letterhead("From: H. Castellane, VP Customer Success. To: the board.")
    assert is_letterhead("Written by the platform team, 29 January 2025.")
    assert not is_letterhead("From May on the fee is 40 EUR.")


def test_a_clause_by_its_sign_heads_its_sentence():
    text = "§ 5 Kündigung. Die Mieter kündigen mit einer Frist von drei Monaten."
    assert run_in_heading(text, 0, 14)
    assert run_in_heading("Art. 3 Rent. The rent is EUR 210.", 0, 12)
    assert not run_in_heading("§ 7 does not apply. It was struck out.", 0, 19)


def test_a_heading_with_a_dash_or_an_accent_is_one():
    text = "Before.\n\nItem 3 – Tidal mill\n\nA decision was not taken."
    assert is_heading(text, 9, 28)
    assert is_heading("Vor.\n\nKündigung\n\nDrei Monate.", 6, 15)


@pytest.mark.parametrize(
    ("text", "span", "heads"),
    [
        ("3.1 Cardiac events\nTwo events were seen in the first year.", "3.1 Cardiac events", True),
        ("3. Inventory\nInventory was EUR 547,000, of which a tenth has not moved.", "Inventory", True),
        ("Members:\n1. Ida Holm\n2. Jan Brok\n3. Eva Lind\n", "Ida Holm", False),
        ("1. Ida Holm\nchairs the board of the harbour since last May.", "Ida Holm", False),
        ("TOP 1 Accounts of 2024\n\nMs Hale told of the accounts.\n", "TOP 1 Accounts of 2024", True),
    ],
)
def test_a_numbered_line_above_its_text_is_a_heading_and_an_item_of_a_list_none(text, span, heads):
    start = text.index(span)
    assert is_heading(text, start, start + len(span)) is heads
