"""A claim is supported when its passages say it: figures, dates, names, direction, row and column."""

from __future__ import annotations

import textwrap
import time

import numpy as np
import pytest
from citewell.reasoners.support import check_support
from citewell.state.records import Verdict
from hypothesis import given, settings
from hypothesis import strategies as st

REPORT = (
    "Oskerby Tools reported revenue of $43.0 million in 2022, up 12% from 2021. "
    "The SOC 2 Type I audit was completed in March; the Type II audit is planned for the fourth quarter. "
    "Ada Brightwell has led Oskerby Tools since 2019, when the board met in Port Ellery. "
    "Ferry tickets cost less than in the year before, because fuel was cheaper."
)
TABLE = (
    "Region: Retail; Margin 2021: 6.1%; Margin 2022: 7.5%\n"
    "Region: Food; Margin 2021: 3.2%; Margin 2022: 4.4%\n"
    "Region: Glass; Margin 2021: 9.9%; Margin 2022: 8.8%"
)


def judge(claim: str, *passages: str, question: str = "") -> Verdict:
    return check_support(claim, passages or (REPORT, TABLE), question=question)


@pytest.mark.parametrize(
    "claim",
    [
        "Oskerby Tools reported revenue of $43.0 million in 2022, up 12% from 2021.",
        "Oskerby Tools reported revenue of 43 million dollars in 2022.",
        "Oskerby Tools reported revenue of $43,000,000 in 2022 [1].",
        "The SOC 2 Type I audit was completed in March.",
        "Ada Brightwell has led Oskerby Tools since 2019.",
        "The Retail margin was 7.5% in 2022.",
        "Retail margin rose from 6.1% in 2021 to 7.5% in 2022.",
        "The Food margin was 3.2% and 4.4% in 2021 and 2022.",
    ],
)
def test_what_the_passages_say_is_supported(claim: str) -> None:
    verdict = judge(claim)
    assert verdict.support == "supported", verdict.reasons
    assert verdict.score > 0.5
    assert verdict.quotes


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("Oskerby Tools reported revenue of $44.0 million in 2022, up 12% from 2021.", "number"),
        ("Oskerby Tools reported revenue of €43.0 million in 2022, up 12% from 2021.", "unit"),
        ("Oskerby Tools reported revenue of $43.0 billion in 2022, up 12% from 2021.", "number"),
        ("Oskerby Tools reported revenue of $43.0 million in 2020, up 12% from 2021.", "period"),
        ("Oskerby Tools reported revenue of $43.0 million in 2022, down 12% from 2021.", "direction"),
        ("Oskerby Tools did not report revenue of $43.0 million in 2022.", "negation"),
        ("The SOC 2 Type II audit was completed in March.", "status"),
        ("Mira Oduya has led Oskerby Tools since 2019.", "name"),
        ("The Food margin was 7.5% in 2022.", "row"),
        ("The Retail margin was 7.5% in 2021.", "column"),
        ("Retail margin rose from 7.5% in 2021 to 6.1% in 2022.", "column"),
        ("Ferry tickets cost more than in the year before, because fuel was cheaper.", "direction"),
    ],
)
def test_one_turned_word_is_caught_and_named(claim: str, kind: str) -> None:
    verdict = judge(claim)
    assert verdict.support != "supported"
    assert any(reason.startswith(f"{kind}:") for reason in verdict.reasons), verdict.reasons


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Lack of vitamin Q in the ferrymen leads to sleepless nights.",
         "Deficiency of vitamin Q in the ferrymen leads to sleepless nights."),
        ("The response of memory cells enhances the production of many inflammatory signals.",
         "The response of memory, but not naive, cells enhances the production of many inflammatory signals."),
    ],
)  # fmt: skip
def test_a_denial_of_something_else_turns_nothing(claim: str, passage: str) -> None:
    verdict = judge(claim, passage)
    assert not any(reason.startswith("negation: “") or "the passage says" in reason for reason in verdict.reasons)


def test_a_denial_of_what_the_claim_keeps_is_caught() -> None:
    passage = "The response of memory, but not naive, cells enhances the production of many inflammatory signals."
    verdict = judge(
        "The response of memory and naive cells enhances the production of many inflammatory signals.", passage
    )
    assert any(reason.startswith("negation:") for reason in verdict.reasons), verdict.reasons


def test_an_unrelated_claim_is_unsupported_and_says_what_is_missing() -> None:
    verdict = judge("Lake Vostok lies four kilometres under the Antarctic ice.")
    assert verdict.support == "unsupported"
    assert verdict.score < 0.3


