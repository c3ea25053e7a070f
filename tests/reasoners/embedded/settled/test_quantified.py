"""Of a part that did not it follows that not all did; a target is held against the figure that came, or left open."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.settled.quantified import whole_asked
from verdict_of import assert_first

PAPERS = {
    "grove.md": "# Grove, report on 2024\n\nThree of the 50 saplings died in the frost. All gates were painted in May. "
    "No ladders broke. Two of the nine nets were not mended.\n",
    "plan.md": "# Plan for 2024\n\nWe want to raise the harvest to 900 tonnes of plums "
    "and to cut waste below 4 tonnes of pulp.\nThe target for the cellar is 300 barrels.\n",
    "result.md": "# Result of 2024\n\nAt year end we had 870 tonnes of plums. On 30 June 2024 we had "
    "410 tonnes of plums. We lost 3.5 tonnes of pulp. Almost 300 barrels of cider lie in the cellar.\n",
}


def test_what_is_asked_of_all_is_a_thing_and_a_deed():
    whole = whole_asked("Did all the 12 saplings survive the trial?")
    assert whole is not None
    assert (set(whole.things), set(whole.deed)) == ({"sapl"}, {"surviv"})
    assert whole_asked("Did the saplings survive?") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Did all saplings survive?", "No. ", "Three of the 50"),
        ("Were all gates painted?", "Yes. ", "All gates"),
        ("Were all nets mended?", "No. ", "Two of the nine"),
        ("Was the target of 900 tonnes of plums reached in 2024?", "No. ", "870 tonnes"),
        ("Was the target of less than 4 tonnes of pulp met in 2024?", "Yes. ", "3.5 tonnes"),
        ("Was the target of 300 barrels reached?", "", ""),
    ],
)
def test_a_whole_or_a_target_is_answered_with_its_sentence(tmp_path, question, begins, word):
    assert_first(tmp_path, PAPERS, question, begins, word)
