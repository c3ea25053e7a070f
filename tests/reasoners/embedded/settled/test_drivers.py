"""Why a figure moved is told by the sentence about that very change."""

from __future__ import annotations

from citewell.reasoners.embedded.engine import EmbeddedReasoner
from citewell.reasoners.protocol import FactTask, PlanTask, SynthesisTask
from citewell.reasoners.support.judge import RuleJudge
from passages import passage_of
from statement_pages import BALANCE


async def test_the_cause_of_the_computed_change_follows_it():
    reasoner = EmbeddedReasoner(None, RuleJudge())
    question = "What drove the decrease in Kelm's merchandise inventories at the end of FY2033?"
    text = (
        "Merchandise inventories of Kelm are counted each year due to the rules of the exchange. "
        "The $900 million decrease was primarily due to the closure of 47 stores since January 29, 2032."
    )
    pages = [BALANCE, passage_of("KELM_2033_release.txt", text)]
    plan = await reasoner.plan(PlanTask(question=question, sources=()))
    facts = await reasoner.extract_facts(FactTask(plan, question, 1, pages, {}))
    draft = await reasoner.synthesize(SynthesisTask(plan, question, facts, pages, (), ()))
    assert draft.summary[0].text.startswith("Inference: Merchandise inventories fell from 6,000")
    assert draft.summary[1].text.endswith("due to the closure of 47 stores since January 29, 2032.")


async def test_the_cause_of_what_is_asked_leads_before_that_of_something_else():
    reasoner = EmbeddedReasoner(None, RuleJudge())
    question = "Why did the wharf dues of Kelm fall in 2033?"
    text = (
        "The pilot fees fell in 2033, primarily due to lower wharf dues of Kelm and of other ports in 2033. "
        "The wharf dues fell to 31, mainly because two piers were closed."
    )
    pages = [passage_of("notes.txt", text)]
    plan = await reasoner.plan(PlanTask(question=question, sources=()))
    facts = await reasoner.extract_facts(FactTask(plan, question, 1, pages, {}))
    draft = await reasoner.synthesize(SynthesisTask(plan, question, facts, pages, (), ()))
    assert draft.summary[0].text.endswith("because two piers were closed.")
