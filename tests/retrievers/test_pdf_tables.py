"""Rows and columns of figures come back from the positions of characters."""

from __future__ import annotations

from itertools import pairwise

import pytest
from citewell.retrievers.parsers import extract
from citewell.retrievers.pdf_tables import recover_rows
from documents import make_pdf, right_aligned
from hypothesis import given, settings
from hypothesis import strategies as st

Cells = list[tuple[str, str]]


def figures(baseline: float, *values: tuple[float, str]) -> list[tuple[float, float, str]]:
    return [right_aligned(right, baseline, text) for right, text in values]


INCOME = [
    (40, 740, "Summary of results"),
    (40, 725, "Years Ended December 31,"),
    (442, 725, "Change"),
    (40, 712, "(Millions, except percentages)"),
    *figures(712, (290, "2032"), (360, "2031")),
    (425, 712, "2032 vs. 2031"),
    (40, 698, "Revenue:"),
    (48, 686, "Goods"),
    (255, 686, "$"),
    *figures(686, (290, "1,200"), (360, "900"), (440, "300"), (500, "33 %")),
    (48, 674, "Services, net of"),
    (48, 662, "discounts"),
    *figures(662, (290, "(40"), (360, "50"), (440, "(90"), (500, "#")),
    (291, 662, ")"),
    (441, 662, ")"),
    (40, 650, "Total revenue"),
    *figures(650, (290, "1,160"), (360, "950"), (440, "210"), (500, "22 %")),
    (40, 638, "Effective tax rate"),
    *figures(638, (290, "21.5"), (360, "24.5")),
    (292, 638, "%"),
    (362, 638, "%"),
    (40, 610, "Revenue rose to 1,160 in 2032 since goods sold well in every region that the company serves."),
    (300, 40, "44"),
]


def test_each_cell_knows_its_column_its_label_and_its_place_in_the_text():
    data = make_pdf([[(40, 700, "Cover")], INCOME])
    extraction = extract(data, name="r.pdf")
    page_start = next(block.start for block in extraction.blocks if block.page == 2)
    rows = recover_rows(data, 2, page_start, "r.pdf")
    assert [row.label for row in rows] == [
        "Revenue: Goods",
        "Revenue: Services, net of discounts",
        "Total revenue",
        "Effective tax rate",
    ]
    goods, services, total, rate = rows
    assert [cell.header for cell in goods.cells] == [
        "Years Ended December 31, 2032",
        "Years Ended December 31, 2031",
        "Change 2032 vs. 2031",
        "Change 2032 vs. 2031",
    ]
    assert [cell.text.replace(" ", "") for cell in goods.cells] == ["$1,200", "900", "300", "33%"]
    assert [cell.text.replace(" ", "") for cell in services.cells] == ["(40)", "50", "(90)", "#"]
    assert [cell.text.replace(" ", "") for cell in rate.cells] == ["21.5%", "24.5%"]
    assert [cell.header[-4:] for cell in rate.cells] == ["2032", "2031"]
    assert total.caption == "Summary of results (Millions, except percentages)"
    assert {(row.uri, row.page) for row in rows} == {("r.pdf", 2)}
    for row in rows:
        assert extraction.text[row.start : row.end].startswith(row.label.rpartition(": ")[2][:5])
        for cell in row.cells:
            assert extraction.text[cell.start : cell.end] == cell.text


def test_prose_and_page_numbers_are_no_rows():
    page = [
        (40, 700, "In 2032 the company sold 1,200 units at 35 dollars, up from 900 in 2031."),
        (40, 688, "It employs 44 people."),
        (300, 40, "12"),
    ]
    assert recover_rows(make_pdf([page]), 1, 0, "p.pdf") == []


def test_a_table_of_contents_is_no_table():
    page = [(40, 700, "Contents"), (520, 700, "Page")]
    page += [
        piece
        for n in range(5)
        for piece in ((40, 680 - 12 * n, f"Chapter {n}"), right_aligned(540, 680 - 12 * n, str(n + 3)))
    ]
    assert recover_rows(make_pdf([page]), 1, 0, "p.pdf") == []
    assert recover_rows(make_pdf([page[2:]]), 1, 0, "p.pdf") == []


