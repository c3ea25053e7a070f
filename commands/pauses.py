"""Follow a run on the terminal to its end, over interruptions and questions to a person."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from .exit_codes import Interrupted
from .progress import Progress, progress_for

T = TypeVar("T")
Ask = Callable[[Progress], T]
TakeUp = Callable[[str, dict[str, Any] | None], Ask[T]]
"""Returns what takes up a thread with a decision about its plan, following it by a progress."""


def follow(ask: Ask[T], take_up: TakeUp[T], *, thread_id: str, quiet: bool) -> T:
    """Follow a run to its result, asking a person at a terminal where its plan waits to be approved.

    Raises: Interrupted with the thread that can be resumed; PlanPending where nobody is there to be asked.
    """
    from ..graph.following import PlanPending

    while True:
        progress = progress_for(quiet=quiet)
        try:
            with progress:
                return ask(progress)
        except KeyboardInterrupt:
            raise _interrupted(progress.thread_id or thread_id) from None
        except PlanPending as pending:
            if not _person_is_there():
                raise
            thread_id, request = pending.thread_id, pending.request
        try:
            ask = take_up(thread_id, _ask_about(request))
        except click.Abort:
            raise _interrupted(thread_id) from None


def _interrupted(thread_id: str) -> Interrupted:
    return Interrupted("citewell", "resume", thread_id) if thread_id else Interrupted()


def _person_is_there() -> bool:
    return sys.stdin.isatty()


def _ask_about(request: dict[str, Any]) -> dict[str, Any]:
    """Show on stderr what a run waits for and read what a person decides."""
    return _ask_about_plan(request) if "plan" in request else _ask_about_sources(request)


def _ask_about_sources(request: dict[str, Any]) -> dict[str, Any]:
    click.echo(f"{request.get('question', '')}\n{request.get('ask', '')}", err=True)
    if request.get("error"):
        click.echo(str(request["error"]), err=True)
    suggested = "; ".join((request.get("suggested") or {}).get("urls") or ())
    text = click.prompt(
        "Files, folders and URLs, separated by ; (or: web; nothing ends the run)",
        default=suggested,
        show_default=bool(suggested),
        err=True,
    )
    named = [part.strip() for part in str(text).split(";") if part.strip()]
    if not named:
        return {"action": "cancel", "reason": "no source was named"}
    urls = [part for part in named if part.startswith(("http://", "https://"))]
    docs = [part for part in named if part not in urls and part != "web"]
    return {"docs": docs, "urls": urls, "web": "web" in named}


def _ask_about_plan(request: dict[str, Any]) -> dict[str, Any]:
    plan = request.get("plan") or {}
    click.echo(f"Plan: {plan.get('goal', '')}", err=True)
    for number, query in enumerate(plan.get("queries") or (), start=1):
        click.echo(f"{number:3}. {query}", err=True)
    if request.get("error"):
        click.echo(str(request["error"]), err=True)
    choice = click.prompt(
        "[a]pprove, [e]dit the queries, [r]eject", type=click.Choice(["a", "e", "r"]), default="a", err=True
    )
    if choice == "r":
        return {"action": "reject", "reason": click.prompt("Reason", default="", show_default=False, err=True)}
    if choice == "e":
        text = click.prompt("Queries, separated by ;", err=True)
        return {"action": "edit", "queries": [part.strip() for part in text.split(";") if part.strip()]}
    return {"action": "approve"}
