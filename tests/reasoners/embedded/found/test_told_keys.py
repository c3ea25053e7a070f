"""A figure asked for under a condition is not told by those under another one."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.candidates import candidates_of
from citewell.reasoners.embedded.found.told_keys import lacks_key
from passages import passage_of

TOLD = "The efficiency of the stack was 91% after 100 hours. The efficiency of the stack was 88% after 300 hours."


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("What was the efficiency of the stack after 500 hours?", "500 hours"),
        ("What was the efficiency of the stack after 300 hours?", ""),
        ("What was the efficiency of the stack?", ""),
    ],
)
def test_a_condition_that_no_sentence_holds_is_named(question, lacking):
    key = lacks_key(read_question(question), candidates_of(passage_of("stack.md", TOLD)))
    assert (key.text if key else "") == lacking
