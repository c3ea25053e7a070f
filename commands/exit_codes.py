"""How a command ends: one place that turns a status or an error into an exit code and one line of text."""

from __future__ import annotations

import errno
import os
import shlex
import sqlite3
import traceback

import click

from ..errors import CitewellError
from ..state.records import Report

ANSWERED = 0
CHECK_FAILED = 1
BAD_INPUT = 2
INSUFFICIENT = 3
PROVIDER_FAILED = 4
INTERRUPTED = 130


class Interrupted(Exception):
    """The user interrupted a command.

    Attributes:
        command: What to call to go on; empty where nothing had begun.
    """

    def __init__(self, *command: str) -> None:
        self.command = shlex.join(command)
        super().__init__(f"interrupted; go on with: {self.command}" if command else "interrupted")


def exit_code_of(report: Report) -> int:
    """Return the exit code of a report's status.

    A failed run is bad input where nothing could be read and nobody was asked for anything, else a provider's failure.
    """
    if report.status == "answered":
        return ANSWERED
    if report.status != "failed":
        return INSUFFICIENT
    if report.failed_with:
        return report.failed_with
    if any(source.status == "ok" for source in report.sources):
        return PROVIDER_FAILED
    return BAD_INPUT if report.sources or not report.hosts_contacted else PROVIDER_FAILED


def report_error(error: Exception) -> int:
    """Tell the user about an error in one line on stderr and return the exit code."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    if os.environ.get("CITEWELL_DEBUG") and not isinstance(error, click.ClickException | click.Abort | Interrupted):
        traceback.print_exception(error)
    code, message = code_and_message(error)
    click.echo(f"citewell: {' '.join(message.split())}", err=True)
    return code


def code_and_message(error: Exception) -> tuple[int, str]:
    """Return the exit code of an error and what to say about it."""
    match error:
        case Interrupted():
            return INTERRUPTED, str(error)
        case click.Abort():
            return INTERRUPTED, "interrupted"
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "citewell"
            return BAD_INPUT, f"{error.format_message()} (see {command} --help)"
        case click.ClickException():
            return BAD_INPUT, error.format_message()
        case CitewellError():
            return error.exit_code, str(error)
        case OSError():
            return BAD_INPUT, _os_error(error)
        case sqlite3.Error():
            return BAD_INPUT, f"a database could not be used: {error}; is CITEWELL_HOME on a writable disk with room?"
        case ExceptionGroup():
            return code_and_message(error.exceptions[0])
    return BAD_INPUT, f"unexpected {type(error).__name__}: {error} (CITEWELL_DEBUG=1 shows the details)"


def _os_error(error: OSError) -> str:
    what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    hints = {
        errno.ENOSPC: "free some room",
        errno.EDQUOT: "free some room",
        errno.EROFS: "set CITEWELL_HOME to a writable folder",
        errno.EACCES: "check its permissions, or set CITEWELL_HOME to a writable folder",
        errno.EPERM: "check its permissions, or set CITEWELL_HOME to a writable folder",
        errno.EMFILE: "raise the limit of open files",
    }
    hint = hints.get(error.errno or 0)
    return f"{what}; {hint}" if hint else what
