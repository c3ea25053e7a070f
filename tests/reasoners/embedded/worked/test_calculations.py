"""What sentences lay side by side is worked out where a question asks for it, and stands the check of its formula."""

from __future__ import annotations

import citewell
import pytest

TEXTS = {
    "farm.md": "# Orchard, report on 2024\n\n"
    "The share of windfall rose from 7.5% in 2023 to 9.0% in 2024 because of storms. "
    "The harvest was 1,240 tonnes, down from 1,310 tonnes the year before. "
    "Wages were EUR 310,000, of which EUR 124,000 went to seasonal pickers.\n",
    "shed.txt": "Cold store\n\nThe cold store is rented at EUR 420 per month, payable in advance.\n\n"
    "After 100 days firmness was 6.1 kg; after 200 days it was 5.2 kg; after 300 days it was 4.4 kg.\n",
    "failure.md": "# Cooling failure of 3 August 2024\n\n- Start: 22:50. End: 23:35.\n- Cause: a blown fuse.\n",
    "water.txt": "Water: used 310 crates in 2024, before that 290 crates. Price 4.20 EUR per crate.\n",
    "outing.txt": "Outing\n\nThe bus leaves on 3 May at 08:40 and arrives at 10:15. "
    "The boat leaves at 11:00 and arrives at 11:25. The hut costs EUR 180 for the eight of us.\n",
    "recall.txt": "2,318 lamps are affected by the recall. By 10 May 2024, 1,902 of them had been repaired.\n\n"
    "The recall is put at EUR 410,000, of which EUR 265,000 was spent by June.\n",
    "strike.txt": "Refunds of EUR 52,000 are due after the strike. By 3 May 2025 EUR 31,500 had been paid.\n",
    "choir.txt": "The choir has 412 singers in 18 groups, 23 more than last year, and 31 teachers.\n",
    "dam.txt": "The reservoir stands at 41.5 metres. The spillway lies at 44 metres.\n",
    "club.txt": "The crèche costs EUR 90 per month for the first child, EUR 60 for the second.\n",
    "pier.txt": "A mooring costs EUR 40 per week; its power costs EUR 15 per week.\n",
    "dike.txt": "The dike is put at EUR 700 million, of which approximately 90% has been spent through June.\n",
    "buyback.txt": "During 2031, the mill bought 2,200 looms at a cost of $900.0 million. "
    "During the fourth quarter of 2031, the mill bought 722 looms at a cost of $328.1 million.\n",
    "lease.txt": "The toll for the bridge is EUR 3 per crossing.\n",
    "lease_2.txt": "Clause 1 is replaced: from 1 May 2024 the toll for the bridge is EUR 4 per crossing.\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "worked"),
    [
        ("By how many percentage points did windfall rise from 2023 to 2024?", "9.0 - 7.5 = 1.5 percentage points"),
        ("By how much did the harvest fall?", "1,240 - 1,310 = -70 tonnes"),
        ("What share of wages went to seasonal pickers?", "124,000 / 310,000 = 40.0%"),
        ("How much of the refunds is still to be paid?", "52,000 - 31,500 = 20,500 EUR"),
        ("What does the cold store cost per year?", "12 * 420 = 5,040 EUR"),
        ("How much firmness was lost between 100 and 300 days?", "4.4 - 6.1 = -1.7 kg"),
        ("How long did the cooling failure of 3 August 2024 last?", "23 - 22 - 1 = 0 hours, 35 + 60 - 50 = 45 minutes"),
        ("How much did the water cost in 2024?", "310 * 4.20 = 1,302.00 EUR"),
        ("How long does the bus take?", "10 - 8 - 1 = 1 hours, 15 + 60 - 40 = 35 minutes"),
        ("How much does the hut cost per person?", "180 / 8 = 22.50 EUR"),
        ("How far is the reservoir below the spillway?", "44 - 41.5 = 2.5 metres"),
        ("How many lamps affected by the recall had not yet been repaired?", "2,318 - 1,902 = 416"),
        ("How much of what the recall is put at was not yet spent by June?", "410,000 - 265,000 = 145,000"),
        ("How many singers did the choir have last year?", "412 - 23 = 389"),
        ("How much does the crèche cost for two children?", "90 + 60 = 150 EUR"),
        ("What does a mooring cost per week in total, with power?", "40 + 15 = 55 EUR per week"),
        ("How much of what the dike is put at will be spent in the future?", "700 - 700 * 90 / 100 = 70 EUR million"),
        ("What share of the mill's cost of looms in 2031 was in the fourth quarter?", "328.1 / 900.0 = 36.5%"),
        ("By how much did the toll for the bridge rise?", "4 - 3 = 1 EUR"),
    ],
)
def test_figures_of_sentences_are_worked_out_with_their_terms(tmp_path, question, worked):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    report = citewell.research(question, docs=[tmp_path], engine="embedded")
    first = report.answer.executive_summary[0]
    assert worked in first.text
    assert first.support == "supported"
