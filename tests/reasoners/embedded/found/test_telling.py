"""Only what tells a value of the kind asked for stays, and who somebody is comes from the words behind the name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.found.findings import Finding
from citewell.reasoners.embedded.found.scoring import Scored
from citewell.reasoners.embedded.found.telling import is_near
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.embedded.steps.synthesis import write_draft
from citewell.reasoners.protocol import FactTask, Passage, PlanTask, SynthesisTask
from citewell.retrievers.parsers import extract
from passages import passage_of

WORDS = TextVectors(None)


def file(name: str, text: str) -> Passage:
    found = extract(text.encode(), name=name)
    rows = tuple(row.model_copy(update={"uri": name}) for row in found.rows)
    return replace(passage_of(name, found.text), rows=rows)


async def draft(question: str, *passages: Passage):
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, list(passages), {}), WORDS)
    numbered = [fact.model_copy(update={"fact_id": f"F-{place}"}) for place, fact in enumerate(facts)]
    task = SynthesisTask(plan=plan, question=question, facts=numbered, gaps=(), steps=(), passages=passages)
    return await write_draft(task, WORDS)


async def texts(question: str, *passages: Passage) -> list[str]:
    return [claim.text for claim in (await draft(question, *passages)).claims]


async def test_how_many_of_a_unit_is_a_measure():
    port = passage_of(
        "a.txt", "The harbour handled 118,000 tonnes of freight in 2023. It handled 104,000 tonnes in 2022."
    )
    wait = passage_of("b.txt", "The audit of the pumps takes four hours, and 4 hours for the valves.")
    assert "104,000 tonnes" in (await texts("How many tonnes did the harbour handle in 2022?", port))[0]
    assert "4 hours" in (await texts("How many hours does the audit of the valves take?", wait))[0]


async def test_a_count_needs_a_number_beside_the_thing_counted():
    told = passage_of("a.txt", "Kelm has 61 customers in the north.")
    other = passage_of("b.txt", "Customers of Kelm pay by May 2027. No customer of Kelm is larger than 8%.")
    assert await texts("How many customers does Kelm have?", told, other) == ["Kelm has 61 customers in the north."]
    refused = await draft("How many customers does Kelm have?", other)
    assert refused.claims == ()
    assert len(refused.open_questions) == 1


async def test_a_row_without_a_date_says_nothing_about_when():
    contracts = file(
        "contracts.csv", "contract_id,customer,term_end\nK-1,Harrow Foods,2026-06-30\nK-2,Baltic,2028-05-31\n"
    )
    people = file(
        "people.csv", "as_of_date,department,employees\n2025-03-31,Customer contracts,22\n2025-03-31,Yard,9\n"
    )
    found = await texts("When do the customer contracts end?", contracts, people)
    assert "For Harrow Foods (K-1), term end is 2026-06-30." in found
    assert not [line for line in found if "employees" in line]


async def test_what_is_closed_is_no_open_matter():
    register = file(
        "matters.csv",
        "matter_id,counterparty,subject,status\nL-1,Polder B.V.,open patent matters,in negotiation\n"
        "L-2,D. Whitcombe,open commission matters,settled on 2025-01-20\n",
    )
    found = await texts("List the open matters.", register)
    assert any("Polder" in line for line in found)
    assert not any("Whitcombe" in line for line in found)


async def test_who_somebody_is_stands_behind_the_name():
    minutes = passage_of(
        "a.txt", "Present: M. Aldous (chair), S. Lindqvist (investor director). S. Lindqvist asked why."
    )
    assert (await texts("Who is S. Lindqvist?", minutes))[0] == "S. Lindqvist: investor director."


async def test_one_record_that_answers_is_all_that_bears():
    register = file("debt.csv", "facility_id,facility,maturity\nD-01,Venture loan,2027-11-08\nD-02,Lease,2026-02-19\n")
    far = passage_of("b.txt", "The weather in the north is mild and the quay is long.")
    written = await draft("When is the venture loan due?", register, far)
    assert written.bearing == (register.chunk.chunk_id,)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("How long is the cash runway?", {"cash", "runway"}),
        ("What is the warranty period?", {"warranti"}),
        ("What debt does the company have?", {"debt"}),
        ("What happened in the outage?", {"outag"}),
        ("What company makes pumps?", {"compani", "make", "pump"}),
        ("Wie lange gilt sie?", {"gilt"}),
    ],
)
def test_words_that_only_say_what_kind_of_value_is_wanted_are_not_looked_for(question, terms):
    assert set(read_question(question).terms) == terms


async def test_what_was_planned_or_moved_is_no_yes():
    note = passage_of("a.txt", "The opening of the greenhouse is moved from 20 September 2024 to 11 October 2024.")
    assert not [
        text for text in await texts("Did the greenhouse open on 20 September 2024?", note) if text.startswith("Yes")
    ]
    asked = await texts("Was the opening of the greenhouse moved?", note)
    assert asked[0].startswith("Yes. ")


async def test_a_day_that_no_passage_tells_of_stays_open():
    cash = file("cash.csv", "as_of_date,cash_usd\n2024-10-31,6450000\n2025-03-31,5120000\n")
    known = await draft("How much cash was there at 31 March 2025?", cash)
    other = await draft("How much cash was there at 31 March 2024?", cash)
    assert known.open_questions == ()
    assert [question.reason for question in other.open_questions] == ["No passage holds: 31 March 2024."]


@pytest.mark.parametrize(
    ("asked", "near"), [("How much cash was there at 31 March 2025?", False), ("How much cash?", True)]
)
def test_a_sentence_that_shares_the_date_alone_is_not_near(asked, near):
    (arr,) = candidates_of(passage_of("deck.md", "ARR reached $18.9 million at 31 March 2025."))
    finding = Finding(arr.text, (), Scored(arr, lexical=0.4, dense=0.52, kind=1.0, score=2.0), ())
    assert is_near(read_question(asked), finding) is near