def test_a_claim_with_one_bad_clause_is_partial_and_names_the_clause() -> None:
    verdict = judge(
        "Oskerby Tools reported revenue of $43.0 million in 2022, and the chief executive resigned in May 2023."
    )
    assert verdict.support == "partial"
    assert any(reason.startswith("clause:") and "resigned" in reason for reason in verdict.reasons)


def test_swapped_roles_are_caught_and_the_passive_is_not() -> None:
    passage = "Brantholm acquired Quellmar in 2020 for cash."
    assert judge("Quellmar acquired Brantholm in 2020 for cash.", passage).support == "unsupported"
    assert judge("Quellmar was acquired by Brantholm in 2020 for cash.", passage).support == "supported"


def test_quotes_are_exact_spans_of_the_passage_they_name() -> None:
    for claim in ("Ada Brightwell has led Oskerby Tools since 2019.", "The Retail margin was 7.5% in 2022."):
        for quote in judge(claim).quotes:
            assert (REPORT, TABLE)[int(quote.chunk_id)][quote.start : quote.end] == quote.text


def test_a_table_note_gives_the_scale() -> None:
    retail, food = "Retail; Sales 2021: 1,204; Sales 2022: 1,377", "Food; Sales 2021: 88; Sales 2022: 91"
    passage = f"(In millions)\nRegion: {retail}\nRegion: {food}"
    assert judge("Retail sales were $1,377 million in 2022.", passage).support == "supported"
    assert judge("Retail sales were $1,204 million in 2022.", passage).support == "unsupported"


def test_a_computed_number_is_believed_by_its_formula_alone() -> None:
    passage = "Turnover was 30 in the north. Turnover of the whole was 120."
    assert judge("The north made 30 / 120 = 25.0% of the turnover.", passage).support == "supported"
    assert judge("The north made 25.0% of the turnover.", passage).support == "unsupported"


def test_figures_of_the_question_need_no_proof() -> None:
    passage = "A dose is worked out from body weight and must be agreed with a doctor."
    claim = "A 75 kg patient's dose is worked out from body weight and must be agreed with a doctor."
    asked = check_support(claim, [passage], question="How is a dose found for a 75 kg patient?")
    assert asked.score > check_support(claim, [passage]).score


def test_context_supplies_the_year_but_no_quote() -> None:
    claim, passage = "Revenue of the mill was $43 million in 2022.", "Revenue of the mill was $43 million."
    assert check_support(claim, [passage]).support == "unsupported"
    verdict = check_support(claim, [passage], context=["Annual report 2022"])
    assert verdict.support == "supported"
    assert {quote.chunk_id for quote in verdict.quotes} == {"0"}


@pytest.mark.parametrize("claim", ["", "   ", "—", "[1]", "(cite: a:1)"])
def test_an_empty_claim_has_a_verdict(claim: str) -> None:
    verdict = judge(claim)
    assert (verdict.support, verdict.score) == ("unsupported", 0.0)
    assert verdict.reasons[0].startswith("claim:")


@pytest.mark.parametrize("passages", [[], [""], ["  \n", ""]])
def test_no_passage_has_a_verdict(passages: list[str]) -> None:
    verdict = check_support("The dam holds water.", passages)
    assert (verdict.support, verdict.score, verdict.quotes) == ("unsupported", 0.0, ())
    assert verdict.reasons[0].startswith("evidence:")


