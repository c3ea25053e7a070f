"""A list that stands below the heading asked for leads whole; a pronoun for a person is led by who it is."""

from __future__ import annotations

import citewell
import pytest

REPORT = """# Flood of 9 March 2024

The cellar was under water for two days.

## Repairs

1. The drain was widened by a mason.
2. A second pump was bought for the cellar.
3. The boiler was raised by half a metre.

The insurer asked for a report; it was sent in April.
"""
CHOIR = "Choir notes\n\nThe choir has named Tove Alm conductor in 2025. She succeeds Rolf Berg in July.\n"


@pytest.mark.slow
def test_the_items_below_the_heading_asked_for_lead_in_their_order(tmp_path):
    (tmp_path / "flood.md").write_text(REPORT)
    report = citewell.research("List the repairs after the flood.", docs=[tmp_path], engine="embedded")
    told = [claim.text for claim in report.answer.executive_summary[:3]]
    assert [word in text for word, text in zip(("drain", "pump", "boiler"), told, strict=True)] == [True] * 3


@pytest.mark.slow
def test_she_is_led_by_the_sentence_that_names_her(tmp_path):
    (tmp_path / "choir.txt").write_text(CHOIR)
    report = citewell.research("Who succeeds Rolf Berg as conductor?", docs=[tmp_path], engine="embedded")
    assert any("Tove Alm" in claim.text and "She succeeds" in claim.text for claim in report.answer.claims)
