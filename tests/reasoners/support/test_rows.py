"""A figure is tied to its row and column; what only names a column is no figure."""

from __future__ import annotations

import pytest
from citewell.reasoners.support import check_support

ROWS = (
    "Batch: B-7; 14 day weight g: 61.5; 30 day weight g: 70.2\n"
    "Batch: B-8; 14 day weight g: 30; 30 day weight g: 66.4\n"
    "Batch: B-9; 14 day weight g: 58.1; 30 day weight g: 69.9"
)


@pytest.mark.parametrize(("batch", "figure"), [("B-7", "70.2"), ("B-8", "66.4"), ("B-9", "69.9")])
def test_digits_of_a_header_are_no_value(batch: str, figure: str) -> None:
    assert check_support(f"30 day weight was {figure} g (Batch: {batch}).", [ROWS]).support == "supported"


def test_the_value_of_another_row_is_still_caught() -> None:
    assert check_support("30 day weight was 66.4 g (Batch: B-7).", [ROWS]).support != "supported"
