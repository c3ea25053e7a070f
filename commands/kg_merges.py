"""`citewell kg merges`: the names taken to be one entity, and how to part them."""

from __future__ import annotations

from pathlib import Path

import click

from .kg_options import existing_graph, graph_option
from .output import note, print_json, table, visible


@click.command(short_help="List or undo merges of names.")
@graph_option
@click.option("--undo", type=int, metavar="N", help="Take merge N back for good; the names stay apart.")
@click.option("--all", "undone", is_flag=True, help="Also those taken back.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def merges(graph: Path | None, undo: int | None, undone: bool, as_json: bool) -> None:
    """List the names that the graph takes to be one entity, each with the rule or similarity behind it."""
    from ..retrievers.kg.store import TemporalGraph

    with TemporalGraph.open(existing_graph(graph)) as opened:
        if undo is not None:
            merge = opened.undo_merge(undo)
            click.echo(visible(f"{merge.name} and {merge.into} are two now"))
            return
        found = opened.merges(undone=undone)
    if as_json:
        print_json(found)
    elif found:
        click.echo(
            table(
                [str(each.merge_id), each.name, "=", each.into, each.kind, "undone" if each.undone_at else each.reason]
                for each in found
            )
        )
    else:
        note("no names were merged")
