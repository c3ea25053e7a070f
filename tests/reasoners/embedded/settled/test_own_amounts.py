"""An amount of the asker's own is held against the bounds of a rule."""

from __future__ import annotations

from pathlib import Path

from verdict_of import assert_first

RULES = {
    "rules.md": """# Climbing club: house rules

Purchases above £1,500 are decided by the treasurer and the chair together.

Below £1,500 the treasurer decides on a purchase alone.

A purchase of £2,150 was decided in May: the autobelay.
"""
}
SYNONYMS = {
    "pass.md": "# Season pass\n\nThe pass has a guarantee of twelve months.\n\nThe instructor answers in ten days.\n"
}


def test_the_rule_whose_bound_the_amount_meets_leads(tmp_path: Path) -> None:
    question = "Can the treasurer decide on a £900 purchase alone?"
    assert_first(tmp_path, RULES, question, "", "Below £1,500 the treasurer decides")


def test_an_amount_beyond_the_bound_is_told_the_other_rule(tmp_path: Path) -> None:
    assert_first(tmp_path, RULES, "Can the treasurer decide on a £4,000 purchase alone?", "", "Purchases above £1,500")


def test_an_everyday_word_is_met_by_another_for_the_same_thing(tmp_path: Path) -> None:
    assert_first(tmp_path, SYNONYMS, "How long is the warranty on the pass?", "", "twelve months")


def test_how_soon_asks_for_a_measure(tmp_path: Path) -> None:
    assert_first(tmp_path, SYNONYMS, "How soon must the instructor answer?", "", "ten days")
