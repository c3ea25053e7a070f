"""What a reply quotes of the one who asked is no statement."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.found.quoted import questions_quoted, replied_to

_REPLY = "Dear Ann,\n\nOn 3 May Ann Holt wrote:\n> We think the hut sleeps 40. Is that so?\n\nNo, it sleeps 24.\n\nBye"


def test_a_quoted_question_is_found_with_the_line_that_says_who_wrote_it() -> None:
    ((start, end),) = questions_quoted(_REPLY)
    assert _REPLY[start:end].startswith("On 3 May")
    assert "No, it" not in _REPLY[start:end]


def test_the_paragraph_below_replies_to_it_and_no_other_one() -> None:
    assert "sleeps 40" in replied_to(_REPLY, _REPLY.index("No, it"))
    assert replied_to(_REPLY, _REPLY.index("Bye")) == ""


@pytest.mark.parametrize("text", ["> The hut sleeps 24.\n\nThanks.", "A > B holds. Is it so?", "No mark here?"])
def test_what_is_quoted_without_a_question_stays(text: str) -> None:
    assert questions_quoted(text) == []
