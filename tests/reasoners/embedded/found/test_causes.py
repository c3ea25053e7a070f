"""Asked why, the sentence that gives the cause leads: by its words, by its heading, or behind what it explains."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.causes import asks_cause, says_why, tells_mishap

PAPERS = {
    "ferry.md": (
        "# Ferry Marla: incident report of 4 May 2023\n\n## Summary\n\nOn 4 May 2023 the ferry Marla lost steering off "
        "Tarn Point and drifted for 40 minutes. Nobody was hurt.\n\n## Root cause\n\nA seal of the hydraulic pump had "
        "worn through. The pump had been due for inspection in January. The inspection was put off because the yard "
        "had no free berth.\n\n## What went badly\n\n- The mate called the wrong tug.\n- The spare pump was "
        "in Ostby.\n\n## Traffic\n\nWinter service was dropped in 2022. Too few passengers came on weekdays.\n"
    ),
    "pier.html": (
        "<html><head><title>Ostby pier: news</title></head><body><h1>Ostby pier: news</h1><h2>Closed</h2><p>Ostby pier "
        "is closed to cars since 3 June. The tearoom stays open.</p><h2>Why is the pier closed?</h2><p>Shipworm has "
        "hollowed eleven of the oak piles. New piles of steel come in August.</p></body></html>"
    ),
    "bericht.md": (
        "# Jahresbericht der Werft Holtum\n\nDer Umsatz sank 2023 von 18 auf 15 Mio. Euro. Der Rückgang beruht vor "
        "allem auf dem Verlust des Auftrags der Küstenwache. Die Zahl der Mitarbeiter blieb gleich.\n"
    ),
}


@pytest.fixture(scope="module")
def yard(tmp_path_factory):
    folder = tmp_path_factory.mktemp("yard")
    for name, text in PAPERS.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("question", "cause"),
    [
        ("Why did the Marla lose steering?", "A seal of the hydraulic pump"),
        ("What was the root cause of the incident of 4 May 2023?", "A seal of the hydraulic pump"),
        ("Why was the inspection of the pump put off?", "no free berth"),
        ("Why was the winter service dropped?", "Too few passengers"),
        ("What caused the closure of the pier?", "Shipworm has hollowed"),
        ("Warum sank der Umsatz 2023?", "Verlust des Auftrags"),
    ],
)
def test_the_cause_leads(yard, question, cause):
    first = citewell.research(question, docs=[yard], engine="embedded").answer.executive_summary[0]
    assert cause in first.text
    assert first.support == "supported"


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Why did it stop?", True),
        ("What was the root cause of the leak?", True),
        ("Woran lag der Ausfall?", True),
        ("When did it stop?", False),
    ],
)
def test_a_cause_is_asked_for_in_several_ways(question, asks):
    assert asks_cause(read_question(question)) == asks


def test_a_cause_is_given_by_its_words_or_by_what_went_wrong():
    assert says_why("It stopped because the valve stuck.")
    assert says_why("Grund war ein Schaden am Dach.")
    assert not says_why("It stopped on Monday.")
    assert tells_mishap("An arithmetical error was found by the audit.")
    assert not tells_mishap("Nobody was hurt.")
