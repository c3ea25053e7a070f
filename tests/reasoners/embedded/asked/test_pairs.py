"""What is asked of two things at once: of each by itself, or whether they have something the same."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.compound import sides_of
from citewell.reasoners.embedded.asked.pairs import common_asked, pair_asked
from citewell.reasoners.embedded.asked.question import read_question


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Are both the Holm mill and the Rask mill leased?", "Is Holm mill leased?", "Is Rask mill leased?"),
        ("Are Ferrane and Solvik both types of tree?", "Is Ferrane tree?", "Is Solvik tree?"),
        ("Did the council approve both the levy and the loan?", "Did the council approve levy?", None),
        ("Did revenue and margin both rise in 2024?", "Did revenue rise in 2024?", "Did margin rise in 2024?"),
    ],
)
def test_what_is_asked_of_both_is_asked_of_each(question, first, second):
    pair = pair_asked(question)
    assert pair is not None
    assert pair.questions[0] == first
    assert second is None or pair.questions[1] == second


@pytest.mark.parametrize(
    ("question", "sides", "same"),
    [
        ("Were Ann Reyes and Tom Holt of the same nationality?", ("Ann Reyes", "Tom Holt"), "nationality"),
        ("Are Ann Reyes and Michael Owen the same age?", ("Ann Reyes", "Michael Owen"), "age"),
        ("Do the loan and the lease have the same governing law?", ("loan", "lease"), "governing law"),
        ("Are the films Out of Reach and Low Water by the same director?", ("Out of Reach", "Low Water"), "director"),
        ("Do Ann Reyes and Tom Holt singers share the same agent?", ("Ann Reyes", "Tom Holt"), "agent"),
    ],
)
def test_what_two_things_would_have_the_same_is_read(question, sides, same):
    pair = pair_asked(question)
    assert pair is not None
    assert (pair.sides, pair.same) == (sides, same)


@pytest.mark.parametrize(
    "question",
    [
        "Is the audit complete and signed?",
        "Is the price the same as last year?",
        "What did Ann Reyes and Tom Holt say?",
    ],
)
def test_what_is_asked_of_one_thing_is_no_pair(question):
    assert pair_asked(question) is None
    assert common_asked(question) is None


def test_what_two_things_share_is_looked_for_in_each():
    assert common_asked("What do the Holm mill and the Rask mill have in common?") == ("Holm mill", "Rask mill")
    assert common_asked("Ferrane and Solvik are both what kind of tree?") == ("Ferrane", "Solvik")


def test_two_names_between_commas_are_offered_for_choice():
    assert sides_of(read_question("Which mill, Holm or Rask, has a quay?")) == ("Holm", "Rask")
    assert sides_of(read_question("Which mill works in Holm or Rask?")) == ()
