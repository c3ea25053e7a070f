"""A batch on the queue of the real LangGraph server: asked once, joined when the client was killed, kept afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from servers.langgraph_process import langgraph_server

pytestmark = [pytest.mark.server, pytest.mark.slow]

RUN = "import sys; from citewell.cli import main; sys.argv[0] = 'citewell'; main()"
TEXTS = {
    "depth": "Lake Baikal is 1,642 m deep.",
    "rivers": "The Angara is the only river that drains Lake Baikal.",
    "towns": "The town of Listvyanka lies on the shore of Lake Baikal.",
}
QUESTIONS = (
    "How deep is Lake Baikal?",
    "Which river drains Lake Baikal?",
    "Which town lies on the shore of Lake Baikal?",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with langgraph_server(tmp_path_factory.mktemp("server"), CITEWELL_TOKEN="of-the-test") as running:
        yield running


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def batch(url: str, folder: Path, docs: Path, *more: str, token: str = "of-the-test") -> subprocess.Popen[str]:
    path = folder / "questions.jsonl"
    path.write_text("".join(f"{json.dumps({'question': question})}\n" for question in QUESTIONS))
    command = [sys.executable, "-c", RUN, "batch", str(path), "--docs", str(docs), "--server", url, *more]
    env = os.environ | {"CITEWELL_HOME": str(folder / "client"), "CITEWELL_TOKEN": token}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def results(output: str) -> dict[str, dict]:
    return {row["question"]: row for row in map(json.loads, output.splitlines())}


def test_a_batch_is_asked_on_the_queue_and_kept(server, docs, tmp_path):
    process = batch(server.url, tmp_path, docs, "--max-facts", "9")
    out, err = process.communicate(timeout=180)
    assert process.returncode in (0, 3), err
    rows = results(out)
    assert {row["how"] for row in rows.values()} == {"asked"}
    assert "1,642 m" in rows[QUESTIONS[0]]["summary"]
    assert "Angara" in rows[QUESTIONS[1]]["summary"]
    again = batch(server.url, tmp_path, docs, "--max-facts", "9")
    out, err = again.communicate(timeout=180)
    assert {row["how"] for row in results(out).values()} == {"kept"}, err
    assert {row["run_id"] for row in results(out).values()} == {row["run_id"] for row in rows.values()}
    assert not (tmp_path / "client" / "checkpoints.sqlite").exists()


def test_runs_go_on_when_the_client_is_killed_and_are_joined(server, docs, tmp_path):
    first = batch(server.url, tmp_path, docs, "--name", "killed", "--concurrency", "3")
    time.sleep(4)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    second = batch(server.url, tmp_path, docs, "--name", "killed")
    out, err = second.communicate(timeout=180)
    assert second.returncode in (0, 3), err
    assert {row["how"] for row in results(out).values()} <= {"asked", "resumed", "kept"}
    assert all(row["summary"] for row in results(out).values())


def test_what_is_wrong_with_a_server_is_said_in_one_line(server, docs, tmp_path):
    refused = batch(server.url, tmp_path, docs, token="another")
    _, err = refused.communicate(timeout=120)
    assert refused.returncode == 2
    assert err.splitlines()[-1].endswith("the token was refused; set CITEWELL_TOKEN to the server's")
    nobody = batch("http://127.0.0.1:9", tmp_path, docs)
    _, err = nobody.communicate(timeout=120)
    assert (nobody.returncode, "cannot be reached" in err) == (4, True)
