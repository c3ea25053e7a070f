"""What is asked leave for is answered by a sentence that grants it, forbids it, or asks for consent first."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.leave import leave_asked, said_on_leave
from citewell.text.languages import detect
from verdict_of import assert_first

PAPERS = {
    "rules.md": "# House rules of the boathouse\n\nMembers may store one kayak. Fires are forbidden on the jetty. "
    "Dogs need the written consent of the warden. Swimming after 21:00 is not allowed.\n",
    "rules_amendment.md": "# Amendment to the house rules of the boathouse\n\nSigned on 4 May 2024.\n\n"
    "The warden permits fires on the jetty in winter.\n",
}


@pytest.mark.parametrize(
    ("question", "what", "where"),
    [
        ("Am I allowed to keep a rabbit in the shed?", {"rabbit"}, {"shed"}),
        ("May I swim after 21:00?", {"swim"}, {"21", "00"}),
        ("Is fishing permitted from the jetty?", {"fish"}, {"jetti"}),
    ],
)
def test_what_is_asked_leave_for_is_read_without_bland_words(question, what, where):
    leave = leave_asked(question)
    assert leave is not None
    assert (set(leave.what), set(leave.where)) == (what, where)


@pytest.mark.parametrize("question", ["Can the pump run on 12 V?", "May was warm, was it?", "Did they allow dogs?"])
def test_what_asks_nobodys_leave_is_left_alone(question):
    assert leave_asked(question) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The owner consents to one horse.", "granted"),
        ("Horses may not graze here.", "forbidden"),
        ("Horses need the owner's approval.", "on consent"),
        ("The horse came in May 2023.", ""),
    ],
)
def test_leave_is_granted_forbidden_or_given_on_consent(text, said):
    assert said_on_leave(text)[0] == said


def test_a_short_english_question_with_i_is_no_italian():
    assert detect("May I play music after 22:00?") == "en"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("May I store a kayak in the boathouse?", "Yes. ", "one kayak"),
        ("Is swimming allowed after 21:00?", "No. ", "not allowed"),
        ("Are dogs allowed without consent?", "No. ", "written consent"),
        ("May I bring a dog?", "", "written consent"),
    ],
)
def test_leave_is_answered_with_its_sentence(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)


@pytest.mark.slow
def test_leave_for_a_kind_of_thing_is_leave_for_one_of_them(tmp_path):
    rules = {"rules.md": "# House rules\n\nVehicles are not allowed in the yard.\n\nThe hall is closed in August.\n"}
    assert_first(tmp_path, rules, "Can I bring my van into the yard?", "No. ", "Vehicles")


@pytest.mark.slow
def test_a_day_asked_about_is_not_that_of_another_sentence_of_the_paper(tmp_path):
    rules = {
        "quarry.md": "# Rules of the quarry\n\nBroken rock shall not be stored on the haul road.\n\n"
        "No rock whatever may be stored on Sundays.\n"
    }
    assert_first(tmp_path, rules, "Can we store rock on a Sunday?", "No. ", "Sundays")
    assert_first(tmp_path, rules, "Can we store rock on the haul road?", "No. ", "haul road")
