"""German words meet by their base, and compounds by their parts."""

from __future__ import annotations

import pytest
from citewell.text.german import base_key, meets_compound, separated, text_keys
from citewell.text.numbers import find_numbers


@pytest.mark.parametrize(
    "words",
    [
        "zugestimmt zustimmen Zustimmung",
        "abgelehnt ablehnen Ablehnung",
        "angenommen annehmen Annahme",
        "angeboten Angebot anbieten",
        "fliegen Flug Flüge geflogen",
        "vorgeschlagen Vorschlag vorschlagen",
        "zurückgetreten Rücktritt zurücktreten",
        "stattgefunden stattfinden",
        "gehört hören",
        "geschlossen Schließung schließen",
        "einzureichen eingereicht einreichen",
    ],
)
def test_the_forms_of_a_verb_and_its_nouns_share_a_key(words):
    assert len({base_key(word) for word in words.split()}) == 1


def test_a_hand_is_no_dog():
    assert base_key("Hund") != base_key("Hand")


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Der Rat stimmte dem Antrag nicht zu.", "zugestimmt"),
        ("Die Versammlung lehnte den Umbau ab.", "abgelehnt"),
        ("Frau Kolb trat zum 30. Juni 2025 zurück.", "Rücktritt"),
        ("Die Firma bot am 3. Mai eine Reparatur für 17.300 Euro an.", "angeboten"),
        ("Die Sitzung findet am 9. Juli im Saal statt.", "stattgefunden"),
    ],
)
def test_a_particle_at_the_end_of_its_clause_belongs_to_the_verb(sentence, word):
    assert base_key(word) in text_keys(sentence)


def test_a_particle_inside_a_clause_belongs_to_no_verb():
    assert separated("Der Weg führt auf den Berg.") == []


@pytest.mark.parametrize(
    ("term", "terms", "met"),
    [
        ("reisekostenabrechn", {"reisekost", "abrechn"}, True),
        ("reisekostenabrechn", {"reisekostenrichtlini"}, False),
        ("kost", {"heizkost"}, True),
        ("heizungskost", {"heizkost"}, True),
        ("hotelrechnung", {"hotelkost"}, True),
        ("hotelrechnung", {"mietkost"}, False),
        ("miet", {"mus"}, False),
    ],
)
def test_a_compound_is_met_by_its_parts(term, terms, met):
    assert meets_compound(term, terms) is met


def test_a_currency_with_a_capital_is_one():
    assert [number.unit for number in find_numbers("Die Versicherung kostet 920 Euro im Jahr.")] == ["EUR"]
