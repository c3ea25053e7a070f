"""How long a run takes against its critical path, with a model that answers after a fixed delay over real HTTP.

`python -m citewell.evals.orchestration --delay-ms 200 --runs 5`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from ..graph.run import aresearch
from ..graph.wiring import default_services
from ..nodes.services import Services
from ..retrievers.corpus import Corpus
from ..settings import Environment, Settings
from .peers import peer

QUESTIONS = (
    "What was ARR at 31 March 2025, and is the SOC 2 Type II audit complete?",
    "How much cash does the company hold, and how long does it last?",
    "Who are the largest customers, and when do their contracts end?",
)


@dataclass(frozen=True)
class Timing:
    """One run.

    Attributes:
        model_s: Per super-step that asks the model the longest call, summed, by the server's clock.
        retrieval_s: Per round from the first query sent out to the last hits, summed.
        cpu_s: Processor time of this process meanwhile, the scripted server's included.
        between_s: Of it what was spent while neither a call nor a round of retrieval was under way: what a run waits
            for besides, on a machine that has nothing else to do.
        repeated: Share of the prompts' characters that repeat the beginning of an earlier prompt of the run.
        repeated_later: The same with the prompts of earlier runs counted as earlier ones.
    """

    wall_s: float
    model_s: float
    retrieval_s: float
    cpu_s: float
    between_s: float
    calls: int
    most_at_once: int
    prompt_tokens: int
    repeated: float
    repeated_later: float

    @property
    def ratio(self) -> float:
        """Wall time over the critical path."""
        return self.wall_s / (self.model_s + self.retrieval_s)


def critical_path_s(calls: Sequence[tuple[str, float, float]]) -> float:
    """Return the longest call of each super-step, summed.

    Args:
        calls: (step, start, end) of each call.  Steps alternate, so neighbours in time that bear one name belong to one
            super-step: fact extraction and checking ask in parallel, and between two rounds another step asks.
    """
    ordered = sorted(calls, key=lambda call: call[1])
    groups = (list(group) for _, group in groupby(ordered, key=lambda call: call[0]))
    return sum(max(end - start for _, start, end in group) for group in groups)


Moment = tuple[float, float]
"""A time by the clock and the processor time until then, in seconds."""


def between_s(begin: Moment, end: Moment, busy: Sequence[tuple[Moment, Moment]]) -> float:
    """Return the processor time between two moments that falls into none of the stretches, which may overlap."""
    total, until = 0.0, begin
    for start, stop in sorted(busy):
        if start > until:
            total += start[1] - until[1]
        until = max(until, stop)
    return total + max(0.0, end[1] - until[1])


def repeated_share(prompts: Sequence[str], before: Sequence[str] = ()) -> float:
    """Return the share of characters that repeat the beginning of an earlier prompt: what a cache may serve.

    Args:
        prompts: In order of arrival.
        before: Prompts that came before all of them.
    """
    total = sum(map(len, prompts))
    same = sum(
        max((_shared(prompt, earlier) for earlier in (*before, *prompts[:place])), default=0)
        for place, prompt in enumerate(prompts)
    )
    return same / total if total else 0.0


def _shared(one: str, other: str) -> int:
    """Return the length of the beginning that two texts share."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


async def measure(
    docs: Path, questions: Sequence[str], *, delay_s: float, runs: int, settings: Settings
) -> list[Timing]:
    """Time runs over a kept corpus in a warm process; the first one opens what later ones share and is left out."""
    timings: list[Timing] = []
    before: list[str] = []
    think = peer("scripted_model").honest
    with tempfile.TemporaryDirectory() as folder, peer("chat_server").ChatServer(think, delay_s=delay_s) as server:
        corpus = Path(folder, "corpus")
        await asyncio.to_thread(_index, corpus, docs)
        environment = Environment(home=Path(folder, "home"), openai_api_key="k", openai_base_url=server.base_url)
        services = default_services(settings, environment)
        for number in range(runs + 1):
            question = questions[number % len(questions)]
            timings += [await _timed(question, corpus, server, services, before)]
    return timings[1:]


def _index(folder: Path, docs: Path) -> None:
    corpus = Corpus.open(folder)
    corpus.add_path(docs)
    corpus.embed_pending()


async def _timed(question: str, corpus: Path, server: Any, services: Services, before: list[str]) -> Timing:
    rounds: dict[int, list[Moment]] = {}
    server.prompts, server.calls, server.most_in_flight = [], [], 0

    def on_event(event: dict[str, Any]) -> None:
        if event["type"] in ("query", "hits"):
            rounds.setdefault(event["iteration"], []).append(_now())

    began = _now()
    await aresearch(question, corpus=corpus, services=services, on_event=on_event)
    ended = _now()
    steps = {id(prompted.asked): prompted.step for prompted in server.prompts}
    calls = [(steps[id(call.asked)], call.start_s, call.end_s) for call in server.calls if id(call.asked) in steps]
    texts = [prompted.text for prompted in server.prompts]
    searching = [(min(moments), max(moments)) for moments in rounds.values()]
    asking = [((call.start_s, call.start_cpu_s), (call.end_s, call.end_cpu_s)) for call in server.calls]
    timing = Timing(
        wall_s=ended[0] - began[0],
        model_s=critical_path_s(calls),
        retrieval_s=sum(stop[0] - start[0] for start, stop in searching),
        cpu_s=ended[1] - began[1],
        between_s=between_s(began, ended, [*searching, *asking]),
        calls=len(calls),
        most_at_once=server.most_in_flight,
        prompt_tokens=sum(prompted.tokens for prompted in server.prompts),
        repeated=repeated_share(texts),
        repeated_later=repeated_share(texts, before),
    )
    before += texts
    return timing


def _now() -> Moment:
    return time.monotonic(), time.process_time()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line per run and the medians."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.orchestration", description=__doc__)
    parser.add_argument("--docs", type=Path, default=Path(__file__).parents[1] / "studio" / "dataroom")
    parser.add_argument("--question", action="append", help="asked in turn; may be given again")
    parser.add_argument("--delay-ms", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--evidence-chars", type=int, default=16_000, help="of a prompt: fewer, and more are asked")
    parser.add_argument("--trace", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args(arguments)
    settings = Settings(engine="chat", max_parallel_calls=16, trace=given.trace, evidence_chars=given.evidence_chars)
    measured = measure(
        given.docs,
        given.question or QUESTIONS,
        delay_s=given.delay_ms / 1000,
        runs=given.runs,
        settings=settings,
    )
    timings = asyncio.run(measured)
    for timing in timings:
        print(
            f"wall {timing.wall_s:.2f} s, critical path {timing.model_s + timing.retrieval_s:.2f} s"
            f" (model {timing.model_s:.2f}, retrieval {timing.retrieval_s:.2f}), ratio {timing.ratio:.2f},"
            f" processor {timing.cpu_s:.2f} s, {timing.between_s:.3f} s of it between calls,"
            f" {timing.calls} calls, {timing.most_at_once} at once,"
            f" {timing.prompt_tokens} prompt tokens, {timing.repeated:.0%} repeated,"
            f" {timing.repeated_later:.0%} with earlier runs"
        )
    ratio = statistics.median(timing.ratio for timing in timings)
    between = statistics.median(timing.between_s for timing in timings)
    print(f"median ratio {ratio:.2f}, processor between calls {between:.3f} s; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
