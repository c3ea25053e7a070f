"""A run that is killed at any point and resumed in another process ends with the same report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import json, os, signal, sys
import citewell

deadly, home = sys.argv[1], sys.argv[2]

def watch(event):
    print(json.dumps([event["type"], event.get("query")]), file=sys.stderr, flush=True)
    if event["type"] == deadly:
        os.kill(os.getpid(), signal.SIGKILL)

options = dict(on_event=watch, engine="embedded", fixed_time="2026-01-05T12:00:00Z")
if deadly == "resume":
    report = citewell.resume("t-1", **options)
else:
    report = citewell.research(
        "How deep is Lake Baikal and which river drains it?", docs=[sys.argv[3]], thread_id="t-1", **options
    )
print(report.model_dump_json())
"""


def run(step: str, home: Path, docs: Path) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"CITEWELL_HOME": str(home)}
    command = [sys.executable, "-c", RUN, step, str(home), str(docs)]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "lakes"
    folder.mkdir()
    (folder / "depth.txt").write_text("Lake Baikal is 1,642 m deep. It is the deepest lake on Earth.")
    (folder / "rivers.txt").write_text("The Angara is the only river that drains Lake Baikal.")
    (folder / "towns.txt").write_text("Listvyanka lies on the shore of the lake.")
    return folder


@pytest.mark.slow
def test_a_killed_run_resumes_to_the_same_report(tmp_path, docs):
    calm = run("never", tmp_path / "calm", docs)
    assert calm.returncode == 0, calm.stderr
    expected = json.loads(calm.stdout)
    assert expected["answer"]["executive_summary"]
    for deadly in ("source", "hits", "answer"):
        home = tmp_path / deadly
        killed = run(deadly, home, docs)
        assert killed.returncode == -signal.SIGKILL
        resumed = run("resume", home, docs)
        assert resumed.returncode == 0, (deadly, resumed.stderr)
        assert json.loads(resumed.stdout) == expected, deadly


DYING_SAVER = """
import os, signal, sys
import citewell
from citewell.state.sqlite_saver import ThreadSqliteSaver

inner, saved = ThreadSqliteSaver.aput_writes, []

async def aput_writes(self, config, writes, task_id, task_path=""):
    await inner(self, config, writes, task_id, task_path)
    saved.append(task_id)
    if len(saved) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

ThreadSqliteSaver.aput_writes = aput_writes
citewell.research(
    sys.argv[2], docs=[sys.argv[1]], thread_id="t-1", engine="embedded", fixed_time="2026-01-05T12:00:00Z", trace=False
)
"""


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, 2])
def test_a_run_killed_between_a_steps_results_and_its_checkpoint_is_not_taken_for_finished(tmp_path, docs, steps):
    home, question = tmp_path / "home", "How deep is Lake Baikal and which river drains it?"
    command = [sys.executable, "-c", DYING_SAVER, str(docs), question, str(steps)]
    env = os.environ | {"CITEWELL_HOME": str(home)}
    assert subprocess.run(command, env=env, timeout=120, check=False).returncode == -signal.SIGKILL
    resumed = run("resume", home, docs)
    assert resumed.returncode == 0, resumed.stderr
    assert "1,642 m" in json.loads(resumed.stdout)["answer"]["summary_text"]
