"""`citewell harness`: show, validate, compare and promote the diligence policy."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import UsageError

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def harness() -> None:
    """The diligence policy: data with a version, promoted only when the evaluations pass."""


@harness.command()
@click.argument("file", required=False, type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the policy as JSON.")
@click.option("--question", default="", help="Also show the guidance that this question opens.")
def show(file: Path | None, as_json: bool, question: str) -> None:
    """Print the instructions that a policy is rendered into; the shipped policy by default."""
    from ..state.harness import load_harness, render_instructions
    from .output import print_json

    policy = load_harness(file)
    if as_json:
        print_json({**policy.model_dump(mode="json"), "sha256": policy.sha256})
    else:
        click.echo(render_instructions(policy, question), nl=False)


@harness.command()
@click.argument("file", type=_FILE)
def validate(file: Path) -> None:
    """Check a policy file; exits with 2 and one line where something is wrong."""
    from ..state.harness import check_promoted, load_harness

    policy = load_harness(file)
    check_promoted(policy)
    click.echo(f"{file}: version {policy.version}, {policy.eval_metadata.status}, sha256 {policy.sha256}")


@harness.command()
@click.argument("before", type=_FILE)
@click.argument("after", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def diff(before: Path, after: Path, as_json: bool) -> int:
    """Compare two policies field by field; exits with 1 where they differ."""
    from ..state.harness import differences, load_harness
    from .output import print_json

    found = differences(load_harness(before), load_harness(after))
    if as_json:
        print_json([{"field": field, "before": left, "after": right} for field, left, right in found])
    else:
        for field, left, right in found:
            click.echo(f"{field}: {left!r} -> {right!r}")
    return 1 if found else 0


@harness.command()
@click.argument("file", type=_FILE)
@click.option("--results", required=True, type=_FILE, help="JSON of `citewell eval run --harness FILE --json`.")
def promote(file: Path, results: Path) -> int:
    """Mark a policy as promoted, with its hash, where its evaluation passed; exits with 1 where it did not."""
    import json

    from ..state.harness import load_harness, promote_file

    policy = load_harness(file)
    try:
        outcome = json.loads(results.read_text(encoding="utf-8"))
        tested, passed = outcome["harness_sha256"], outcome["passed"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{results}: no results of `citewell eval run`") from error
    if tested != policy.sha256_of_content:
        raise UsageError(f"{results}: these are the results of another policy")
    if not passed:
        click.echo("not promoted: the evaluation did not pass")
        return 1
    promoted = promote_file(file)
    click.echo(f"promoted version {promoted.version}, sha256 {promoted.sha256}")
    return 0
