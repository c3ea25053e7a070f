"""Whether something came is told by the last source that speaks of it, a mail, a page or a register."""

from __future__ import annotations

from pathlib import Path

import pytest
from verdict_of import assert_first

PAPERS = {
    "minutes_2025-02-11.md": (
        "# Minutes of the Works Committee, 11 February 2025\n\nMembers were told that the state subsidy for moorings, "
        "EUR 612,000, has been promised but has not been received.\n\nThe soil survey was received on 3 February "
        "2025.\n\nThe bank bond shall be delivered within 30 days of signature.\n"
    ),
    "mail_2025-04-14.md": "# Bond\n\nKiel, 14 April 2025\n\nThe bank bond has not been delivered; it is late.\n",
    "risks.json": (
        '{"as_of": "2025-05-30", "risks": ['
        '{"id": "P-01", "risk": "Bank bond not delivered", "status": "closed", '
        '"note": "Signed bond received 6 May 2025"},'
        '{"id": "P-02", "risk": "State subsidy for moorings not paid", "status": "closed", '
        '"note": "EUR 598,000 received 19 May 2025"},'
        '{"id": "P-03", "risk": "Crane licence not delivered", "status": "open", "note": "Asked for again"}]}'
    ),
    "mail_2025-06-02.md": "# Survey\n\nKiel, 2 June 2025\n\nThe soil survey of the south quay has not been received.\n",
}


@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Has the bank bond been delivered?", "Yes. ", "6 May 2025"),
        ("Was the state subsidy for moorings received?", "Yes. ", "19 May 2025"),
        ("Has the state subsidy for moorings been paid?", "Yes. ", "19 May 2025"),
        ("Was the soil survey of the south quay received?", "", "not been received"),
    ],
)
def test_the_last_source_that_tells_whether_it_came_counts(tmp_path: Path, question: str, begins: str, word: str):
    assert_first(tmp_path, PAPERS, question, begins, word)


def test_an_open_record_says_that_nothing_came(tmp_path: Path):
    assert_first(tmp_path, PAPERS, "Has the crane licence been delivered?", "", "Crane licence not delivered")
