"""What a passage names as the value before holds no claim of now, while a claim of then stands."""

from __future__ import annotations

import citewell
import pytest


@pytest.mark.parametrize(
    ("claim", "passage", "supported"),
    [
        ("The opening is in May 2031.", "The opening moved from May 2031 to July 2031.", False),
        ("The opening is in July 2031.", "The opening moved from May 2031 to July 2031.", True),
        ("The opening was planned for May 2031.", "The opening moved from May 2031 to July 2031.", True),
        ("The toll is EUR 40.", "The toll was raised from EUR 40 to EUR 44.", False),
        ("The toll is EUR 44.", "The toll was raised from EUR 40 to EUR 44.", True),
        ("The toll was EUR 40.", "The toll was raised from EUR 40 to EUR 44.", True),
        ("Staff was 120 in 2023.", "Staff rose from 120 in 2023 to 140 in 2024.", True),
        ("The fair is on 3 May 2031.", "The fair runs from 3 May 2031 to 9 May 2031.", True),
        ("The ferry is open from May to July.", "The ferry is open from May to July.", True),
    ],
)
def test_only_the_value_that_came_holds_a_claim_of_now(claim: str, passage: str, supported: bool) -> None:
    assert (citewell.check_support(claim, [passage]).support == "supported") is supported
