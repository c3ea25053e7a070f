"""What goes where: the result on stdout in the asked form, files where `--out` says, notes on stderr."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from ..errors import CitewellError, UsageError
from ..state.records import Report
from .exit_codes import exit_code_of

FORMATS = ("md", "json", "html")
MOST_NAMED = 5
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def deliver(report: Report, *, format_: str, out: Path | None, quiet: bool, way_out: str = "") -> int:
    """Print a report, write its files, and return the exit code.

    Where the files cannot be written the report is printed all the same, then the error is raised.  For a person who
    named no file that can be read one line says so; a program gets the report.  Why a run failed stands on stderr too.

    Args:
        way_out: What to do instead, said after the reason.
    """
    failure: CitewellError | None = None
    paths: list[Path] = []
    if out is not None:
        from ..reports.files import write_report

        try:
            paths = write_report(report, out)
        except CitewellError as error:
            failure = error
    if format_ != "md" or not (unread := nothing_read(report)):
        click.echo(rendered(report, format_), nl=False)
    elif failure is None:
        failure = UsageError(unread)
    if failure is not None:
        raise failure
    if paths and not quiet:
        note("wrote " + ", ".join(str(path) for path in paths))
    if report.status == "failed" and report.answer.risks_and_limits:
        note(f"citewell: {report.answer.risks_and_limits[0]}{way_out}")
    return exit_code_of(report)


def nothing_read(report: Report) -> str:
    """Say in one line why no file could be read, where that is why a run failed; empty for everything else."""
    files = [source for source in report.sources if source.status == "failed" and source.kind == "file"]
    if report.status != "failed" or not files or len(files) < len(report.sources):
        return ""
    named = "; ".join(f"{source.uri} ({source.reason})" for source in files[:MOST_NAMED])
    more = f"; and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    return f"no file could be read: {named}{more}"


def rendered(report: Report, format_: str) -> str:
    """Return a report as Markdown, JSON or HTML."""
    if format_ == "json":
        return report.model_dump_json(indent=2) + "\n"
    if format_ == "html":
        from ..reports.html import render_html

        return render_html(report)
    from ..reports.markdown import render_markdown

    return render_markdown(report)


def print_json(value: Any) -> None:
    """Print records or plain values as JSON."""
    click.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2))


def note(text: str) -> None:
    """Say something beside the result, on stderr."""
    click.echo(visible(text), err=True)


def visible(text: str) -> str:
    """Return text without control and direction characters, which could act on a terminal."""
    return _CONTROL.sub("", text)


def read_report(path: Path) -> Report:
    """Read a report from a JSON file.  Raises: UsageError in one line where it is none."""
    from pydantic import ValidationError

    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "file"
        raise UsageError(f"{path}: is no citewell report ({where}: {first['msg']})") from error


def table(rows: Iterable[Iterable[str]]) -> str:
    """Return rows with columns aligned by spaces, the last one ragged."""
    lines = [[visible(" ".join(cell.split())) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in lines) for column in range(len(lines[0]))] if lines else []
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)), row[-1]])
        for row in lines
    )


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value
