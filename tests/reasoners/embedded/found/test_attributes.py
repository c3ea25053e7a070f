"""What shares all other words of a question but does not speak of what it asks is no answer."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.labels import labels_in, mentions_label
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.attributes import attribute_terms, unknown_name
from passages import passage_of

PAPERS = {
    "plant.md": (
        "# Varnholt dye works\n\nThe shelf life of the dye Corvalin is 18 months. In the second half of 2021 the dye "
        "works made 410 tonnes of Corvalin. The works were extended until a buyer for the old site was found.\n\n"
        "## Staff\n\nThe dyers work in three shifts. Agency dyers join in the summer. The head of the laboratory is "
        "Ines Raab.\n"
    ),
    "trial.md": (
        "# Light fastness of Corvalin\n\nAt week 4 the fastness rate was 71 per cent. The test used lamps of "
        "300 watts. The customers in Spain asked for the test; every customer pays for the freight of the samples.\n"
    ),
}


@pytest.fixture(scope="module")
def works(tmp_path_factory):
    folder = tmp_path_factory.mktemp("works")
    for name, text in PAPERS.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the half-life of Corvalin?", "half-life"),
        ("What is the carbon footprint of the dye works?", "footprint"),
        ("How much does the dye works pay its dyers?", "dyers"),
        ("What was the fastness rate at week 26?", "week 26"),
        ("When was the Varnholt dye works founded?", "founded"),
        ("When were the dye works repainted?", "repainted"),
        ("Does the dye works hold ECOTEX certification?", "ECOTEX"),
        ("Who is the head of marketing?", "marketing"),
        ("Which customers in Portugal asked for the test?", "Portugal"),
    ],
)
def test_a_question_for_what_is_not_told_is_declined_and_says_what(works, question, told):
    report = citewell.research(question, docs=[works], engine="embedded")
    assert report.status == "insufficient_evidence"
    assert told in report.answer.open_questions[0].reason


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What is the shelf life of Corvalin?", "18 months"),
        ("What was the fastness rate at week 4?", "71"),
        ("Which customers in Spain asked for the test?", "Spain"),
        ("Who is the head of the laboratory?", "Ines Raab"),
    ],
)
def test_a_question_for_what_is_told_is_answered(works, question, word):
    report = citewell.research(question, docs=[works], engine="embedded")
    assert word in report.answer.executive_summary[0].text


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the half-life of Corvalin?", ("half", "life")),
        ("What is Acme's churn?", ("churn",)),
        ("What is the name of the ship?", ()),
        ("Which ship is the fastest?", ()),
        ("Wie hoch ist die Halbwertszeit?", ()),
    ],
)
def test_the_attribute_is_what_the_question_asks_of_a_thing(question, terms):
    assert attribute_terms(read_question(question)) == terms


@pytest.mark.parametrize(
    ("question", "text", "name"),
    [
        ("Is the pump sold in Japan?", "The Japanese importer sells the pump.", ""),
        ("Is the pump sold in France?", "French dealers sell the pump.", ""),
        ("Does the NRA inspect the pump?", "The National Roads Agency inspects the pump.", ""),
        ("Is the pump sold in Chile?", "The Japanese importer sells the pump.", "Chile"),
        ("What Is The Weight Of The Pump In Chile?", "It weighs 4 kg.", ""),
        ('Who sang "Nowhence Are You Here"?', "Nowhere Are You Here is a song by Ines Raab.", ""),
    ],
)
def test_a_name_is_known_in_whatever_form(question, text, name):
    assert unknown_name(read_question(question), [passage_of("a.txt", text)]) == name


@pytest.mark.parametrize(
    ("text", "held"),
    [("after 26 weeks", True), ("weeks 4 to 26", True), ("week 4; 26 lamps", False), ("2.26 a week", False)],
)
def test_a_label_is_mentioned_by_its_number_beside_its_word(text, held):
    assert mentions_label(labels_in("the rate at week 26")[0], text) == held
