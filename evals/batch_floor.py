"""What LangGraph and its OpenAI client alone need for many runs: a bare graph of our steps, four of which ask a model.

`python -m citewell.evals.batch_floor --runs 100`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from ..settings import Environment
from ..state.savers import open_saver
from .batch import model_server
from .bench.steps import Bare, bare_graph

ASKING = ("planner", "fact_extractor", "synthesizer", "validator")
WARMING = 3


async def floor(runs: int, delay_s: float) -> tuple[float, float]:
    """Return wall and processor seconds of as many runs at once; what all of them share is opened before."""
    with tempfile.TemporaryDirectory() as home, model_server(delay_s) as address:
        model = ChatOpenAI(model="gpt-4o-mini", base_url=address, api_key=SecretStr("k"), max_retries=0)

        async def ask(state: Bare) -> Bare:
            await model.ainvoke(state["question"])
            return {"question": state["question"]}

        async with open_saver(Environment(home=Path(home))) as saver:
            graph = bare_graph(**dict.fromkeys(ASKING, ask)).compile(checkpointer=saver)

            async def run(number: int) -> None:
                await graph.ainvoke({"question": f"case {number}"}, {"configurable": {"thread_id": str(number)}})

            await asyncio.gather(*map(run, range(WARMING)))
            began, cpu = time.monotonic(), time.process_time()
            await asyncio.gather(*map(run, range(WARMING, WARMING + runs)))
            return time.monotonic() - began, time.process_time() - cpu


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line: how near even the bare graph comes to all runs done after the calls of one."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.batch_floor", description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--delay-ms", type=int, default=200)
    given = parser.parse_args(arguments)
    delay_s = given.delay_ms / 1000
    wall_s, cpu_s = asyncio.run(floor(given.runs, delay_s))
    ideal = len(ASKING) * delay_s / wall_s
    print(
        f"{given.runs} bare runs at once: {wall_s:.2f} s, {ideal:.0%} of the ideal;"
        f" processor {1000 * cpu_s / given.runs:.0f} ms a run; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
