"""True quotes are found whatever they are typed with; offsets index the original."""

from __future__ import annotations

import unicodedata

import pytest
from citewell.text.matching import comparable, find_elided, find_quote, fold
from hypothesis import given
from hypothesis import strategies as st

PAGE = (
    "Profit grew by 7\u202f%\u2014\u201ca fine year\u201d\u00a0\u2014 in the \ufb01rst half\u2011year. "
    "Cafe\u0301 Zu\u0308rich owed 2\u2009750\u2009000\u2009\u2264 limit\u2026 \u0130zmir and Stra\u00dfe follow.\n"
)


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("a fine year", "a fine year"),
        ('"a fine year"', "\u201ca fine year\u201d"),
        ("first half-year", "\ufb01rst half\u2011year"),
        ("Café Zürich owed 2 750 000", "Cafe\u0301 Zu\u0308rich owed 2\u2009750\u2009000"),
        ("7 %", "7\u202f%"),
        ("limit...", "limit\u2026"),
        ("İzmir", "\u0130zmir"),
        ("Straße follow", "Stra\u00dfe follow"),
    ],
)
def test_a_true_quote_is_found_and_its_offsets_index_the_original(quote: str, there: str) -> None:
    found = find_quote(quote, PAGE)
    assert found is not None
    assert PAGE[found[0] : found[1]] == there


@pytest.mark.parametrize("quote", ["9 %", "2 850 000", "Izmir", "A FINE YEAR", "", "  "])
def test_a_false_quote_is_not_found(quote: str) -> None:
    assert find_quote(quote, PAGE) is None


def test_case_may_be_ignored_without_losing_the_place() -> None:
    found = find_quote("izmir AND strasse", "The \u0130zmir and izmir and STRASSE", ignore_case=True)
    assert found == (14, 31)


def test_a_quote_does_not_cut_a_number_in_two() -> None:
    assert find_quote("2 %", "12 % and 2 %") == (9, 12)
    assert find_quote("1,250", "1,250.5") is None


def test_powers_and_fractions_keep_their_sense() -> None:
    assert find_quote("105", "10\u2075 cells") is None
    assert find_quote("11/2", "1\u00bd hours") is None
    assert find_quote("1 1/2 hours", "1\u00bd hours") == (0, 8)
    assert find_quote("CO2", "CO\u2082 rose") == (0, 3)


def test_invisible_characters_do_not_hide_a_quote() -> None:
    assert find_quote("information", "in\u00adfor\u200bmation") == (0, 13)


def test_a_quote_with_gaps_is_found_part_by_part() -> None:
    text = "The dam holds water. It was built in 1962 by the town."
    assert find_elided("The dam holds … built in 1962", text) == ((0, 13), (28, 41))
    assert find_elided("built in 1962 [...] The dam holds", text) is None


@given(st.text(max_size=120))
def test_every_folded_character_comes_from_its_place(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert list(folded.starts) == sorted(folded.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(st.text(alphabet="aé ßİﬁ“”-–\u00a0\u2009\u0301", max_size=40))
def test_another_normal_form_compares_equal(text: str) -> None:
    assert comparable(unicodedata.normalize("NFD", text)) == comparable(unicodedata.normalize("NFC", text))


@given(st.text(min_size=1, max_size=60), st.data())
def test_any_piece_that_cuts_no_number_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    piece = text[start:end]
    if piece.strip() and not any(char.isdigit() or char in ".," for char in text):
        found = find_quote(piece, text)
        assert found is not None
        assert text[found[0] : found[1]] == piece