def test_years_at_the_left_are_labels():
    page = [(40, 712, "(Millions)"), *figures(712, (300, "Leases"), (400, "Debt"))]
    for index, year in enumerate(("2033", "2034", "2035")):
        page += [
            (40, 698 - 12 * index, year),
            *figures(698 - 12 * index, (300, f"{index + 1}10"), (400, f"{index + 1}.5")),
        ]
    rows = recover_rows(make_pdf([page]), 1, 0, "p.pdf")
    assert [row.label for row in rows] == ["2033", "2034", "2035"]
    assert [(cell.header, cell.text) for cell in rows[1].cells] == [("Leases", "210"), ("Debt", "2.5")]


def test_a_header_over_a_group_names_each_of_its_columns():
    page = [(262, 724, "2032"), (412, 724, "2031")]
    for left, name in ((230, "Plan"), (300, "Actual"), (380, "Plan"), (450, "Actual")):
        page.append((left, 712, name))
    for index, label in enumerate(("North", "South")):
        baseline = 698 - 12 * index
        page += [(40, baseline, label), *figures(baseline, (250, "10"), (326, "11"), (400, "9"), (476, "8"))]
    north, _ = recover_rows(make_pdf([page]), 1, 0, "p.pdf")
    assert [cell.header for cell in north.cells] == ["2032 Plan", "2032 Actual", "2031 Plan", "2031 Actual"]


def test_headers_centred_left_of_figures_at_the_right_name_them():
    page = [(240, 724, "Share of Sales"), (480, 724, "Growth")]
    for left, name in ((190, "July 29, 2033"), (300, "July 30, 2032"), (400, "July 29, 2033"), (510, "July 30, 2032")):
        page.append((left, 712, name))
    for index, label in enumerate(("North", "South")):
        baseline = 698 - 12 * index
        page += [(18, baseline, label), *figures(baseline, (272, "41"), (382, "42"), (482, "6.4"), (592, "16.6"))]
    north, _ = recover_rows(make_pdf([page]), 1, 0, "p.pdf")
    assert [cell.header[-13:] for cell in north.cells] == ["July 29, 2033", "July 30, 2032"] * 2
    assert [cell.header[:6] for cell in north.cells] == ["Share ", "Share ", "Growth", "Growth"]


def test_prose_beside_the_figures_does_not_tear_the_table():
    page = [(40, 712, "(Millions)"), *figures(712, (200, "2032"), (260, "2031")), (290, 712, "Drivers of the change")]
    for index, label in enumerate(("Operating", "Investing", "Financing")):
        baseline = 698 - 24 * index
        page += [(40, baseline, label), *figures(baseline, (200, "1,100"), (260, "(900)"))]
        page += [(290, baseline, "The change is due to sales of"), (290, baseline - 12, "plants and of other assets.")]
    rows = recover_rows(make_pdf([page]), 1, 0, "p.pdf")
    assert [row.label for row in rows] == ["Operating", "Investing", "Financing"]
    assert [cell.header for cell in rows[2].cells] == ["2032", "2031"]


def test_a_page_that_is_not_there_is_an_error():
    with pytest.raises(IndexError, match="no page 3"):
        recover_rows(make_pdf([INCOME]), 3, 0, "p.pdf")


WORDS = st.sampled_from(
    ["Net", "2031", "1,200", "(5", ")", "$", "%", "—", "of", "Total", "12.5%", "(a)", "#", "N/A", "x", "($"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(20, 560), st.integers(20, 760), WORDS), max_size=60))
def test_no_page_breaks_the_recovery_and_cells_lie_in_the_text_in_order(pieces):
    data = make_pdf([pieces])
    text = extract(data, name="p.pdf").text
    for row in recover_rows(data, 1, 0, "p.pdf"):
        assert row.cells
        for cell in row.cells:
            assert text[cell.start : cell.end] == cell.text
        assert row.start < row.end <= len(text)
        assert all(one.start != other.start for one, other in pairwise(row.cells))
