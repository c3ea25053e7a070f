"""Whether a claim and its passage say that things go the same way, by the product of their signs."""

from __future__ import annotations

import pytest
from citewell.reasoners.support.alignment import align
from citewell.reasoners.support.effects import effect_signs
from citewell.reasoners.support.reading import read, read_sentences


def signs(claim: str, passage: str) -> dict[str, float]:
    read_claim, sentences = read(claim), read_sentences(passage)
    return effect_signs(read_claim, sentences, [align(read_claim, sentence) for sentence in sentences])


@pytest.mark.parametrize(
    ("claim", "passage", "way"),
    [
        ("The gene lowers appetite.", "Deletion of the gene raises appetite.", 1),
        ("The gene lowers appetite.", "Deletion of the gene lowers appetite.", -1),
        ("The levy kills harbour trade.", "The levy encourages harbour trade.", -1),
        ("The levy raises harbour trade.", "The levy does not raise harbour trade.", -1),
        ("The levy raises harbour trade.", "The levy boosts harbour trade.", 1),
        ("Kelm lies on a lake.", "Kelm lies on a lake.", 0),
    ],
)
def test_signs_multiply(claim: str, passage: str, way: int) -> None:
    found = signs(claim, passage)
    assert found["effect_best"] == pytest.approx(way * found["part_coverage"])


def test_the_clause_that_says_it_is_compared() -> None:
    passage = "Whole fruit lowers the risk of gout, whereas sweet juice raises the risk of gout."
    assert signs("Whole fruit lowers the risk of gout.", passage)["effect_best"] > 0
    assert signs("Whole fruit raises the risk of gout.", passage)["effect_best"] < 0


def test_words_turned_round_near_the_same_words_are_measured() -> None:
    found = signs("The levy raises harbour trade.", "The levy lowers harbour trade.")
    assert found["effect_other_best"] > 0.4
    assert found["effect_same_best"] == 0.0


def test_every_sign_is_bounded_and_zero_where_nothing_is_shared() -> None:
    found = signs("水位上升了。", "Rain fell all night.")
    assert set(found.values()) <= {0.0, 1.0}
    assert found["part_coverage"] == 0.0
