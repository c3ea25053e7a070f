"""The LangGraph server under load: how soon it answers, and whether many runs at once are all there and all their own.

python -m citewell.evals.serving ready --times 5
python -m citewell.evals.serving runs --count 50 --jobs 10
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

READY_WITHIN_S = 120


@dataclass(frozen=True)
class Served:
    """A server that answers.

    Attributes:
        ready_s: Seconds from the start of its process to its first answer.
        cpu_s: Processor time that it took for that.
    """

    url: str
    ready_s: float
    cpu_s: float
    log: Path
    pid: int


@contextmanager
def serving(folder: Path, *, jobs: int = 10) -> Iterator[Served]:
    """Run `citewell serve` in a folder until the block ends, with no key and the embedded engine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log, url = folder / "server.log", f"http://127.0.0.1:{port}"
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "PYTHONPATH") if name in os.environ}
    command = [sys.executable, "-m", "citewell.cli", "serve", "--port", str(port), "--jobs", str(jobs)]
    began = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**kept, "CITEWELL_HOME": str(folder / "home"), "LANGSMITH_TRACING": "false"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        while not _answers(url):
            if process.poll() is not None or time.monotonic() - began > READY_WITHIN_S:
                raise SystemExit(f"the server did not start:\n{log.read_text()[-2000:]}")
        yield Served(url, time.monotonic() - began, cpu_s_of(process.pid), log, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ok", timeout=2, trust_env=False).status_code == 200
    except httpx.HTTPError:
        time.sleep(0.02)
        return False


def cpu_s_of(pid: int) -> float:
    """Return the processor time of a process so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Case:
    """A question that only its own folder answers."""

    question: str
    folder: Path
    answer: str


def cases(folder: Path, count: int) -> list[Case]:
    """Write one folder per question, each with a figure that no other one holds."""
    made = []
    for number in range(count):
        harbour = f"Harbour {chr(65 + number % 26)}{number:03}"
        length = f"{1_000 + 7 * number} metres"
        place = folder / f"docs-{number:03}"
        place.mkdir()
        text = f"# {harbour}\n\nThe quay of {harbour} is {length} long. It was opened in {1800 + number}.\n"
        (place / f"harbour-{number:03}.md").write_text(text, encoding="utf-8")
        made.append(Case(f"How long is the quay of {harbour}?", place, length))
    return made


@dataclass(frozen=True)
class Campaign:
    """What became of the runs.

    Attributes:
        lost: Runs without a report, or whose status is no success.
        mixed: Runs whose report names a source, a thread or a figure that is not their own.
    """

    runs: int
    lost: tuple[str, ...]
    mixed: tuple[str, ...]
    wall_s: float
    slowest_s: float


async def campaign(url: str, asked: Sequence[Case]) -> Campaign:
    """Start every run at once, each on a thread of its own, and look at each outcome."""
    from langgraph_sdk import get_client

    took: list[float] = []
    lost: list[str] = []
    mixed: list[str] = []
    began = time.monotonic()
    async with get_client(url=url, timeout=900) as client:

        async def ask(case: Case) -> None:
            thread = (await client.threads.create())["thread_id"]
            given: dict[str, Any] = {"question": case.question, "docs": [str(case.folder)]}
            result: Any = await client.runs.wait(thread, "research", input=given, raise_error=False)
            took.append(time.monotonic() - began)
            (run,) = await client.runs.list(thread)
            report = result.get("report") if isinstance(result, dict) else None
            if not report or run["status"] != "success" or report["status"] not in ("answered", "partial"):
                lost.append(case.question)
            elif not _own(case, thread, report, result["answer"]):
                mixed.append(case.question)

        await asyncio.gather(*(ask(case) for case in asked))
    return Campaign(len(asked), tuple(lost), tuple(mixed), time.monotonic() - began, max(took))


def _own(case: Case, thread: str, report: dict[str, Any], answer: str) -> bool:
    own = {path.name for path in case.folder.iterdir()}
    sources = {source["uri"] for source in report["sources"]} | {passage["uri"] for passage in report["evidence"]}
    asked_right = (report["question"], report["thread_id"]) == (case.question, thread)
    return asked_right and sources == own and case.answer in answer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the two measurements and print it."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.serving", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    ready = commands.add_parser("ready", help="seconds from start to the first answer")
    ready.add_argument("--times", type=int, default=5)
    runs = commands.add_parser("runs", help="many runs at once on one server")
    runs.add_argument("--count", type=int, default=50)
    runs.add_argument("--jobs", type=int, default=10)
    given = parser.parse_args(arguments)
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    if given.command == "ready":
        return _ready(given.times)
    return _runs(given.count, given.jobs)


def _ready(times: int) -> int:
    served = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as one:
            served.append(one)
            print(f"ready after {one.ready_s:.2f} s, processor time {one.cpu_s:.2f} s")
    wall = statistics.median(one.ready_s for one in served)
    print(f"median {wall:.2f} s, processor time {statistics.median(one.cpu_s for one in served):.2f} s")
    return 0


def _runs(count: int, jobs: int) -> int:
    with tempfile.TemporaryDirectory() as name, serving(Path(name), jobs=jobs) as one:
        outcome = asyncio.run(campaign(one.url, cases(Path(name), count)))
        trouble = [line for line in one.log.read_text().splitlines() if "BlockingError" in line or "Traceback" in line]
    print(
        f"{outcome.runs} runs, {jobs} at a time: {outcome.wall_s:.1f} s, the last one after {outcome.slowest_s:.1f} s"
    )
    print(f"lost {len(outcome.lost)}, mixed {len(outcome.mixed)}, tracebacks in the log {len(trouble)}")
    for question in (*outcome.lost, *outcome.mixed):
        print(f"  {question}")
    return 0 if not (outcome.lost or outcome.mixed or trouble) else 1


if __name__ == "__main__":
    sys.exit(main())
