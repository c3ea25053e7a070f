"""A reply in an interview leads whole, with its speaker; what was asked in it, asked again, is answered by it."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

TALK = """Conversation with Head Gardener Morag Tait, Inverlo House, 3 June 2024. Questions by Colin Frew.

FREW: How many visitors come in spring?
TAIT: Roughly four thousand. Most come for the rhododendrons. May is the busiest.

FREW: What would you do about the walled garden?
TAIT: Rebuild the glasshouse first. Then drain the lower terrace. And please hire a second apprentice before winter.

FREW: Do you use pesticides?
TAIT: No. We stopped in 2019. Ladybirds do the work now.

FREW: Who looks after the roses?
TAIT: Jamie Orr, since March. Before that it was old Mrs Baird, who retired.
"""
PLAN = """# Inverlo House: garden plan 2025

The estate office recommends that the car park be enlarged. Visitors paid 61,200 pounds in 2023.

The walled garden was laid out in 1811.
"""
PAPERS = {"talk.txt": TALK, "plan.md": PLAN}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("What does Morag Tait advise about the walled garden?", "TAIT: Rebuild", "second apprentice"),
        ("What did the head gardener say about pesticides?", "TAIT: No.", "Ladybirds"),
        ("Are pesticides used at Inverlo?", "TAIT: No.", "2019"),
        ("How many visitors come in spring?", "TAIT: Roughly four thousand.", "rhododendrons"),
        ("Who looks after the roses?", "TAIT: Jamie Orr", "March"),
        ("When was the walled garden laid out?", "The walled garden", "1811"),
        ("What does the estate office recommend?", "Inverlo House: garden plan 2025: The estate office", "car park"),
    ],
)
def test_a_reply_leads_whole_and_the_line_above_the_interview_does_not(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)
