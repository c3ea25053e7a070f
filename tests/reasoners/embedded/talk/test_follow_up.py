"""A follow-up question is completed from what was asked before, never from answers."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.talk.follow_up import resolve_follow_up


@pytest.mark.parametrize(
    ("before", "question", "resolved"),
    [
        ("What was net debt in 2022?", "and in 2021?", "What was net debt in 2021?"),
        ("What did Kelm AG pay in FY2022?", "And Nordwind AG?", "What did Nordwind AG pay in FY2022?"),
        ("2022年合同的终止期限是多久？", "2021年呢？", "2021年合同的终止期限是多久？"),
        (
            "How much cash was there at 31 March 2025?",
            "And a year earlier?",
            "How much cash was there at 31 March 2024?",
        ),
        ("What was net debt in FY2021?", "What about the following year?", "What was net debt in FY2022?"),
        ("Who runs Kelm AG?", "When was it founded?", "When was it founded (Kelm AG)?"),
        ("What is the toll of the ferry?", "How much was it in 2024?", "What is the toll of the ferry in 2024?"),
        ("What was the toll in 2023?", "And how much was it in 2024?", "What was the toll in 2024?"),
        ("Wie hoch ist die Miete?", "Und die Kaution?", "Wie hoch ist die Kaution?"),
        ("Wie hoch ist die Miete?", "Und vorher?", "Wie hoch ist die Miete vorher?"),
        (
            "What bonus does Kelm propose for 2023?",
            "Was it approved by the meeting?",
            "Was it approved by the meeting (bonus, Kelm)?",
        ),
    ],
)
def test_what_is_left_unsaid_is_filled_in(before, question, resolved):
    assert resolve_follow_up(question, [("user", before), ("assistant", "Some answer about Varga.")]) == resolved


def test_a_question_that_stands_alone_is_left_as_it_is():
    assert resolve_follow_up("How deep is Lake Baikal?", [("user", "Who runs Kelm AG?")]) == "How deep is Lake Baikal?"


def test_without_history_nothing_is_added():
    assert resolve_follow_up("and in 2021?", []) == "and in 2021?"


def test_which_of_the_two_names_the_two_of_the_turns_before():
    turns = [("user", "How many participants did NORD-M have?"), ("user", "And SUD-M?")]
    which = "Which of the two had more?"
    assert resolve_follow_up(which, turns) == "Which had more participants, NORD-M or SUD-M?"
    assert "of the two" not in resolve_follow_up("Who funded it?", [*turns, ("user", which)])
    assert resolve_follow_up(which, turns[:1]) != ""
