"""What sentences hold together is the same whoever asks, and is gathered once."""

from __future__ import annotations

from citewell.reasoners.support.body import body_of, letter_runs
from citewell.reasoners.support.reading import read


def test_a_body_holds_what_stands_in_any_of_its_sentences():
    body = body_of([read("Rents rose."), read("The rents of harbours fell.")])
    assert body.frequency["rent"] == 2
    assert {"rose", "harbour"} <= body.stems
    assert ("rent", "rose") in body.pairs
    assert ("harbour", "rose") not in body.pairs
    assert ("rent", "of", "harbour") in body.triples
    assert "harb" in body.letters
    assert body.words == 7


def test_the_same_sentences_are_gathered_once():
    sentences = [read("Rents rose."), read("Tolls fell.")]
    assert body_of(sentences) is body_of(list(sentences))
    assert body_of(sentences) is not body_of(sentences[::-1])


def test_runs_of_letters_pass_over_case_and_white_space():
    assert letter_runs("A  Lake") == {"a la", " lak", "lake"}


def test_words_are_known_by_their_places_and_by_how_they_begin():
    reading = read("Harbours near the harbour, and a harbinger.")
    assert reading.places["harbour"] == [0, 3]
    assert reading.openings["harb"] == [0, 3, 6]
