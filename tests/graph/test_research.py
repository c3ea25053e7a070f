"""Whole threads of the research graph over stand-ins: rounds, repair, budgets, turns, resume."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from citewell.errors import MalformedReply, ProviderError
from citewell.graph.research import build_research_graph, recursion_limit
from citewell.reasoners.protocol import Repair
from citewell.settings import Environment
from citewell.state.context import ResearchContext
from citewell.state.records import Claim, Fact, Gap, Patch, Plan, PlanQuestion, Report
from citewell.state.savers import checkpoint_serde, open_saver
from fakes import (
    BAIKAL,
    FakeCorpus,
    ScriptedJudge,
    ScriptedReasoner,
    claim_of,
    draft_of,
    fact_of,
    services,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

QUESTION = "How deep is Lake Baikal?"


@pytest.fixture(params=["memory", "sqlite"])
async def saver(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    if request.param == "memory":
        yield InMemorySaver(serde=checkpoint_serde())
        return
    async with open_saver(Environment(home=tmp_path)) as opened:
        yield opened


def thread(thread_id: str = "t-1") -> Any:
    return {"configurable": {"thread_id": thread_id}}


async def ask(parts: Any, saver: Any, given: Any = None, *, thread_id: str = "t-1", **context: Any) -> dict[str, Any]:
    graph = build_research_graph(parts).compile(checkpointer=saver)
    given = given if given is not None else {"question": QUESTION, "docs": ["here"]}
    return await graph.ainvoke(given, thread(thread_id), context=ResearchContext(**context), durability="sync")


async def test_every_claim_of_an_answered_run_cites_a_retrieved_passage(tmp_path, saver):
    result = await ask(services(tmp_path), saver)
    report: Report = result["report"]
    assert (report.status, report.stop_reason) == ("answered", "no_gaps")
    assert {claim.text for claim in report.answer.claims} == set(BAIKAL.values())
    evidence = {passage.chunk_id for passage in report.evidence}
    assert all(claim.citations and set(claim.citations) <= evidence for claim in report.answer.claims)
    assert all(
        f"(cite: {claim.citations[0]})" in report.answer.summary_text for claim in report.answer.executive_summary
    )
    assert [message.type for message in result["messages"]] == ["human", "ai"]
    assert result["messages"][-1].text == result["answer"]


async def test_a_question_may_come_as_a_message(tmp_path, saver):
    result = await ask(services(tmp_path), saver, {"messages": [("user", QUESTION)], "docs": ["here"]})
    assert result["report"].question == QUESTION
    assert [message.type for message in result["messages"]] == ["human", "ai"]


async def test_unsupported_claim_goes_to_the_fixer_and_then_leaves_the_answer(tmp_path, saver):
    def keep_all(task: Any) -> Repair:
        return Repair(draft=task.draft, patches=())

    parts = services(tmp_path, judge=ScriptedJudge(["unsupported"]), reasoner=ScriptedReasoner({"repair": keep_all}))
    report = (await ask(parts, saver, max_repairs=2))["report"]
    assert (report.ledger.repairs, report.answer.claims, report.status) == (2, (), "insufficient_evidence")
    assert {each.question for each in report.answer.open_questions} == {"How deep is Lake Baikal?", *BAIKAL.values()}
    assert {issue.kind for issue in report.issues} >= {"unsupported"}


async def test_a_dropped_claim_is_listed_as_open_and_the_rest_stays(tmp_path, saver):
    invented = "Lake Baikal is 9,999 m deep."

    def with_invention(task: Any) -> Any:
        first = claim_of(task.facts[0])
        draft = draft_of(task.facts)
        return draft.model_copy(update={"summary": (*draft.summary, first.model_copy(update={"text": invented}))})

    report = (await ask(services(tmp_path, reasoner=ScriptedReasoner({"synthesize": with_invention})), saver))["report"]
    assert invented not in [claim.text for claim in report.answer.claims]
    assert invented in [question.question for question in report.answer.open_questions]
    assert [(patch.action, patch.taken) for patch in report.repairs] == [("drop", True)]


async def test_a_repair_that_lowers_the_support_is_not_taken(tmp_path, saver):
    def spoil(task: Any) -> Repair:
        worse = draft_of([])
        patches = tuple(
            Patch(repair=task.repair, claim_id=claim.claim_id, action="drop") for claim in task.draft.claims
        )
        return Repair(draft=worse, patches=patches)

    judge = ScriptedJudge(["supported", "supported", "unsupported"])
    parts = services(tmp_path, judge=judge, reasoner=ScriptedReasoner({"repair": spoil}))
    report = (await ask(parts, saver, max_repairs=1))["report"]
    assert len(report.answer.claims) == 2
    assert {patch.taken for patch in report.repairs} == {False}


async def test_the_fixer_may_ask_for_one_targeted_retrieval(tmp_path, saver):
    wrong = "The Angara is 9 km long."

    def with_wrong(task: Any) -> Any:
        draft = draft_of(task.facts)
        return draft.model_copy(
            update={"summary": (*draft.summary, claim_of(task.facts[0]).model_copy(update={"text": wrong}))}
        )

    asked: list[bool] = []

    def repair(task: Any) -> Repair:
        asked.append(task.may_retrieve)
        bad = task.issues[0].claim_id
        if task.may_retrieve:
            patch = Patch(repair=task.repair, claim_id=bad, action="retrieve", reason="look once more")
            return Repair(draft=task.draft, patches=(patch,), query="length of the Angara", claim_id=bad)
        patch = Patch(repair=task.repair, claim_id=bad, action="drop", before=wrong)
        kept = tuple(claim for claim in task.draft.summary if claim.claim_id != bad)
        return Repair(draft=task.draft.model_copy(update={"summary": kept}), patches=(patch,))

    corpus = FakeCorpus(dict(BAIKAL))
    reasoner = ScriptedReasoner({"synthesize": with_wrong, "repair": repair})
    report = (await ask(services(tmp_path, corpus=corpus, reasoner=reasoner), saver))["report"]
    assert corpus.searched[-1] == "length of the Angara"
    assert (asked, report.ledger.repairs, report.ledger.iterations) == ([True, False], 1, 1)
    assert reasoner.calls.count("synthesize") == reasoner.calls.count("extract_facts") == 1
    assert wrong not in [claim.text for claim in report.answer.claims]
    assert report.stop_reason == "no_gaps"


def _always_a_gap(queries: tuple[str, ...] = ()) -> Any:
    counter = iter(range(10_000))

    def find(task: Any) -> list[Gap]:
        fresh = queries or (f"Baikal again {next(counter)}",)
        return [Gap(question_id="Q1", reason="still open", queries=fresh)]

    return find


def _new_facts(count: int) -> Any:
    def extract(task: Any) -> list[Fact]:
        passage = task.passages[0] if task.passages else None
        if passage is None:
            return []
        base = fact_of(passage)
        return [
            base.model_copy(update={"statement": f"{base.statement} Round {task.iteration}, fact {number}."})
            for number in range(count)
        ]

    return extract


class _Deep(FakeCorpus):
    """A corpus in which every query finds one passage of its own."""

    def search(self, query: str, k: int = 10, mode: str = "hybrid") -> Any:
        self.texts.setdefault(f"{query}.txt", f"Baikal: {query}.")
        return [hit for hit in super().search(query, k=1000, mode=mode) if hit.chunk_id in self._ids(query)]

    def _ids(self, query: str) -> set[str]:
        from citewell.state.records import chunk_id_of

        return {chunk_id_of(f"{query}.txt", 0)}


@pytest.mark.parametrize(
    ("facts", "gaps", "context", "expected"),
    [
        (3, _always_a_gap, {"max_iterations": 1}, "max_iterations"),
        (3, _always_a_gap, {}, "max_iterations"),
        (3, None, {}, "no_gaps"),
        (9, _always_a_gap, {"max_facts": 5}, "max_facts"),
        (2, _always_a_gap, {}, "diminishing_returns"),
        (0, _always_a_gap, {}, "no_evidence"),
        (3, lambda: _always_a_gap(("Baikal", "BAIKAL ")), {"max_iterations": 9}, "diminishing_returns"),
    ],
)
async def test_the_first_reason_that_holds_ends_the_rounds(tmp_path, facts, gaps, context, expected):
    steps = {"extract_facts": _new_facts(facts)} | ({"find_gaps": gaps()} if gaps else {})
    parts = services(tmp_path, corpus=_Deep({"seed.txt": "Seed."}), reasoner=ScriptedReasoner(steps))
    report = (await ask(parts, InMemorySaver(serde=checkpoint_serde()), **context))["report"]
    assert report.stop_reason == expected
    assert report.ledger.iterations <= context.get("max_iterations", 4)


async def test_four_rounds_are_three_follow_ups_and_no_query_is_searched_twice(tmp_path):
    corpus = _Deep({"seed.txt": "Seed."})
    steps = {"extract_facts": _new_facts(3), "find_gaps": _always_a_gap()}
    judge = ScriptedJudge(["supported"])
    parts = services(tmp_path, corpus=corpus, reasoner=ScriptedReasoner(steps), judge=judge)
    report = (await ask(parts, InMemorySaver(serde=checkpoint_serde())))["report"]
    assert [step.iteration for step in report.steps] == [1, 2, 3, 4]
    assert len(corpus.searched) == len(set(corpus.searched)) == 6
    assert report.status == "partial"


async def test_time_that_is_spent_ends_the_rounds_by_name(tmp_path):
    parts = services(
        tmp_path, corpus=_Deep({"seed.txt": "Seed."}), reasoner=ScriptedReasoner({"find_gaps": _always_a_gap()})
    )
    report = (await ask(parts, InMemorySaver(serde=checkpoint_serde()), max_seconds=1e-9))["report"]
    assert report.stop_reason == "time_budget"


async def test_the_longest_run_stays_within_its_recursion_limit(tmp_path):
    def bad_repair(task: Any) -> Repair:
        bad = task.issues[0].claim_id
        patch = Patch(repair=task.repair, claim_id=bad, action="retrieve")
        query = "one more look" if task.may_retrieve else ""
        return Repair(draft=task.draft, patches=(patch,), query=query, claim_id=bad)

    steps = {"extract_facts": _new_facts(3), "find_gaps": _always_a_gap(), "repair": bad_repair}
    parts = services(
        tmp_path,
        corpus=_Deep({"seed.txt": "Seed."}),
        reasoner=ScriptedReasoner(steps),
        judge=ScriptedJudge(["unsupported"]),
    )
    graph = build_research_graph(parts).compile()
    config = {"recursion_limit": recursion_limit(max_iterations=12, max_repairs=3)}
    context = ResearchContext(max_iterations=12, max_repairs=3, max_facts=1000)
    result = await graph.ainvoke({"question": QUESTION, "docs": ["here"]}, config, context=context)
    assert (result["report"].ledger.iterations, result["report"].ledger.repairs) == (12, 3)


async def test_a_second_question_starts_clean_and_keeps_the_conversation(tmp_path, saver):
    corpus = FakeCorpus({"a.txt": "Fee: 4,500 EUR."})
    parts = services(tmp_path, corpus=corpus, reasoner=ScriptedReasoner({"plan": _plan_of_question}))
    await ask(parts, saver, {"question": "fee?", "docs": ["a"]})
    corpus.texts = {"b.txt": "Net debt: 318 million EUR."}
    result = await ask(parts, saver, {"question": "net debt?", "docs": ["b"]})
    report = result["report"]
    assert report.answer.sources == ("b.txt",)
    assert {passage.uri for passage in report.evidence} == {"b.txt"}
    assert (report.ledger.iterations, len(report.facts)) == (1, 1)
    assert [message.type for message in result["messages"]] == ["human", "ai", "human", "ai"]


def _plan_of_question(task: Any) -> Plan:
    words = task.question.strip("?")
    return Plan(
        goal=task.question, subtasks=(PlanQuestion(question_id="Q1", text=task.question),), queries=(words + ":",)
    )


async def test_a_follow_up_is_resolved_against_the_conversation_and_shown(tmp_path, saver):
    seen: list[Any] = []

    def resolve(question: str, history: Any) -> str:
        seen.append([text for _, text in history][:1])
        return "How deep is Lake Baikal in 2021?" if history else question

    parts = services(tmp_path, reasoner=ScriptedReasoner({"resolve": resolve}))
    await ask(parts, saver)
    report = (await ask(parts, saver, {"question": "And in 2021?"}))["report"]
    assert seen == [[], [QUESTION]]
    assert (report.question, report.resolved_question) == ("And in 2021?", "How deep is Lake Baikal in 2021?")


async def test_every_source_failing_is_a_failed_run_with_each_reason(tmp_path, saver):
    corpus = FakeCorpus({}, failed={"locked.pdf": "password", "cut.pdf": "damaged"})
    report = (await ask(services(tmp_path, corpus=corpus), saver))["report"]
    assert (report.status, report.stop_reason, report.answer.claims) == ("failed", "error", ())
    assert "locked.pdf: password" in report.answer.risks_and_limits[0]
    assert {source.uri for source in report.sources} == {"locked.pdf", "cut.pdf"}


@pytest.mark.parametrize(
    ("given", "words"), [({"question": QUESTION}, "no source"), ({"question": "  ", "docs": ["here"]}, "empty")]
)
async def test_a_run_that_cannot_start_says_why(tmp_path, given, words):
    report = (await ask(services(tmp_path), InMemorySaver(serde=checkpoint_serde()), given))["report"]
    assert report.status == "failed"
    assert words in report.answer.risks_and_limits[0]


async def test_sources_that_hold_nothing_of_use_are_insufficient_evidence(tmp_path, saver):
    parts = services(tmp_path, corpus=FakeCorpus({"x.txt": "Unrelated."}))
    report = (await ask(parts, saver))["report"]
    assert (report.status, report.stop_reason, report.answer.claims) == ("insufficient_evidence", "no_evidence", ())


async def test_a_provider_that_refuses_the_plan_fails_the_run_by_name(tmp_path):
    def refuse(task: Any) -> Plan:
        raise ProviderError("openai", "wrong key", setting="OPENAI_API_KEY")

    parts = services(tmp_path, reasoner=ScriptedReasoner({"plan": refuse}))
    report = (await ask(parts, InMemorySaver(serde=checkpoint_serde())))["report"]
    assert (report.status, report.stop_reason) == ("failed", "error")
    assert "OPENAI_API_KEY" in report.answer.risks_and_limits[0]


async def test_a_judge_that_fails_leaves_its_claims_not_checked_and_the_run_partial(tmp_path):
    def fail(claim: Claim, cited: Any) -> Any:
        raise MalformedReply("validator", "no JSON")

    parts = services(tmp_path, reasoner=ScriptedReasoner({"judge": fail}))
    report = (await ask(parts, InMemorySaver(serde=checkpoint_serde())))["report"]
    assert {claim.support for claim in report.answer.claims} == {"not_checked"}
    assert report.status != "answered"


async def test_a_fact_whose_quote_is_not_in_its_passage_is_refused(tmp_path):
    def invent(task: Any) -> list[Fact]:
        fact = fact_of(task.passages[0])
        quote = fact.quotes[0].model_copy(update={"text": "something else"})
        return [fact.model_copy(update={"quotes": (quote,)})]

    parts = services(tmp_path, reasoner=ScriptedReasoner({"extract_facts": invent}))
    report = (await ask(parts, InMemorySaver(serde=checkpoint_serde())))["report"]
    assert report.facts == ()
    assert any("quote" in fallback.reason for fallback in report.fallbacks)


async def test_a_person_may_approve_edit_or_reject_the_plan(tmp_path, saver):
    corpus = FakeCorpus(dict(BAIKAL))
    parts = services(tmp_path, corpus=corpus)
    graph = build_research_graph(parts).compile(checkpointer=saver)
    context = ResearchContext(approve_plan=True)

    async def start(thread_id: str) -> Any:
        return await graph.ainvoke({"question": QUESTION, "docs": ["x"]}, thread(thread_id), context=context)

    shown = await start("edit")
    assert shown["__interrupt__"][0].value["plan"]["queries"]
    again = await graph.ainvoke(Command(resume={"action": "nonsense"}), thread("edit"))
    assert "expected an action" in again["__interrupt__"][0].value["error"]
    done = await graph.ainvoke(Command(resume={"action": "edit", "queries": [" Angara ", "Angara"]}), thread("edit"))
    assert [query for step in done["report"].steps for query in step.queries] == ["Angara"]

    await start("reject")
    rejected = await graph.ainvoke(Command(resume={"action": "reject", "reason": "wrong topic"}), thread("reject"))
    assert (rejected["report"].stop_reason, rejected["report"].answer.claims) == ("cancelled", ())
    assert "wrong topic" in rejected["report"].answer.risks_and_limits[0]

    await start("approve")
    approved = await graph.ainvoke(Command(resume={"action": "approve"}), thread("approve"))
    assert approved["report"].status == "answered"


async def test_a_run_that_died_resumes_at_the_step_and_ends_with_the_same_answer(tmp_path, saver):
    died: list[bool] = []

    def die_once(task: Any) -> Any:
        if not died:
            died.append(True)
            raise RuntimeError("killed")

    calm = (await ask(services(tmp_path / "calm"), saver, thread_id="calm"))["report"]
    corpus = FakeCorpus(dict(BAIKAL))
    reasoner = ScriptedReasoner({"synthesize": die_once})
    graph = build_research_graph(services(tmp_path, corpus=corpus, reasoner=reasoner)).compile(checkpointer=saver)
    with pytest.raises(RuntimeError, match="killed"):
        await graph.ainvoke({"question": QUESTION, "docs": ["here"]}, thread("dies"), durability="sync")
    resumed = (await graph.ainvoke(None, thread("dies"), durability="sync"))["report"]
    assert resumed.answer == calm.answer
    assert reasoner.calls.count("plan") == reasoner.calls.count("extract_facts") == 1
    assert len(corpus.searched) == 3


async def test_an_answered_run_is_remembered_and_shapes_the_next_plan_only(tmp_path, saver):
    parts = services(tmp_path)
    first = (await ask(parts, saver))["report"]
    second = (await ask(parts, saver, thread_id="t-2"))["report"]
    assert [episode.episode_id for episode in second.episodes] == [first.run_id]
    assert all(not claim.citations[0].startswith(first.run_id) for claim in second.answer.claims)


async def test_fixed_time_gives_identical_reports(tmp_path):
    one = services(tmp_path / "one", fixed_time="2026-01-05T12:00:00Z")
    two = services(tmp_path / "two", fixed_time="2026-01-05T12:00:00Z")
    first = (await ask(one, InMemorySaver(serde=checkpoint_serde())))["report"]
    second = (await ask(two, InMemorySaver(serde=checkpoint_serde())))["report"]
    assert first.model_dump_json() == second.model_dump_json()


def test_the_drawing_shows_every_node_and_no_stray_end(tmp_path):
    drawing = build_research_graph(services(tmp_path)).compile().get_graph()
    names = [
        "intake",
        "planner",
        "retriever",
        "fact_extractor",
        "gap_detector",
        "synthesizer",
        "validator",
        "fixer",
        "publisher",
    ]
    assert set(drawing.nodes) == {"__start__", "__end__", *names}
    assert [edge.source for edge in drawing.edges if edge.target == "__end__"] == ["publisher"]
