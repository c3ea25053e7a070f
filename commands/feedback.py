"""`citewell feedback`: what a reviewer requires and forbids of a run, kept for the next evaluation."""

from __future__ import annotations

import click

from ..settings import Environment


@click.group()
def feedback() -> None:
    """Record what reviewers say; `citewell eval run` asks it again."""


@feedback.command()
@click.argument("run")
@click.option("--require", multiple=True, metavar="TEXT", help="The answer must contain this; may be given again.")
@click.option("--forbid", multiple=True, metavar="TEXT", help="No claim may contain this; may be given again.")
def add(run: str, require: tuple[str, ...], forbid: tuple[str, ...]) -> None:
    """Record observations on RUN, whose id `citewell diligence` prints."""
    from ..evals.feedback import add_feedback

    case = add_feedback(Environment.read().home, run, require, forbid)
    click.echo(f"{case.question}: {len(case.required)} required, {len(case.prohibited)} prohibited")


@feedback.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """List what was recorded."""
    from ..evals.feedback import read_feedback
    from .output import print_json

    entries = read_feedback(Environment.read().home)
    if as_json:
        print_json(entries)
        return
    for entry in entries:
        click.echo(entry["question"])
        for name in ("required", "prohibited"):
            for text in entry[name]:
                click.echo(f"  {name}: {text}")
