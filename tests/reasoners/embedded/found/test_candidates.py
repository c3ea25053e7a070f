"""Sentences stand without list marks and without the headings that a page's text glues before them."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.found.candidates import candidates_of, every_candidate, is_prose
from passages import passage_of


def spans(text: str) -> list[str]:
    return [span.text for span in candidates_of(passage_of("a.txt", text))]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("INCOME TAXES\nThe rate was 21.6 percent in 2022.", "The rate was 21.6 percent in 2022."),
        (
            "Contents\nNOTE 24\nWe weigh many factors when we set the length\nof a quay in Kelm.",
            "We weigh many factors when we set the length\nof a quay in Kelm.",
        ),
        ("- The fee is 40 EUR a year.", "The fee is 40 EUR a year."),
        ("2) The fee is 40 EUR a year.", "The fee is 40 EUR a year."),
        (
            "The chairman of Kelm and\nAnn Lee signed the lease\nin the harbour office.",
            "The chairman of Kelm and\nAnn Lee signed the lease\nin the harbour office.",
        ),
    ],
)
def test_a_sentence_begins_where_it_begins(text, first):
    assert spans(text)[0] == first


def test_questions_and_bare_words_are_no_candidates():
    assert spans("What is the fee?\n\nFee\n\nThe fee is 40 EUR a year.") == ["The fee is 40 EUR a year."]


def test_spans_are_exact_and_bounded():
    passage = passage_of("a.txt", "word, " * 900 + "end of the long line.")
    found = candidates_of(passage)
    assert found
    assert max(len(span.text) for span in found) <= 700
    assert all(passage.chunk.text[span.start : span.end] == span.text for span in found)


def test_what_two_overlapping_chunks_share_counts_once():
    first = passage_of("a.txt", "The quay is long. The gate opens at noon.")
    second = passage_of("a.txt", "The gate opens at noon. The mill is old.", index=1)
    shifted = second.chunk.model_copy(update={"start": 18, "end": 18 + len(second.chunk.text)})
    second = type(second)(chunk=shifted, source=second.source, hit=second.hit)
    assert [span.text for span in every_candidate([first, second])].count("The gate opens at noon.") == 1


def test_a_run_of_headers_is_no_prose():
    assert not is_prose(
        "Three Months Ended Worldwide U.S. International July 2, 2023 July 3, 2022 % Change Operating segments"
    )
    assert is_prose("The change was driven mainly by higher sales of the two new pumps in the north.")


def test_short_lines_that_state_an_amount_are_candidates():
    text = (
        "HOLM & SONS\n\nInvoice 12\n\nNet : 1 533,00 €\nVAT 10 % : 153,30 €\nTotal due : 1 686,30 €\n"
        "Deposit: EUR 500\nPaid on 2 May\n\nWhoever pays late owes a penalty of 40 € on each of these invoices."
    )
    found = spans(text)
    assert {"Net : 1 533,00 €", "Total due : 1 686,30 €", "Deposit: EUR 500"} <= set(found)
    assert "HOLM & SONS" not in found
