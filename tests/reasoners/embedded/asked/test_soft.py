"""Words of a question that name no subject where they stand."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.soft import own_amounts_of, soft_terms
from citewell.text.words import analyse


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who paid for the extra lesson?", "extra"),
        ("What is the newest occupancy rate?", "newest"),
        ("Is chalk enough on wet holds?", "enough"),
        ("Did the club want to sell the old hut?", "want old"),
        ("What happens if we find a crack?", "find"),
        ("Did anyone get stung?", "get"),
    ],
)
def test_a_word_that_only_frames_what_is_asked_need_not_be_told(question: str, words: str) -> None:
    assert soft_terms(question) == set(analyse(words))


@pytest.mark.parametrize(
    "question",
    ["Who found the ring?", "Who was the extra?", "What is the parking charge?", "What does the job pay?"],
)
def test_a_word_that_names_what_is_asked_is_missed(question: str) -> None:
    assert not soft_terms(question)


def test_an_amount_brought_to_a_rule_is_the_askers_own() -> None:
    assert [number.text for number in own_amounts_of("May the treasurer sign for a £900 purchase?")] == ["£900"]
    assert not own_amounts_of("Was a £900 purchase signed by the treasurer?")
    assert not own_amounts_of("Is the fee more than £900?")
