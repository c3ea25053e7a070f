"""Sentences end where a reader ends them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from citewell.text.sentences import after_mark, is_table_row, sentences
from hypothesis import given
from hypothesis import strategies as st


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Dr. Smith (J. K. Row et al. 2020) said so. It did!",
            ["Dr. Smith (J. K. Row et al. 2020) said so.", "It did!"],
        ),
        ("The U.S. economy grew 3.5 percent. See Fig. 3.", ["The U.S. economy grew 3.5 percent.", "See Fig. 3."]),
        ("One [1]. Two [2].", ["One [1].", "Two [2]."]),
        ("一是。二是！三", ["一是。", "二是！", "三"]),
        ("- one\n- two\nwrapped here. New.", ["- one", "- two\nwrapped here.", "New."]),
        (
            "Region: Retail; Margin: 7%\nRegion: Food; Margin: 8%",
            ["Region: Retail; Margin: 7%", "Region: Food; Margin: 8%"],
        ),
        ("Total revenues 52,862 42,380\nNext line.", ["Total revenues 52,862 42,380", "Next line."]),
        ("As of May 2, 2023, $1.1\nbillion was left.", ["As of May 2, 2023, $1.1\nbillion was left."]),
        ("## Heading\nText.", ["## Heading", "Text."]),
        ("Para one\n\nPara two", ["Para one", "Para two"]),
        ("small letters only here. another sentence.", ["small letters only here.", "another sentence."]),
        ("هذا. ذلك؟ نعم", ["هذا.", "ذلك؟", "نعم"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_a_text_is_cut_where_a_reader_would(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


def test_a_table_row_is_told_from_prose() -> None:
    assert is_table_row("Sales | 12 | 14")
    assert is_table_row("Net income 1,204 1,180 975")
    assert is_table_row("Total $ 4,311 $ (83) $ — $ —")
    assert not is_table_row("The net income rose to 1,204 in a year.")
    assert not is_table_row("As of January 28, 2023, $1.1")


@given(st.text(alphabet="ab. \n!?A1,;:|。\t", max_size=120))
def test_every_visible_character_lies_in_exactly_one_sentence(text: str) -> None:
    spans = sentences(text)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, char in enumerate(text) if not char.isspace())


def test_text_without_any_mark_is_cut_into_bounded_pieces() -> None:
    spans = sentences("word " * 5_000)
    assert max(end - start for start, end in spans) <= 4_000


def test_a_line_that_breaks_after_a_date_is_prose_and_a_row_of_figures_is_not():
    text = "The increase was due to the opening of 47 stores since January 29, 2022,\ninventory costs and new brands."
    assert [text[start:end] for start, end in sentences(text)] == [text]
    assert is_table_row("Cash and cash equivalents 1,874 2,936")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("- The lease ends.", "The lease ends."),
        ("  • Fees", "Fees"),
        ("> # Notes of May", "Notes of May"),
        ("- 5 million", "- 5 million"),
        ("-5 million", "-5 million"),
        ("The lease - as agreed", "The lease - as agreed"),
        ("- ", "- "),
    ],
)
def test_the_words_of_a_span_begin_behind_the_sign_of_a_list(line, words):
    assert line[after_mark(line, 0, len(line)) :] == words


LETTER = """Penhallow Assurance LLP
Certified public accountants, Providence
14 February 2025
To the management of Larkfield Telemetry, Inc.
Status of the engagements
Type I. Our report on the design of controls as of 31 October 2024 was issued on
6 December 2024. It contains two exceptions, listed on the
Next Generation page, which was added later and signed by all of them in
New York."""


def test_the_lines_of_a_letterhead_stand_by_themselves_and_wrapped_text_goes_on():
    assert cut(LETTER) == [
        "Penhallow Assurance LLP",
        "Certified public accountants, Providence",
        "14 February 2025",
        "To the management of Larkfield Telemetry, Inc.",
        "Status of the engagements",
        "Type I.",
        "Our report on the design of controls as of 31 October 2024 was issued on\n6 December 2024.",
        "It contains two exceptions, listed on the\nNext Generation page, which was added later and signed by all of "
        "them in\nNew York.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A short line\nAnother one",
        "The company has offices in Oslo,\nBergen and Trondheim, and a plant that employs four hundred people.",
    ],
)
def test_a_line_that_goes_on_is_no_letterhead(text):
    assert cut(text) == [text]


def test_a_german_ordinal_in_a_list_of_things_ends_no_sentence():
    text = "Vermietet wird die Wohnung in 50667 Köln, 3. Obergeschoss rechts, 64 m². Die 4. Rate folgt."
    assert [text[start:end] for start, end in sentences(text)] == [text[:72], text[73:]]
    text = "Die Zahl war die 12. Das war alles. See table A, 2. The rest follows."
    assert len(sentences(text)) == 4
