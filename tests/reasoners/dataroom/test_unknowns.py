"""What was asked for and not delivered is told where it is the thing asked for, in a sentence."""

from __future__ import annotations

from dataclasses import replace

from citewell.reasoners.dataroom.lines import Line, lines_of
from citewell.reasoners.dataroom.unknowns import missing_reason, said_missing, undelivered_lines
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
