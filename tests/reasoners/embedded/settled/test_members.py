"""A list is answered by the sentences that name its members, each once, not by headings over them."""

from __future__ import annotations

from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.engine import EmbeddedReasoner
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.settled.members import member_named
from citewell.reasoners.protocol import FactTask, PlanTask, SynthesisTask
from citewell.reasoners.support.judge import RuleJudge
from passages import passage_of

TEXT = (
    "Acquisitions, Divestitures and Licensing Arrangements of Kelm plc are told below. "
    "On 2 May 2031, we acquired Dorne, a maker of pumps, for $48 million. "
    "We pay for acquired Quill rights each year. "
    "On 3 June 2032, we acquired all of the outstanding shares not already owned by Kelm of Veltro Marine, a shipyard. "
    "Costs of the acquisition of Dorne were $2 million in 2031. "
    "An agreement on acquisitions with Upham Inc. is incorporated by reference from our report."
)


def named(question: str, text: str = TEXT) -> list[str]:
    candidates = candidates_of(passage_of("KELM_2032_10K.txt", text))
    told = (member_named(read_question(question), each) for each in candidates)
    return [name for name, is_done in told if name and is_done]


def test_whom_something_was_done_to_stands_behind_the_deed():
    assert named("Which companies did Kelm acquire?") == ["Dorne", "Veltro Marine"]
    assert named("What are the major acquisitions of Kelm?") == ["Dorne", "Veltro Marine"]
    assert named("When did Kelm acquire Dorne?") == []


async def test_each_member_leads_once():
    reasoner = EmbeddedReasoner(None, RuleJudge())
    question = "Which companies did Kelm acquire?"
    pages = [passage_of("KELM_2032_10K.txt", TEXT)]
    plan = await reasoner.plan(PlanTask(question=question, sources=()))
    facts = await reasoner.extract_facts(FactTask(plan, question, 1, pages, {}))
    draft = await reasoner.synthesize(SynthesisTask(plan, question, facts, pages, (), ()))
    assert ["Dorne" in draft.summary[0].text, "Veltro" in draft.summary[1].text] == [True, True]
