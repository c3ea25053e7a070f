"""`citewell index`: bring a kept corpus up to date with files and folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from ..state.records import IndexReport
from .arguments import existing
from .exit_codes import ANSWERED, BAD_INPUT, Interrupted
from .options import load, setting_options, split_flags
from .output import note, print_json, visible
from .progress import progress_for


@click.command(short_help="Index files and folders.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--corpus", required=True, metavar="DIR", help="Folder of the corpus, made where it is missing.")
@click.option("--reembed", is_flag=True, help="Compute all vectors anew where the corpus was made with another model.")
@click.option(
    "--workers",
    default="",
    metavar="N|URL",
    help="Compute vectors in N processes, or on the Dask cluster whose scheduler is at URL.",
)
@click.option("--compact", is_flag=True, help="Give the disk back what removed sources took; PATH may be left out.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
@setting_options("embeddings", "offline", "chunk_chars", "chunk_overlap")  # fmt: skip
def index(
    paths: tuple[str, ...],
    corpus: str,
    reembed: bool,
    workers: str,
    compact: bool,
    as_json: bool,
    quiet: bool,
    **flags: Any,
) -> int:
    """Add files and folders to a corpus: new ones are read, changed ones replaced, removed ones leave.

    Exit code 2 where nothing could be read at all.
    """
    if not paths and not compact:
        raise UsageError("name files or folders to index, or --compact a corpus")
    settings, environment = load(split_flags(flags)[0])
    given = existing(paths)
    folder = Path(corpus).expanduser().absolute()
    from .. import Corpus

    if not paths and not (folder / "corpus.sqlite").is_file():
        raise UsageError(f"{corpus}: no such corpus; make it with `citewell index PATH --corpus {corpus}`")
    sizes: tuple[int, int] | None = None
    try:
        with (
            progress_for(quiet=quiet) as progress,
            Corpus.open(folder, settings=settings, environment=environment, reembed=reembed) as opened,
        ):
            report = IndexReport()
            if given:
                report = opened.add_path(*given, progress=progress.step, embed=not workers)
            if given and workers:
                opened.embed_pending(progress=progress.step, workers=workers)
            if given and opened.degraded:
                note(opened.degraded)
            if compact:
                sizes = opened.compact()
    except KeyboardInterrupt:
        again = ("--compact",) if compact else ()
        raise Interrupted("citewell", "index", *paths, "--corpus", corpus, *again) from None
    if as_json:
        told = report.model_dump(mode="json")
        print_json(told | {"bytes_before": sizes[0], "bytes_after": sizes[1]} if sizes else told)
    else:
        if given:
            click.echo(_told(report))
        if sizes:
            click.echo(f"{sizes[0] / 1e6:,.1f} MB before, {sizes[1] / 1e6:,.1f} MB now")
    if not given:
        return ANSWERED
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
