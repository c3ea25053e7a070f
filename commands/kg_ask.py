"""`citewell kg ask`: a question about facts and change, answered step by step over the temporal graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import click

from .exit_codes import ANSWERED, BAD_INPUT, INSUFFICIENT, PROVIDER_FAILED, Interrupted
from .kg_options import existing_graph, graph_option
from .options import load, setting_options, split_flags
from .output import FORMATS, note
from .targets import TargetFile, write

if TYPE_CHECKING:
    from ..settings import Environment, Settings
    from ..state.multistep import MultistepReport


@click.command(short_help="Answer a question about facts and change.")
@click.argument("question")
@graph_option
@click.option("--format", "format_", type=click.Choice(FORMATS), default="md", show_default=True, help="On stdout.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON, with every call and its result.")
@click.option("--out", type=TargetFile(), metavar="FILE", help="Also write the page as HTML there.")
@click.option("--thread", "thread_id", metavar="ID", help="Name the thread.")
@click.option("--max-tool-rounds", type=click.IntRange(1, 50), default=12, show_default=True, help="Calls of tools.")
@click.option("--quiet", is_flag=True, help="Show no tool calls.")
@setting_options("engine", "model", "offline", "max_model_calls", "max_tokens", "max_cost_usd", "max_seconds")
def ask(question: str, **flags: Any) -> int:
    """Answer QUESTION from the graph that `citewell kg build` made: what was so in a window, or what has changed.

    Each sentence rests on facts of the graph, shown with their quotes, dates and sources; what is not known is said.
    """
    values, given = split_flags(flags)
    settings, environment = load(values)
    path = existing_graph(given["graph"]) if given["graph"] else None
    existing_graph(path)
    thread_id = given["thread_id"] or uuid4().hex[:12]
    report = run(question, thread_id, settings, environment, path, given["max_tool_rounds"], quiet=given["quiet"])
    return hand_over(report, "json" if given["as_json"] else given["format_"], given["out"], quiet=given["quiet"])


def run(
    question: str | None,
    thread_id: str,
    settings: Settings,
    environment: Environment,
    path: Path | None = None,
    max_tool_rounds: int = 12,
    *,
    quiet: bool = False,
) -> MultistepReport:
    """Ask, or with no question take the thread up, showing the calls as they are made."""
    from ..graph.multistep_run import ask_graph

    def show(event: dict[str, Any]) -> None:
        if quiet:
            return
        if event["type"] == "tool_call":
            note(f"→ {event['name']} {' '.join(str(event['arguments']).split())[:300]}")
        elif event["type"] == "tool_result" and event["error"]:
            note(f"← {' '.join(event['content'].split())[:300]}")

    try:
        return ask_graph(
            question, path=path, thread_id=thread_id, settings=settings, environment=environment, on_event=show,
            max_tool_rounds=max_tool_rounds,
        )  # fmt: skip
    except KeyboardInterrupt:
        raise Interrupted("citewell", "resume", thread_id) from None


def hand_over(report: MultistepReport, format_: str, out: Path | None = None, *, quiet: bool = False) -> int:
    """Print a report, write its page, and return the exit code."""
    from ..reports.multistep import render_html, render_markdown

    if out is not None:
        write(out, render_html(report))
    if format_ == "json":
        click.echo(report.model_dump_json(indent=2))
    else:
        click.echo(render_html(report) if format_ == "html" else render_markdown(report), nl=False)
    if out is not None and not quiet:
        note(f"wrote {out}")
    if report.status == "failed":
        return PROVIDER_FAILED if report.engine == "chat" and report.known_from else BAD_INPUT
    return ANSWERED if report.status == "answered" else INSUFFICIENT
