"""One reader tells which of two figures came first, for computing and for corrections."""

from __future__ import annotations

import pytest
from citewell.text.numbers import find_numbers
from citewell.text.replaced import first_is_older


@pytest.mark.parametrize(
    ("text", "older"),
    [
        ("rose from 310 m to 340 m", True),
        ("rose to 340 m from 310 m", False),
        ("was 340 m, down from 350 m", False),
        ("is 12 kg instead of 14 kg", False),
        ("costs EUR 80 a month (before: EUR 75)", False),
        ("sank von 310 m auf 340 m", True),
        ("passe de 98,5 % à 99 %", True),
        ("beträgt 12 kg statt 14 kg", False),
        ("fell to between EUR 80 m and EUR 90 m", None),
        ("has 12 rooms and 14 beds", None),
        ("is 340 m; the other one 310 m", None),
    ],
)
def test_words_tell_which_figure_came_first(text, older):
    one, other = find_numbers(text)[:2]
    assert first_is_older(text, one.start, one.end, other.start) is older
