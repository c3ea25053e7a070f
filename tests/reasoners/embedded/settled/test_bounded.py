"""A question with a bound is answered by the day or figure told, on whichever side of the bound it lies."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.bounds import bound_asked
from verdict_of import assert_first

PAPERS = {
    "report.md": "# Programme report\n\nThe audit of the north mill was completed on 14 May 2025. "
    "The audit of the south mill is to be completed on 30 September 2025.\n"
    "The lease was signed on 3 March 2023. The fund was closed in 2019.\n"
    "Revenue was EUR 48.2 million in 2024, up from EUR 44.0 million in 2023. The mill employs 312 people.\n"
    "The dam is 61 metres high. The reserve covers 14 months of rent.\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Was the audit of the north mill completed before June 2025?", "Yes. ", "14 May"),
        ("Was the audit of the north mill completed by the end of April 2025?", "No. ", "14 May"),
        ("Was the audit of the south mill completed before November 2025?", "", "audit"),
        ("Was the lease signed before 2022?", "No. ", "2023"),
        ("Was the lease signed after 2022?", "Yes. ", "2023"),
        ("Was the fund closed before 2020?", "Yes. ", "2019"),
        ("Was revenue in 2024 above EUR 50 million?", "No. ", "48.2"),
        ("Was revenue in 2023 more than EUR 45 million?", "No. ", "44.0"),
        ("Does the mill employ more than 300 people?", "Yes. ", "312"),
        ("Is the dam higher than 70 metres?", "No. ", "61 metres"),
        ("Does the reserve cover at least 14 months of rent?", "Yes. ", "14 months"),
    ],
)
def test_a_bound_is_held_against_what_is_told(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)


@pytest.mark.slow
def test_an_export_settles_a_bound_against_what_a_deck_says(tmp_path):
    papers = {
        "deck.md": "# Board deck\n\nARR reached $18.9 million at 31 March 2025.\n",
        "arr_by_month.csv": "as_of_date,arr_usd,status\n2025-02-28,17210000,final\n2025-03-31,17640000,final\n",
    }
    assert_first(tmp_path, papers, "Was ARR at 31 March 2025 above USD 18 million?", "No. ", "17,640,000")


@pytest.mark.slow
def test_a_label_and_another_measure_settle_no_bound(tmp_path):
    papers = {"site.md": "# Dam\n\nThe dam is 120 metres long. Crest width of 9 metres. 61 visitors were counted.\n"}
    assert_first(tmp_path, papers, "Is the dam higher than 70 metres?", "", "dam")


def test_a_bound_is_read_with_what_is_asked_without_it():
    bound = bound_asked("Was the lease signed before 2022?")
    assert bound is not None
    assert not bound.measured
    assert (bound.rest, bound.is_upper, bound.is_within) == ("Was the lease signed?", True, False)
    assert bound_asked("Was revenue higher in 2024 than in 2023?") is None
    assert bound_asked("Were more than 300 people hired before 2020?") is None
