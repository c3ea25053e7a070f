"""Beside the answer stands what shares its subject, not what shares a name, a year or a page with it."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.found.findings import Finding
from citewell.reasoners.embedded.found.scoring import Scored
from citewell.reasoners.embedded.found.subject import on_subject
from citewell.reasoners.protocol import Passage
from passages import passage_of


def kept(question: str, *passages: Passage, dense: float = 0.5, kind: float = 0.0) -> list[str]:
    findings = [
        Finding(each.text, (), Scored(each, lexical=0.4, dense=dense, kind=kind, score=2.0), ())
        for passage in passages
        for each in candidates_of(passage)
    ]
    return [finding.statement for finding in on_subject(read_question(question), findings, passages)]


STOCK = passage_of("kelm_2023.txt", "Kelm's timber stock rose in 2023 because four new yards were opened.")
CANTEEN = passage_of("kelm_2023.txt", "In 2023 Kelm painted the canteen.", index=1)


def test_what_shares_only_the_name_and_the_year_of_its_source_is_left_out():
    assert kept("Why did the timber stock of Kelm rise in 2023?", STOCK, CANTEEN) == [STOCK.chunk.text]


def test_what_means_the_same_in_other_words_stays():
    assert len(kept("Why did the timber stock of Kelm rise in 2023?", STOCK, CANTEEN, dense=0.7)) == 2


@pytest.mark.parametrize(("kind", "count"), [(1.0, 2), (0.0, 1)])
def test_a_value_of_the_kind_asked_for_may_share_less_of_the_subject(kind, count):
    leaves = passage_of("a.txt", "Mara Holt steps down as chief executive.")
    comes = passage_of("b.txt", "Dag Ness was named chief executive.")
    assert len(kept("Who succeeds Mara Holt as chief executive?", leaves, comes, kind=kind)) == count
