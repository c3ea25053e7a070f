"""Runs that wait for a person: the plan that was shown is the plan that counts, and sources are asked for strictly."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from citewell.errors import UsageError
from citewell.graph.following import PlanPending
from citewell.graph.research import build_research_graph
from citewell.graph.run import aresearch, aresume
from citewell.settings import Environment
from citewell.state.budget import Budget
from citewell.state.context import ResearchContext
from citewell.state.records import Episode
from citewell.state.replies import plan_reply, sources_reply
from citewell.state.savers import checkpoint_serde, open_saver
from fakes import NOON, FakeCorpus, services
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

QUESTION = "How deep is Lake Baikal?"


@pytest.fixture(params=["memory", "sqlite"])
async def saver(request, tmp_path):
    if request.param == "memory":
        yield InMemorySaver(serde=checkpoint_serde())
        return
    async with open_saver(Environment(home=tmp_path / "saver")) as opened:
        yield opened


def thread(thread_id: str) -> Any:
    return {"configurable": {"thread_id": thread_id}}


def waiting(result: dict[str, Any]) -> dict[str, Any]:
    (one,) = result["__interrupt__"]
    return dict(one.value)


class TestPlan:
    async def test_an_approval_holds_for_the_plan_that_was_shown(self, tmp_path, saver):
        parts = services(tmp_path)
        planned: list[tuple[str, ...]] = []
        plan = parts.reasoner_for(None, "planner").plan  # type: ignore[arg-type]

        async def planning(task: Any) -> Any:
            made = await plan(task)
            planned.append(tuple(episode.question for episode in task.episodes))
            return made.model_copy(update={"queries": (*made.queries, f"query {len(planned)}")})

        parts.reasoner_for(None, "planner").plan = planning  # type: ignore[arg-type, method-assign]
        graph = build_research_graph(parts).compile(checkpointer=saver)
        context = ResearchContext(approve_plan=True)
        shown = waiting(await graph.ainvoke({"question": QUESTION, "docs": ["x"]}, thread("t"), context=context))
        parts.episodes.add(Episode(episode_id="other", created_at=NOON, question=QUESTION))
        done = await graph.ainvoke(Command(resume={"action": "approve"}), thread("t"), context=context)
        assert planned == [()]
        assert list(done["report"].plan.queries) == shown["plan"]["queries"]
        assert done["report"].episodes == ()

    async def test_the_clock_of_a_run_stands_while_a_person_thinks(self, tmp_path, saver, monkeypatch):
        now = [0.0]
        monkeypatch.setattr("citewell.nodes.services.Budget", partial(Budget, clock=lambda: now[0]))
        graph = build_research_graph(services(tmp_path)).compile(checkpointer=saver)
        context = ResearchContext(approve_plan=True, max_seconds=60)
        await graph.ainvoke({"question": QUESTION, "docs": ["x"]}, thread("t"), context=context)
        now[0] += 10_000
        done = await graph.ainvoke(Command(resume={"action": "approve"}), thread("t"), context=context)
        assert done["report"].stop_reason != "time_budget"
        assert done["report"].status == "answered"

    @pytest.mark.parametrize(
        ("reply", "problem"),
        [
            (None, "expected an action"),
            ("yes", "got the text 'yes'"),
            ([], "expected an action"),
            ({}, "action: Field required"),
            ({"action": "approve!"}, "expected an action of approve, edit, reject"),
            ({"action": "approve", "query": "x"}, "query: Extra inputs"),
            ({"action": "approve", "queries": ["another"]}, "send the queries with the action edit"),
            ({"action": "edit"}, "at least one"),
            ({"action": "edit", "queries": [" ", ""]}, "at least one"),
            ({"action": "edit", "queries": "depth"}, "queries"),
            ({"action": "edit", "queries": [1]}, "queries.0"),
            ({"action": "edit", "queries": ["x" * 2_001]}, "queries.0"),
            ({"action": "edit", "queries": [str(n) for n in range(51)]}, "queries"),
            ({"action": "reject", "reason": 5}, "reason"),
        ],
    )
    def test_a_reply_that_is_not_one_is_refused_in_one_line(self, reply, problem):
        with pytest.raises(UsageError, match="plan approval") as raised:
            plan_reply(reply, ("depth",))
        assert problem in str(raised.value)
        assert "\n" not in str(raised.value)

    def test_a_reply_may_come_as_json_text_and_an_approval_may_repeat_the_queries(self):
        assert plan_reply('{"action": "edit", "queries": [" a ", "a", "b"]}', ()).queries == ("a", "b")
        assert plan_reply({"action": "approve", "queries": ["a"], "reason": ""}, ("a",)).action == "approve"


class TestSources:
    async def test_a_question_without_sources_fails_unless_a_person_is_to_be_asked(self, tmp_path, saver):
        graph = build_research_graph(services(tmp_path)).compile(checkpointer=saver)
        done = await graph.ainvoke({"question": QUESTION}, thread("t"))
        assert "__interrupt__" not in done
        assert done["report"].status == "failed"

    async def test_a_person_is_asked_where_to_look_until_the_reply_can_be_used(self, tmp_path, saver):
        corpus = FakeCorpus(
            {"lakes.txt": "Lake Baikal is 1,642 m deep.", "towns.txt": "Listvyanka lies on Lake Baikal."}
        )
        graph = build_research_graph(services(tmp_path, corpus=corpus)).compile(checkpointer=saver)
        context = ResearchContext(ask_sources=True)
        question = f"{QUESTION} It is on https://lakes.test/baikal."
        shown = waiting(await graph.ainvoke({"question": question}, thread("t"), context=context))
        assert shown["question"] == question
        assert shown["suggested"] == {"urls": ["https://lakes.test/baikal"]}
        assert set(shown["actions"]) == {"look", "cancel"}
        for reply, problem in (
            ("there", "got the text"),
            ({"docs": []}, "name `docs`"),
            ({"docs": ["/no/such"]}, "/no"),
        ):
            again = waiting(await graph.ainvoke(Command(resume=reply), thread("t"), context=context))
            assert problem in again["error"]
        done = await graph.ainvoke(Command(resume={"docs": [str(tmp_path)]}), thread("t"), context=context)
        assert "1,642 m" in done["answer"]
        second = await graph.ainvoke({"question": "Where does Listvyanka lie?"}, thread("t"), context=context)
        assert "__interrupt__" not in second
        assert second["report"].status in ("answered", "partial")

    async def test_whoever_replies_need_not_give_the_settings_once_more(self, tmp_path, saver):
        graph = build_research_graph(services(tmp_path)).compile(checkpointer=saver)
        context = ResearchContext(ask_sources=True, max_repairs=1, min_citations=3)
        await graph.ainvoke({"question": QUESTION}, thread("t"), context=context)
        done = await graph.ainvoke(Command(resume={"docs": [str(tmp_path)]}), thread("t"))
        assert done["report"].status == "answered"
        assert (done["report"].settings["max_repairs"], done["report"].settings["min_citations"]) == (1, 3)
        headless = await graph.ainvoke({"question": QUESTION}, thread("other"))
        assert "__interrupt__" not in headless

    async def test_a_person_may_end_the_run_instead(self, tmp_path, saver):
        graph = build_research_graph(services(tmp_path)).compile(checkpointer=saver)
        context = ResearchContext(ask_sources=True)
        await graph.ainvoke({"question": QUESTION}, thread("t"), context=context)
        reply = {"action": "cancel", "reason": "asked in error"}
        report = (await graph.ainvoke(Command(resume=reply), thread("t"), context=context))["report"]
        assert (report.status, report.stop_reason) == ("insufficient_evidence", "cancelled")
        assert "asked in error" in report.answer.risks_and_limits[0]

    async def test_a_reply_reaches_no_further_than_the_roots(self, tmp_path, saver):
        parts = services(tmp_path)
        parts.environment = parts.environment.model_copy(update={"roots": str(tmp_path / "filings")})
        graph = build_research_graph(parts).compile(checkpointer=saver)
        context = ResearchContext(ask_sources=True)
        await graph.ainvoke({"question": QUESTION}, thread("t"), context=context)
        again = waiting(await graph.ainvoke(Command(resume={"docs": ["/etc"]}), thread("t"), context=context))
        assert "outside the folders" in again["error"]

    async def test_sources_of_the_run_context_serve_a_question_that_has_none(self, tmp_path, saver):
        corpus = FakeCorpus({"lakes.txt": "Lake Baikal is 1,642 m deep."})
        graph = build_research_graph(services(tmp_path, corpus=corpus)).compile(checkpointer=saver)
        context = ResearchContext(docs=(str(tmp_path),), ask_sources=True)
        done = await graph.ainvoke({"messages": [("user", QUESTION)]}, thread("t"), context=context)
        assert "1,642 m" in done["answer"]
        assert "docs" not in (await graph.aget_state(thread("t"))).values

    @pytest.mark.parametrize(
        ("reply", "problem"),
        [
            (None, "expected an action of look, cancel"),
            ({"docs": "filings"}, "docs"),
            ({"docs": [3]}, "docs.0"),
            ({"web": "yes"}, "web"),
            ({"web": False}, "set `web` to true"),
            ({"folder": "x"}, "folder: Extra inputs"),
            ({"action": "look"}, "name `docs`"),
        ],
    )
    def test_a_reply_that_is_not_one_is_refused_in_one_line(self, reply, problem):
        with pytest.raises(UsageError, match="sources") as raised:
            sources_reply(reply)
        assert problem in str(raised.value)
        assert "\n" not in str(raised.value)

    async def test_the_python_api_says_that_a_person_is_waited_for(self, tmp_path):
        folder = Path(tmp_path) / "docs"
        folder.mkdir()
        parts = services(tmp_path, ask_sources=True)
        with pytest.raises(PlanPending, match="told where to look: citewell resume t-1") as raised:
            await aresearch(QUESTION, thread_id="t-1", services=parts)
        assert raised.value.request["ask"]
        report = await aresume("t-1", decision={"docs": [str(folder)]}, services=parts)
        assert report.status == "answered"
