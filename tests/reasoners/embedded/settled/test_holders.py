"""Who holds an office is the last one named with it, not one who only acts until a successor comes."""

from __future__ import annotations

import citewell
import pytest
from verdict_of import assert_first

MARCH = (
    "# Oslet Canal Trust - Minutes of 4 March 2024\n\nPresent: Mara Finch (CEO), Otto Brandes (CFO).\n\n"
    "Otto Brandes has resigned and will leave on 31 May 2024. Pia Lund will act as CFO until a successor starts."
)
AUTUMN = (
    "# Oslet Canal Trust - Minutes of 9 October 2024\n\nPresent: Mara Finch (CEO), Ivo Sandell (CFO since 1 August "
    "2024).\n\nThe CFO presented the accounts."
)


async def lead(tmp_path, **papers):
    for name, text in papers.items():
        (tmp_path / f"{name}.md").write_text(text)
    return (
        (await citewell.aresearch("Who is CFO?", docs=[tmp_path], engine="embedded")).answer.executive_summary[0].text
    )


@pytest.mark.slow
async def test_the_permanent_officer_leads_before_the_acting_one(tmp_path):
    assert "Ivo Sandell" in await lead(tmp_path, march=MARCH, autumn=AUTUMN)


TRUST = {
    "february.md": "# Brackwater Mill Trust - Minutes of 4 February 2025\n\nPresent: Alan Dunmore (Chair), Priya Nair "
    "(Treasurer), Tom Ashby (Deputy Chair), Lena Faro (Head of Maintenance). Apologies: Ruth Kemp.\n\n## 1 Roof\n\n"
    "Three quotes were received, from Larch & Sons, Petty Roofing Ltd and Oakham Slate. The lowest came from Petty "
    "Roofing.\n",
    "june.md": "# Brackwater Mill Trust - Minutes of 3 June 2025\n\nPresent: Tom Ashby (Chair), Ruth Kemp, Ian Sorrel "
    "(Head of Maintenance).\n\n## 1 Chair\n\nMr Dunmore stood down on 1 May 2025. Mr Ashby was elected in his place."
    "\n\n## 2 Roof\n\nRESOLVED: that the roofing contract be awarded to Larch & Sons at 84,200 pounds. Work starts on "
    "1 September 2025.\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Who is the current chair of the trust?", "Tom Ashby: Chair.", "Chair"),
        ("Who is the treasurer?", "Priya Nair: Treasurer.", "Treasurer"),
        ("Who is the head of maintenance?", "Ian Sorrel: Head of Maintenance.", "Maintenance"),
        ("Who won the roofing contract?", "", "awarded to Larch & Sons"),
        ("Which firm was awarded the roofing contract?", "", "Larch & Sons"),
        ("Who succeeded Mr Dunmore?", "", "Ashby was elected in his place"),
    ],
)
def test_one_of_a_list_of_those_present_is_told_alone_and_the_list_leads_nothing_else(tmp_path, question, begins, word):
    assert_first(tmp_path, TRUST, question, begins, word)
