"""Whether two things are something, or have something the same, is said with what each of them is told to be."""

from __future__ import annotations

import citewell
import pytest
from verdict_of import assert_first

PAPERS = {
    "mills.md": "# Mills of the Vellmar group\n\nThe Holm mill is a leased building in Askby with two quays. "
    "The Rask mill is a building that the group owns. The Torp mill is a leased building beside the canal.\n"
    "Ann Reyes was appointed head of finance in March 2022. Tom Holt was appointed counsel in May 2022.\n"
    "Brask Partners is a Danish audit firm. Kell Audit LLP is an English audit firm.\n",
    "papers.md": "# Agreements\n\nThe supply agreement is governed by the laws of Norway. The loan agreement is "
    "governed by the laws of England. The accounts of Vellmar Foods were audited by Kell Audit LLP. "
    "The accounts of Vellmar Freight were audited by Brask Partners.\nThe board approved the budget in May. "
    "The board did not approve the option plan.\n",
    "people.csv": "name,office,started\nAnn Reyes,Askby,2022\nIda Lund,Askby,2019\nTom Holt,Torp,2022\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Are both the Holm mill and the Torp mill leased?", "Yes. ", "Torp mill is a leased"),
        ("Are the Holm mill and the Rask mill both leased?", "", "mill"),
        ("Are Brask Partners and Kell Audit both audit firms?", "Yes. ", "Danish"),
        ("Are Brask Partners and Kell Audit both English?", "No. ", "Danish"),
        ("Did the board approve both the budget and the option plan?", "No. ", "option plan"),
        (
            "Do the supply agreement and the loan agreement have the same governing law?",
            "No. ",
            "loan agreement: England",
        ),
        ("Were Vellmar Foods and Vellmar Freight audited by the same firm?", "No. ", "Vellmar Foods: Kell Audit LLP"),
        ("Do Ann Reyes and Ida Lund work in the same office?", "Yes. ", "Askby"),
        ("Do Ann Reyes and Tom Holt work in the same office?", "No. ", "Tom Holt: Torp"),
        ("Were Ann Reyes and Tom Holt appointed in the same year?", "Yes. ", "2022"),
    ],
)
def test_both_are_told_of_beside_the_word(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)


@pytest.mark.slow
def test_of_two_offered_the_one_of_which_all_is_told_leads(tmp_path):
    (tmp_path / "mills.md").write_text(PAPERS["mills.md"])
    asked = "Which mill, the Holm mill or the Torp mill, stands beside the canal?"
    first = citewell.research(asked, docs=[tmp_path], engine="embedded").answer.executive_summary[0]
    assert "Torp mill" in first.text
