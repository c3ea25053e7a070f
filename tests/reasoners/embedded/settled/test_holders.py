"""Who holds an office is the last one named with it, not one who only acts until a successor comes."""

from __future__ import annotations

import citewell
import pytest

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
