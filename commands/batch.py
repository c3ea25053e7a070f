"""`citewell batch`: ask every question of a file, many at once, in this process or on a server's queue."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .arguments import existing
from .batch_results import Results
from .exit_codes import Interrupted
from .options import SectionCommand, load, option, setting_options, split_flags
from .output import note
from .progress import progress_for
from .targets import TargetFolder


@click.command(cls=SectionCommand, short_help="Ask every question of a file.")
@click.argument("questions", metavar="QUESTIONS.jsonl", type=click.Path(path_type=Path, allow_dash=True))
@option(
    "--docs",
    multiple=True,
    metavar="PATH",
    section="Sources",
    help="A file or folder for lines that name no source; may be given again.",
)
@option("--url", "urls", multiple=True, metavar="URL", section="Sources", help="A web page, likewise.")
@option("--web", is_flag=True, section="Sources", help="Search the web, likewise.")
@option("--corpus", metavar="DIR", default="", section="Sources", help="A corpus made by `citewell index`, likewise.")
@option(
    "--concurrency",
    type=click.IntRange(1, 1000),
    default=8,
    show_default=True,
    metavar="N",
    section="Batch",
    help="Questions under way at once.",
)
@option(
    "--name",
    default="",
    metavar="TEXT",
    section="Batch",
    help="Tells batches apart: under another name what was answered is asked anew.",
)
@option(
    "--server",
    metavar="URL",
    section="Batch",
    help="Have a LangGraph server ask them on its queue; files and folders are the server's.",
)
@option(
    "--out",
    type=TargetFolder(),
    metavar="DIR",
    section="Output",
    help="Write results.jsonl, summary.json and each report there; else the results go to stdout.",
)
@option("--user", default="", metavar="NAME", section="Batch",
        help="Whose earlier runs are recalled, and who is to recall this one.  [default]")  # fmt: skip
@option("--quiet", is_flag=True, section="Output", help="Nothing on stderr but errors.")
@setting_options()  # fmt: skip
def batch(questions: Path, **flags: Any) -> int:
    """Ask every question of QUESTIONS.jsonl (- is stdin): one JSON object a line with `question` and, where wanted,
    `id`, `docs`, `urls`, `web`, `corpus` and `settings`.

    Called again after it was stopped, it goes on where it was; a question that was answered is not asked again, one
    that failed is.  A bad line or a failed question stops no other.  Exit codes: 0 all answered, 2 a line or its
    sources cannot be used, 4 a provider failed, 3 partial or insufficient evidence, 130 interrupted.
    """
    values, given = split_flags(flags)
    settings, environment = load(values)
    if settings.approve_plan:
        raise UsageError("approve_plan cannot be set for a batch: nobody is there to approve")
    from ..graph.questions import Asking, read_questions

    existing(() if given["server"] else given["docs"])
    asking = Asking(
        settings=settings,
        environment=environment,
        docs=given["docs"],
        urls=given["urls"],
        web=given["web"],
        corpus=given["corpus"],
        name=given["name"],
        here=not given["server"],
        user=given["user"],
    )
    asked, bad = read_questions(_lines(questions), asking)
    for line in bad:
        note(f"{questions}:{line.line}: {line.reason}")
    if not asked and not bad:
        raise UsageError(f"{questions}: holds no question")
    with progress_for(quiet=given["quiet"]) as progress, Results(given["out"], len(asked), bad, progress) as results:
        try:
            if given["server"]:
                from ..graph.remote_batch import abatch_on

                asyncio.run(
                    abatch_on(
                        given["server"], asked, _explicit(values), environment,
                        concurrency=given["concurrency"], on_finished=results.add,
                    )
                )  # fmt: skip
            else:
                from ..graph.batch import abatch
                from ..graph.wiring import default_services

                services = default_services(settings, environment)
                asyncio.run(abatch(asked, services, concurrency=given["concurrency"], on_finished=results.add))
        except KeyboardInterrupt:
            raise Interrupted("citewell", *sys.argv[1:]) from None
    summary = results.summary()
    if given["out"]:
        click.echo(summary.told())
    elif not given["quiet"]:
        note(summary.told())
    return summary.exit_code


def _lines(path: Path) -> list[bytes]:
    if str(path) == "-":
        return sys.stdin.buffer.read().splitlines()
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def _explicit(values: dict[str, Any]) -> dict[str, Any]:
    """Return the settings given as flags: what a server is told, whose own settings hold else."""
    return {name: value for name, value in values.items() if value not in (None, (), {})}
