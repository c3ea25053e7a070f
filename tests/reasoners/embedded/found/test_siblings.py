"""What a passage tells of something beside the thing asked for does not answer; nor does the price of another thing."""

from __future__ import annotations

from collections.abc import Mapping

import citewell
import pytest

TRIP = {
    "booking.md": "# Booking QX-1182\n\nTraveller: Ylva Brandt\n\n"
    "- Outbound: Monday 4 May 2026, Bergen 07:10 – Oslo 08:05, flight KV 101\n"
    "- Return: Friday 8 May 2026, Oslo 16:20 – Bergen 17:15, flight KV 102\n",
    "change.md": "# Change to your booking QX-1182\n\n"
    "Flight KV 101 on 4 May 2026 has been rescheduled: departure from Bergen is now 09:30, arrival in Oslo 10:25. "
    "The return flight is not affected.\n",
}
SURVEY = {
    "letter.md": "Correspondence\n\nSir, in our report on the Marlow survey the share of walkers who gave up was given "
    "as 14 %. The correct figure is 12 % (30 of 250). The figure for cyclists, 7 % (18 of 257), is right.\n",
    "marlow.md": "# The Marlow survey of paths\n\n**Results.** Giving up: 7 % of cyclists against 14 % of walkers.\n",
}
SUPPLY = {
    "supply.md": "# Supply agreement\n\n1. Products: Borel delivers the gear G-20 for the Zephyr 200 pump.\n"
    "2. Price: The price is EUR 31.20 per gear, delivered Halden.\n",
    "note.md": "# Note\n\nThe battery of the Zephyr 200 lasts nine hours. 4,100 Zephyr 200 pumps are in use.\n",
}


def first_of(tmp_path, question: str, texts: Mapping[str, str]) -> str:
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    told = citewell.research(question, docs=[tmp_path], engine="embedded").answer.executive_summary
    return told[0].text if told else ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "texts", "wanted"),
    [
        ("When does the return flight arrive?", TRIP, "17:15"),
        ("What share of cyclists gave up in the Marlow survey?", SURVEY, "7 %"),
        ("What share of walkers gave up in the Marlow survey?", SURVEY, "12 %"),
        ("What does a gear G-20 cost?", SUPPLY, "31.20"),
    ],
)
def test_the_thing_asked_for_answers(tmp_path, question, texts, wanted):
    assert wanted in first_of(tmp_path, question, texts)


@pytest.mark.slow
def test_what_is_stated_per_gear_is_no_price_of_a_pump(tmp_path):
    assert first_of(tmp_path, "What is the price of a Zephyr 200?", SUPPLY) == ""
