"""Run the suite: `python -m citewell.evals.bench [PART …] [--chunks N] [--turns N] [--json FILE] [--plots FOLDER]`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from . import parts
from .search import index_and_search
from .steps import measure_steps
from .timing import Figure, Result, machine
from .whole_runs import whole_runs

Part = Callable[[Path, argparse.Namespace], list[Figure]]

PARTS: dict[str, Part] = {
    "start": lambda folder, given: parts.cold_start(given.turns),
    "parse": lambda folder, given: parts.parse_and_chunk(given.turns),
    "embed": lambda folder, given: parts.embed(given.turns),
    "fuse": lambda folder, given: parts.fuse(given.turns),
    "stages": lambda folder, given: parts.index_stages(folder, given.chunks),
    "search": lambda folder, given: index_and_search(folder, given.chunks, turns=4 * given.turns),
    "steps": lambda folder, given: asyncio.run(measure_steps(folder, turns=4 * given.turns)),
    "runs": lambda folder, given: asyncio.run(whole_runs(folder, turns=given.turns)),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the named parts, or all, and print, write and draw the figures."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.bench", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], help="all where none is named")
    parser.add_argument("--chunks", type=int, default=100_000, help="size of the corpus (default: 100,000)")
    parser.add_argument(
        "--turns", type=int, default=5, help="turns of the slow parts; quick ones take four times as many"
    )
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--plots", type=Path, help="folder for SVG files")
    given = parser.parse_args(arguments)
    result = Result(machine())
    print(json.dumps(result.machine), flush=True)
    for name in given.part or PARTS:
        with tempfile.TemporaryDirectory(prefix="citewell-bench-") as folder:
            result.add(*PARTS[name](Path(folder), given))
    result.machine["load_at_end"] = round(os.getloadavg()[0], 1)
    print(f"load {result.machine['load']} before, {result.machine['load_at_end']} after")
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(result.as_json(), indent=1) + "\n")
    if given.plots:
        from .plots import draw

        print(*draw(result.figures, given.plots), sep="\n")


if __name__ == "__main__":
    main()
