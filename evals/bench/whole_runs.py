"""Whole research runs of the embedded engine over the sample dataroom: one, several at once, one taken up again."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from ...errors import CitewellError
from ...graph.run import aresearch, aresume
from ...graph.wiring import default_services
from ...retrievers.corpus import Corpus
from ...settings import Environment, Settings
from .parts import DATAROOM
from .timing import Figure, figure_of, in_turns_async

QUESTIONS = (
    "What was ARR at 31 March 2025?",
    "How much cash was there at 31 March 2025?",
    "Who are the largest customers?",
    "Is the SOC 2 Type II audit complete?",
)


async def whole_runs(folder: Path, *, turns: int, side_by_side: int = 8) -> list[Figure]:
    """Time runs over a kept corpus in a warm process, traced as shipped."""
    kept = folder / "corpus"
    with Corpus.open(kept) as corpus:
        await asyncio.to_thread(corpus.add_path, DATAROOM)
    environment = Environment(home=folder / "home")
    services = default_services(Settings(engine="embedded", offline=True), environment)
    asked = iter(range(1_000_000))

    async def one() -> None:
        await aresearch(QUESTIONS[next(asked) % len(QUESTIONS)], corpus=kept, services=services)

    async def several() -> None:
        await asyncio.gather(*(one() for _ in range(side_by_side)))

    figures = await in_turns_async(
        "research run", {"one": one}, turns=turns, unit="s", per="sample dataroom, indexed before, embedded engine"
    )
    figures += await in_turns_async(
        "research run",
        {f"{side_by_side} side by side": several},
        turns=max(turns // 2, 1),
        unit="s",
        each=side_by_side,
        per="seconds a run",
    )
    return [*figures, await _resumed(kept, services, turns=turns)]


async def _resumed(kept: Path, services: object, *, turns: int) -> Figure:
    """Interrupt runs when their plan is made and time what is left of them."""
    taken: list[tuple[float, float]] = []
    for turn in range(turns + 1):
        thread = f"resumed-{turn}"

        def stop(event: dict[str, object]) -> None:
            if event["type"] == "plan":
                raise _Stopped

        try:
            await aresearch(QUESTIONS[0], corpus=kept, thread_id=thread, services=services, on_event=stop)  # type: ignore[arg-type]
        except _Stopped:
            began, cpu = time.perf_counter(), time.process_time()
            await aresume(thread, services=services)  # type: ignore[arg-type]
            if turn:
                taken.append((time.perf_counter() - began, time.process_time() - cpu))
    return figure_of("resume", "citewell", taken, unit="s", per="a run that ended after its plan")


class _Stopped(CitewellError):
    """The run is broken off."""
