"""What may leave, what it amounts to, and how citations stand in the text."""

from __future__ import annotations

import pytest
from citewell.nodes.outcome import (
    merged_questions,
    open_questions,
    publishable,
    reason_of,
    softened,
    status_of,
    unanswered,
    useful_sources,
    with_citations,
)
from citewell.state.records import (
    Answer,
    Claim,
    Draft,
    Fact,
    Gap,
    Issue,
    OpenQuestion,
    Plan,
    PlanQuestion,
    Quote,
    Section,
    Verdict,
)

PLAN = Plan(
    goal="g",
    subtasks=(PlanQuestion(question_id="Q1", text="one?"), PlanQuestion(question_id="Q2", text="two?")),
    queries=(),
)


def claim(number: int, *, support: str = "supported", question_id: str = "Q1", text: str = "It is so.") -> Claim:
    return Claim(
        claim_id=f"C-{number:03d}", text=text, citations=(f"c:{number}",), support=support, question_id=question_id
    )


def answer(*claims: Claim) -> Answer:
    return Answer(executive_summary=claims)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 5 m deep.", "It is 5 m deep (cite: c:1)."),
        ("It is 5 m deep", "It is 5 m deep (cite: c:1)."),
        ("He said “yes.”", "He said “yes (cite: c:1).”"),
        ("三十天。", "三十天 (cite: c:1)。"),
    ],
)
def test_the_citation_stands_before_the_full_stop(text, expected):
    assert with_citations(claim(1, text=text)) == expected


@pytest.mark.parametrize(
    ("claims", "gaps", "issues", "expected"),
    [
        ((claim(1), claim(2, question_id="Q2")), (), (), "answered"),
        ((claim(1),), (), (), "partial"),
        ((claim(1, question_id=""),), (), (), "answered"),
        ((claim(1), claim(2, question_id="")), (), (), "answered"),
        ((claim(1), claim(2, question_id="Q2")), (Gap(question_id="Q2", reason="r"),), (), "partial"),
        (
            (claim(1), claim(2, question_id="Q2")),
            (),
            (Issue(kind="too_few_citations", message="m"),),
            "partial",
        ),
        ((claim(1, support="not_checked"),), (), (), "insufficient_evidence"),
        ((claim(1), claim(2, question_id="Q2", support="not_checked")), (), (), "partial"),
        ((), (), (), "insufficient_evidence"),
    ],
)
def test_the_status_follows_questions_and_counts(claims, gaps, issues, expected):
    assert status_of(answer(*claims), PLAN, gaps, issues) == expected


def test_a_question_that_no_claim_answers_is_told_with_what_was_tried():
    gap = Gap(question_id="Q1", reason="not in the sources")
    parts = unanswered(answer(), PLAN, (gap,))
    assert [
        (each.question, each.reason, each.queries) for each in open_questions(parts, (gap,), ("q",), ("a.md",))
    ] == [
        (PLAN.subtasks[0].text, "not in the sources", ("q",)),
        (PLAN.subtasks[1].text, "No sentence that passed the checks answers it.", ("q",)),
    ]


def test_a_removed_claim_takes_its_empty_section_with_it():
    draft = Draft(
        title="t",
        summary=(claim(1),),
        sections=(Section(heading="a", claims=(claim(2),)), Section(heading="b", claims=(claim(3), claim(2)))),
    )
    kept = publishable(draft, {"C-001": claim(1), "C-002": None, "C-003": claim(3)}, ("limit", "limit"))
    assert [(section.heading, [c.claim_id for c in section.claims]) for section in kept.sections] == [("b", ["C-003"])]
    assert (kept.citations, kept.risks_and_limits) == (("c:1", "c:3"), ("limit",))


def test_a_partial_claim_is_cut_to_the_words_of_its_passages():
    quote = Quote(chunk_id="c:9", start=0, end=9, text="It\nis 5 m")
    verdict = Verdict(support="partial", score=0.5, quotes=(quote,))
    cut = softened(claim(1), verdict)
    assert cut is not None
    assert (cut.text, cut.citations) == ("It is 5 m", ("c:9",))
    assert softened(claim(1), Verdict(support="partial", score=0.5)) is None


def test_open_questions_that_ask_the_same_are_one_with_all_that_was_tried():
    one = OpenQuestion(question="How deep?", queries=("a",), sources=("x",))
    two = OpenQuestion(question="how  deep?", reason="none", queries=("b", "a"), sources=("y",))
    expected = OpenQuestion(question="How deep?", reason="none", queries=("a", "b"), sources=("x", "y"))
    assert merged_questions((one, two)) == (expected,)


def test_useful_sources_are_those_that_carried_most_facts():
    def fact(*chunks: str) -> Fact:
        quotes = tuple(Quote(chunk_id=chunk, start=0, end=1, text="x") for chunk in chunks)
        return Fact(fact_id="F", statement="s", quotes=quotes)

    uris = {"1": "a.txt", "2": "b.txt", "3": "b.txt"}
    assert useful_sources([fact("1"), fact("2", "3"), fact("3"), fact("gone")], uris) == ("b.txt", "a.txt")
    assert useful_sources([fact("1"), fact("2")], uris, limit=1) == ("a.txt",)


@pytest.mark.parametrize(
    ("stopped", "claims", "gaps", "told"),
    [
        ("no_evidence", (), (), "no_evidence"),
        ("no_evidence", (claim(1, support="not_checked"),), (), "no_evidence"),
        ("no_evidence", (claim(1),), (), "no_gaps"),
        ("no_evidence", (claim(1),), (Gap(question_id="Q2", reason="open"),), "diminishing_returns"),
        ("", (), (), "no_evidence"),
        ("max_facts", (claim(1),), (), "max_facts"),
        ("time_budget", (), (), "time_budget"),
    ],
)
def test_a_run_that_answers_did_not_end_for_want_of_evidence(stopped, claims, gaps, told):
    assert reason_of(stopped, answer(*claims), gaps) == told
