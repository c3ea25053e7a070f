"""`citewell eval run`: the gate that a policy passes before it is promoted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .options import load, setting_options, split_flags


@click.group("eval")
def evaluate() -> None:
    """Offline evaluations."""


@evaluate.command()
@click.option("--dataroom", type=click.Path(path_type=Path), help="A dataroom; the sample one by default.")
@click.option("--questions", type=click.Path(path_type=Path, dir_okay=False), help="Questions as JSON.")
@click.option("--harness", "policy", type=click.Path(path_type=Path, dir_okay=False), help="The policy to test.")
@click.option("--only", multiple=True, metavar="ID", help="Only these questions; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, which `citewell harness promote` reads.")
@setting_options()
def run(
    dataroom: Path | None,
    questions: Path | None,
    policy: Path | None,
    only: tuple[str, ...],
    as_json: bool,
    **flags: Any,
) -> int:
    """Replay questions and reviewers' feedback on a policy; exits with 1 where one fails."""
    from .. import studio
    from ..evals.dataroom import DEFAULT, as_data, as_table, read_cases
    from ..evals.feedback import feedback_cases
    from ..evals.gate import replay
    from ..state.harness import load_harness
    from .output import print_json

    sample = Path(studio.__file__).parent / "dataroom"
    room = dataroom or sample
    settings, environment = load(split_flags(flags)[0])
    cases = read_cases(questions or DEFAULT) if questions or room.resolve() == sample.resolve() else []
    cases += feedback_cases(environment.home, room)
    cases = [case for case in cases if not only or case.id in only]
    if not cases:
        raise UsageError("there is no question for this dataroom: use --questions, or `citewell feedback add`")
    harness = load_harness(policy)
    outcomes = asyncio.run(
        replay(cases, room, harness, settings, environment, on_outcome=lambda each: click.echo(".", nl=False, err=True))
    )
    click.echo(err=True)
    if as_json:
        marks = {"harness_version": harness.version, "harness_sha256": harness.sha256_of_content}
        print_json(as_data(outcomes, **marks))
    else:
        click.echo(as_table(outcomes))
    return 0 if all(each.passed for each in outcomes) else 1
