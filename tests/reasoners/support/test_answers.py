"""Other people's cited answers are taken apart, whatever the style of their citations."""

from __future__ import annotations

import pytest
from citewell.reasoners.support import check_answer
from citewell.reasoners.support.runnable import answer_checker, support_checker
from langchain_core.documents import Document

DAM = "The dam near Marden holds 41 million cubic metres and was finished in 1962."
FERRY = "The ferry between Marden and Graymouth takes three hours."


@pytest.mark.parametrize(
    "mark",
    ["[1]", "[1, 2]", "[1][2]", "[1-2]", "【1】", "【1†source】", "(cite: 1)", "[^1]", "[source: 1]", "\u00b9"],
)
def test_every_common_style_is_read(mark: str) -> None:
    checked = check_answer(f"The dam near Marden holds 41 million cubic metres{mark}.", [DAM, FERRY])
    (claim,) = checked.claims
    assert claim.text == "The dam near Marden holds 41 million cubic metres."
    assert claim.citations[0] == "1"
    assert claim.support == "supported"
    assert checked.passed


def test_a_citation_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    checked = check_answer("The dam was finished in 1962.[1] The ferry takes three hours. [2]", [DAM, FERRY])
    assert [claim.citations for claim in checked.claims] == [("1",), ("2",)]


def test_a_list_of_references_maps_numbers_to_ids() -> None:
    answer = "The ferry between Marden and Graymouth takes three hours [1].\n\n## References\n[1] ferry.txt\n"
    checked = check_answer(answer, {"dam.txt": DAM, "ferry.txt": FERRY})
    assert [claim.citations for claim in checked.claims] == [("ferry.txt",)]
    assert checked.passed


def test_footnotes_map_too() -> None:
    checked = check_answer("The dam was finished in 1962.[^a]\n\n[^a]: dam.txt", {"dam.txt": DAM})
    assert checked.claims[0].citations == ("dam.txt",)


def test_invented_indexes_links_and_references_are_flagged() -> None:
    answer = (
        "The dam was finished in 1962 [1]. It leaks every spring [9]. See https://example.org/leaks and "
        "[the study](https://doi.org/10.0000/none). A last word [0].\n\n## References\n[1] dam.txt\n[9] https://example.org/x\n"
    )
    checked = check_answer(answer, {"dam.txt": DAM})
    assert set(checked.unknown) >= {"[9]", "[0]", "https://example.org/leaks", "https://doi.org/10.0000/none"}
    assert {issue.kind for issue in checked.issues} >= {"unknown_id", "foreign_source", "uncited"}
    by_text = {claim.text: claim.support for claim in checked.claims}
    assert by_text["The dam was finished in 1962."] == "supported"
    assert by_text["It leaks every spring."] == "not_checked"
    assert not checked.passed


def test_a_sentence_that_its_passage_does_not_carry_is_an_issue() -> None:
    checked = check_answer("The dam near Marden holds 43 million cubic metres [1].", [DAM])
    assert checked.claims[0].support == "unsupported"
    assert [issue.kind for issue in checked.issues] == ["unsupported"]
    assert checked.issues[0].chunk_ids == ("1",)


@pytest.mark.parametrize("text", ["", "   ", "## Only a heading"])
def test_an_answer_without_a_sentence_has_no_claim(text: str) -> None:
    assert check_answer(text, [DAM]).claims == ()


def test_the_runnables_give_the_same_verdicts() -> None:
    verdict = support_checker().invoke(
        {"claim": "The dam was finished in 1962.", "passages": [Document(page_content=DAM)]}
    )
    assert verdict.support == "supported"
    assert answer_checker().invoke({"answer": "The dam was finished in 1962 [1].", "passages": [DAM]}).passed
