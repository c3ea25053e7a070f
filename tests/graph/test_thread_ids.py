"""A thread's id is a name and nothing else: it reaches that thread alone and no file outside the home."""

from __future__ import annotations

from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.graph.run import aresearch, aresume
from citewell.graph.threads import alist_threads
from citewell.reports.traces.recording import trace_path
from fakes import FakeCorpus, services

ODD = (
    "a", "A", "a/", "/a", "a/b", "a/../b", "../a", "../../../tmp/a", "a\\b", "a:b", "a|b", "a b", " a", "a;b", "a%2Fb",
    "a\u0301", "á", "'; DROP TABLE checkpoints; --", '"', "*", "?", "%", "_", ".", "..", "-x", "--help", "con", "a\nb",
    "线程", "x" * 300,
)  # fmt: skip


async def test_each_odd_id_names_a_thread_of_its_own(tmp_path):
    home = tmp_path / "home"
    for number, thread_id in enumerate(ODD):
        parts = services(home, corpus=FakeCorpus({"lakes.txt": f"Lake Baikal is {1_000 + number} m deep."}))
        report = await aresearch("How deep is Lake Baikal?", docs=["here"], thread_id=thread_id, services=parts)
        assert report.thread_id == thread_id
    parts = services(home)
    for number, thread_id in enumerate(ODD):
        kept = await aresume(thread_id, services=parts)
        assert kept.thread_id == thread_id
        assert f"{1_000 + number} m" in kept.answer.summary_text
    assert {info.thread_id for info in await alist_threads(parts.environment)} == set(ODD)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


async def test_an_id_that_is_none_takes_up_nothing(tmp_path):
    parts = services(tmp_path)
    await aresearch("How deep is Lake Baikal?", docs=["here"], thread_id="a", services=parts)
    for other in ("a/", "./a", "A", "a%", "_", "*", "a\x00", "a' OR '1'='1"):
        with pytest.raises(UsageError, match="no thread"):
            await aresume(other, services=parts)


def test_traces_of_two_threads_never_share_a_file(tmp_path):
    paths = [trace_path(tmp_path, thread_id) for thread_id in ODD]
    assert len({path.name.casefold() for path in paths}) == len(ODD)
    named_like_another = {trace_path(tmp_path, path.stem) for path in paths if path.stem not in ODD}
    assert not named_like_another & {*paths}
    assert {path.parent for path in paths} == {Path(tmp_path) / "traces"}
