"""Many runs in one process against a model that answers after a fixed delay, and how near they come to the ideal.

`python -m citewell.evals.batch --runs 100 --delay-ms 200`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..graph.batch import Finished, abatch
from ..graph.questions import Asking, Question, read_questions
from ..graph.wiring import default_services
from ..retrievers.corpus import Corpus
from ..settings import Environment, Settings
from ..state.garbage import look_rarely
from .orchestration import QUESTIONS, measure
from .peers import TESTS, peer

_SERVER = """
import sys
sys.path.insert(0, sys.argv[1])
from servers.chat_server import ChatServer
from servers.scripted_model import honest
with ChatServer(honest, delay_s=float(sys.argv[2])) as server:
    print(server.base_url, flush=True)
    sys.stdin.read()
"""


@dataclass(frozen=True)
class Throughput:
    """One batch.

    Attributes:
        path_s: Critical path of one run alone: its longest model call of each super-step, and its retrieval.
        cpu_s: Processor time of this process; the model's server is another one.
        statuses: How many runs ended in which way.
    """

    runs: int
    wall_s: float
    path_s: float
    cpu_s: float
    resident_mb: float
    statuses: dict[str, int]

    @property
    def ratio(self) -> float:
        """Throughput over the ideal: all runs side by side, done after the critical path of one."""
        return self.path_s / self.wall_s

    @property
    def processor_ratio(self) -> float:
        """Throughput over what one core allows: of a wall of 1, how much was computed."""
        return self.cpu_s / self.wall_s


@contextmanager
def model_server(delay_s: float) -> Iterator[str]:
    """Run the scripted model in a process of its own and give its base URL."""
    peer("chat_server")
    command = [sys.executable, "-c", _SERVER, str(TESTS), str(delay_s)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate("", timeout=30)


async def throughput(
    docs: Path, *, runs: int, concurrency: int, delay_s: float, settings: Settings, path_s: float
) -> Throughput:
    """Ask distinct questions over one kept corpus, after a few that open what all share."""
    with tempfile.TemporaryDirectory() as folder, model_server(delay_s) as address:
        corpus = Path(folder, "corpus")
        await asyncio.to_thread(_index, corpus, docs)
        environment = Environment(home=Path(folder, "home"), openai_api_key="k", openai_base_url=address)
        asking = Asking(settings, environment, corpus=str(corpus))
        services = default_services(settings, environment)
        statuses: dict[str, int] = {}

        async def note(finished: Finished) -> None:
            status = finished.report.status if finished.report else repr(finished.error)
            statuses[status] = statuses.get(status, 0) + 1

        await abatch(_questions(asking, 0, 3), services, concurrency=3, on_finished=note)
        statuses.clear()
        began, cpu = time.monotonic(), time.process_time()
        await abatch(_questions(asking, 3, runs), services, concurrency=concurrency, on_finished=note)
        wall_s, cpu_s = time.monotonic() - began, time.process_time() - cpu
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Throughput(runs, wall_s, path_s, cpu_s, resident, statuses)


def _questions(asking: Asking, first: int, count: int) -> list[Question]:
    """Return questions that no other run has asked, so that no cache answers in place of the work."""
    texts = [f"{QUESTIONS[number % len(QUESTIONS)]} (case {number})" for number in range(first, first + count)]
    return read_questions([f'"{text}"'.encode() for text in texts], asking)[0]


def _index(folder: Path, docs: Path) -> None:
    with Corpus.open(folder) as corpus:
        corpus.add_path(docs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the critical path of one run, then a line per batch."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.batch", description=__doc__)
    parser.add_argument("--docs", type=Path, default=Path(__file__).parents[1] / "studio" / "dataroom" / "board")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--concurrency", type=int, action="append", help="100 where not given; may be given again")
    parser.add_argument("--delay-ms", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--trace", action=argparse.BooleanOptionalAction, default=False)
    given = parser.parse_args(arguments)
    look_rarely()  # as the command does
    delay_s = given.delay_ms / 1000
    settings = Settings(engine="chat", max_parallel_calls=256, trace=given.trace)
    alone = asyncio.run(measure(given.docs, QUESTIONS, delay_s=delay_s, runs=3, settings=settings))
    path_s = statistics.median(timing.model_s + timing.retrieval_s for timing in alone)
    cpu_s = statistics.median(timing.cpu_s for timing in alone)
    print(f"one run alone: critical path {path_s:.2f} s, processor {cpu_s:.2f} s (the model's server included)")
    for concurrency in given.concurrency or [100]:
        for _ in range(given.repeat):
            made = asyncio.run(
                throughput(
                    given.docs,
                    runs=given.runs,
                    concurrency=concurrency,
                    delay_s=delay_s,
                    settings=settings,
                    path_s=path_s * given.runs / min(concurrency, given.runs),
                )
            )
            print(
                f"{made.runs} runs, {concurrency} at once: {made.wall_s:.2f} s, {made.runs / made.wall_s:.1f} a second,"
                f" {made.ratio:.0%} of the ideal; processor {made.cpu_s:.2f} s, {1000 * made.cpu_s / made.runs:.0f} ms"
                f" a run, {made.processor_ratio:.0%} of a core; {made.resident_mb:.0f} MB; {made.statuses};"
                f" load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
