"""A denial, a correction, an exception or a reply is told with the sentence before it, which it belongs to."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.settled.continuing import continuation_of
from passages import passage_of

MAIL = (
    'The flyer calls the Tarn stove "approved". It is not: the fire office has not tested it.\n\n'
    "In the leaflet the weight of the Tarn stove was given as 61 kg. The correct weight is 68 kg.\n\n"
    "Dealers shall not sell the stove outside Norland. The ban does not extend to Westholm.\n\n"
    "Mr Quill asked whether the museum would be closed on Mondays. The director replied that it stays open.\n\n"
    'The skiff "Alba" was built in 1928 by Ned Orr. She is 6.4 metres long.\n\n'
    "The stove has two doors. It is painted black. Its chimney was sold."
)


def following(words: str, question: str = "What of it?") -> str:
    candidate = next(each for each in candidates_of(passage_of("mail.txt", MAIL)) if words in each.text)
    after = continuation_of(read_question(question), candidate)
    return after.text if after else ""


def test_what_denies_corrects_excepts_or_replies_belongs_to_the_sentence_before():
    assert following("calls the Tarn").startswith("It is not")
    assert following("given as 61 kg") == "The correct weight is 68 kg."
    assert following("outside Norland") == "The ban does not extend to Westholm."
    assert following("Mr Quill asked").startswith("The director replied")


def test_a_figure_behind_the_sentence_that_names_its_thing_belongs_to_it_where_a_figure_is_asked_for():
    assert following("skiff", "How long is the skiff?") == "She is 6.4 metres long."
    assert following("skiff", "Who built the skiff?") == ""


def test_what_only_goes_on_stands_by_itself():
    assert following("two doors") == ""
    assert following("painted") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "opening", "held"),
    [
        ("Is the Tarn stove approved?", "No. ", "It is not: the fire office"),
        ("What is the weight of the Tarn stove?", "", "The correct weight is 68 kg."),
        ("How long is the skiff Alba?", "", "She is 6.4 metres long."),
    ],
)
def test_both_sentences_are_told_and_cited(tmp_path, question, opening, held):
    (tmp_path / "mail.txt").write_text(MAIL)
    lead = citewell.research(question, docs=[tmp_path], engine="embedded").answer.executive_summary[0]
    assert lead.text.startswith(opening)
    assert held in lead.text
