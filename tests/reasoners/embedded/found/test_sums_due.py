"""The amount of an invoice is its total, not one of its lines."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import every_candidate
from citewell.reasoners.embedded.found.sums_due import asks_sum_due, gives_sum_due
from passages import passage_of

INVOICE = passage_of(
    "invoice.txt", "Invoice 44 for paint.\n\nPaint, 4 tins 80\n\nTotal paint and brushes\n\nTotal EUR 92.00\n"
)


@pytest.mark.parametrize(
    "question",
    ["How much was the invoice for paint?", "What is the total amount of the bill?", "Wie hoch ist die Rechnung?"],
)
def test_the_amount_of_an_invoice_is_asked_for(question):
    assert asks_sum_due(read_question(question))


def test_the_date_of_an_invoice_is_no_amount():
    assert not asks_sum_due(read_question("What is the invoice date?"))


def test_one_line_gives_the_total():
    assert [each.text for each in every_candidate([INVOICE]) if gives_sum_due(each)] == ["Total EUR 92.00"]
