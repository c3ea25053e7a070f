"""What a model writes without citing keeps to the words of question and passages."""

from __future__ import annotations

import pytest
from citewell.reasoners.chat.labels import Known

KNOWN = Known(("What is the yearly rent?", "The yearly rent is €9,100 since 2024. Ada Holm signs for Lorn Harbour."))


@pytest.mark.parametrize(
    "text",
    ["Yearly rent", "Details", "Open Points", "Rent of €9,100", "The rent since 2024", "What is the yearly rent?"],
)
def test_a_title_of_known_words_or_a_short_one_stays(text):
    assert KNOWN.label(text) == text


@pytest.mark.parametrize(
    "text", ["Rent and 7,919 percent", "Quorn acquired every competitor.", "Quorn Acquires Every Rival Overseas"]
)
def test_a_title_that_states_what_nobody_checked_goes(text):
    assert KNOWN.label(text) == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The passages do not say who pays the tax.", True),
        ("The lease of Ada Holm is short on this.", True),
        ("Prices of 2019 are not covered.", False),
        ("The owner is Quorn Holdings.", False),
    ],
)
def test_a_limit_names_no_figure_and_nobody_that_the_passages_lack(text, kept):
    assert (KNOWN.limit(text) == text) is kept


def test_a_plan_may_resolve_a_year_but_make_up_no_other_figure():
    assert KNOWN.holds_figures("rent in 2025", years=True)
    assert not KNOWN.holds_figures("rent in 2025")
    assert not KNOWN.holds_figures("rent of 7,919", years=True)
