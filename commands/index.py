"""`citewell index`: bring a kept corpus up to date with files and folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from ..state.records import IndexReport
from .exit_codes import ANSWERED, BAD_INPUT, Interrupted
from .options import load, setting_options, split_flags
from .output import note, print_json, visible
from .progress import progress_for


@click.command(short_help="Index files and folders.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--corpus", required=True, metavar="DIR", help="Folder of the corpus, made where it is missing.")
@click.option("--reembed", is_flag=True, help="Compute all vectors anew where the corpus was made with another model.")
@click.option(
    "--workers",
    default="",
    metavar="N|URL",
    help="Compute vectors in N processes, or on the Dask cluster whose scheduler is at URL.",
)
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
@setting_options("embeddings", "offline", "chunk_chars", "chunk_overlap")  # fmt: skip
def index(
    paths: tuple[str, ...], corpus: str, reembed: bool, workers: str, as_json: bool, quiet: bool, **flags: Any
) -> int:
    """Add files and folders to a corpus: new ones are read, changed ones replaced, removed ones leave.

    Exit code 2 where nothing could be read at all.
    """
    settings, environment = load(split_flags(flags)[0])
    given = [Path(path).expanduser() for path in paths]
    for path in given:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    folder = Path(corpus).expanduser().absolute()
    from .. import Corpus

    try:
        with (
            progress_for(quiet=quiet) as progress,
            Corpus.open(folder, settings=settings, environment=environment, reembed=reembed) as opened,
        ):
            report = opened.add_path(*given, progress=progress.step, embed=not workers)
            if workers:
                opened.embed_pending(progress=progress.step, workers=workers)
            if opened.degraded:
                note(opened.degraded)
    except KeyboardInterrupt:
        raise Interrupted("citewell", "index", *paths, "--corpus", corpus) from None
    if as_json:
        print_json(report)
    else:
        click.echo(_told(report))
    held = report.added or report.unchanged or report.updated or report.removed
    unread = any(source.status == "failed" for source in report.failed)
    return BAD_INPUT if unread and not held else ANSWERED


def _told(report: IndexReport) -> str:
    counts = ", ".join(
        f"{len(uris)} {name}"
        for name, uris in (
            ("added", report.added),
            ("updated", report.updated),
            ("unchanged", report.unchanged),
            ("removed", report.removed),
            ("not indexed", report.failed),
        )
        if uris or name == "added"
    )
    lines = [f"{counts}; {report.chunks} new passages"]
    lines += [f"  {source.status}: {source.uri}: {source.reason}" for source in report.failed]
    return visible("\n".join(lines))
