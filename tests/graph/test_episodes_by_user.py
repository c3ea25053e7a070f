"""Earlier runs are recalled for the user who made them and for nobody else, wherever a run comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from citewell.graph.chat_wiring import default_chat_services
from citewell.graph.research import build_research_graph
from citewell.graph.run import aresearch, aresume
from citewell.graph.wiring import default_services
from citewell.settings import Environment, Settings
from citewell.state.episodes import EpisodeStore
from citewell.state.scope import ToolScope, with_scope
from click.testing import CliRunner

QUESTION = "How high is the lighthouse of Karsund?"


@pytest.fixture
def docs(tmp_path: Path) -> list[Path]:
    file = tmp_path / "lighthouse.md"
    file.write_text("# Karsund\n\nThe lighthouse of Karsund is 31 m high and was lit in 1904.\n")
    return [file]


@pytest.fixture
def environment(clean_environment: Path) -> Environment:
    return Environment.read()


async def test_a_run_recalls_the_runs_of_its_user_alone(docs, environment):
    options = {"docs": docs, "settings": Settings(engine="embedded"), "environment": environment}
    first = await aresearch(QUESTION, user="ann", **options)
    assert first.status == "answered"
    assert (await aresearch(QUESTION, user="bob", **options)).episodes == ()
    assert (await aresearch(QUESTION, **options)).episodes == ()
    assert [each.episode_id for each in (await aresearch(QUESTION, user="ann", **options)).episodes] == [first.run_id]


async def test_two_users_who_ask_the_same_at_a_fixed_time_both_remember_it(docs, environment):
    settings = Settings(engine="embedded", fixed_time="2025-01-02T03:04:05Z")
    for user in ("ann", "bob"):
        await aresearch(QUESTION, docs=docs, settings=settings, environment=environment, user=user)
    store = EpisodeStore(environment.home / "episodes.sqlite")
    assert [len(store.latest(user=user)) for user in ("ann", "bob", "default")] == [1, 1, 0]


async def test_a_conversation_remembers_its_research_under_its_user(docs, environment):
    services = default_chat_services(Settings(engine="embedded"), environment)
    scope = ToolScope(user="ann", thread_id="t-1", research={"docs": [str(docs[0])], "context": {}})
    told = await services.tools.call("research", json.dumps({"question": QUESTION}), config=with_scope({}, scope))
    assert "31 m" in told.content
    store = EpisodeStore(environment.home / "episodes.sqlite")
    assert [len(store.latest(user=user)) for user in ("ann", "bob", "")] == [1, 0, 0]


async def test_a_thread_that_waits_is_taken_up_for_the_user_who_began_it(docs, environment):
    from citewell.graph.following import PlanPending

    settings = Settings(engine="embedded", approve_plan=True)
    with pytest.raises(PlanPending):
        await aresearch(QUESTION, docs=docs, settings=settings, environment=environment, user="ann", thread_id="t-2")
    await aresume("t-2", decision={"action": "approve"}, settings=settings, environment=environment)
    store = EpisodeStore(environment.home / "episodes.sqlite")
    assert [len(store.latest(user=user)) for user in ("ann", "")] == [1, 0]


def test_the_command_line_lists_the_episodes_of_a_user(docs, environment):
    from citewell.cli import cli

    command = ["research", QUESTION, "--docs", str(docs[0]), "--engine", "embedded", "--quiet"]
    for extra in ([], ["--user", "ann"]):
        assert CliRunner().invoke(cli, [*command, *extra]).exit_code == 0
    listed = [
        json.loads(CliRunner().invoke(cli, ["episodes", "--json", *extra]).stdout) for extra in ([], ["--user", "ann"])
    ]
    assert [[each["user"] for each in found] for found in listed] == [["default"], ["ann"]]
    assert json.loads(CliRunner().invoke(cli, ["episodes", "--json", "--user", "bob"]).stdout) == []


async def test_the_run_context_of_a_graph_names_the_user(docs, environment):
    graph = build_research_graph(default_services(Settings(engine="embedded"), environment)).compile()
    given = {"question": QUESTION, "docs": [str(docs[0])]}
    for user in ("ann", "bob"):
        assert (await graph.ainvoke(given, context={"user": user}))["report"].episodes == ()
    store = EpisodeStore(environment.home / "episodes.sqlite")
    assert [len(store.latest(user=user)) for user in ("ann", "bob", "default")] == [1, 1, 0]
