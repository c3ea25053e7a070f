"""`citewell diligence`: a question about a dataroom, answered and left as artifacts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from ..settings import Environment, Settings
from .exit_codes import CHECK_FAILED, exit_code_of
from .options import SectionCommand, load, option, setting_options, split_flags
from .output import note, nothing_read, rendered
from .pauses import TakeUp, follow
from .progress import Progress
from .targets import TargetFolder

if TYPE_CHECKING:
    from ..graph.diligence import DiligenceResult


@click.command(cls=SectionCommand)
@click.argument("dataroom", type=click.Path(path_type=Path))
@click.argument("question")
@option("--out", required=True, type=TargetFolder(), metavar="DIR", section="Output",
        help="Folder for the artifacts, outside the dataroom.")  # fmt: skip
@option("--harness", "policy", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", section="Output",
        help="The policy; `citewell harness show` prints the shipped one.")  # fmt: skip
@option("--user", default="", metavar="NAME", section="Output",
        help="Whose earlier runs are recalled, and who is to recall this one.  [default]")  # fmt: skip
@option("--quiet", is_flag=True, section="Output", help="Nothing on stderr but errors.")
@setting_options()
def diligence(dataroom: Path, question: str, **flags: Any) -> int:
    """Answer QUESTION from the files in DATAROOM and write the artifacts.

    The summary goes to stdout.  Exit codes: 0 answered, 1 a check failed, 2 bad input, 3 partial or insufficient
    evidence, 4 provider failure.
    """
    from ..state.harness import load_harness

    values, given = split_flags(flags)
    if not dataroom.expanduser().is_dir():
        raise UsageError(f"{dataroom}: the dataroom is not a folder")
    settings, environment = load(values)
    harness = load_harness(given["policy"])

    from ..reports.artifacts import earlier_run_in

    if earlier_run_in(given["out"]) and not given["quiet"]:
        note(f"{given['out']}: the artifacts of an earlier run are replaced")

    def ask(progress: Progress) -> DiligenceResult:
        from .. import diligence as run

        return run(
            dataroom,
            question,
            out=given["out"],
            harness=harness,
            user=given["user"],
            settings=settings,
            environment=environment,
            on_event=progress.on_event,
        )

    result = follow(ask, taking_up(settings, environment), thread_id="", quiet=given["quiet"])
    return hand_over(result, environment, quiet=given["quiet"])


def taking_up(settings: Settings, environment: Environment) -> TakeUp[DiligenceResult]:
    """Return what takes up diligence threads."""

    def take_up(thread_id: str, decision: dict[str, Any] | None) -> Callable[[Progress], DiligenceResult]:
        def ask(progress: Progress) -> DiligenceResult:
            from ..graph.diligence import aresume_diligence

            return asyncio.run(
                aresume_diligence(
                    thread_id, decision=decision, settings=settings, environment=environment, on_event=progress.on_event
                )
            )

        return ask

    return take_up


def hand_over(result: DiligenceResult, environment: Environment, *, format_: str = "md", quiet: bool = False) -> int:
    """Print what a run found, keep it for feedback, and return the exit code."""
    from ..evals.feedback import keep_run

    if result.out and not result.artifacts:
        why = nothing_read(result.report) or "; ".join(result.report.answer.risks_and_limits[:1])
        raise UsageError(f"{result.dataroom}: {why}")
    keep_run(environment.home, result.thread_id, result.dataroom, result.report)
    if result.out and format_ == "md":
        click.echo((result.out / "summary_answer.md").read_text(encoding="utf-8"), nl=False)
    else:
        click.echo(rendered(result.report, format_), nl=False)
    if not quiet:
        if result.out:
            note(f"Written to {result.out}: {', '.join(path.name for path in result.artifacts)}")
        note(f"Trace: citewell trace show {result.thread_id}")
        note(f"Feedback: citewell feedback add {result.thread_id} --require … --forbid …")
    return exit_code_of(result.report) if result.passed else CHECK_FAILED
