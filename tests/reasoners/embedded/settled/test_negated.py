"""A sentence that denies the very thing asked says `No`; one that denies it of something else says nothing."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

PAPERS = {
    "harbour.md": "# Harbour, report on 2025\n\nThe crane at berth 3 was not repaired. The crane at berth 4 was "
    "repaired in May.\nThere were no injuries. No grant was received for the quay. "
    "Visitors are not eligible for the resident rate.\n"
    "The council approved the fuel depot. It did not approve the marina of Askby.\n"
    "The pumps do not use diesel unless the grid fails.\n",
    "licence.md": "# Licence of 2023\n\nTollan Foods has no rights in Peru. It holds the rights in Chile.\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Was the crane at berth 3 repaired?", "No. ", "berth 3"),
        ("Was the crane at berth 4 repaired?", "Yes. ", "berth 4"),
        ("Were there any injuries?", "No. ", "no injuries"),
        ("Was a grant received for the quay?", "No. ", "No grant"),
        ("Are visitors eligible for the resident rate?", "No. ", "not eligible"),
        ("Did the council approve the marina of Askby?", "No. ", "marina"),
        ("Does Tollan Foods have rights in Peru?", "No. ", "no rights"),
        ("Does Tollan Foods have rights in Chile?", "", "Tollan"),
        ("Do the pumps use diesel?", "", "unless"),
    ],
)
def test_a_denial_of_what_is_asked_leads_with_no(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)
