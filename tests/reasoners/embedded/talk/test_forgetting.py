"""What a message asks to forget is read by rules, and nothing is guessed."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.talk.forgetting import ASK, EVERYTHING, UNNAMED, asks_to_forget, meant, read_forgetting


@pytest.mark.parametrize(
    ("message", "what", "every"),
    [
        ("forget my shoe size", "my shoe size", False),
        ("Please forget what I told you about the boat.", "the boat", False),
        ("Can you forget about my dentist?", "my dentist", False),
        ("forget everything you know about Ole", "Ole", True),
        ("Remove my shoe size from your memory", "my shoe size", False),
        ("delete the note about the boat", "the boat", False),
        ("Vergiss meine Schuhgröße", "meine Schuhgröße", False),
    ],
)
def test_a_description_is_read(message, what, every):
    found = read_forgetting(message)
    assert found is not None
    assert (found.what, found.every, found.problem) == (what, every, "")


@pytest.mark.parametrize(
    "message",
    [
        "Did I forget something?", "I forgot my key.", "Don't forget the milk.", "Delete the third column.",
        "What did I forget?", "Remove the duplicates, please.", "Research how people forget.",
    ],
)  # fmt: skip
def test_other_messages_ask_to_forget_nothing(message):
    assert read_forgetting(message) is None


def test_that_means_what_was_quoted_last_where_it_is_one_thing():
    noted = [("user", "Remember: my boat is red."), ("assistant", "Noted [mem_0004]: my boat is red.")]
    assert read_forgetting("forget that", noted).ids == ("mem_0004",)
    assert read_forgetting("forget it", [("assistant", "a [mem_0001]\nb [mem_0002]")]).problem == UNNAMED
    assert read_forgetting("forget that").problem == UNNAMED
    assert read_forgetting("forget everything").problem == EVERYTHING


@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        ("both", ("mem_0002", "mem_0005")),
        ("all of these", ("mem_0002", "mem_0005")),
        ("the second one", ("mem_0005",)),
        ("mem_0005", ("mem_0005",)),
        ("forget mem_0002", ("mem_0002",)),
    ],
)
def test_a_choice_among_several_is_read(reply, ids):
    asked = [
        ("user", "forget my boat"),
        ("assistant", f"{ASK}\n- my boat is red [mem_0002]\n- my boat leaks [mem_0005]"),
    ]
    assert read_forgetting(reply, asked).ids == ids
    assert asks_to_forget([reply, "forget my boat"])


def test_a_choice_means_nothing_where_none_was_asked():
    assert read_forgetting("both", [("assistant", "Hello [mem_0001]")]) is None
    assert not asks_to_forget(["Summarise that page.", "forget my boat"])


def test_a_memory_fits_where_it_has_every_word_of_the_description():
    found = [
        {"memory_id": "mem_0001", "text": "my shoe size is 42", "cosine": 0.3},
        {"memory_id": "mem_0002", "text": "my shoe shop is in Kelm", "cosine": 0.5},
        {"memory_id": "mem_0003", "text": "the valve opens at 8 bar", "cosine": 0.1},
    ]
    assert meant("my shoe size", found) == (["mem_0001"], ["mem_0002"])
    assert meant("my bicycle", found) == ([], [])
