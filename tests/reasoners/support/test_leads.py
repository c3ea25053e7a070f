"""A title before a sentence of its own passage costs the sentence nothing, and lends it nothing."""

from __future__ import annotations

from citewell.reasoners.support.judge import RuleJudge
from citewell.reasoners.support.leads import without_title
from passages import passage_of

KILN = passage_of(
    "kiln.md",
    "Firing of stoneware, edition 4 (2024-03-01), replaces edition 3 (2022)\n\nThe kiln is checked every 6 weeks.",
)
SHED = passage_of("shed.md", "Shed log\n\nThe door is checked every 9 weeks.")


def test_a_sentence_under_its_own_title_is_judged_by_itself() -> None:
    claim = "Firing of stoneware, edition 4 (2024-03-01), replaces edition 3 (2022): The kiln is checked every 6 weeks."
    assert without_title(claim, [SHED, KILN]) == "The kiln is checked every 6 weeks."
    assert RuleJudge().judge_now(claim, [KILN]).support == "supported"


def test_a_title_of_another_source_is_no_lead() -> None:
    claim = "Shed log: The kiln is checked every 6 weeks."
    assert without_title(claim, [SHED, KILN]) == claim


def test_a_sentence_that_the_passage_does_not_hold_keeps_its_title() -> None:
    claim = "Shed log: The door is checked every 3 weeks."
    assert without_title(claim, [SHED]) == claim
    assert RuleJudge().judge_now(claim, [SHED]).support == "unsupported"
