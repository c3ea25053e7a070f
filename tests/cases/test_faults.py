"""Disks that are full or read-only, files that are held, clocks that jump, a model server that dies and returns."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from citewell.retrievers.memory import Memory
from citewell.settings import Environment, Settings
from citewell.state.budget import Budget, Limits
from hashed_embedder import HashedEmbedder
from servers.chat_server import ChatServer
from servers.scripted_model import honest
from small_disk import disk, needs_mount

CITEWELL = "import sys; from citewell.cli import main; sys.argv[0] = 'citewell'; main()"
IMPATIENT = """
import citewell.retrievers.database, citewell.state.sqlite, citewell.state.sqlite_saver
for module in (citewell.retrievers.database, citewell.state.sqlite, citewell.state.sqlite_saver):
    module.BUSY_TIMEOUT_S = 0.5
"""
QUESTION = "How deep is Lake Baikal, and which river drains it?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    (folder / "depth.txt").write_text("Lake Baikal is 1,642 m deep. It is the deepest lake on Earth.")
    (folder / "rivers.txt").write_text("The Angara is the only river that drains Lake Baikal.")
    return folder


def start(*arguments: str, home: Path, before: str = "", **more: str) -> subprocess.Popen[str]:
    env = os.environ | {"CITEWELL_HOME": str(home), "CITEWELL_TRACE": "false"} | more
    return subprocess.Popen(
        [sys.executable, "-c", before + CITEWELL, *arguments],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def citewell(*arguments: str, home: Path, before: str = "", **more: str) -> tuple[int, str, str]:
    process = start(*arguments, home=home, before=before, **more)
    out, err = process.communicate(timeout=180)
    return process.returncode, out, err


def refused(ended: tuple[int, str, str], *words: str) -> None:
    """Look whether a command ended with 2 and one line that holds some words."""
    code, _, err = ended
    told = [line for line in err.splitlines() if line.startswith("citewell:")]
    assert (code, len(told), "Traceback" in err) == (2, 1, False), err
    assert all(word in told[0] for word in words), told[0]


def remount(folder: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", folder], check=True)


# Disks


@needs_mount
@pytest.mark.slow
@pytest.mark.parametrize("size", ["40k", "400k"])
def test_a_full_disk_is_told_and_once_there_is_room_nothing_is_lost(tmp_path, docs, size):
    ask = ("research", QUESTION, "--docs", str(docs), "--thread", "t", "--engine", "embedded", "--quiet")
    with disk(tmp_path / "small", size) as small:
        refused(citewell(*ask, home=small / "home"), "the disk is full; free some room")
        refused(citewell("index", str(docs), "--corpus", str(small / "kept"), "--quiet", home=small), "full")
        remount(small, "size=200m")
        code, out, err = citewell(*ask, home=small / "home")
        assert (code, "1,642 m" in out) == (0, True), err
        code, _, err = citewell("index", str(docs), "--corpus", str(small / "kept"), "--quiet", home=small)
        assert code == 0, err
        checked = citewell("doctor", "--deep", "--corpus", str(small / "kept"), home=small / "home")
        assert "all that is kept is what was written" in checked[1]
        listed = json.loads(citewell("search", "depth", "--corpus", str(small / "kept"), "--json", home=small)[1])
        assert len(listed["hits"] if isinstance(listed, dict) else listed) == 2


@needs_mount
@pytest.mark.slow
def test_a_memory_that_was_acknowledged_outlives_a_full_disk(tmp_path):
    with disk(tmp_path / "small", "160k") as small:
        kept: list[str] = []
        for number in range(40):
            text = f"Pump {number} stands in hall {number}. " + "It is inspected each spring. " * 40
            ended = citewell_in_process(small, text)
            if ended:
                assert "the disk is full; free some room" in ended
                break
            kept.append(text.strip())
        else:
            pytest.fail("the disk never filled")
        remount(small, "size=200m")
        memory = opened(small)
        assert [item.text for item in memory.list()] == kept
        assert memory.store("One more pump.", "fact").action == "stored"
        memory.close()


def opened(folder: Path) -> Memory:
    return Memory.open(
        folder, user="ann", embedder=HashedEmbedder(), settings=Settings(), environment=Environment(home=folder)
    )


def citewell_in_process(folder: Path, text: str) -> str:
    """Store a memory, and return what was told where that could not be done."""
    from citewell.errors import CitewellError

    try:
        memory = opened(folder)
    except CitewellError as error:
        return str(error)
    try:
        memory.store(text, "fact")
    except CitewellError as error:
        return str(error)
    finally:
        memory.close()
    return ""


@pytest.mark.slow
def test_files_that_may_not_grow_are_told_and_the_run_is_gone_on_with_later(tmp_path, docs):
    home = tmp_path / "home"
    ask = ("research", QUESTION, "--docs", str(docs), "--thread", "t", "--engine", "embedded", "--quiet")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, resource.RLIM_INFINITY))\n"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    refused(citewell(*ask, home=home, before=limit), "sqlite")
    code, out, err = citewell(*ask, home=home)
    assert (code, "1,642 m" in out) == (0, True), err


@needs_mount
@pytest.mark.slow
def test_a_read_only_home_is_told_and_what_is_there_can_be_searched(tmp_path, docs):
    with disk(tmp_path / "home", "50m") as home:
        assert citewell("index", str(docs), "--corpus", str(home / "kept"), "--quiet", home=home)[0] == 0
        assert citewell("memory", "add", "The quay is 420 m long.", home=home)[0] == 0
        remount(home, "ro")
        refused(citewell("research", QUESTION, "--docs", str(docs), "--engine", "embedded", home=home), str(home))
        refused(citewell("memory", "add", "The ferry is red.", home=home), str(home))
        refused(citewell("index", str(docs), "--corpus", str(home / "new"), home=home), str(home))
        code, out, err = citewell("search", "depth of the lake", "--corpus", str(home / "kept"), home=home)
        assert (code, "1,642 m" in out) == (0, True), err


# Files that another process holds


@contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold the write lock of a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield database


@pytest.fixture
def home(tmp_path: Path, docs: Path) -> Path:
    """A home with threads, episodes and memories, and a kept corpus in it."""
    folder = tmp_path / "home"
    ask = ("research", "How deep is the lake?", "--docs", str(docs), "--engine", "embedded", "--quiet")
    assert citewell(*ask, home=folder)[0] == 0
    assert citewell("memory", "add", "The quay is 420 m long.", home=folder)[0] == 0
    assert citewell("index", str(docs / "depth.txt"), "--corpus", str(folder / "kept"), home=folder)[0] == 0
    return folder


COMMANDS = {
    "checkpoints.sqlite": ("research", QUESTION, "--docs", "DOCS", "--engine", "embedded", "--quiet"),
    "episodes.sqlite": ("research", QUESTION, "--docs", "DOCS", "--engine", "embedded", "--quiet"),
    "memory/records.sqlite": ("memory", "add", "The ferry Marit carries 32 cars."),
    "kept/corpus.sqlite": ("index", "DOCS", "--corpus", "KEPT", "--quiet"),
    "kept/index/index.sqlite": ("index", "DOCS", "--corpus", "KEPT", "--quiet"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "episodes.sqlite"])
def test_a_file_that_another_process_writes_is_waited_for_and_one_it_never_lets_go_is_named(home, docs, name):
    command = [part.replace("DOCS", str(docs)).replace("KEPT", str(home / "kept")) for part in COMMANDS[name]]
    with held(home / name):
        refused(citewell(*command, home=home, before=IMPATIENT), name, "another process held it for")
    with held(home / name) as database:
        waiting = start(*command, home=home)
        time.sleep(3)
        assert waiting.poll() is None
        database.execute("COMMIT")
        _, err = waiting.communicate(timeout=180)
    assert waiting.returncode == 0, err


# Clocks


def test_memories_keep_their_ids_and_order_when_the_clock_jumps_back(tmp_path):
    noon = datetime(2026, 1, 5, 12, tzinfo=UTC)
    now = [noon]
    memory = Memory.open(
        tmp_path,
        user="ann",
        embedder=HashedEmbedder(),
        settings=Settings(),
        environment=Environment(home=tmp_path),
        clock=lambda: now[0],
    )
    for hours, text in (
        (0, "The quay is long."),
        (-48, "The ferry is red."),
        (-72, "The ferry is blue."),
        (1, "Oslo."),
    ):
        now[0] = noon + timedelta(hours=hours)
        memory.store(text, "fact")
    assert [item.memory_id for item in memory.list()] == [f"mem_{number:04}" for number in (1, 2, 3, 4)]
    assert [item.text for item in memory.list()][-1] == "Oslo."
    assert memory.search("ferry", 2)
    assert all(item.updated_at >= item.created_at for item in memory.list())
    memory.close()


def test_a_time_budget_runs_by_a_clock_that_does_not_jump(monkeypatch):
    budget = Budget(Limits.of(Settings(max_seconds=100)))
    began = budget.seconds
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= began <= budget.seconds < 50


# A model server that dies and returns


class Mortal:
    """A chat server on one port that can be stopped and started again."""

    def __init__(self) -> None:
        self.prompts: Counter[str] = Counter()
        self.answered = 0
        self.dies_after: int | None = None
        self.down = threading.Event()

    def think(self, prompted):
        from servers.chat_server import refusal

        if self.dies_after is not None and self.answered >= self.dies_after:
            self.down.set()
            return refusal(503, "The server is shutting down.", "unavailable")
        self.answered += 1
        self.prompts[json.dumps(prompted.body["messages"])] += 1
        return honest(prompted)


@pytest.mark.slow
def test_a_run_whose_model_server_dies_and_returns_ends_right(tmp_path, docs):
    mortal = Mortal()
    with ChatServer(mortal.think) as server:
        keys = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.base_url}
        ask = ("research", QUESTION, "--docs", str(docs), "--thread", "t", "--engine", "chat", "--quiet")
        mortal.dies_after = 1
        running = start(*ask, home=tmp_path / "home", **keys)
        assert mortal.down.wait(120)
        mortal.dies_after = None
        out, err = running.communicate(timeout=180)
    assert running.returncode == 0, err
    assert "1,642 m" in out
    assert set(mortal.prompts.values()) == {1}


@pytest.mark.slow
def test_a_model_server_that_stays_away_is_done_without_and_the_next_question_knows_nothing_of_it(tmp_path, docs):
    mortal, home = Mortal(), tmp_path / "home"
    with ChatServer(mortal.think) as server:
        keys = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.base_url}
        ask = ("research", QUESTION, "--docs", str(docs), "--thread", "t", "--engine", "chat", "--quiet")
        mortal.dies_after = 1
        code, out, err = citewell(*ask, home=home, **keys)
        assert (code, "failed with HTTP 503; done by the embedded engine" in out) == (0, True), err
        mortal.dies_after = None
        assert citewell("resume", "t", "--engine", "chat", "--quiet", home=home, **keys)[1] == out
        code, out, err = citewell(*ask, home=home, **keys)
        assert (code, "1,642 m" in out, "503" in out) == (0, True, False), err
    assert set(mortal.prompts.values()) == {1}


@pytest.mark.slow
def test_a_run_that_never_reached_its_model_is_asked_again_on_its_thread(tmp_path, docs):
    mortal, home = Mortal(), tmp_path / "home"
    with ChatServer(mortal.think) as server:
        address = server.base_url
        gone = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": address.replace(address.rpartition(":")[2], "9/v1")}
        ask = ("research", QUESTION, "--docs", str(docs), "--thread", "t", "--engine", "chat", "--quiet")
        code, _, err = citewell(*ask, home=home, **gone)
        assert (code, "cannot be reached" in err, "Traceback" in err) == (4, True, False), err
        code, out, err = citewell(*ask, home=home, **gone | {"OPENAI_BASE_URL": address})
        assert (code, "1,642 m" in out, "cannot be reached" in out) == (0, True, False), err


# Damage


@pytest.mark.slow
def test_a_run_over_a_damaged_index_says_so_and_ends_once_it_is_mended(tmp_path, docs):
    home, kept = tmp_path / "home", tmp_path / "kept"
    assert citewell("index", str(docs), "--corpus", str(kept), "--quiet", home=home)[0] == 0
    (words,) = (kept / "index" / "tantivy").glob("*.idx")
    words.write_bytes(bytes([words.read_bytes()[0] ^ 1]) + words.read_bytes()[1:])
    ask = ("research", QUESTION, "--corpus", str(kept), "--thread", "t", "--engine", "embedded", "--quiet")
    refused(citewell(*ask, home=home), "the sparse index is damaged", "delete this folder and it is built again")
    checked = citewell("doctor", "--deep", "--corpus", str(kept), home=home)
    assert (checked[0], f"{words.name}: was changed by the disk" in checked[1]) == (1, True)
    shutil.rmtree(words.parent)
    code, out, err = citewell("resume", "t", "--engine", "embedded", "--quiet", home=home)
    assert (code, "1,642 m" in out) == (0, True), err


@pytest.mark.slow
def test_a_changed_step_of_a_thread_is_told_instead_of_another_report(tmp_path, docs):
    home = tmp_path / "home"
    ask = ("research", QUESTION, "--docs", str(docs), "--thread", "t", "--engine", "embedded", "--quiet")
    assert citewell(*ask, home=home)[0] == 0
    with closing(sqlite3.connect(home / "checkpoints.sqlite")) as database, database:
        database.create_function("changed", 1, lambda data: data.replace(b"1,642 m", b"1,643 m"))
        database.execute("UPDATE checkpoints SET checkpoint = changed(checkpoint)")
        database.execute("UPDATE writes SET value = changed(value)")
    refused(citewell("resume", "t", home=home), "a saved step was changed by the disk")
    checked = citewell("doctor", "--deep", home=home)
    assert (checked[0], "a step of thread t was changed" in checked[1]) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["checkpoints.sqlite", "memory/records.sqlite"])
def test_a_file_that_is_no_database_any_more_is_named_with_the_way_out(home, docs, name):
    size = (home / name).stat().st_size
    (home / name).write_bytes(b"\xff" * size)
    for rest in home.glob(f"{name}-*"):
        rest.unlink()
    command = [part.replace("DOCS", str(docs)) for part in COMMANDS[name]]
    refused(citewell(*command, home=home), name, "the file is damaged")
    checked = citewell("doctor", "--deep", home=home)
    assert (checked[0], name in checked[1]) == (1, True)
    (home / name).rename(home / "away")
    code, _, err = citewell(*command, home=home)
    assert code == 0, err


@pytest.mark.slow
@pytest.mark.parametrize("how", ["damaged", "held"])
def test_a_run_does_without_episodes_that_cannot_be_read_and_says_so(home, docs, how):
    path = home / "episodes.sqlite"
    command = [part.replace("DOCS", str(docs)) for part in COMMANDS["episodes.sqlite"]]
    if how == "held":
        with held(path):
            code, out, err = citewell(*command, home=home, before=IMPATIENT)
        assert "this run is not remembered" in err
    else:
        path.write_bytes(b"\xff" * path.stat().st_size)
        for rest in home.glob("episodes.sqlite-*"):
            rest.unlink()
        code, out, err = citewell(*command, home=home)
        assert "nothing is recalled" in out
        assert "the file is damaged" in out
    assert (code, "1,642 m" in out, "Traceback" in err) == (0, True, False), err
