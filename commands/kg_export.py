"""`citewell kg export`: the whole temporal graph for other programs, or a drawing of an entity for people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from .kg_options import existing_graph, graph_option
from .output import note
from .targets import TargetFile, write

if TYPE_CHECKING:
    from ..retrievers.kg.store import TemporalGraph


def _json(graph: TemporalGraph) -> str:
    from ..retrievers.kg.exporting import as_json

    return as_json(graph)


def _graphml(graph: TemporalGraph) -> str:
    from ..retrievers.kg.exporting import as_graphml

    return as_graphml(graph)


# Each form loads its writer when it is asked for.
FORMATS: dict[str, Callable[[TemporalGraph], str]] = {"json": _json, "graphml": _graphml}


def _html(graph: TemporalGraph, entity: str | None, depth: int) -> str:
    from ..reports.neighbourhood import render_neighbourhood

    if entity is None:
        known = graph.entities("org", limit=1) or graph.entities(limit=1)
        if not known:
            raise UsageError("the graph holds no fact to draw")
        entity = known[0][0].entity_id
    found = graph.neighbourhood(entity, depth)
    if found is None or not found.facts:
        near = ", ".join(each.entity.name for each in graph.resolve(entity, limit=3))
        raise UsageError(f"the graph knows no {entity!r}" + (f"; it knows {near}" if near else ""))
    return render_neighbourhood(found)


@click.command(short_help="Write the whole graph, or draw a part of it.")
@graph_option
@click.option("--format", "format_", type=click.Choice([*FORMATS, "html"]), default="json", show_default=True)
@click.option(
    "--entity", metavar="NAME", help="Whom the drawing (html) is about; the organisation known best by default."
)
@click.option("--depth", type=click.IntRange(1, 3), default=1, show_default=True, help="Steps from it in the drawing.")
@click.option("--out", type=TargetFile(), metavar="FILE", help="File to write; stdout by default.")
def export(graph: Path | None, format_: str, entity: str | None, depth: int, out: Path | None) -> None:
    """Write entities, facts with their validity and quotes, and merges.

    With `--format html` the result is a page that draws what is linked to one entity and lets you move the day.
    """
    if entity is not None and format_ != "html":
        raise UsageError("--entity goes with --format html: the other formats hold the whole graph")
    from ..retrievers.kg.store import TemporalGraph

    with TemporalGraph.open(existing_graph(graph)) as opened:
        text = _html(opened, entity, depth) if format_ == "html" else FORMATS[format_](opened)
    if out is None:
        click.echo(text, nl=False)
        return
    write(out, text)
    note(f"wrote {out}")