def test_a_very_long_passage_takes_bounded_time() -> None:
    passage = (REPORT + " ") * (100_000 // len(REPORT)) + "The dam near Marden holds 41 million cubic metres."
    began = time.perf_counter()
    verdict = check_support("The dam near Marden holds 41 million cubic metres.", [passage])
    assert time.perf_counter() - began < 10
    assert verdict.support == "supported"


@pytest.mark.parametrize(
    ("claim", "passage", "support"),
    [
        ("水坝容量为三千七百万立方米", "新调查显示水坝容量为三千七百万立方米。", "supported"),
        ("水坝容量为四千七百万立方米", "新调查显示水坝容量为三千七百万立方米。", "unsupported"),
        ("يتسع السد لـ 41 مليون متر مكعب", "وفقا للتقرير يتسع السد لـ 41 مليون متر مكعب من الماء.", "supported"),
        ("يتسع السد لـ 43 مليون متر مكعب", "وفقا للتقرير يتسع السد لـ 41 مليون متر مكعب من الماء.", "unsupported"),
        ("Die Jahresgebühr beträgt 4.500 €.", "Die Jahresgebühr beträgt 4 500 € („pauschal“).", "supported"),
        (
            "Caf\u00e9 Zürich paid 1 250 000 last spring.",
            "Cafe\u0301 Zu\u0308rich paid 1\u2009250\u2009000 last spring.",
            "supported",
        ),
        ("The yearly fee is 4,500 \ufffd.", "The yearly fee is \ufffd4,500 (\ufffdflat rate\ufffd).", "supported"),
    ],
)
def test_other_scripts_and_broken_encodings_have_verdicts(claim: str, passage: str, support: str) -> None:
    assert check_support(claim, [passage]).support == support


def test_the_same_question_has_the_same_verdict() -> None:
    claim = "Oskerby Tools reported revenue of $43.0 million in 2022."
    assert judge(claim) == judge(claim)


def test_embeddings_are_asked_for_the_claim_and_its_nearest_sentences() -> None:
    asked: list[str] = []

    def embed(texts: list[str]) -> np.ndarray:
        asked.extend(texts)
        rows = np.ones((len(texts), 4), dtype=np.float32)
        return rows / 2

    verdict = check_support("Ada Brightwell has led Oskerby Tools since 2019.", [REPORT], embed=embed)
    assert asked[0] == "Ada Brightwell has led Oskerby Tools since 2019."
    assert any(reason.startswith("meaning: 1.00") for reason in verdict.reasons)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.lists(st.text(max_size=200), max_size=3))
def test_any_input_has_a_verdict_with_true_quotes(claim: str, passages: list[str]) -> None:
    verdict = check_support(claim, passages)
    assert 0 <= verdict.score <= 1
    assert all(passages[int(quote.chunk_id)][quote.start : quote.end] == quote.text for quote in verdict.quotes)


@pytest.mark.parametrize("hour", ["ten", "midnight", "three o'clock"])
def test_another_time_of_day_is_not_supported(hour):
    assert (
        check_support(f"The tidal barrier opens at {hour}.", ["The tidal barrier opens at noon."]).support
        == "unsupported"
    )


def test_an_address_that_no_passage_holds_rules_out_support():
    passage = "Pump D has a top pressure of 61 bar. Data sheet: https://pumps.test/d."
    said = "Pump D has a top pressure of 61 bar"
    assert check_support(f"{said}, see https://made-up.test/d.", [passage]).support == "unsupported"
    assert check_support(f"{said}, see https://pumps.test/d.", [passage]).support == "supported"


def test_a_quote_begins_with_the_words_of_a_list_item_and_keeps_its_place():
    passage = (
        "# Notes\n\n- The lease of the Harbour Street office was extended to 31 December 2026.\n- Rent is paid monthly."
    )
    (quote,) = check_support(
        "The lease of the Harbour Street office was extended to 31 December 2026.", [passage]
    ).quotes
    assert quote.text == passage[quote.start : quote.end]
    assert quote.text.startswith("The lease")


def test_the_cells_of_a_row_may_be_told_in_another_order():
    row = "permit: Mill Lane; decided_on: 2024-05-03; decision: refused"
    assert check_support("For Mill Lane, decision is refused (decided on 2024-05-03).", [row]).support == "supported"


@pytest.mark.parametrize(
    "sentence",
    [
        "The $104.2 million increase was due to 47 new stores opened since January 29, 2022.",
        "Revenue was EUR 4,812 million in the first quarter of fiscal 2024, up 3 percentage points.",
        "On 29 January 2022 it opened 52.5 km of pipe between New Harbour and Port Ellery.",
        "Der Umsatz stieg am 31. Dezember 2026 um 12,5 Millionen Euro oder 3,5 Prozent.",
    ],
)
def test_a_sentence_supports_itself_wherever_its_lines_are_broken(sentence: str) -> None:
    wrapped = [textwrap.fill(sentence, width) for width in range(20, 90)]
    assert [passage for passage in wrapped if judge(sentence, passage).support != "supported"] == []


@pytest.mark.parametrize(
    ("claim", "passage", "support"),
    [
        ("No, the crane was not repaired.", "The crane was not repaired.", "supported"),
        (
            "No. Visitors are not eligible for the lower rate.",
            "Visitors are not eligible for the lower rate.",
            "supported",
        ),
        ("No, the crane was not repaired.", "The crane was repaired.", "unsupported"),
        ("No, the crane was repaired.", "The crane was repaired.", "unsupported"),
    ],
)
def test_a_no_before_a_sentence_that_denies_is_the_answer_and_no_second_denial(claim, passage, support):
    assert check_support(claim, [passage]).support == support
