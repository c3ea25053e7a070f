"""Checkpoints and the long-term store, in SQLite and in a real PostgreSQL: the same behaviour behind one opening."""

from __future__ import annotations

import asyncio
from operator import add
from pathlib import Path
from typing import Annotated, Any

import pytest
from citewell.errors import ProviderError
from citewell.settings import Environment
from citewell.state.records import Plan
from citewell.state.savers import CHECKPOINT_TYPES, open_saver, open_store
from citewell.state.server_serde import ServerSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict


@pytest.fixture(params=["sqlite", "postgres"])
def environment(request, tmp_path) -> Environment:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Environment(home=tmp_path, postgres_url=url)


class State(TypedDict, total=False):
    word: str
    plan: Plan
    said: Annotated[list[str], add]


class Other(BaseModel):
    word: str


class Inner(TypedDict, total=False):
    word: str
    plan: Plan
    said: list[str]


def built(saver: Any) -> Any:
    """Two steps, the second one a graph of its own that asks a person where the word is `ask`."""

    async def plan(state: State) -> State:
        return {"plan": Plan(goal=state["word"], subtasks=(), queries=(state["word"],))}

    async def say(state: Inner) -> Inner:
        return {"said": [interrupt("which word?") if state["word"] == "ask" else state["plan"].goal]}

    inner = StateGraph(Inner)
    inner.add_node("say", say)
    inner.add_edge(START, "say")
    inner.add_edge("say", END)
    graph = StateGraph(State)
    graph.add_node("plan", plan)
    graph.add_node("inner", inner.compile())
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "inner")
    graph.add_edge("inner", END)
    return graph.compile(checkpointer=saver)


def thread(name: str, **more: Any) -> Any:
    return {"configurable": {"thread_id": name}, "metadata": more}


async def count(saver: Any, name: str) -> int:
    return len([one async for one in saver.alist({"configurable": {"thread_id": name}})])


async def test_records_come_back_as_records_from_another_opening(environment):
    async with open_saver(environment) as saver:
        await built(saver).ainvoke({"word": "quay"}, thread("t"))
    async with open_saver(environment) as saver:
        values = (await built(saver).aget_state(thread("t"))).values
    assert values["plan"] == Plan(goal="quay", subtasks=(), queries=("quay",))
    assert isinstance(values["plan"], Plan)


async def test_threads_with_odd_names_do_not_touch_each_other(environment):
    names = ["a", "a/", "a/../b", "a:b", "a|b", "a%2Fb", "a b", "A", "ä", "a'--", '"a"', "%", "_", "a\u0301"]
    async with open_saver(environment) as saver:
        graph = built(saver)
        for name in names:
            await graph.ainvoke({"word": f"word of {name}"}, thread(name))
        for name in names:
            assert (await graph.aget_state(thread(name))).values["said"] == [f"word of {name}"]
        await saver.adelete_thread("a")
        assert [name for name in names if not await count(saver, name)] == ["a"]


async def test_runs_side_by_side_lose_nothing(environment):
    async with open_saver(environment) as saver:
        graph = built(saver)
        await asyncio.gather(*(graph.ainvoke({"word": f"w{n}"}, thread(f"t{n}")) for n in range(30)))
        for n in range(30):
            assert (await graph.aget_state(thread(f"t{n}"))).values["said"] == [f"w{n}"]


async def test_several_openings_at_once_make_the_tables_once(environment):
    async def use(number: int) -> list[str]:
        async with open_saver(environment) as saver, open_store(environment):
            return list((await built(saver).ainvoke({"word": "w"}, thread(f"t{number}")))["said"])

    assert await asyncio.gather(*(use(number) for number in range(6))) == [["w"]] * 6


async def test_what_a_rolled_back_run_saved_is_gone_and_nothing_else(environment):
    async with open_saver(environment) as saver:
        graph = built(saver)
        await graph.ainvoke({"word": "one"}, thread("t", run_id="r1"))
        await graph.ainvoke({"word": "two"}, thread("t", run_id="r2"))
        await graph.ainvoke({"word": "other"}, thread("u", run_id="r3"))
        await saver.adelete_for_runs(["r2"])
        assert (await graph.aget_state(thread("t"))).values["said"] == ["one"]
        assert (await graph.aget_state(thread("u"))).values["said"] == ["other"]
        assert (await graph.ainvoke({"word": "three"}, thread("t")))["said"] == ["one", "three"]


async def test_nothing_is_deleted_copied_and_pruned_where_nothing_was_written(environment):
    async with open_saver(environment) as saver:
        await saver.adelete_thread("t")
    async with open_saver(environment) as saver:
        await saver.adelete_for_runs(["r"])
        await saver.acopy_thread("t", "u")
        await saver.aprune(["t"])
        assert await count(saver, "t") == 0


