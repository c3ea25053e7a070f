"""A sentence that says what the thing asked for is comes before one that only mentions it."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.found.defining import states_focus
from passages import passage_of


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("The service speed of the Marla is 14 knots.", True),
        ("The service speed (loaded) is 14 knots.", True),
        ("The service speed is unchanged since the refit.", False),
        ("The Marla reached her service speed in May.", False),
        ("The service speed matters to the timetable.", False),
    ],
)
def test_only_what_it_is_states_a_thing(text, states):
    question = read_question("What is the service speed of the Marla?")
    (candidate,) = candidates_of(passage_of("a.txt", f"Ferries\n\n{text}"))
    assert states_focus(question, candidate) == states
