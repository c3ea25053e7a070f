"""What was asked for and not delivered is told where it is the thing asked for, in a sentence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from citewell.reasoners.dataroom.lines import Line, lines_of
from citewell.reasoners.dataroom.unknowns import (
    asks_whether_it_came,
    missing_reason,
    said_missing,
    undelivered_lines,
)
from citewell.reasoners.embedded.steps.plan import subtasks
from citewell.reasoners.protocol import Passage
from citewell.retrievers.parsers import extract
from citewell.state.harness import load_harness
from passages import passage_of

HARNESS = load_harness()
REQUESTS = """request_id,requested_on,requested_by,item,status,comment
R-02,2025-03-27,Investor counsel,ARR by legal entity,delivered,customers/arr.csv
R-03,2025-03-27,Investor counsel,Gross margin by product line (ColdLine),not delivered,Analysis not available
R-04,2025-03-27,Investor counsel,Net revenue retention reconciled to billing,not delivered,Finance does not report it
R-07,2025-04-16,Investor counsel,Reconciliation of board ARR to billing ARR,not delivered,With the CFO
"""
MINUTES = "2. Gross margin by product line. The analysis of January was not delivered. S. Lindqvist asked why.\n"


def read(name: str, text: str, tier: str) -> Passage:
    found = extract(text.encode(), name=name)
    rows = tuple(row.model_copy(update={"uri": name}) for row in found.rows)
    made = passage_of(name, found.text)
    return replace(made, rows=rows, source=made.source.model_copy(update={"tier": tier}))


def missing(question: str) -> list[Line]:
    passages = [read("requests.csv", REQUESTS, "structured"), read("minutes.md", MINUTES, "narrative")]
    return undelivered_lines(subtasks(question)[0], lines_of(passages), HARNESS)


def test_a_record_is_told_in_a_sentence():
    (line,) = missing("What was ARR?")
    assert said_missing(line, HARNESS) == (
        "For Reconciliation of board ARR to billing ARR (R-07), status is not delivered (comment: With the CFO; "
        "requested on 2025-04-16; requested by Investor counsel)."
    )
    assert missing_reason(line) == "Reconciliation of board ARR to billing ARR (R-07) (With the CFO)"


def test_a_word_that_only_describes_what_is_missing_is_not_what_is_missing():
    assert missing("What was revenue?") == []


def test_a_person_is_never_undelivered():
    assert missing("Who is S. Lindqvist?") == []


def test_a_label_is_told_with_the_sentence_that_says_what_became_of_it():
    lines = [line.text for line in missing("What is the gross margin by product line?")]
    assert "Gross margin by product line. The analysis of January was not delivered." in lines


def test_a_question_after_what_is_missing_gets_every_record_that_says_so():
    found = missing("What was requested and not delivered?")
    assert [line.text.split(";")[0] for line in found] == ["request_id: R-03", "request_id: R-04", "request_id: R-07"]


RISKS = """id,risk,status,note
P-01,Bank bond not delivered,closed,Signed bond received 6 May 2025
P-02,Soil survey not delivered,open,Asked for again
"""
NOTES = (
    "The panel noted that weekly ferry service begins on 1 April 2026. Members were told that the state subsidy for "
    "moorings, EUR 612,000, has been promised but has not been received.\n\n"
    "Night berths are part of the Harbour plan and added to Quay for EUR 20. They are not available on Basic.\n\n"
    "The loan outstanding at the bank was EUR 3 million.\n"
)


def told_missing(question: str, *further: Passage) -> list[str]:
    passages = [
        dated(read("risks.csv", RISKS, "structured"), 2),
        dated(read("notes.md", NOTES, "narrative"), 1),
        *further,
    ]
    return [line.text for line in undelivered_lines(subtasks(question)[0], lines_of(passages), HARNESS)]


def dated(passage: Passage, month: int) -> Passage:
    day = datetime(2025, month, 1, tzinfo=UTC)
    return replace(passage, source=passage.source.model_copy(update={"published_at": day}))


@pytest.mark.parametrize(
    "question",
    [
        "Has the bank bond been delivered?",
        "When does the weekly ferry service begin?",
        "What share of the weekly service is by ferry?",
        "How much do night berths cost on the Quay plan?",
        "Are night berths available on the Basic plan?",
        "How high was the bank loan?",
    ],
)
def test_what_came_is_offered_or_owed_and_what_stands_beside_are_not_undelivered(question: str):
    assert told_missing(question) == []


def test_what_an_open_record_or_a_sentence_calls_undelivered_is():
    assert told_missing("What did the soil survey find?")[0].startswith("id: P-02")
    assert "has not been received" in told_missing("How high was the state subsidy for moorings?")[0]


def test_what_a_later_source_says_came_is_no_longer_undelivered():
    later = dated(read("letter.md", "The state subsidy for moorings was received on 19 May 2025.\n", "narrative"), 6)
    earlier = dated(read("letter.md", "The state subsidy for moorings was received on 19 May 2025.\n", "narrative"), 1)
    assert told_missing("How high was the state subsidy for moorings?", later) == []
    assert told_missing("How high was the state subsidy for moorings?", earlier)


def test_whether_it_came_is_answered_by_the_line_that_says_it_did_not():
    assert asks_whether_it_came(subtasks("Has the soil survey been delivered?")[0])
    assert not asks_whether_it_came(subtasks("What did the soil survey find?")[0])
