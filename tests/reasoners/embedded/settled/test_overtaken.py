"""A value that another source calls wrong, replaces or gives anew later does not lead; both are told."""

from __future__ import annotations

from pathlib import Path

import citewell
import pytest

PAPERS = {
    "press_2024-12-05.md": (
        "# Tarnholm opens its trial\n\nKiel, 5 December 2024. At week 8, 58.4 per cent of gardens with the new "
        "mulch kept their moisture, compared with 33.3 per cent without.\n\nThe first shop is expected to open in the "
        "second half of 2025. Tarnholm will rent the mill at Audorf for EUR 4,200 a month.\n"
    ),
    "mail.eml": (
        "From: Ada Holt <a@tarnholm.example>\nDate: Tue, 08 Apr 2025 17:40:00 +0200\nSubject: Moisture figure\n\n"
        "Dear all,\n\nThe figure of 58.4 per cent for moisture in the press release is superseded. One garden was "
        "counted twice. The figure of the final count, 57.3 per cent, is the right one.\n"
    ),
    "minutes_2024-07-11.md": (
        "# Minutes of the trial group, 11 July 2024\n\nMs Berg reported that 214 gardens had been enrolled by 30 "
        "June.\n\nAn upgrade of the mill's supply by the network operator is expected in March 2025 at a cost of "
        "EUR 385,000.\n"
    ),
    "report.md": (
        "# Trial report\n\nDate of report: 27 March 2025. Author: Ada Holt.\n\nOf 394 gardens looked at, 270 were "
        "enrolled and 241 were followed to week 8.\n"
    ),
    "choir_2025-02-03.md": (
        "# Choir\n\nThe concert is on 12 May 2025. The choir has 52 members, the orchestra has 31. Entry costs EUR 9.\n"
    ),
    "choir_2025-04-01.md": "# News\n\nThe concert is now on 19 May 2025.\n\nThe choir now has 55 members.\n",
    "paths_2024.md": "# Paths\n\nGiving up on the path: 7 % of cyclists against 14 % of walkers.\n",
    "shops.csv": "shop,first_day\nAudorf,2024-01-15\nEmkendorf,2024-03-04\n",
    "guide_2025-03-01.md": "# Guide\n\nEdition 5 replaces edition 4 of 2 May 2023. Mulch keeps for 30 weeks.\n",
    "guide_2023-05-02.md": "# Guide, old\n\nEdition 4 of the guide. Mulch keeps for 30 weeks in the shade.\n",
    "outlook_2025-02-01.md": "# Outlook\n\nProfit in 2025 is expected at between EUR 12 million and EUR 15 million.\n",
    "notice_2025-07-14.md": (
        "# Tarnholm lowers its outlook\n\nKiel, 14 July 2025. The board today lowered its expectation of profit in "
        "2025 to between EUR 7 million and EUR 9 million (before: EUR 12 million to EUR 15 million).\n"
    ),
    "risks.json": (
        '{"as_of": "2025-05-30", "risks": ['
        '{"id": "T-01", "risk": "Supply of the mill", "note": "Network operator now quotes June 2026 and EUR 441,000"},'
        '{"id": "T-02", "risk": "Opening of the first shop", "note": "At risk; now expected in January 2026"}]}'
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("papers")
    for name, text in PAPERS.items():
        (made / name).write_text(text)
    return made


@pytest.mark.parametrize(
    ("question", "holds", "before"),
    [
        ("What share of gardens with the new mulch kept their moisture?", "57.3 per cent", "58.4 per cent"),
        ("How many gardens were enrolled?", "270", "214"),
        ("How much will the upgrade of the mill's supply cost?", "441,000", "385,000"),
        ("When is the upgrade of the mill's supply expected?", "June 2026", "March 2025"),
        ("When is the first shop expected to open?", "January 2026", "second half of 2025"),
        ("When is the concert?", "19 May 2025", "12 May 2025"),
        ("How many members does the choir have?", "55", "52"),
        ("What is the outlook for profit in 2025?", "EUR 7 million and EUR 9 million", "EUR 12 million"),
    ],
)
def test_the_value_that_holds_leads_and_the_one_before_is_told_as_a_conflict(folder, question, holds, before):
    answer = citewell.research(question, docs=[folder], engine="embedded").answer
    first = answer.executive_summary[0]
    assert holds in first.text
    assert first.support == "supported"
    assert any(before in claim.text for claim in answer.executive_summary)
    (conflict,) = answer.conflicts
    assert holds in conflict.preferred
    assert before in conflict.values[1].value


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("How many gardens had been enrolled by 30 June 2024?", "214"),
        ("When was the first day of the shop at Emkendorf?", "2024-03-04"),
        ("What share of cyclists gave up on the path?", "7 %"),
        ("How many members does the orchestra have?", "31"),
        ("For how long does mulch keep?", "30 weeks"),
        ("How much rent will Tarnholm pay for the mill at Audorf?", "4,200"),
        ("What share of gardens kept their moisture without the mulch?", "33.3"),
    ],
)
def test_a_value_that_nothing_overtakes_stands(folder, question, holds):
    answer = citewell.research(question, docs=[folder], engine="embedded").answer
    assert holds in answer.executive_summary[0].text
    assert not any(holds in value.value for conflict in answer.conflicts for value in conflict.values[1:])
