"""`citewell threads`: the threads of this home, the last used first."""

from __future__ import annotations

import click

from ..settings import Environment
from .output import note, print_json, table


@click.command(short_help="List threads.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def threads(as_json: bool) -> None:
    """List the threads of this home, the last used first; `citewell resume THREAD` takes one up."""
    from .. import list_threads

    found = list_threads(Environment.read())
    if as_json:
        print_json(found)
    elif found:
        rows = [
            (x.thread_id, x.status or "interrupted", x.updated_at[:16].replace("T", " "), x.problem or x.question)
            for x in found
        ]
        click.echo(table(rows))
    else:
        note("no threads yet")
