"""An office is found by its short form and by its names; a contact by its digits; another's is no answer."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.contacts import contact_asked, contact_terms, states_contact, without_kind
from citewell.reasoners.embedded.asked.implied import implied_terms
from citewell.reasoners.embedded.asked.names import is_person_like
from citewell.reasoners.embedded.asked.offices import in_other_names, in_short, offices_in
from citewell.reasoners.embedded.asked.question import read_question

PAPERS = {
    "crew.md": "# Tolva Ferries, who does what\n\nThe chief operating officer is Runa Vik. CFO: Elin Sand.\n"
    "Berths are booked at berths@tolva.example or by phone, 01632 960 147.\n",
    "yard.md": "# Yard\n\nGeneral counsel: Pia Roth. The foreman is Ola Bru.\n",
}


@pytest.fixture
def papers(tmp_path):
    for name, text in PAPERS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def first(question, papers):
    report = citewell.research(question, docs=[papers], engine="embedded")
    summary = report.answer.executive_summary
    return summary[0].text if summary else report.status


@pytest.mark.parametrize(
    ("text", "offices"),
    [
        ("The finance director spoke.", {"CFO"}),
        ("Wer ist Finanzchefin?", {"CFO"}),
        ("La directrice financière", {"CFO"}),
        ("CEOs met.", {"CEO"}),
        ("A coo of a dove.", set()),
    ],
)
def test_offices_are_read_in_full_and_in_short(text, offices):
    assert offices_in(text) == offices


def test_a_question_asks_for_an_office_by_its_short_form():
    assert in_short("Who is the chief operating officer?") == "Who is the COO?"
    assert read_question("Who is the chief operating officer?").terms == ("coo",)
    assert list(in_other_names("CFO Tolva")) == ["CFO Tolva", "chief financial officer Tolva"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("+46 60 555 01 20", "phone"),
        ("Tel. 030 555 0199", "phone"),
        ("01632 960 147", "phone"),
        ("pia@yard.example", "email"),
    ],
)
def test_contact_data_is_known_by_its_shape(text, kind):
    assert states_contact(kind, text)
    assert contact_terms(text)


@pytest.mark.parametrize("text", ["on 02.03.2024", "SEK 4,812 million", "ISBN 978-3-16-148410-0", "2024-05-01 07:10"])
def test_dates_and_amounts_are_no_phone_numbers(text):
    assert not contact_terms(text)


def test_whose_contact_it_is_stays_of_the_question():
    assert contact_asked("What is the phone number of the yard?") == "phone"
    assert contact_asked("Did she phone the yard?") == ""
    assert without_kind("What is the phone number of the yard?").split() == ["What", "is", "the", "of", "the", "yard?"]


def test_what_happens_unless_somebody_acts_is_automatic():
    assert "automat" in implied_terms("It renews for a year unless either side gives notice.")
    assert "automat" not in implied_terms("It was renewed for a year.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is the COO?", "Runa Vik"),
        ("Who is the chief financial officer of Tolva Ferries?", "Elin Sand"),
        ("Who is the GC?", "Pia Roth"),
        ("What is the e-mail address for berths?", "berths@tolva.example"),
        ("What is the phone number for berths?", "01632 960 147"),
        ("Who is the CTO?", "insufficient_evidence"),
        ("What is the phone number of Elin Sand?", "insufficient_evidence"),
    ],
)
def test_an_office_or_a_contact_is_answered_by_its_own_line(papers, question, said):
    assert said in first(question, papers)


def test_an_office_or_a_body_is_no_person():
    assert is_person_like("Maren Tveit")
    assert not is_person_like("Chief Executive Officer")
    assert not is_person_like("Annual General Meeting")
