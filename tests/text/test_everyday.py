"""Everyday words that stand for each other, single ones and phrases."""

from __future__ import annotations

from citewell.text.everyday import everyday_terms, in_everyday_words, phrase_terms
from citewell.text.words import analyse


def test_a_word_is_met_by_another_for_the_same_thing() -> None:
    assert set(analyse("guarantee")) <= everyday_terms(*analyse("warranty"))
    assert not everyday_terms("zephyr")
    assert not everyday_terms("look"), "only `look into` stands for investigating"


def test_a_phrase_stands_for_one_word() -> None:
    assert in_everyday_words("May we down tools?") == "May we suspend?"
    assert in_everyday_words("Is a C-section paid for?") == "Is a caesarean paid for?"


def test_a_text_with_a_phrase_holds_the_word_it_stands_for() -> None:
    assert set(analyse("icu")) <= phrase_terms("Beds in intensive care are kept free.")
    assert not phrase_terms("An intensive course in nursing care.")
