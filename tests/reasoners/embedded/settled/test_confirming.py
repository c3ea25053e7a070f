"""A `Yes` or `No` leads only where the support check bears it out, names, figures and times of the question too."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.settled.confirming import statement_of
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.embedded.steps.synthesis import write_draft
from citewell.reasoners.protocol import FactTask, PlanTask, SynthesisTask
from passages import passage_of

WORDS = TextVectors(None)

NOTES = passage_of(
    "notes.txt",
    "Barbecues are forbidden on the balconies. Bicycles may be kept in the yard. The Hollin shipyard denies reports "
    "that it is closing its dry dock. The members elected Jan Holm as treasurer in June 2031. The Basic ticket costs "
    "EUR 29 a month. The curator stays in office until 31 August 2031. Ridership reached 81% in 2030. "
    "I booked the hall for the wedding. The chapel was restored in 1998.",
)


async def lead(question: str) -> str:
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, [NOTES], {}), WORDS)
    numbered = [fact.model_copy(update={"fact_id": f"F-{place}"}) for place, fact in enumerate(facts)]
    task = SynthesisTask(plan=plan, question=question, facts=numbered, gaps=(), steps=(), passages=[NOTES])
    draft = await write_draft(task, WORDS)
    return draft.summary[0].text.split(".")[0] if draft.summary else ""


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Was the chapel restored in 1998?", "Yes"),
        ("Are barbecues forbidden on the balconies?", "Yes"),
        ("Are barbecues allowed on the balconies?", "No"),
        ("Does the curator stay in office until August 2032?", "No"),
        ("Did ridership reach 93% in 2030?", "No"),
    ],
)
async def test_a_word_leads_where_a_sentence_settles_it(question, word):
    assert await lead(question) == word


@pytest.mark.parametrize(
    "question",
    [
        "Is the Hollin shipyard closing its dry dock?",
        "Was Ada Brandt elected as treasurer?",
        "Does the Premium ticket cost EUR 29?",
        "Did Peter book the hall for the wedding?",
    ],
)
async def test_no_word_leads_where_a_name_is_missing_or_somebody_only_denies_it(question):
    assert await lead(question) not in ("Yes", "No")


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Was the chapel restored in 1998?", "the chapel restored in 1998"),
        ("May I grill on the balcony?", "I grill on the balcony is allowed"),
    ],
)
def test_a_question_is_checked_as_what_it_would_claim(question, statement):
    assert statement_of(question) == statement
