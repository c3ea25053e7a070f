"""What held on a day is the latest amendment in force by then; a clause is amended by its number alone."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.found.papers import Papers
from passages import passage_of

GRAIN = passage_of(
    "grain_contract.txt",
    "GRAIN CONTRACT\n\nbetween Orrin Mills (Buyer) and Vesta Farms (Seller)\ndated 3 February 2020\n\n"
    "1. Goods. Seller delivers barley of the grade B2.\n2. Price. The price is EUR 180 per tonne.\n"
    "3. Storage. Two weeks of storage are free; each further week costs EUR 60.\n"
    "4. Term. The contract runs until 30 June 2025. It may be ended with three months' notice.",
)
ONE = passage_of(
    "grain_one.txt",
    "AMENDMENT No. 1 to the Grain Contract of 3 February 2020\nbetween Orrin Mills and Vesta Farms\n"
    "dated 9 May 2022\n\nA. Clause 2 is replaced: With effect from 1 July 2022 the price is EUR 195 per tonne.\n"
    "B. In clause 3 the sum of EUR 60 is replaced by EUR 75.\nC. The grade of clause 1 remains.",
)
TWO = passage_of(
    "grain_two.txt",
    "AMENDMENT No. 2 to the Grain Contract of 3 February 2020\nbetween Orrin Mills and Vesta Farms\n"
    "dated 4 March 2024\n\nA. The price is EUR 210 per tonne for deliveries from 1 October 2024.\n"
    "B. Clause 4: the term is extended to 30 June 2028; the period of notice is five months instead of three.",
)
BOOKING = passage_of(
    "lodge.md",
    "Subject: Your booking LK-40718 - Skara lodge\n\nCancellation: up to 20 days before arrival 30 % of the price; "
    "later, or in case of no-show, 90 %.",
)
NEWS = passage_of(
    "lodge_change.txt",
    "Subject: Change to your booking LK-40718\n\nThe sauna is closed. You may cancel free of charge until 4 May 2025.",
)


def test_a_change_belongs_to_the_paper_whose_number_it_names():
    papers = Papers([BOOKING, NEWS, GRAIN])
    assert papers.changes("lodge_change.txt", "lodge.md")
    assert not papers.changes("lodge_change.txt", "grain_contract.txt")
    assert Papers([GRAIN, ONE, TWO]).together("grain_one.txt", "grain_two.txt")


@pytest.fixture
def folder(tmp_path):
    for passage in (GRAIN, ONE, TWO, BOOKING, NEWS):
        (tmp_path / passage.chunk.uri).write_text(passage.chunk.text)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What price per tonne does Orrin Mills pay Vesta Farms today?", "EUR 210"),
        ("What was the price per tonne of barley in August 2024?", "EUR 195"),
        ("What was the price per tonne of barley in May 2021?", "EUR 180"),
        ("What does a third week of storage cost?", "replaced by EUR 75"),
        ("When does the contract with Vesta Farms end?", "30 June 2028"),
        ("When does the agreement with Vesta Farms end?", "30 June 2028"),
        ("With what notice can the Vesta contract be ended?", "five months instead of three"),
        ("What grade of barley does the seller deliver?", "barley of the grade B2"),
        ("Can we still cancel Skara for free?", "until 4 May 2025"),
    ],
)
def test_what_holds_at_the_time_asked_leads(folder, question, value):
    answer = citewell.research(question, docs=[folder], engine="embedded").answer
    assert value in answer.executive_summary[0].text
    assert not answer.open_questions
