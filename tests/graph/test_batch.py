"""A batch asks each question once, whatever happens to it, to its neighbours, or to its process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from citewell.graph.batch import abatch, in_parallel, threads_of
from citewell.graph.following import ThreadBusy
from citewell.graph.questions import Asking, Question, read_questions
from citewell.graph.wiring import default_services
from citewell.settings import Environment, Settings
from citewell.state.records import Report
from servers.chat_server import ChatServer, refusal
from servers.scripted_model import honest

TOPICS = ("depth", "rivers", "towns", "islands", "seals", "ice")
TEXTS = {
    "depth": "Lake Baikal is 1,642 m deep. It is the deepest lake on Earth.",
    "rivers": "The Angara is the only river that drains Lake Baikal.",
    "towns": "The town of Listvyanka lies on the shore of Lake Baikal.",
    "islands": "Olkhon is the largest island of Lake Baikal.",
    "seals": "The nerpa is the seal of Lake Baikal.",
    "ice": "The ice of Lake Baikal lasts until May.",
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def written(folder: Path, questions: list[object]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(f"{json.dumps(question)}\n" for question in questions))
    return path


async def asked(lines: list[object], asking: Asking, *, concurrency: int = 4, services=None):
    questions, bad = read_questions([json.dumps(line).encode() for line in lines], asking)
    assert not bad
    ended = []

    async def note(finished):
        ended.append(finished)

    services = services or default_services(asking.settings, asking.environment)
    await abatch(questions, services, concurrency=concurrency, on_finished=note)
    return {finished.question.question: finished for finished in ended}


def question(number: int) -> Question:
    return Question(line=number, name=str(number), question=f"q{number}", identity=f"{number:064x}")


async def test_at_most_so_many_are_under_way_and_all_are_asked_in_order():
    under_way, most, order = 0, 0, []

    async def ask(asked):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        order.append(asked.line)
        await asyncio.sleep(0.001)
        under_way -= 1
        return asked

    async def note(_):
        return None

    await in_parallel([question(number) for number in range(20)], ask, concurrency=3, on_finished=note)
    assert (most, order) == (3, list(range(20)))


async def test_what_another_process_asks_is_put_off_until_it_is_free(monkeypatch):
    monkeypatch.setattr("citewell.graph.batch.BUSY_PAUSE_S", 0)
    ended, refused = [], Counter()

    async def ask(asked):
        if asked.line == 0 and refused[0] < 3:
            refused[0] += 1
            raise ThreadBusy("t")
        return asked

    async def note(finished):
        ended.append(finished.line)

    await in_parallel([question(number) for number in range(4)], ask, concurrency=1, on_finished=note)
    assert ended == [1, 2, 3, 0]


def test_each_time_after_a_failure_has_a_thread_of_its_own():
    names = threads_of(question(1))
    assert [next(names) for _ in range(3)] == [f"batch-{'0' * 16}{suffix}" for suffix in ("", "-2", "-3")]


async def test_answered_questions_are_kept_and_failed_ones_are_asked_again(docs, tmp_path):
    served = {"down": True}

    def think(prompted):
        if served["down"] and "Which towns" in prompted.text:
            return refusal(401, "Incorrect API key provided.", "invalid_api_key")
        return honest(prompted)

    with ChatServer(think) as server:
        environment = Environment(home=tmp_path / "home", openai_api_key="k", openai_base_url=server.base_url)
        asking = Asking(Settings(engine="chat", trace=False), environment, docs=[str(docs)])
        lines: list[object] = ["Which river drains the lake?", "Which towns lie on the lake?"]
        first = await asked(lines, asking)
        assert first[lines[0]].report.status != "failed"
        assert first[lines[1]].report.status == "failed"
        calls, served["down"] = len(server.prompts), False
        second = await asked(lines, asking)
        assert (second[lines[0]].how, second[lines[1]].how) == ("kept", "asked")
        assert second[lines[0]].report == first[lines[0]].report
        assert second[lines[1]].report.status != "failed"
        assert all("Which towns" in prompted.text for prompted in server.prompts[calls:])
        calls = len(server.prompts)
        third = await asked(lines, asking)
        assert {finished.how for finished in third.values()} == {"kept"}
        assert len(server.prompts) == calls


async def test_one_that_raises_stops_no_other_and_settings_hold_for_their_line_alone(docs, tmp_path, monkeypatch):
    asking = Asking(Settings(trace=False), Environment(home=tmp_path / "home"), docs=[str(docs)])
    services = default_services(asking.settings, asking.environment)
    inner = services.reasoner_for

    def reasoner_for(run, node):
        if node == "planner" and "seal" in run.info.question:
            raise RuntimeError("no seal was found")
        return inner(run, node)

    services.reasoner_for = reasoner_for
    seals, river = "What is the seal called?", "Which river drains the lake?"
    ended = await asked([seals, {"question": river, "settings": {"max_facts": 7}}], asking, services=services)
    assert (ended[seals].report, str(ended[seals].error)) == (None, "no seal was found")
    assert ended[river].report.settings["max_facts"] == 7


RUN = """
import sys
from citewell.cli import main
sys.argv[0] = "citewell"
main()
"""


def citewell(*arguments: str, home: Path, server: ChatServer) -> list[str]:
    return [sys.executable, "-c", RUN, *arguments]


def environment_of(home: Path, server: ChatServer) -> dict[str, str]:
    return os.environ | {
        "CITEWELL_HOME": str(home),
        "OPENAI_API_KEY": "k",
        "OPENAI_BASE_URL": server.base_url,
        "CITEWELL_TRACE": "false",
    }


@pytest.mark.slow
def test_a_killed_batch_called_again_asks_nothing_twice(docs, tmp_path):
    lines = [f"What is said of the {topic} of Lake Baikal?" for topic in TOPICS]
    path, home, out = written(tmp_path, lines), tmp_path / "home", tmp_path / "out"
    with ChatServer(honest, delay_s=0.02) as server:
        arguments = ("batch", str(path), "--docs", str(docs), "--out", str(out), "--concurrency", "2")
        command, env = citewell(*arguments, home=home, server=server), environment_of(home, server)
        for kills_at in (3, 9, 14):
            process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
            until = time.monotonic() + 60
            while len(server.calls) < kills_at and process.poll() is None and time.monotonic() < until:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode in (0, 3), ended.stderr
        results = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
        prompts = Counter(json.dumps(prompted.body["messages"]) for prompted in server.prompts)
    assert [result["question"] for result in results] == lines
    assert all(Report.model_validate_json(Path(result["report"]).read_bytes()).answer.claims for result in results)
    # What was on its way when the process was killed was never answered and is asked once more.
    assert sum(count - 1 for count in prompts.values()) <= 3 * 2
    summary = json.loads((out / "summary.json").read_text())
    assert summary["questions"] == 6 == sum(summary["statuses"].values())


@pytest.mark.slow
def test_two_processes_share_a_batch(docs, tmp_path):
    lines = [f"What is said of the {topic} of Lake Baikal?" for topic in TOPICS]
    path, home = written(tmp_path, lines), tmp_path / "home"
    with ChatServer(honest, delay_s=0.1) as server:
        command = citewell("batch", str(path), "--docs", str(docs), "--concurrency", "2", home=home, server=server)
        both = [
            subprocess.Popen(
                command, env=environment_of(home, server), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        told = [process.communicate(timeout=120) for process in both]
        prompts = Counter(json.dumps(prompted.body["messages"]) for prompted in server.prompts)
    assert [process.returncode in (0, 3) for process in both] == [True, True], told
    answers = [{row["id"]: row["summary"] for row in map(json.loads, out.splitlines())} for out, _ in told]
    assert answers[0] == answers[1]
    assert len(answers[0]) == 6
    assert set(prompts.values()) == {1}
