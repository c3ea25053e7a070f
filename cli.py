"""The command line: one table of commands, each loaded when it is called, and one way to end."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

try:
    import click

    from .commands.arguments import readable
    from .commands.lazy import Commands, LazyGroup
    from .state.garbage import look_rarely
except KeyboardInterrupt:  # nothing has begun, and nobody is there yet to say so
    sys.exit(130)

# To add a command, add a line.
COMMANDS: Commands = {
    "research": ("research:research", "Answer a question from files, pages, a kept corpus or the web."),
    "batch": ("batch:batch", "Ask every question of a file, many at once; go on where it was stopped."),
    "resume": ("research:resume", "Take up an interrupted thread where it stopped."),
    "threads": ("threads:threads", "List the threads of this home."),
    "episodes": ("episodes:episodes", "List remembered runs: what was asked and what worked."),
    "index": ("index:index", "Add files and folders to a kept corpus."),
    "search": ("search:search", "Search a kept corpus."),
    "chat": ("chat:chat", "Talk to an assistant that remembers and uses tools."),
    "memory": ("memory:memory", "List, add, search, forget, export and import memories."),
    "verify": ("verify:verify", "Check a report again: quotes, offsets, sources and verdicts."),
    "diff": ("diff:diff", "Compare two reports claim by claim."),
    "diligence": ("diligence:diligence", "Answer from a dataroom and leave memo, risks, citations, contradictions."),
    "harness": ("harness:harness", "Show, validate, compare or promote the diligence policy."),
    "feedback": ("feedback:feedback", "Record what a reviewer requires and forbids of a run."),
    "eval": ("evaluate:evaluate", "Replay questions and hold the reports to what reviewers taught."),
    "check-evidence": ("evidence_checks:check_evidence", "Check that cited files support their claims."),
    "validate-output": ("evidence_checks:validate_output", "Check the artifacts of a diligence run."),
    "kg": ("kg:kg", "Build, ask, show and export a graph of facts with the time in which they hold."),
    "trace": ("trace:trace", "Draw or export the record of a run."),
    "serve": ("serve:serve", "Start the LangGraph server with a page to ask and read in a browser."),
    "mcp": ("mcp:mcp", "Serve research, search, check_support and memory to a desktop client."),
    "doctor": ("doctor:doctor", "Say what is configured, what is missing and how to fix it."),
}


class CommandLine(LazyGroup):
    """The commands of citewell, and the one way in which they end."""

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and, unless told otherwise, exit with its code: no error leaves as a traceback."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            words = [readable(word) for word in (sys.argv[1:] if args is None else args)]
            code = super().main(words, prog_name, complete_var, standalone_mode=False, **extra)
        except Exception as error:
            from .commands.exit_codes import report_error

            code = report_error(error)
        sys.exit(code if isinstance(code, int) else 0)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"citewell {version('citewell')}")
        ctx.exit()


@click.group(
    cls=CommandLine, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def cli() -> None:
    """Answers in which every factual sentence is traceable to the passage that supports it.

    \b
    citewell research "What changed in 2023?" --docs filings/
    citewell COMMAND --help tells more about a command.
    """


def main() -> None:
    """Entry point of the `citewell` command."""
    # Said before any library is loaded that reads it: nothing is reported to anyone unless the user asks for it.
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    look_rarely()
    try:
        cli(prog_name="citewell")
    finally:
        gc.freeze()  # what is left ends with the process, unlooked at


if __name__ == "__main__":
    main()