async def test_a_copied_thread_has_the_history_and_a_life_of_its_own(environment):
    async with open_saver(environment) as saver:
        graph = built(saver)
        await graph.ainvoke({"word": "one"}, thread("t"))
        await saver.acopy_thread("t", "copy")
        assert await count(saver, "copy") == await count(saver, "t")
        await graph.ainvoke({"word": "two"}, thread("copy"))
        assert (await graph.aget_state(thread("copy"))).values["said"] == ["one", "two"]
        assert (await graph.aget_state(thread("t"))).values["said"] == ["one"]


async def test_pruning_keeps_what_goes_on_from_the_latest_checkpoint(environment):
    async with open_saver(environment) as saver:
        graph = built(saver)
        for word in ("one", "two", "three"):
            await graph.ainvoke({"word": word}, thread("t"))
        await graph.ainvoke({"word": "ask"}, thread("waits"))
        await saver.aprune(["t", "waits"])
        assert await count(saver, "t") == 1
        assert (await graph.aget_state(thread("t"))).values["said"] == ["one", "two", "three"]
        assert (await graph.ainvoke({"word": "four"}, thread("t")))["said"][-1] == "four"
        assert (await graph.ainvoke(Command(resume="answer"), thread("waits")))["said"] == ["answer"]
        await saver.aprune(["t"], strategy="delete_all")
        assert await count(saver, "t") == 0
        with pytest.raises(ValueError, match="strategy"):
            await saver.aprune(["t"], strategy="some")


async def test_characters_that_a_database_cannot_hold_stop_no_run(environment):
    async with open_saver(environment) as saver:
        graph = built(saver)
        await graph.ainvoke({"word": "a\x00b"}, thread("t"))
        assert (await graph.aget_state(thread("t"))).values["word"] in ("a\x00b", "a\ufffdb")


async def test_the_store_keeps_items_by_namespace(environment):
    async with open_store(environment) as store:
        await store.aput(("ann", "notes"), "k", {"text": "quay"})
        await store.aput(("bob", "notes"), "k", {"text": "ferry"})
    async with open_store(environment) as store:
        found = await store.aget(("ann", "notes"), "k")
        assert found is not None
        assert found.value == {"text": "quay"}
        assert [item.value["text"] for item in await store.asearch(("bob",))] == ["ferry"]
        assert await store.aget(("ann",), "k") is None
        await store.adelete(("ann", "notes"), "k")
        assert await store.aget(("ann", "notes"), "k") is None


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://ann:s3cret@127.0.0.1:1/db", "Postgres at 127.0.0.1:1: does not answer"),
        ("postgresql://ann:s3cret@127.0.0.1:port/db", "cannot be read"),
        ("not an address s3cret", "cannot be read"),
    ],
)
async def test_a_postgres_that_is_not_there_is_named_without_its_password(url, said, tmp_path):
    with pytest.raises(ProviderError) as raised:
        async with open_saver(Environment(home=tmp_path, postgres_url=url)):
            pass
    assert said in str(raised.value)
    assert "s3cret" not in str(raised.value)
    assert raised.value.exit_code == 4


async def test_a_database_that_does_not_exist_is_named(postgres_address, tmp_path):
    with pytest.raises(ProviderError, match="refuses"):
        async with open_saver(Environment(home=tmp_path, postgres_url=f"{postgres_address}/nowhere")):
            pass


async def test_a_saver_outlives_connections_that_break(postgres_url, tmp_path):
    import psycopg

    async with open_saver(Environment(home=Path(tmp_path), postgres_url=postgres_url)) as saver:
        graph = built(saver)
        await graph.ainvoke({"word": "one"}, thread("t"))
        with psycopg.connect(postgres_url, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert (await graph.ainvoke({"word": "two"}, thread("t")))["said"] == ["one", "two"]


def test_the_serializer_of_a_server_learns_types_without_being_copied():
    serde = ServerSerializer(allowed_msgpack_modules=CHECKPOINT_TYPES)
    written = serde.dumps_typed(Other(word="quay"))
    assert serde.with_msgpack_allowlist([(Other.__module__, Other.__name__)]) is serde
    assert serde.loads_typed(written) == Other(word="quay")
    plan = Plan(goal="quay", subtasks=(), queries=("quay",))
    assert serde.loads_typed(serde.dumps_typed(plan)) == plan


async def test_threads_are_named_once_each(environment):
    async with open_saver(environment) as saver:
        graph = built(saver)
        assert await saver.athread_ids() == []
        for name, word in (("t", "one"), ("t", "two"), ("u", "other"), ("waits", "ask")):
            await graph.ainvoke({"word": word}, thread(name))
        assert sorted(await saver.athread_ids()) == ["t", "u", "waits"]
