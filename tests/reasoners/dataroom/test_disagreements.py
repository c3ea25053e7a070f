"""A sentence about the largest customer is held against shares of customers, and against no other shares."""

from __future__ import annotations

from decimal import Decimal

import pytest
from citewell.reasoners.dataroom.disagreements import OUTRANKS, share_disagreements
from citewell.reasoners.dataroom.lines import Line
from citewell.reasoners.tables.computed import Computed
from citewell.state.records import Cell, Quote, TableRow


def share(text: str, header: str, name: str, percent: str) -> Computed:
    cells = (Cell(header=header, text=name, start=0, end=4), Cell(header="Amount", text="9", start=5, end=6))
    row = TableRow(uri="export.csv", label=name, cells=cells, start=0, end=6)
    return Computed(text=text, rows=(row,), share=Decimal(percent))


def line(text: str) -> Line:
    return Line(text=text, uri="letter.md", chunk_id="c", start=0, end=len(text), structured=False, dated="")


QUOTE = Quote(chunk_id="e", start=0, end=6, text="Alba 9")
OF_CUSTOMERS = share("By customer, the largest is Alba: 30.8%", "Customer", "Alba", "30.8")
OF_BRANCHES = share("Share of revenue of Rail, 2024: 48.8%", "Segment", "Rail", "48.8")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (OF_BRANCHES, "Ostrand was our largest customer in rail."),
        (OF_BRANCHES, "Ostrand is our largest customer."),
        (OF_CUSTOMERS, "The ten largest customers account for 38 per cent."),
        (OF_CUSTOMERS, "Ostrand, which had been our largest customer, left in May."),
    ],
)
def test_neither_the_share_of_a_branch_nor_a_former_or_common_largest_contradicts(answer: Computed, text: str) -> None:
    assert list(share_disagreements([answer], [QUOTE], [line(text)])) == []


def test_another_largest_customer_does_and_no_parent_is_named_where_there_is_none() -> None:
    (found,) = share_disagreements([OF_CUSTOMERS], [QUOTE], [line("Ostrand is our largest customer.")])
    assert found.conflict.reason == OUTRANKS
    assert found.conflict.values[0].value == "Alba: 30.8%"
