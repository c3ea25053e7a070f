"""The words of a request are no words to look for."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import read_question


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Summarise the accidents of the winter.", ("accid", "winter")),
        ("Please give me a short overview of the flood damage", ("flood", "damag")),
        ("Tell me about the pension plan", ("pension", "plan")),
        ("What does the geologist say about the slope?", ("geolog", "slope")),
        ("What did the harbour master report?", ("harbour", "master")),
        ("On what grounds may the landlord give notice?", ("landlord", "notic")),
        ("What did the coach advise the runners to do?", ("coach", "runner")),
        ("What was R&D spending in 2021?", ("r&d", "2021")),
    ],
)
def test_the_verb_of_a_request_is_not_looked_for(question, terms):
    assert read_question(question).terms == terms


@pytest.mark.parametrize("question", ["Why did the referee say no?", "Who wrote the summary of the audit?"])
def test_a_verb_that_is_asked_about_stays(question):
    assert {"say", "summari"} & set(read_question(question).terms)
