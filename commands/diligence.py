"""`citewell diligence`: a question about a dataroom, answered and left as artifacts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .options import SectionCommand, load, option, setting_options, split_flags


@click.command(cls=SectionCommand)
@click.argument("dataroom", type=click.Path(path_type=Path))
@click.argument("question")
@option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", section="Output",
        help="Folder for the artifacts, outside the dataroom.")  # fmt: skip
@option("--harness", "policy", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", section="Output",
        help="The policy; `citewell harness show` prints the shipped one.")  # fmt: skip
@option("--quiet", is_flag=True, section="Output", help="Nothing on stderr but errors.")
@setting_options()
def diligence(dataroom: Path, question: str, **flags: Any) -> int:
    """Answer QUESTION from the files in DATAROOM and write the artifacts.

    The summary goes to stdout.  Exit codes: 0 answered, 1 a check failed, 2 bad input, 3 partial or insufficient
    evidence, 4 provider failure.
    """
    from ..evals.feedback import keep_run
    from ..graph.diligence import diligence as run
    from ..state.harness import load_harness
    from .exit_codes import exit_code_of
    from .progress import progress_for

    values, given = split_flags(flags)
    if not dataroom.expanduser().is_dir():
        raise UsageError(f"{dataroom}: the dataroom is not a folder")
    settings, environment = load(values)
    with progress_for(quiet=given["quiet"]) as progress:
        result = run(
            dataroom,
            question,
            out=given["out"],
            harness=load_harness(given["policy"]),
            settings=settings,
            environment=environment,
            on_event=progress.on_event,
        )
    keep_run(environment.home, result.thread_id, dataroom, result.report)
    click.echo((given["out"] / "summary_answer.md").read_text(encoding="utf-8"), nl=False)
    if not given["quiet"]:
        names = ", ".join(path.name for path in result.artifacts)
        click.echo(f"Written to {given['out']}: {names}", err=True)
        click.echo(f"Trace: citewell trace show {result.thread_id}", err=True)
        click.echo(f"Feedback: citewell feedback add {result.thread_id} --require … --forbid …", err=True)
    return 1 if not result.passed else exit_code_of(result.report)
