"""`citewell kg export`: the whole temporal graph for other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from .kg_options import existing_graph, graph_option
from .output import note

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


@click.command(short_help="Write the whole graph.")
@graph_option
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), default="json", show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="File to write; stdout by default."
)
def export(graph: Path | None, format_: str, out: Path | None) -> None:
    """Write entities, facts with their validity and quotes, and merges."""
    from ..retrievers.kg.store import TemporalGraph

    with TemporalGraph.open(existing_graph(graph)) as opened:
        text = FORMATS[format_](opened)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out}: cannot be written ({error.strerror})") from error
    note(f"wrote {out}")
