"""What was found bears on a question or does not, whatever the ranks say."""

from __future__ import annotations

import numpy as np
import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.found.weights import of_named_sources, term_weights
from citewell.reasoners.embedded.steps.declining import bearing_of
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.embedded.steps.synthesis import write_draft
from citewell.reasoners.protocol import FactTask, PlanTask, SynthesisTask
from passages import passage_of

BY_WORDS = TextVectors(None)


async def near(texts: list[str]) -> np.ndarray:
    return np.ones((len(texts), 1), dtype=np.float32)


async def far(texts: list[str]) -> np.ndarray:
    return np.zeros((len(texts), 1), dtype=np.float32)


HARBOUR = [
    passage_of(f"{number}.txt", f"Quay {number} of the harbour in Kelm takes ships of {number} metres.")
    for number in range(1, 8)
]


async def bearing(text: str, passages=HARBOUR):
    return await bearing_of(read_question(text), passages, BY_WORDS)


async def test_passages_that_hold_the_words_bear():
    assert (await bearing("Which ships does quay 3 of the harbour in Kelm take?")).bears


@pytest.mark.parametrize("text", ["How many moons has Mars?", "What was Zorblatt GmbH's turnover in 2031?"])
async def test_ten_best_of_nothing_do_not_bear(text):
    found = await bearing(text)
    assert not found.bears
    assert found.hopeless


async def test_what_is_missing_is_named_the_rarest_first():
    assert (await bearing("Which crane stands on quay 3 in Kelm?")).missing == ("crane", "stand")


async def test_nothing_found_bears_on_nothing():
    found = await bearing("Which ships does quay 3 take?", [])
    assert (found.score, found.bears, found.by_passage) == (0.0, False, {})


async def test_a_comparison_bears_only_where_both_sides_do():
    ann = passage_of("ann", "Ann Lee was born on 4 May 1931.")
    bob = passage_of("bob", "Bob Ray was born on 9 June 1928.")
    text = "Who was born first, Ann Lee or Bob Ray?"
    assert (await bearing(text, [ann, bob])).bears
    assert not (await bearing(text, [ann])).bears


def test_words_that_every_passage_holds_weigh_least():
    weights = term_weights(read_question("Which crane stands on quay 3 of the harbour?"), HARBOUR)
    assert weights["crane"] > weights["3"] > weights["harbour"]


def test_other_sources_are_left_out_where_the_question_names_one():
    kelm = passage_of("KELM_2022_10K.pdf", "The rate was 21.6 percent.")
    varga = passage_of("VARGA_2022_10K.pdf", "The rate was 19.0 percent.")
    review = passage_of("review.txt", "KELM paid a rate of 21.6 percent.")
    question = read_question("What was the rate of KELM in 2022?")
    assert of_named_sources(question, [kelm, varga, review]) == [kelm, review]
    assert of_named_sources(read_question("What was the rate in 2022?"), [kelm, varga]) == [kelm, varga]


async def test_a_refusal_quotes_what_came_closest_and_names_only_words_that_stand_nowhere():
    limit = passage_of("deal.txt", "The limit of liability of Kelm is raised to EUR 250,000 a year.")
    other = passage_of("port.txt", "A pipeline of the harbour was paid by Varga.")
    question = "Which arbitrator of liability did Kelm agree?"
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, [limit, other], {}), BY_WORDS)
    numbered = [fact.model_copy(update={"fact_id": f"F-{place}"}) for place, fact in enumerate(facts)]
    task = SynthesisTask(plan=plan, question=question, facts=numbered, gaps=(), steps=(), passages=[limit, other])
    draft = await write_draft(task, BY_WORDS)
    (hole,) = draft.open_questions
    assert draft.claims == ()
    assert "“The limit of liability of Kelm is raised to EUR 250,000 a year.” (deal.txt)" in hole.reason
    assert "No passage holds: arbitrator, agree." in hole.reason


def test_a_plain_word_that_no_passage_holds_weighs_less_than_a_rare_one_a_name_or_what_is_counted():
    plain = term_weights(read_question("Which contract binds the quay?"), HARBOUR)
    rare = term_weights(read_question("Which kindergarten binds the quay?"), HARBOUR)
    named = term_weights(read_question("What did Contract Holding pay for the quay?"), HARBOUR)
    counted = term_weights(read_question("How many contracts bind the quay?"), HARBOUR)
    assert plain["contract"] < rare["kindergarten"]
    assert plain["contract"] < named["contract"] == counted["contract"]


async def test_a_sentence_with_each_word_of_a_question_under_its_title_settles_it():
    vectors = TextVectors(far)
    told = passage_of("report.txt", "Trial of Kelm\n\nThe trial was not stopped early.")
    others = [passage_of(f"{place}.txt", f"Trial {place} of Varga was stopped.") for place in range(6)]
    question = read_question("Was the trial of Kelm stopped early?")
    spans = [each for each in candidates_of(told) if "early" in each.text]
    assert (await bearing_of(question, [told, *others], vectors, spans)).bears


async def test_a_code_that_no_passage_holds_is_not_answered_by_its_sister():
    vectors = TextVectors(near)
    sister = passage_of("trial.txt", "PALMA-2 had 318 patients in 22 centres.")
    assert (await bearing_of(read_question("How many patients did PALMA-2 have?"), [sister], vectors)).bears
    assert not (await bearing_of(read_question("How many patients did PALMA-3 have?"), [sister], vectors)).bears
    pour = passage_of("cubes.csv", "Pour D-203 reached 41 MPa after 28 days.")
    assert (await bearing_of(read_question("How many MPa did pour D-203 reach?"), [pour], vectors)).bears
    assert not (await bearing_of(read_question("How many MPa did pour D-204 reach?"), [pour], vectors)).bears
