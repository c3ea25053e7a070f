"""Both ends of a two-hop question stand near the top of the one ranking of two rounds."""

from __future__ import annotations

from dataclasses import replace

from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.merging import merge_rounds, passage_worth
from passages import passage_of

QUESTION = read_question("What office was held by the woman who played Corliss in The Long Quay?")


def titled(uri: str, title: str, text: str):
    passage = passage_of(uri, f"{title}\n\n{text}")
    return replace(passage, source=passage.source.model_copy(update={"kind": "document", "title": title}))


FILM = titled("film", "The Long Quay", "The Long Quay is a film starring Ann Lee as the harbour master Corliss.")
WOMAN = titled("woman", "Ann Lee", "Ann Lee is an actress who held the office of mayor.")
OTHERS = [titled(f"o{n}", f"Quay {n}", f"Quay {n} is a quay of the harbour.") for n in range(12)]
BEARING = {passage.chunk.chunk_id: 0.5 for passage in (FILM, WOMAN, *OTHERS)} | {FILM.chunk.chunk_id: 1.2}


def test_a_passage_that_a_top_passage_names_is_worth_more():
    worth = passage_worth(QUESTION, [FILM, WOMAN, *OTHERS], {}, BEARING)
    assert worth[WOMAN.chunk.chunk_id] > max(worth[other.chunk.chunk_id] for other in OTHERS)


def test_the_second_hop_comes_before_what_only_the_question_found():
    own = [FILM.chunk.chunk_id, *(other.chunk.chunk_id for other in OTHERS)]
    rankings = {QUESTION.text: own, "Ann Lee office": [WOMAN.chunk.chunk_id, OTHERS[0].chunk.chunk_id]}
    merged = merge_rounds(QUESTION, [FILM, WOMAN, *OTHERS], rankings, [QUESTION.text], BEARING)
    assert set(merged[:2]) == {FILM.chunk.chunk_id, WOMAN.chunk.chunk_id}
    assert sorted(merged) == sorted(BEARING)


def test_nothing_found_is_an_empty_ranking():
    assert merge_rounds(QUESTION, [], {}, [], {}) == []
