"""How a run looks while it goes on: bars and first hits on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TextIO

import click

from .output import visible

if TYPE_CHECKING:
    from rich.console import Console

SHOWN_HITS = 3
PLAIN_EVERY_S = 2.0
_STAGES = {
    "read": "reading files",
    "fetch": "fetching pages",
    "embed": "embedding",
    "search": "searching",
    "batch": "questions",
}
_PREVIEW_CHARS = 88


class Progress(Protocol):
    """Follows one run.  `on_event` takes its events; `thread_id` is what resumes it, once known."""

    thread_id: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: Any) -> None: ...

    def on_event(self, event: dict[str, Any]) -> None: ...

    def step(self, stage: str, done: int, total: int) -> None: ...


def progress_for(*, quiet: bool, stream: TextIO | None = None) -> Progress:
    """Return the progress that fits where stderr goes."""
    stream = stream or sys.stderr
    if quiet:
        return Silent()
    if stream.isatty():
        return Live()
    return Plain()


@dataclass
class Story:
    """Tells a run's events as short lines; keeps the counts that a line needs."""

    facts: int = 0
    hits_shown: bool = False
    failed: int = 0
    iteration: int = 0
    fallbacks: set[tuple[str, str]] = field(default_factory=set)

    def tell(self, event: dict[str, Any]) -> list[str]:
        """Return the lines that an event is worth, mostly none or one; an unknown type is worth none."""
        teller: Callable[[dict[str, Any]], list[str]] | None = getattr(self, f"_{event.get('type')}", None)
        return [visible(" ".join(line.split("\n"))) for line in teller(event)] if teller else []

    def _thread(self, event: dict[str, Any]) -> list[str]:
        return [f"thread {event.get('thread_id')}"]

    def _source(self, event: dict[str, Any]) -> list[str]:
        if event.get("status") == "ok":
            return []
        return [f"{event.get('status')}: {event.get('uri')}: {event.get('reason')}"]

    def _plan(self, event: dict[str, Any]) -> list[str]:
        return [f"plan: {len(event.get('queries') or ())} queries"]

    def _query(self, event: dict[str, Any]) -> list[str]:
        iteration = int(event.get("iteration") or 0)
        if iteration <= self.iteration:
            return []
        self.iteration = iteration
        return [f"round {iteration}: searching"]

    def _hits(self, event: dict[str, Any]) -> list[str]:
        hits = event.get("hits") or []
        if self.hits_shown or not hits:
            return []
        self.hits_shown = True
        return ["first hits:", *(f"  {hit_line(hit)}" for hit in hits[:SHOWN_HITS])]

    def _fact(self, event: dict[str, Any]) -> list[str]:
        self.facts += 1
        return []

    def _gap(self, event: dict[str, Any]) -> list[str]:
        return [f"gap: {event.get('reason')}"]

    def _issue(self, event: dict[str, Any]) -> list[str]:
        return [f"issue: {event.get('claim_id') or ''} {event.get('message')}".replace(":  ", ": ")]

    def _repair(self, event: dict[str, Any]) -> list[str]:
        return [f"repair: {event.get('claim_id')} {event.get('action')}"]

    def _fallback(self, event: dict[str, Any]) -> list[str]:
        told = str(event.get("step")), str(event.get("reason"))
        if told in self.fallbacks:  # each branch of a round comes upon the same
            return []
        self.fallbacks.add(told)
        return [f"done another way: {told[0]}: {told[1]}"]

    def _unanswered(self, event: dict[str, Any]) -> list[str]:
        return [f"not answered: {event.get('question')}: {event.get('reason')}"]

    def _stop(self, event: dict[str, Any]) -> list[str]:
        return [f"stopped: {str(event.get('stop_reason')).replace('_', ' ')} ({self.facts} facts)"]


def hit_line(hit: dict[str, Any]) -> str:
    """Return a hit as one line: source, page, the beginning of its text."""
    page = f", page {hit['page']}" if hit.get("page") else ""
    preview = " ".join(str(hit.get("preview") or "").split())
    if len(preview) > _PREVIEW_CHARS:
        preview = preview[: _PREVIEW_CHARS - 1] + "…"
    return f"{hit.get('uri')}{page}: {preview}"


def time_left(done: int, total: int, seconds: float) -> str:
    """Return how long the rest will take at the pace so far, or nothing where that is not known yet."""
    if not 0 < done < total or seconds < 1:
        return ""
    left = seconds * (total - done) / done
    return f", about {left / 60:.0f} min left" if left >= 90 else f", about {left:.0f} s left"


@dataclass
class Silent:
    """Says nothing; keeps the thread for a resume."""

    thread_id: str = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        return None

    def on_event(self, event: dict[str, Any]) -> None:
        if event.get("type") == "thread":
            self.thread_id = str(event.get("thread_id") or "")

    def step(self, stage: str, done: int, total: int) -> None:
        return None


@dataclass
class Plain(Silent):
    """Writes plain lines; counts at most every two seconds, with the time left."""

    clock: Callable[[], float] = time.monotonic
    story: Story = field(default_factory=Story)
    _begun: dict[str, float] = field(default_factory=dict)
    _said: dict[str, float] = field(default_factory=dict)

    def on_event(self, event: dict[str, Any]) -> None:
        super().on_event(event)
        if event.get("type") == "progress":
            self.step(str(event.get("stage")), int(event.get("done") or 0), int(event.get("total") or 0))
        for line in self.story.tell(event):
            self._write(line)

    def step(self, stage: str, done: int, total: int) -> None:
        now = self.clock()
        begun = self._begun.setdefault(stage, now)
        finished = done >= total
        if not finished and now - self._said.get(stage, begun) < PLAIN_EVERY_S:
            return
        self._said[stage] = now
        self._write(f"{_STAGES.get(stage, stage)}: {done} of {total}{time_left(done, total, now - begun)}")
        if finished:
            self._begun.pop(stage, None)

    def _write(self, line: str) -> None:
        try:
            click.echo(line, err=True)
        except OSError:
            # Nobody reads stderr any more; the run goes on and its result still has a place to go.
            sys.stderr = open("/dev/null", "w")  # noqa: SIM115


class Live(Silent):
    """Draws bars with counts and time left on a terminal, the story's lines above them."""

    def __init__(self, console: Console | None = None) -> None:
        super().__init__()
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars

        self._console = console or Console(stderr=True, highlight=False)
        self._bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            console=self._console,
            transient=True,
        )
        self._tasks: dict[str, Any] = {}
        self._story = Story()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def on_event(self, event: dict[str, Any]) -> None:
        super().on_event(event)
        if event.get("type") == "progress":
            self.step(str(event.get("stage")), int(event.get("done") or 0), int(event.get("total") or 0))
        for line in self._story.tell(event):
            self._console.print(
                line, style="dim" if line.startswith(("thread", "  ")) else "", markup=False, soft_wrap=True
            )
        if event.get("type") in {"query", "fact"}:
            self._thinking()

    def step(self, stage: str, done: int, total: int) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(_STAGES.get(stage, stage), total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)
        if done >= total:
            self._bars.remove_task(self._tasks.pop(stage))

    def _thinking(self) -> None:
        text = f"round {max(self._story.iteration, 1)}, {self._story.facts} facts"
        if "" not in self._tasks:
            self._tasks[""] = self._bars.add_task(text, total=None)
        self._bars.update(self._tasks[""], description=text)
