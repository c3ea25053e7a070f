"""What the campaign holds against a report is a fault, and another way of writing is none."""

from __future__ import annotations

import pytest
from citewell.evals.hostile import ungrouped


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("USD 17,640,000", "USD 17640000"),
        ("1,234,567.5 and 12", "1234567.5 and 12"),
        ("rows 1,2 and 12,34", "rows 1,2 and 12,34"),
        ("2024, 100 pumps", "2024, 100 pumps"),
    ],
)
def test_a_figure_is_the_same_with_and_without_commas(text: str, plain: str) -> None:
    assert ungrouped(text) == plain
