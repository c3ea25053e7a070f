"""Questions are answered from sources of other languages where a lexicon leads from one to the other, else declined."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.foreign import ForeignTerm, in_other_languages, means_one_of
from citewell.reasoners.embedded.asked.question import read_question
from citewell.state.records import Source
from citewell.text.concepts import english_terms, from_english, in_english, meanings_of

PAPERS = {
    "quay.md": "# Quay report 2023\n\nThe rent of the boathouse is EUR 410 per month. "
    "The repair of the crane cost EUR 7,300. The supplier delivered the pump on 4 May 2023.\n",
    "hafenbericht.md": "# Hafenbericht 2023\n\nVerfasst von Ida Krohn. Die Versicherung kostet 920 Euro im Jahr. "
    "Der Wasserverbrauch ist um 8 Prozent gesunken, weil die Pumpe erneuert wurde.\n",
    "rapport_port.md": "# Rapport du port 2023\n\nLe port emploie des salariés. La grue a été réparée le 9 juin 2023. "
    "Les travaux de la route ont coûté 15 200 euros.\n",
}


@pytest.mark.parametrize(
    ("word", "language", "english"),
    [
        ("Miete", "de", ["rent"]),
        ("Bodenproben", "de", ["soil", "sample"]),
        ("Schuppenmiete", "de", ["rent"]),
        ("l'assurance", "fr", ["insurance"]),
        ("alquiler", "es", ["rent"]),
        ("Xylofon", "de", []),
        ("lag", "de", []),
        ("rent", "en", []),
    ],
)
def test_a_word_means_what_its_entry_or_its_parts_say(word, language, english):
    assert [meaning.english for meaning in meanings_of(word, language)] == english


def test_phrases_and_words_are_put_into_english_and_back():
    assert "revenu" in english_terms("Le chiffre d’affaires a baissé.", "fr")
    assert in_english("Kosten der Reparatur 2023", "de") == "cost der repair 2023"
    assert from_english("price of the ferry", "de") == "Preis of the Fähre"
    assert from_english("Zorblax", "de") == ""


def test_a_term_of_a_question_equals_its_word_and_knows_all_it_means():
    (term,) = (each for each in read_question("Wie hoch ist der Wasserverbrauch?").terms if "wasser" in each)
    assert isinstance(term, ForeignTerm)
    assert term == str(term)
    assert means_one_of(term, {"water", "consumpt"})
    assert not means_one_of(term, {"water"})


def test_searches_go_out_in_the_languages_of_the_sources():
    german = Source(uri="hafenbericht.md", kind="file", title="Hafenbericht")
    assert list(in_other_languages("cost insurance", "en", [german])) == ["Kosten Versicherung"]
    assert list(in_other_languages("Kosten Versicherung", "de", [])) == ["cost insurance"]
    assert list(in_other_languages("cost insurance", "en", [])) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wie hoch ist die Miete des Boothauses?", ""),
        ("Was hat die Reparatur gekostet?", "7,300"),
        ("Quand le fournisseur a-t-il livré la pompe ?", "4 May 2023"),
        ("How much does the insurance cost?", "920 Euro"),
        ("Why did water consumption fall?", "Pumpe erneuert"),
        ("What did the road works cost?", "15 200 euros"),
        ("¿Cuánto cuesta el seguro?", "920 Euro"),
        ("Wie hoch ist die Miete der Werkstatt?", ""),
        ("Wie hoch ist die Schuppenmiete?", ""),
        ("Quel est le salaire du directeur ?", ""),
    ],
)
def test_sources_of_another_language_answer_or_the_question_stays_open(tmp_path, question, said):
    for name, text in PAPERS.items():
        (tmp_path / name).write_text(text)
    report = citewell.research(question, docs=[tmp_path], engine="embedded")
    told = " ".join(claim.text for claim in report.answer.executive_summary)
    assert said in told
    assert bool(said) is bool(told)
