"""An abbreviation is met by what it stands for in the sources."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.initials import in_long_form
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import index_terms
from citewell.reasoners.embedded.found.weights import holds


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was R&D expenditure?", "Research and development came to 4.1 million."),
        ("What did the BOM say?", "The Bureau of Meteorology expects rain."),
        ("When does the TLA end?", "Tower Licence Agreement of 3 May 2021"),
        ("Who signed the TLA?", "The second Tower Licence Agreement was signed by Ann Lee."),
        ("How high is the P&L?", "The P & L is attached."),
        ("What is the ROM charge?", "A river outfall maintenance (ROM) charge is due."),
    ],
)
def test_a_text_that_spells_it_out_holds_an_abbreviation(question, text):
    terms = read_question(question).terms
    assert holds(index_terms(text), terms[0])


@pytest.mark.parametrize("text", ["The cap was lifted.", "Tower Agreement", "the tla file"])
def test_another_name_does_not(text):
    term = read_question("When does the CAP end?").terms[0]
    assert holds(index_terms(text), term) == ("cap" in text.casefold())


def test_an_abbreviation_of_business_is_searched_for_in_full():
    assert list(in_long_form("capex 2024")) == ["capital expenditure 2024"]


def test_what_was_found_was_not_founded():
    founded = read_question("When was the choir founded?").terms
    assert not holds(index_terms("Until a successor is found, Ann Lee leads it."), founded[-1])
    assert holds(index_terms("The choir was established in 1911."), founded[-1])


@pytest.mark.parametrize(
    ("question", "word"),
    [("What was R&D spending in 2024?", "84,000"), ("What is the cap of the SFA?", "EUR 2.1 million")],
)
def test_a_question_with_an_abbreviation_is_answered_from_what_spells_it_out(tmp_path, question, word):
    (tmp_path / "farm.md").write_text(
        "# Tolle Farm: yearbook 2024\n\n## Barn\n\nThe herd gave 1.9 million litres. Feed came from Ravn Mills.\n\n"
        "## Research and development\n\nResearch and development came to EUR 84,000 in 2024.\n\n"
        "## Supply Framework Agreement\n\nThe Supply Framework Agreement with Ravn Mills ends on 31 May 2026. Its "
        "total may not exceed EUR 2.1 million.\n"
    )
    told = citewell.research(question, docs=[tmp_path], engine="embedded").answer.executive_summary
    assert word in told[0].text
