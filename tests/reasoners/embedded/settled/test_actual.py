"""A question about what came is led by what is told as done; a question about a plan keeps the plan."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.embedded.steps.synthesis import write_draft
from citewell.reasoners.protocol import FactTask, PlanTask, SynthesisTask
from passages import passage_of

WORDS = TextVectors(None)
PASSAGES = [
    passage_of("plan.txt", "The port expects traffic of 310,000 containers for 2031."),
    passage_of("year.txt", "Traffic for 2031 was 287,000 containers."),
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What was traffic in containers in 2031?", "Traffic for 2031 was 287,000 containers."),
        ("What traffic in containers did the port expect for 2031?", "The port expects traffic of 310,000 containers"),
    ],
)
async def test_what_came_leads_unless_the_plan_is_asked_for(question, first):
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, PASSAGES, {}), WORDS)
    numbered = [fact.model_copy(update={"fact_id": f"F-{place}"}) for place, fact in enumerate(facts)]
    task = SynthesisTask(plan=plan, question=question, facts=numbered, gaps=(), steps=(), passages=PASSAGES)
    assert (await write_draft(task, WORDS)).summary[0].text.startswith(first)
