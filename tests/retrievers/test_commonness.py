"""A word that everybody uses tells less than one that few do."""

from __future__ import annotations

from citewell.retrievers.commonness import rarity


def test_common_words_are_less_rare_than_seldom_ones_and_unknown_ones_rarest():
    assert 0 <= rarity("the") < rarity("people") < rarity("contract") < rarity("kindergarten") < rarity("zorblatt") == 1


def test_case_does_not_matter():
    assert rarity("People") == rarity("people")
