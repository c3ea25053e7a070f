"""Whether something works, leaks, is open or makes money: the last event told counts, and nothing that is to come."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

PAPERS = {
    "newsletter.md": "# Tarn Valley Rowing Club, newsletter of 10 May 2025\n\n"
    "The boat house roof was leaking in March. It was repaired on 2 April.\n\n"
    "The shower in the changing room is still broken and will be replaced in June.\n\n"
    "The slipway closed in January for dredging. It reopened on 4 May 2025.\n\n"
    "The towpath remains closed.\n\n"
    "The compressor failed on 3 March; the compressor was fixed the next day.\n",
    "accounts.md": "# Accounts of Hallam Boats for 2024\n\n"
    "Hallam Boats made a loss of £31,000 in 2024, after a profit of £8,000 in 2023.\n\n"
    "The café on the quay reported a profit of £4,100.\n",
}


@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Is the boat house roof leaking?", "No. ", "repaired on 2 April"),
        ("Does the shower in the changing room work?", "No. ", "still broken"),
        ("Is the slipway open?", "Yes. ", "reopened"),
        ("Is the towpath open?", "No. ", "remains closed"),
        ("Is the compressor working?", "Yes. ", "fixed the next day"),
        ("Is Hallam Boats profitable?", "No. ", "a loss of £31,000"),
        ("Did Hallam Boats make a profit in 2023?", "Yes. ", "a profit of £8,000"),
        ("Is the café on the quay profitable?", "Yes. ", "£4,100"),
    ],
)
def test_the_last_event_that_is_told_settles_a_state(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)
