"""Of who may do something leads what says so of the same one; of how something came out, what tells the outcome."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

PAPERS = {
    "lease.md": "# Lease of the boat shed\n\n"
    "8.1 The Tenant may terminate only if the Landlord fails to repair the slipway for 30 days.\n\n"
    "8.2 The Landlord may terminate at once if the rent is two months late.\n",
    "minutes.md": "# Minutes of the Harbour Board, 3 June 2025\n\n"
    "Three tenders for the crane were opened.\n\n"
    "Ms Hale asked whether the cheapest tender had won. Mr Pike said that it had not: it lacked a guarantee.\n\n"
    "RESOLVED (5 for, 1 against, Ms Hale dissenting): that the crane be bought from Orlo.\n",
}


@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("When may the Landlord terminate the lease?", "", "two months late"),
        ("When may the Tenant terminate the lease?", "", "slipway"),
        ("Did the cheapest tender win?", "No. ", "said that it had not"),
        ("Who voted against buying the crane?", "", "Ms Hale dissenting"),
    ],
)
def test_the_deed_asked_about_leads(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)
