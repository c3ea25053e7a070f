"""A batch whose threads live in Postgres: another home on another machine finds what is finished."""

from __future__ import annotations

import asyncio
import json

import pytest
from citewell.graph.batch import abatch
from citewell.graph.questions import Asking, read_questions
from citewell.graph.wiring import default_services
from citewell.settings import Environment, Settings
from citewell.state.postgres_locks import ThreadLocks


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "lake"
    folder.mkdir()
    (folder / "depth.txt").write_text("Lake Baikal is 1,642 m deep.")
    (folder / "rivers.txt").write_text("The Angara is the only river that drains Lake Baikal.")
    return folder


@pytest.mark.slow
async def test_another_home_finds_what_is_finished(postgres_url, tmp_path, docs):
    lines = ["How deep is Lake Baikal?", "Which river drains Lake Baikal?"]
    ended = []
    for home in ("one", "other"):
        environment = Environment(home=tmp_path / home, postgres_url=postgres_url)
        asking = Asking(Settings(engine="embedded", trace=False), environment, docs=[str(docs)])
        questions, _ = read_questions([json.dumps(line).encode() for line in lines], asking)
        found = {}

        async def note(finished, found=found):
            found[finished.question.question] = finished

        await abatch(questions, default_services(asking.settings, environment), concurrency=2, on_finished=note)
        ended.append(found)
    first, second = ended
    assert [finished.error for finished in (*first.values(), *second.values())] == [None] * 4
    assert ({each.how for each in first.values()}, {each.how for each in second.values()}) == ({"asked"}, {"kept"})
    assert all(second[line].report == first[line].report for line in lines)
    assert not (tmp_path / "one" / "checkpoints.sqlite").exists()
    assert not (tmp_path / "other" / "corpora").exists()


@pytest.mark.slow
async def test_two_machines_with_one_database_never_ask_a_question_both(postgres_url, tmp_path, docs):
    lines = [f"{how} Lake Baikal?" for how in ("How deep is", "Which river drains", "What is said of", "Where lies")]

    async def machine(name: str) -> dict[str, str]:
        environment = Environment(home=tmp_path / name, postgres_url=postgres_url)
        asking = Asking(Settings(engine="embedded", trace=False), environment, docs=[str(docs)])
        questions, _ = read_questions([json.dumps(line).encode() for line in lines], asking)
        how: dict[str, str] = {}

        async def note(finished):
            assert finished.error is None
            how[finished.question.question] = finished.how

        await abatch(questions, default_services(asking.settings, environment), concurrency=4, on_finished=note)
        return how

    one, other = await asyncio.gather(machine("one"), machine("other"))
    assert [sorted((one[line], other[line])) for line in lines] == [["asked", "kept"]] * 4


@pytest.mark.slow
def test_a_thread_is_held_by_one_session_and_freed_with_it(postgres_url):
    mine, others = ThreadLocks(postgres_url), ThreadLocks(postgres_url)
    assert mine.acquire("t")
    assert mine.acquire("u")
    assert not others.acquire("t")
    mine.release("t")
    assert others.acquire("t")
    others.release("t")
    mine.release("u")
    assert mine._session is None
    assert others._session is None
