"""Fixed sentences are told in the language of the question; what stands in their places stays as it is."""

from __future__ import annotations

import re

import pytest
from citewell.text.fixed_sentences import SENTENCES, said_in

LANGUAGES = {"de", "fr", "es", "it", "ja", "zh"}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_sentence_is_there_in_every_language_with_the_same_places(sentence):
    places = sorted(re.findall(r"\{\w+\}", sentence))
    assert set(SENTENCES[sentence]) == LANGUAGES
    for told in SENTENCES[sentence].values():
        assert sorted(re.findall(r"\{\w+\}", told)) == places


def test_what_stands_in_the_places_is_kept():
    english = "stated later (2024-05-02 against 2023); it does not say why it differs"
    assert said_in(english, "de").startswith("später gesagt (2024-05-02 gegenüber 2023)")
    assert said_in("Not read: a {b}.pdf (locked).", "fr") == "Non lu : a {b}.pdf (locked)."


def test_any_other_text_and_english_stay_as_they_are():
    assert said_in("Nothing was found.", "en") == "Nothing was found."
    assert said_in("The harbour opens at noon.", "de") == "The harbour opens at noon."
