"""Lines that say nothing by themselves, and the headings that a page sets above its text."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.found.fragments import (
    denies,
    is_courtesy,
    is_post_signed,
    is_topic_line,
    run_in_heading,
)


@pytest.mark.parametrize(
    "text",
    [
        "Dear Mr Okafor,",
        "Dear members of the club,",
        "Sehr geehrte Frau Lindner,",
        "Bonjour Madame Petit,",
        "Subject: the lift, the keys",
        "Betreff: Heizung im Keller",
        "Best wishes,\nOona",
        "With kind regards,\nTheo Brandt",
        "Mit freundlichen Grüßen\nIda Kern",
        "Yours sincerely,",
    ],
)
def test_greetings_leave_takings_and_subjects_say_nothing(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dear stamps are sold at the counter.",
        "Best wishes were sent by the mayor of Lund.",
        "Regards paid in advance are refunded.",
        "The subject: a bridge.",
        "Hello is said in forty languages.",
    ],
)
def test_sentences_that_only_begin_alike_are_kept(text: str) -> None:
    assert not is_courtesy(text)


def test_the_writers_post_below_a_name_says_nothing() -> None:
    text = "The hall is let from May.\n\nOona Brandt\nInterim treasurer"
    start = text.index("Interim")
    assert is_post_signed(text, start, len(text))
    assert not is_post_signed("The hall is let to the\nInterim treasurer", 23, 40)


def test_a_topic_right_above_a_capital_heads_what_follows() -> None:
    text = "What we do not carry\nAnimals; plants; food."
    assert is_topic_line(text, 0, 20)
    assert denies(text[:20])
    assert not is_topic_line("What we do not carry\nis left behind.", 0, 20)


def test_a_clause_numbered_within_a_paragraph_has_its_heading() -> None:
    text = "The hut is let. 2. Fee. 40 a night. 3. Late arrival. After ten by agreement."
    for label in ("Fee.", "Late arrival."):
        start = text.index(label)
        assert run_in_heading(text, start, start + len(label))
    law = "Der Mieter heizt. § 7 Lagerung. Holz nur im Schuppen."
    start = law.index("§ 7")
    assert run_in_heading(law, start, start + len("§ 7 Lagerung."))
