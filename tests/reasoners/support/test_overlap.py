"""What a claim shares with its passages, counted by place, kind, order, letters and nearness."""

from __future__ import annotations

import math

import pytest
from citewell.reasoners.support.alignment import align
from citewell.reasoners.support.overlap import found_signs, overlap_signs
from citewell.reasoners.support.reading import read, read_sentences


def signs(claim: str, passage: str, question: str = "") -> dict[str, float]:
    read_claim, sentences = read(claim), read_sentences(passage)
    alignments = [align(read_claim, sentence) for sentence in sentences]
    return overlap_signs(read_claim, sentences, alignments, read(question) if question else None)


def test_a_claim_in_the_passages_words_is_carried_in_every_way() -> None:
    found = signs("The old harbour froze in January.", "The old harbour froze in January.")
    carried = ("head_here", "tail_here", "exact_all", "words_all", "pairs_all", "triples_all", "in_order")
    assert {name: found[name] for name in carried} == dict.fromkeys(carried, 1.0)
    assert (found["hole_here"], found["letters_all"], found["cov_lead"]) == (0.0, 1.0, 1.0)


def test_a_half_said_claim_misses_its_end() -> None:
    found = signs("The harbour froze because glaciers advanced quickly.", "The harbour froze solid.")
    assert found["head_here"] == 1.0
    assert found["tail_here"] == 0.0
    assert found["hole_here"] > 1.0


def test_words_far_apart_are_spread() -> None:
    near = signs("Kelm harbour froze.", "Kelm harbour froze. Rain fell on all the hills of the north that year.")
    far = signs("Kelm harbour froze.", "Kelm is old. Rain fell on all the hills of the north. A harbour of lead froze.")
    assert near["spread"] == pytest.approx(math.log1p(3) - math.log1p(3))
    assert far["spread"] > near["spread"]


def test_a_claim_that_repeats_its_question_is_known() -> None:
    assert signs("Kelm froze.", "Kelm froze.")["asked_share"] == 0.0
    assert signs("Kelm froze.", "Kelm froze.", "When was it that Kelm froze?")["asked_share"] == 1.0


def test_passages_that_share_nothing_give_zeros_not_errors() -> None:
    found = signs("水位上升了。", "Rain fell all night.")
    assert (found["words_all"], found["letters_all"], found["exact_here"]) == (0.0, 0.0, 0.0)


def test_what_was_refused_is_a_sign_of_its_own() -> None:
    found = found_signs({"number": 2, "name": 1}, hard=True, nearness=0.95)
    assert (found["lost_number"], found["lost_period"], found["lost_names"]) == (1.0, 0.0, 1.0)
    assert (found["refused"], found["as_worded"]) == (1.0, 0.0)
