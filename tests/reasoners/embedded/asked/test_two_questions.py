"""Two questions in one: a sentence that answers both leaves neither open, and of two halves the open one is named."""

from __future__ import annotations

import citewell
import pytest

SHEET = """# Orsel: safety sheet

Grapefruit juice is to be avoided because orsel is broken down by the same enzyme.

Across all studies three serious events were judged related: one case of pancreatitis and two of syncope.

212 patients were dosed. Patients in the US region were not dosed.
"""


def asked(tmp_path, question):
    (tmp_path / "sheet.md").write_text(SHEET)
    return citewell.research(question, docs=[tmp_path], engine="embedded")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which juice should be avoided and why?", "enzyme"),
        ("How many serious events were judged related and what were they?", "syncope"),
        ("How many patients were dosed, and were US patients among them?", "212"),
    ],
)
def test_what_is_answered_whole_is_not_partial(tmp_path, question, word):
    report = asked(tmp_path, question)
    assert word in report.answer.executive_summary[0].text
    assert (report.status, report.answer.open_questions) == ("answered", ())


@pytest.mark.slow
def test_the_half_that_stays_open_is_named(tmp_path):
    report = asked(tmp_path, "Which juice should be avoided and who makes the syringe?")
    assert report.status == "partial"
    assert [hole.question for hole in report.answer.open_questions] == ["Who makes the syringe?"]
