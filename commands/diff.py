"""`citewell diff`: what changed from one report to another."""

from __future__ import annotations

from pathlib import Path

import click

from ..reports.diff import Change, ReportDiff, diff_reports
from ..state.records import Claim
from .exit_codes import ANSWERED, CHECK_FAILED
from .output import print_json, read_report, visible


@click.command(short_help="Compare two reports.")
@click.argument("before", metavar="A.json", type=click.Path(path_type=Path))
@click.argument("after", metavar="B.json", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def diff(before: Path, after: Path, as_json: bool) -> int:
    """Show the claims that are new in B, gone from A, or changed in value, words, support or passages.

    Exit code 1 where anything differs.
    """
    found = diff_reports(read_report(before), read_report(after))
    if as_json:
        print_json(_plain(found))
    elif found:
        click.echo(visible("\n".join(_lines(found))))
    else:
        click.echo("no difference")
    return CHECK_FAILED if found else ANSWERED


def _lines(found: ReportDiff) -> list[str]:
    lines = []
    for name, (old, new) in found.facets.items():
        lines += [f"{name.replace('_', ' ')}", f"  - {old or 'none'}", f"  + {new or 'none'}"]
    for change in found.values:
        lines += ["value", f"  - {_claim(change.before)}", f"  + {_claim(change.after)}"]
    for change in found.worded:
        lines += ["words", f"  - {_claim(change.before)}", f"  + {_claim(change.after)}"]
    for change in found.support:
        lines += [f"support {change.before.support} → {change.after.support}", f"    {_claim(change.after)}"]
    for change in found.cited:
        lines += ["passages", f"    {_claim(change.after)}"]
        lines += [f"  - {chunk_id}" for chunk_id in change.before.citations if chunk_id not in change.after.citations]
        lines += [f"  + {chunk_id}" for chunk_id in change.after.citations if chunk_id not in change.before.citations]
    for name, sign, claims in (("gone", "-", found.gone), ("new", "+", found.new)):
        lines += [name] if claims else []
        lines += [f"  {sign} {_claim(claim)}" for claim in claims]
    return lines


def _claim(claim: Claim) -> str:
    return f"{claim.claim_id} {' '.join(claim.text.split())}"


def _plain(found: ReportDiff) -> dict[str, object]:
    def pairs(changes: tuple[Change, ...]) -> list[dict[str, Claim]]:
        return [{"before": change.before, "after": change.after} for change in changes]

    return {
        "different": bool(found),
        "new": list(found.new),
        "gone": list(found.gone),
        "values": pairs(found.values),
        "words": pairs(found.worded),
        "support": pairs(found.support),
        "passages": pairs(found.cited),
        "other": {name: {"before": old, "after": new} for name, (old, new) in found.facets.items()},
    }
