"""An account of something is given by its section, or by the summary of the paper about it."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

PAPERS = {
    "incident.md": "# Report on the fire in hall 3\n\n## Summary\n\nA battery rack burned for two hours.\n\n"
    "## Cause\n\nA charger without a fuse overheated.\n",
    "board.md": "# Minutes of the supervisory board, 12 June 2025\n\n## 1. Report\n\nSales were flat.\n\n"
    "## 2. Decision\n\nThe site in Ulm was approved. The plan for Lyon was put off.\n",
}


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Summarise the fire in hall 3", "A battery rack burned"),
        ("Give me an overview of the fire", "A battery rack burned"),
        ("What did the board decide on 12 June 2025?", "The site in Ulm was approved"),
    ],
)
def test_the_section_of_what_is_asked_leads(tmp_path, question, word):
    assert_first(tmp_path, PAPERS, question, "", word)
