"""A plan has ten to sixteen different queries and checks that name what is asked of the answer."""

from __future__ import annotations

import pytest
from citewell.reasoners.embedded.steps.plan import make_plan, query_key
from citewell.reasoners.protocol import PlanTask
from citewell.state.records import Source


@pytest.mark.parametrize(
    "question",
    [
        "What is the price of the first tranche, and is the paper signed?",
        "How much has the effective tax rate of Kelm AG changed between FY2021 and FY2022?",
        "Which dam is older, Varga Dam or Kelm Dam?",
        "合同的终止期限是多久？",
        "フェリーは何時に出ますか",
        "Quel est le délai de résiliation du contrat ?",
        "What's the users' ' policy?",
        "`rm -rf`",
        "Fee?",
    ],
)
def test_ten_to_sixteen_queries_all_different(question):
    queries = make_plan(PlanTask(question=question, sources=())).queries
    assert 10 <= len(queries) <= 16
    assert len({query_key(query) for query in queries}) == len(queries)


@pytest.mark.parametrize("question", ["???", "the of and"])
def test_a_question_that_asks_nothing_has_no_query(question):
    assert make_plan(PlanTask(question=question, sources=())).queries == ()


def test_the_question_itself_is_asked_first():
    question = "When does the tidal barrier open?"
    assert make_plan(PlanTask(question=question, sources=())).queries[0] == question


def test_a_named_source_is_asked_for():
    sources = [Source(uri="KELM_2022_10K.pdf", kind="file"), Source(uri="VARGA_2019_10K.pdf", kind="file")]
    plan = make_plan(PlanTask(question="What was the net debt of KELM in 2022?", sources=sources))
    assert any("KELM 2022 10K" in query for query in plan.queries)
    assert not any("VARGA" in query for query in plan.queries)


def test_the_thing_asked_for_is_also_searched_without_the_name():
    plan = make_plan(PlanTask(question="What are the regions that Kelm Holding serves as of 2022?", sources=()))
    assert any("regions" in query and "Kelm" not in query for query in plan.queries)


def test_a_name_is_left_out_whole_and_never_turned_into_another_word():
    plan = make_plan(PlanTask(question="What drove Kelm Buy's stock of timber in 2023?", sources=()))
    words = [word for query in plan.queries for word in query.split()]
    assert "s" not in words
    assert "purchase" not in words


def test_checks_always_hold_the_two_counts():
    checks = " ".join(make_plan(PlanTask(question="Who runs Kelm?", sources=())).acceptance_checks)
    assert "6 distinct citations" in checks
    assert "2 citations stand verbatim in the summary" in checks


def test_checks_hold_the_counts_that_are_asked_for():
    task = PlanTask(question="Who runs Kelm?", sources=(), min_citations=3, min_summary_citations=1)
    checks = " ".join(make_plan(task).acceptance_checks)
    assert "3 distinct citations" in checks
    assert "1 citations stand verbatim in the summary" in checks


def test_long_questions_make_bounded_queries():
    plan = make_plan(PlanTask(question="Which valve " + "and pipe " * 400 + "leaks?", sources=()))
    assert max(map(len, plan.queries)) <= 300
