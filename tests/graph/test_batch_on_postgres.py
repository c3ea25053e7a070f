"""A batch whose threads live in Postgres: another home on another machine finds what is finished."""

from __future__ import annotations

import json

import pytest
from citewell.graph.batch import abatch
from citewell.graph.questions import Asking, read_questions
from citewell.graph.wiring import default_services
from citewell.settings import Environment, Settings


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
