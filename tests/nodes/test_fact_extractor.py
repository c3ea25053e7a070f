"""Facts are one where they say the same, and never where their figures differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from citewell.nodes.fact_extractor import alike_in_words, deduplicated
from citewell.state.records import Fact, Quote

Embed = Callable[[list[str]], np.ndarray]


def fact(statement: str, chunk: str = "c:1", **values: object) -> Fact:
    quote = Quote(chunk_id=chunk, start=0, end=len(statement), text=statement)
    return Fact(fact_id="", statement=statement, quotes=(quote,), **values)


def joined(known: Sequence[Fact], found: list[Fact], embed: Embed | None, threshold: float) -> tuple[Fact, ...]:
    texts = alike_in_words([*known, *found], threshold) if embed else []
    return deduplicated(known, found, dict(zip(texts, embed(texts), strict=True)) if texts and embed else {}, threshold)


def alike(texts: list[str]) -> np.ndarray:
    return np.ones((len(texts), 1), dtype=np.float32)


def test_the_first_stays_and_gains_the_quotes_of_the_other():
    kept = joined((), [fact("The lake is deep."), fact("Deep is the lake.", "c:2")], alike, 0.92)
    assert [(one.fact_id, one.statement, len(one.quotes)) for one in kept] == [("F-001", "The lake is deep.", 2)]


def test_other_figures_or_periods_are_other_facts_however_alike_they_sound():
    found = [
        fact("Revenue was 5 million in 2021.", period="2021"),
        fact("Revenue was 6 million in 2021.", period="2021"),
        fact("Revenue was 5 million in 2022.", period="2022"),
    ]
    assert len(joined((), found, alike, 0.92)) == 3


def test_equal_words_are_one_fact_without_any_embedding():
    kept = joined((), [fact("The lake is deep."), fact("the LAKE is  deep.", "c:2")], None, 0.92)
    assert len(kept) == 1


def test_only_statements_that_share_their_figures_with_another_are_embedded():
    asked: list[str] = []

    def embed(texts: list[str]) -> np.ndarray:
        asked.extend(texts)
        return alike(texts)

    known = joined((), [fact("Revenue was 5 million.")], None, 0.92)
    found = [fact("Revenue was 6 million."), fact("It came to 5 million."), fact("The lake is deep.")]
    assert len(joined(known, found, embed, 0.92)) == 3
    assert asked == ["Revenue was 5 million.", "It came to 5 million."]


def test_statements_that_share_hardly_a_word_are_not_embedded_where_nearness_asks_for_much():
    asked: list[str] = []

    def embed(texts: list[str]) -> np.ndarray:
        asked.extend(texts)
        return alike(texts)

    found = [fact("The lake is deep."), fact("Old harbours silt up within a few decades.")]
    assert len(joined((), found, embed, 0.92)) == 2
    assert asked == []
    assert len(joined((), found, embed, 0.5)) == 1


def test_known_facts_keep_their_ids_and_new_ones_count_on():
    known = joined((), [fact("a")], None, 0.92)
    grown = joined(known, [fact("b"), fact("A", "c:3")], None, 0.92)
    assert [one.fact_id for one in grown] == ["F-001", "F-002"]
    assert len(grown[0].quotes) == 2
    assert joined(known, [], None, 0.92) == known
