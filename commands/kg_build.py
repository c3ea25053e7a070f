"""`citewell kg build`: read files and folders into the temporal graph."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .arguments import existing
from .exit_codes import ANSWERED, BAD_INPUT, Interrupted
from .kg_options import graph_option
from .options import load, setting_options, split_flags
from .output import note, print_json, visible
from .progress import progress_for

if TYPE_CHECKING:
    from ..reasoners.kg.building import BuildReport


@click.command(short_help="Read files and folders into the graph.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@graph_option
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
@setting_options(
    "engine", "model", "embeddings", "offline", "max_model_calls", "max_tokens", "max_cost_usd", "max_seconds"
)
def build(paths: tuple[str, ...], graph: Path | None, as_json: bool, quiet: bool, **flags: Any) -> int:
    """Read what documents state: new ones are added, what changed is replaced, what is gone expires.

    A build that is stopped goes on where it was when it is started again.  Exit code 2 where nothing could be read.
    """
    settings, environment = load(split_flags(flags)[0])
    given = existing(paths)
    from ..reasoners.kg.building import Build, similar_by
    from ..reasoners.kg.readers import reader_for
    from ..retrievers.embeddings import load_embedder
    from ..retrievers.kg.store import TemporalGraph

    async def run() -> BuildReport:
        similar = similar_by(load_embedder(settings, environment))
        reader = reader_for(settings, environment, opened.path)
        report = await Build(opened, reader, settings, similar, progress.step).run(given)
        for told in reader.notes:
            note(told)
        return report

    try:
        with (
            progress_for(quiet=quiet) as progress,
            TemporalGraph.open(graph or environment.home / "kg.sqlite") as opened,
        ):
            report = asyncio.run(run())
    except KeyboardInterrupt:
        raise Interrupted("citewell", "kg", "build", *paths) from None
    if as_json:
        print_json(report)
    else:
        click.echo(visible(told_of(report)))
    held = report.added or report.updated or report.unchanged or report.removed
    return BAD_INPUT if report.failed and not held else ANSWERED


def told_of(report: BuildReport) -> str:
    """Return what a build did in words, with the documents that could not be read."""
    counts = (
        ("added", report.added), ("updated", report.updated), ("unchanged", report.unchanged),
        ("removed", report.removed), ("not read", report.failed),
    )  # fmt: skip
    documents = ", ".join(f"{len(uris)} {name}" for name, uris in counts if uris or name == "added")
    lines = [f"documents: {documents}; {report.statements} new statements"]
    if report.undated:
        shown = ", ".join(report.undated[:5]) + (", …" if len(report.undated) > 5 else "")
        lines.append(f"  without a date of their own: {shown}")
    lines += [f"  {source.status}: {source.uri}: {source.reason}" for source in report.failed]
    return "\n".join(lines)
