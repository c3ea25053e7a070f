"""What came after something is told by the rows behind it in a log, and what lasted by a length of time."""

from __future__ import annotations

import citewell
from verdict_of import assert_first

LOG = {
    "log.md": "# Incident log, pumping station Harle, 4 February 2025\n\n"
    "| Time | Event |\n|---|---|\n"
    "| 21:05 | High-level alarm in the wet well |\n"
    "| 21:12 | Pump 2 tripped on overcurrent |\n"
    "| 21:40 | Duty engineer arrived on site |\n"
    "| 23:50 | Level back to normal |\n"
}
OUTAGE = {
    "report.md": "# Report on the outage of the ferry booking system\n\n"
    "Passengers could not book tickets for 3 hours and 10 minutes on 7 May 2025.\n\n"
    "The outage cost EUR 41,000 in refunds. 312 passengers complained about the outage.\n"
}


def test_rows_behind_the_one_that_tells_an_event_say_what_came_after_it(tmp_path):
    for name, text in LOG.items():
        (tmp_path / name).write_text(text)
    asked = "What happened after pump 2 tripped?"
    told = [each.text for each in citewell.research(asked, docs=[tmp_path], engine="embedded").answer.executive_summary]
    assert "Duty engineer" in told[0]
    assert "Level back to normal" in told[1]


def test_how_long_something_lasted_is_told_in_hours(tmp_path):
    assert_first(tmp_path, OUTAGE, "How long did the outage last?", "", "3 hours and 10 minutes")
