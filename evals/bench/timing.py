"""Timing in turns: what is compared runs alternately in one process, so that a busy minute falls on both sides."""

from __future__ import annotations

import asyncio
import os
import platform
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("citewell", "chromadb", "tantivy", "onnxruntime", "langgraph", "numpy", "rank-bm25")


@dataclass(frozen=True)
class Figure:
    """One measured quantity.

    Attributes:
        part: What was measured, e.g. `search`.
        side: Whose, `citewell` or a peer.
        value: Median of all turns.
        cpu: Processor time of the same turns, in the same unit; None where it says nothing.
        spread: From the lower to the upper quartile.
        turns: How often it was measured.
        per: What one turn did, in words.
    """

    part: str
    side: str
    value: float
    unit: str
    cpu: float | None = None
    spread: tuple[float, float] = (0.0, 0.0)
    turns: int = 1
    per: str = ""


@dataclass
class Result:
    """All figures of a run of the suite, with the machine they were taken on."""

    machine: dict[str, Any] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)

    def add(self, *figures: Figure) -> None:
        """Keep figures and show them."""
        for figure in figures:
            self.figures.append(figure)
            print(line(figure), flush=True)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        return {"machine": self.machine, "figures": [asdict(figure) for figure in self.figures]}


def line(figure: Figure) -> str:
    """Return a figure as one line of a table."""
    cpu = f"  processor {figure.cpu:,.4g}" if figure.cpu is not None else ""
    return f"{figure.part:24} {figure.side:28} {figure.value:>12,.4g} {figure.unit:14}{cpu}  {figure.per}"


def machine() -> dict[str, Any]:
    """Describe the machine: processor, cores, memory, load, and the versions of what is measured."""
    model, memory_kib = platform.processor(), 0
    for path, key in (("/proc/cpuinfo", "model name"), ("/proc/meminfo", "MemTotal")):
        text = Path(path).read_text() if Path(path).exists() else ""
        found = next((row.partition(":")[2].strip() for row in text.splitlines() if row.startswith(key)), "")
        if key == "MemTotal":
            memory_kib = int(found.split()[0]) if found else 0
        elif found:
            model = found
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gib": round(memory_kib / 2**20, 1),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
    }


def in_turns(
    part: str, sides: Mapping[str, Callable[[], Any]], *, turns: int, unit: str = "ms", each: int = 1, per: str = ""
) -> list[Figure]:
    """Time functions in turns, after one turn that does not count.

    Args:
        sides: A function by whose it is.
        unit: `ms` or `s` a piece of work, or anything with `/s`, then pieces a second.
        each: Pieces of work in one call.
    """

    def later(work: Callable[[], Any]) -> Callable[[], Awaitable[None]]:
        async def called() -> None:
            work()

        return called

    return asyncio.run(
        in_turns_async(
            part,
            {side: later(work) for side, work in sides.items()},
            turns=turns,
            unit=unit,
            each=each,
            per=per,
        )
    )


async def in_turns_async(
    part: str,
    sides: Mapping[str, Callable[[], Awaitable[Any]]],
    *,
    turns: int,
    unit: str = "ms",
    each: int = 1,
    per: str = "",
) -> list[Figure]:
    """Time coroutines in turns; see `in_turns`."""
    taken: dict[str, list[tuple[float, float]]] = {side: [] for side in sides}
    for turn in range(turns + 1):
        for side, work in sides.items():
            began, cpu = time.perf_counter(), time.process_time()
            await work()
            spent = time.perf_counter() - began, time.process_time() - cpu
            if turn:
                taken[side].append(spent)
    return [figure_of(part, side, rows, unit=unit, each=each, per=per) for side, rows in taken.items()]


def figure_of(
    part: str, side: str, rows: list[tuple[float, float]], *, unit: str, each: int = 1, per: str = ""
) -> Figure:
    """Return the medians of turns given as (seconds, processor seconds) of `each` pieces of work."""

    def as_unit(seconds: float) -> float:
        if unit.endswith("/s"):
            return each / seconds if seconds else 0.0
        return seconds / each * (1_000 if unit == "ms" else 1)

    walls = sorted(as_unit(wall) for wall, _ in rows)
    quarter = len(walls) // 4
    return Figure(
        part,
        side,
        statistics.median(walls),
        unit,
        cpu=statistics.median(as_unit(cpu) for _, cpu in rows),
        spread=(walls[quarter], walls[-1 - quarter]),
        turns=len(rows),
        per=per,
    )
