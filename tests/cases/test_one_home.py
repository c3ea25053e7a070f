"""Case B39: eight processes share one home, each on its own thread; two at once want one thread."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from citewell.retrievers.memory import Memory
from citewell.settings import Environment, Settings

PROCESSES = 8
WORK = """
import sys
import citewell

number, docs = sys.argv[1], sys.argv[2]
memory = citewell.Memory.open(f"{sys.argv[3]}/memory", user="ann")
for turn in range(3):
    memory.store(f"Pump {number}{turn} stands in hall {number}.", "fact")
memory.close()
for question in ("How deep is Lake Baikal?", "Which river drains it?"):
    report = citewell.research(question, docs=[docs], thread_id=f"t-{number}", engine="embedded")
print(report.model_dump_json())
"""
ASK = "import sys; from citewell.cli import main; sys.argv[0] = 'citewell'; main()"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    (folder / "depth.txt").write_text("Lake Baikal is 1,642 m deep.")
    (folder / "rivers.txt").write_text("The Angara is the only river that drains Lake Baikal.")
    return folder


def start(*command: str, home: Path) -> subprocess.Popen[str]:
    env = os.environ | {"CITEWELL_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-c", *command], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_eight_processes_share_one_home(tmp_path, docs):
    home = tmp_path / "home"
    running = [start(WORK, str(number), str(docs), str(home), home=home) for number in range(PROCESSES)]
    told = [process.communicate(timeout=300) for process in running]
    assert [process.returncode for process in running] == [0] * PROCESSES, [err[-400:] for _, err in told]
    reports = [json.loads(out) for out, _ in told]
    assert all("Angara" in report["answer"]["summary_text"] for report in reports)

    with closing(sqlite3.connect(home / "checkpoints.sqlite")) as database:
        rows = database.execute(
            "SELECT thread_id, checkpoint_id, parent_checkpoint_id, json_extract(CAST(metadata AS TEXT), '$.step')"
            " FROM checkpoints WHERE checkpoint_ns = '' ORDER BY thread_id, checkpoint_id"
        ).fetchall()
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    threads = {thread for thread, *_ in rows}
    assert threads == {f"t-{number}" for number in range(PROCESSES)}
    for thread in threads:
        own = [row[1:] for row in rows if row[0] == thread]
        steps = [step for _, _, step in own]
        assert steps == list(range(steps[0], steps[0] + len(steps))), thread
        assert [parent for _, parent, _ in own][1:] == [checkpoint for checkpoint, _, _ in own][:-1], thread

    memory = Memory.open(home / "memory", user="ann", settings=Settings(), environment=Environment(home=home))
    kept = memory.list()
    memory.close()
    assert Counter(item.text for item in kept) == Counter(
        f"Pump {number}{turn} stands in hall {number}." for number in range(PROCESSES) for turn in range(3)
    )
    assert sorted(item.memory_id for item in kept) == [f"mem_{number:04}" for number in range(1, 3 * PROCESSES + 1)]
    for number in range(PROCESSES):
        spans = [json.loads(line) for line in (home / "traces" / f"t-{number}.jsonl").read_text().splitlines()]
        assert sum(span["attributes"].get("openinference.span.kind") == "AGENT" for span in spans) == 2


@pytest.mark.slow
def test_two_at_once_on_one_thread_end_in_an_answer_and_a_plain_refusal(tmp_path, docs):
    home = tmp_path / "home"
    command = (
        ASK,
        "research",
        "How deep is Lake Baikal?",
        "--docs",
        str(docs),
        "--thread",
        "t",
        "--engine",
        "embedded",
    )
    both = [start(*command, home=home) for _ in range(2)]
    told = [process.communicate(timeout=120) for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes in ([0, 2], [0, 0], [3, 3], [2, 3]), told
    for process, (out, err) in zip(both, told, strict=True):
        if process.returncode == 2:
            assert err.splitlines()[-1].startswith("citewell: thread t is busy in another run")
        else:
            assert "1,642 m" in out
        assert "Traceback" not in err
