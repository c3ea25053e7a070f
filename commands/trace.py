"""`citewell trace`: draw the record of a run, or hand it to another tool."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ..errors import UsageError
from .targets import TargetFile, write


@click.group()
def trace() -> None:
    """Show or export what a run did, span by span."""


@trace.command()
@click.argument("thread", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the spans as a JSON list.")
def show(thread: str | None, as_json: bool) -> None:
    """Draw the tree of a thread's runs, by default the last one's, with times, tokens and cost."""
    from ..reports.traces.view import draw, read_trace
    from .output import print_json

    spans = read_trace(_path(thread))
    if as_json:
        print_json(spans)
    else:
        click.echo(draw(spans))


@trace.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """List the trace files of this home, the last written first."""
    from ..reports.traces.view import list_traces, read_trace, summaries
    from ..settings import Environment
    from .output import print_json, table

    found = [(path, summaries(read_trace(path))) for path in list_traces(Environment.read().home)]
    if as_json:
        print_json([{"thread_id": path.stem, "traces": [asdict(each) for each in runs]} for path, runs in found])
    elif found:
        rows = [
            (path.stem, each.name, each.start_time[:19], f"{each.seconds:.1f} s")
            for path, runs in found
            for each in runs
        ]
        click.echo(table(rows))


@trace.command()
@click.argument("thread", required=False)
@click.option("--out", type=TargetFile(), help="File to write; standard output by default.")
def export(thread: str | None, out: Path | None) -> None:
    """Copy a thread's trace: JSON lines that OpenInference readers and halo-engine take."""
    from ..reports.traces.view import read_trace

    path = _path(thread)
    read_trace(path)
    text = path.read_text(encoding="utf-8")
    if out is None:
        click.echo(text, nl=False)
    else:
        write(out, text)


def _path(thread: str | None) -> Path:
    from ..reports.traces.recording import trace_path
    from ..reports.traces.view import list_traces
    from ..settings import Environment

    home = Environment.read().home
    if thread:
        path = trace_path(home, thread)
        # The list shows the file's name where the id is none that a file can have.
        path = next((one for one in list_traces(home) if one.stem == thread), path) if not path.exists() else path
        if not path.exists():
            raise UsageError(f"no trace of {thread!r}: `citewell trace list` lists them")
        return path
    found = list_traces(home)
    if not found:
        raise UsageError("there is no trace yet: run `citewell research` first")
    return found[0]
