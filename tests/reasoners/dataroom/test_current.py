"""In a section of a memo what an amendment gives stands before what it replaces."""

from __future__ import annotations

from citewell.reasoners.dataroom.current import current_first
from citewell.state.records import Claim
from passages import passage_of

DEED = passage_of(
    "barge_lease.txt",
    "BARGE LEASE\n\nbetween Ada Holm and Nils Krag, dated 9 May 2021\n\n2. Rent. The rent of the barge is EUR 210.",
)
FIRST = passage_of(
    "barge_one.txt",
    "AMENDMENT No. 1 to the Barge Lease of 9 May 2021\ndated 4 April 2022\n\n"
    "With effect from 1 May 2022 the rent of the barge is EUR 230.",
)
SECOND = passage_of(
    "barge_two.txt",
    "AMENDMENT No. 2 to the Barge Lease of 9 May 2021\ndated 3 March 2023\n\n"
    "With effect from 1 April 2023 the rent of the barge is EUR 245.",
)


def claim(number: int, text: str, passage) -> Claim:
    return Claim(claim_id=f"C-{number:03d}", text=text, citations=(passage.chunk.chunk_id,), question_id="Q1")


def test_the_latest_amendment_goes_first_and_other_claims_keep_their_places():
    old = claim(1, "The rent of the barge is EUR 210.", DEED)
    other = claim(2, "Nils Krag paints the hull.", DEED)
    middle = claim(3, "With effect from 1 May 2022 the rent of the barge is EUR 230.", FIRST)
    new = claim(4, "With effect from 1 April 2023 the rent of the barge is EUR 245.", SECOND)
    assert current_first([old, other, middle, new], [DEED, FIRST, SECOND]) == (new, other, middle, old)


def test_claims_of_papers_that_amend_nothing_stay_as_they_are():
    one, two = claim(1, "The rent of the barge is EUR 210.", DEED), claim(2, "The rent of the shed is EUR 90.", DEED)
    assert current_first([one, two], [DEED]) == (one, two)
