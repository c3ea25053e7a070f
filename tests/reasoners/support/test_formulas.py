"""A computed number is believed when its formula is right and its inputs are in the passages."""

from __future__ import annotations

from decimal import Decimal

import pytest
from citewell.reasoners.support.formulas import find_formulas, judge_computed

PASSAGES = (
    "entity: Corvane Logistics; arr_usd: 1180000\nentity: Stellwerk; arr_usd: 940000",
    "as_of_date: 2025-03-31; arr_usd: 17640000",
)


@pytest.mark.parametrize(
    ("text", "result", "holds"),
    [
        ("1,180,000 + 940,000 = 2,120,000", "2120000", True),
        ("1,180,000 + 940,000 = 2,120,001", "2120001", False),
        ("30 / 120 = 25.0%", "25.0", True),
        ("(18,400,000 - 13,720,000) / 13,720,000 = 34.1%", "34.1", True),
        ("5 - 8 = -3", "-3", True),
        ("-2.9 - (-0.3) = -2.6", "-2.6", True),
        ("7.9 + 8.6 - 0.3 + 2.2 = 18.4", "18.4", True),
        ("-30 / 120 = -25.0%", "-25.0", True),
        ("1 / 0 = 3", "3", False),
    ],
)
def test_a_formula_is_worked_out_to_the_written_digits(text, result, holds):
    (formula,) = find_formulas(f"It is {text} in all.")
    assert (formula.result, formula.holds) == (Decimal(result), holds)


def test_prose_and_code_hold_no_formula():
    assert find_formulas("x = 3; 2025-03-31; __import__('os') = 1; a + b = 3") == []


def test_a_chain_of_formulas_over_the_passages_is_supported_with_the_lines_it_rests_on():
    claim = "Arr of entity Corvane: 1,180,000 + 940,000 = 2,120,000; share: 2,120,000 / 17,640,000 = 12.0%."
    verdict = judge_computed(claim, PASSAGES, ("a:0", "b:0"))
    assert verdict is not None
    assert verdict.support == "supported"
    assert [(quote.chunk_id, quote.text) for quote in verdict.quotes] == [
        ("a:0", "entity: Corvane Logistics; arr_usd: 1180000"),
        ("a:0", "entity: Stellwerk; arr_usd: 940000"),
        ("b:0", "as_of_date: 2025-03-31; arr_usd: 17640000"),
    ]
    assert verdict.reasons[0].startswith("inference: computed")


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Arr: 1,180,000 + 950,000 = 2,130,000.", "950,000 is in no cited passage"),
        ("Arr: 1,180,000 + 940,000 = 2,120,010.", "arithmetic"),
        ("Arr: 1,180,000 + 940,000 = 2,120,000, up 37%.", "37% is neither"),
        ("Pirates of the Baltic plundered 1,180,000 + 940,000 = 2,120,000.", "words"),
    ],
)
def test_a_wrong_input_sum_stray_number_or_subject_is_unsupported(claim, reason):
    verdict = judge_computed(claim, PASSAGES)
    assert verdict is not None
    assert verdict.support == "unsupported"
    assert any(reason in each for each in verdict.reasons)


def test_a_claim_without_formula_is_left_to_the_other_judge():
    assert judge_computed("ARR was 17,640,000.", PASSAGES) is None


def test_constants_of_units_and_averages_need_no_passage_and_headers_may_supply_the_period():
    passages = ["Accounts payable 5,687 6,803\nCost of sales 36,386"]
    claim = "Accounts payable to cost of sales: 365 * ((5,687 + 6,803) / 2) / 36,386 = 62.65 days (January 28, 2023)."
    assert judge_computed(claim, passages).support == "unsupported"
    assert judge_computed(claim, passages, context=["January 28, 2023"]).support == "supported"
    assert judge_computed(claim.replace("36,386", "36,387"), passages, context=["36,387"]).support == "unsupported"


ROWS = "\n".join(f"month: 2024-{month:02d}; site: {site}; tonnes: {month + add}" for month in range(1, 9)
                 for site, add in (("Skerry", 10), ("Holm", 1)))  # fmt: skip


def test_a_sum_of_so_many_rows_is_added_up_again_over_the_rows_that_the_claim_names():
    sums = "Skerry: 116 (sum of 8 rows), before Holm with 44 (sum of 8 rows)"
    claim = f"By site, tonnes is highest for {sums}: 116 - 44 = 72."
    halves = ROWS[: ROWS.index("month: 2024-05")], ROWS[ROWS.index("month: 2024-04") :]
    verdict = judge_computed(claim, halves)
    assert verdict is not None
    assert verdict.support == "supported", verdict.reasons
    for wrong in (claim.replace("116", "117"), claim.replace("8 rows", "7 rows"), claim.replace("Skerry", "Holm")):
        verdict = judge_computed(wrong, halves)
        assert verdict is not None
        assert verdict.support == "unsupported"
