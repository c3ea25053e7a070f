"""What was refused was not granted, and of two versions of a fact the later one holds, both shown with their days."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.engine import EmbeddedReasoner
from citewell.reasoners.embedded.found.vectors import TextVectors
from citewell.reasoners.embedded.steps.facts import facts_of_round
from citewell.reasoners.embedded.steps.plan import make_plan
from citewell.reasoners.embedded.steps.synthesis import write_draft
from citewell.reasoners.protocol import FactTask, Passage, PlanTask, SynthesisTask
from citewell.reasoners.support.judge import RuleJudge
from citewell.reasoners.support.outcomes import outcome_asked
from citewell.state.records import Draft
from passages import passage_of

WORDS = TextVectors(None)


async def draft(question: str, *passages: Passage) -> Draft:
    plan = make_plan(PlanTask(question=question, sources=()))
    facts = await facts_of_round(FactTask(plan, question, 1, list(passages), {}), WORDS)
    numbered = [fact.model_copy(update={"fact_id": f"F-{place}"}) for place, fact in enumerate(facts)]
    task = SynthesisTask(plan=plan, question=question, facts=numbered, gaps=(), steps=(), passages=passages)
    return await write_draft(task, WORDS)


NOTES = passage_of(
    "notes.txt",
    "The council turned the planning application for Mill Lane down on 3 May 2024. The lease of the Pier Road office "
    "was extended to 31 December 2026. The supply agreement with Ostra lapsed on 31 January 2024. The tender for the "
    "metro cameras was lost to Brightline. "
    "The panel did not adopt the bylaw proposed by Orla Finn. The invoice of Tern is still unpaid. "
    "The pump passed its test in June.",
)


@pytest.mark.parametrize(
    ("question", "answer", "word"),
    [
        ("Was the planning application for Mill Lane approved?", "No", "turned the planning"),
        ("Was the Pier Road lease terminated?", "No", "extended"),
        ("Was the supply agreement with Ostra renewed?", "No", "lapsed"),
        ("Did we win the tender for the metro cameras?", "No", "lost"),
        ("Was the invoice of Tern paid?", "No", "unpaid"),
        ("Did the panel adopt the bylaw?", "No", "proposed by"),
        ("Did the pump fail its test?", "No", "passed"),
        ("Did the pump pass its test?", "Yes", "passed"),
        ("Did the council turn down the planning application for Mill Lane?", "", ""),
    ],
)
async def test_the_opposite_of_what_is_asked_is_a_no_with_its_sentence(question, answer, word):
    lead = (await draft(question, NOTES)).summary[0]
    if answer:
        assert lead.text.startswith(f"{answer}. ")
        assert word in lead.text
        assert (await EmbeddedReasoner(None, RuleJudge()).judge(lead, [NOTES])).support == "supported"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Was the supply agreement with Ostra terminated?", "The supply agreement with Ostra lapsed in January."),
        ("Was the permit granted?", "The permit may be refused. The permit was to be refused unless a survey is made."),
        ("Was the permit for Mill Lane granted?", "The permit for Pier Road was refused on 3 May 2024."),
        ("Was the claim granted?", "The first claim was granted and the second claim was refused."),
    ],
)
async def test_what_says_less_or_something_else_settles_nothing(question, text):
    written = await draft(question, passage_of("a.txt", text))
    assert not [claim for claim in written.claims if claim.text.startswith(("Yes. ", "No. "))]


MINUTES = passage_of(
    "minutes.md",
    "# Minutes of 14 March 2024\n\nThe board approved the purchase of the Elm Street depot.\n\n"
    "# Minutes of 2 May 2024\n\nThe board rejected the purchase of the Elm Street depot after the survey.\n",
)


async def test_of_sentences_that_contradict_each_other_the_later_counts_and_both_are_shown():
    written = await draft("Was the purchase of the Elm Street depot approved?", MINUTES)
    first, second = written.summary
    assert (
        first.text
        == "No. Minutes of 2 May 2024: The board rejected the purchase of the Elm Street depot after the survey."
    )
    assert second.text.startswith("Minutes of 14 March 2024: The board approved")
    (conflict,) = written.conflicts
    assert [(value.value, value.dated) for value in conflict.values] == [
        ("rejected", "2024-05-02"), ("approved", "2024-03-14"),
    ]  # fmt: skip
    assert (conflict.preferred, conflict.reason) == ("rejected", "stated later (2024-05-02 against 2024-03-14)")


async def test_without_days_a_contradiction_is_shown_and_not_decided():
    one = passage_of("a.txt", "The board approved the purchase of the Elm Street depot.")
    two = passage_of("b.txt", "The purchase of the Elm Street depot was rejected by the board.")
    written = await draft("Was the purchase of the Elm Street depot approved?", one, two)
    assert not [claim for claim in written.summary if claim.text.startswith(("Yes. ", "No. "))]
    (conflict,) = written.conflicts
    assert {value.value for value in conflict.values} == {"approved", "rejected"}
    assert conflict.preferred == ""


@pytest.mark.parametrize(
    ("question", "text", "values", "days"),
    [
        (
            "When will the warehouse open?",
            "On 5 February 2024 the team planned to open the warehouse on 1 June 2024.\n\n"
            "On 20 May 2024 the opening of the warehouse was moved to 15 September 2024.",
            ["15 September 2024", "1 June 2024"],
            ["2024-05-20", "2024-02-05"],
        ),
        (
            "When is the audit of the plant due?",
            "# Notes of 3 April 2025\n\nThe audit of the plant is due on 4 June 2025.\n\n# Notes of 9 May 2025\n\n"
            "The audit of the plant was postponed until 2 July 2025.",
            ["2 July 2025", "4 June 2025"],
            ["2025-05-09", "2025-04-03"],
        ),
        (
            "When does the library reopen?",
            "# 12 February 2024\n\nThe library is to reopen on 1 May 2024.\n\n# 18 June 2024\n\n"
            "The reopening of the library was delayed until 2 September 2024.",
            ["2 September 2024", "1 May 2024"],
            ["2024-06-18", "2024-02-12"],
        ),
        (
            "How high is the membership fee?",
            "The membership fee is EUR 240 a year. The membership fee was raised to EUR 275 on 1 April 2024.",
            ["EUR 275", "EUR 240"],
            ["2024-04-01", ""],
        ),
    ],
)
async def test_the_later_version_is_current_and_the_earlier_is_shown_beside_it(question, text, values, days):
    written = await draft(question, passage_of("a.md", text))
    assert values[0] in written.summary[0].text
    assert values[1] in written.summary[1].text
    (conflict,) = written.conflicts
    assert [value.value for value in conflict.values] == values
    assert [value.dated for value in conflict.values] == days
    assert conflict.preferred == values[0]
    assert values[1] in conflict.reason


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did the plant open?", "The plant opened on 3 May 2020. The plant was extended on 4 June 2022."),
        ("When was Ann Lee born?", "Ann Lee was born on 3 May 1950. Ann Lee moved to Oslo on 4 June 1982."),
        ("How high is the fee?", "The fee is EUR 240 a year. The late fee is EUR 12."),
    ],
)
async def test_two_values_of_two_things_are_no_versions(question, text):
    assert (await draft(question, passage_of("a.txt", text))).conflicts == ()


def test_what_is_asked_to_have_happened_is_the_verb():
    refused, granted = outcome_asked("Was the grant refused?"), outcome_asked("Did the city grant the pass?")
    assert refused is not None
    assert granted is not None
    assert (refused.term, granted.term) == ("refus", "grant")
    assert outcome_asked("Was the office painted?") is None


async def test_the_day_of_a_mail_is_that_of_its_own_letterhead():
    mails = passage_of(
        "mails.txt",
        "From: A. Roux\nDate: 3 March 2025\n\nThe opening of the Toulouse store is planned for 1 June 2025.\n\n"
        "From: B. Petit\nDate: 20 April 2025\n\nThe opening of the Toulouse store was moved to 15 October 2025.\n",
    )
    (conflict,) = (await draft("When does the Toulouse store open?", mails)).conflicts
    assert [(value.value, value.dated) for value in conflict.values] == [
        ("15 October 2025", "2025-04-20"), ("1 June 2025", "2025-03-03"),
    ]  # fmt: skip


async def test_a_price_that_replaces_another_leads_and_the_one_before_is_shown_as_replaced():
    offer = passage_of("offer.txt", "# 3 March 2031\n\nOur price for the pergola is EUR 7,400.")
    revised = passage_of(
        "revised.txt", "# 9 April 2031\n\nThe new price for the pergola is EUR 6,950; it replaces ours."
    )
    written = await draft("What is the price for the pergola?", offer, revised)
    assert "6,950" in written.summary[0].text
    (conflict,) = written.conflicts
    assert (conflict.preferred, [value.value for value in conflict.values]) == ("EUR 6,950", ["EUR 6,950", "EUR 7,400"])
