"""A compound question gives parts that can be read alone; a relative clause is no part."""

from __future__ import annotations

from citewell.reasoners.embedded.asked.compound import parts_of, sides_of
from citewell.reasoners.embedded.asked.question import read_question


def test_two_questions_in_one_sentence_are_two():
    assert parts_of("What does shipping cost and when do orders close?") == (
        "What does shipping cost?",
        "When do orders close?",
    )


def test_auxiliary_after_a_comma_opens_a_question_of_its_own():
    assert len(parts_of("What is the price of the first tranche, and is the paper signed?")) == 2


def test_relative_clauses_stay_whole():
    for text in (
        "Which town has a mill whose owner is a baker and whose wheel is of oak?",
        "Who held the seat for nine years, and was followed by a farmer?",
    ):
        assert parts_of(text) == (text,)


def test_how_alone_is_given_what_it_is_about():
    assert parts_of("Who built the barrier and how?") == ("Who built the barrier?", "How: Who built the barrier?")


def test_a_part_without_a_subject_gets_the_names_of_the_first():
    assert parts_of("Who runs Kelm AG and when was it founded?")[1] == "When was it founded (Kelm AG)?"


def test_chinese_questions_are_parted_at_their_marks():
    assert len(parts_of("合同的终止期限是多久？违约金是多少？")) == 2


def test_sides_of_a_comparison():
    assert sides_of(read_question("Who was born first, Ann Lee or Bob Ray?")) == ("Ann Lee", "Bob Ray")
    assert sides_of(read_question("who is younger Ann Lee or Bob Ray ?")) == ("Ann Lee", "Bob Ray")
    assert sides_of(read_question("What was the change between FY2021 and FY2022?")) == ()


def test_twelve_parts_are_kept_in_order():
    text = " ".join(f"What is the depth of lake number {number}?" for number in range(1, 13))
    assert len(parts_of(text)) == 12
