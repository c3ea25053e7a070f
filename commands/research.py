"""`citewell research` and `citewell resume`: ask, follow the run, hand over the report."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from ..settings import Environment, Settings
from ..state.records import Report
from .arguments import existing
from .exit_codes import PROVIDER_FAILED, exit_code_of
from .options import SectionCommand, load, option, setting_options, split_flags
from .output import FORMATS, deliver
from .pauses import TakeUp, follow
from .progress import Progress
from .targets import TargetFolder
from .warming import load_model_early

_OUTPUT = (
    option("--format", "format_", type=click.Choice(FORMATS), default="md", show_default=True, section="Output",
           help="Form of the report on stdout."),
    option("--out", type=TargetFolder(), metavar="DIR", section="Output",
           help="Also write report.md, report.json and report.html there; numbered beside another run's."),
    option("--quiet", is_flag=True, section="Output", help="Nothing on stderr but errors."),
)  # fmt: skip


def _output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in reversed(_OUTPUT):
        function = decorate(function)
    return function


@click.command(cls=SectionCommand, short_help="Answer a question from your sources.")
@click.argument("question")
@option("--docs", multiple=True, metavar="PATH", section="Sources", help="A file or folder; may be given again.")
@option("--url", "urls", multiple=True, metavar="URL", section="Sources", help="A web page; may be given again.")
@option("--web", is_flag=True, section="Sources", help="Search the web too (TAVILY_API_KEY or SEARXNG_URL).")
@option("--corpus", metavar="DIR", section="Sources", help="A corpus made by `citewell index`.")
@option("--thread", "thread_id", metavar="ID", section="Sources",
        help="Continue or name a thread: a follow-up may lean on what was asked before.")  # fmt: skip
@option("--user", default="", metavar="NAME", section="Sources",
        help="Whose earlier runs are recalled, and who is to recall this one.  [default]")  # fmt: skip
@_output_options
@setting_options()
def research(question: str, **flags: Any) -> int:
    """Answer QUESTION from the given sources.

    Every sentence of the answer is checked against the passage that it cites.  The report goes to stdout, progress to
    stderr.  Exit codes: 0 answered, 2 bad input, 3 partial or insufficient evidence, 4 provider failure,
    130 interrupted.
    """
    values, given = split_flags(flags)
    question = _text(question)
    if not question.strip():
        raise UsageError("the question is empty")
    existing(given["docs"])
    settings, environment = load(values)
    named = given["docs"] or given["urls"] or given["web"] or given["corpus"] or given["thread_id"]
    if not named and not (settings.ask_sources or settings.kg):
        raise UsageError("no source given: use --docs PATH, --url URL, --corpus DIR or --web")

    def ask(progress: Progress) -> Report:
        load_model_early(settings)
        from .. import research as run

        return run(
            question,
            docs=given["docs"],
            urls=given["urls"],
            web=given["web"],
            corpus=given["corpus"],
            thread_id=given["thread_id"],
            user=given["user"],
            settings=settings,
            environment=environment,
            on_event=progress.on_event,
        )

    report = follow(ask, _taking_up(settings, environment), thread_id=given["thread_id"] or "", quiet=given["quiet"])
    by_model = report.engine == "chat" and exit_code_of(report) == PROVIDER_FAILED
    way_out = f"; without a model: {_without_model(question, given)}" if by_model else ""
    return deliver(report, format_=given["format_"], out=given["out"], quiet=given["quiet"], way_out=way_out)


@click.command(cls=SectionCommand, short_help="Take up a thread.")
@click.argument("thread_id", metavar="THREAD")
@option("--approve", is_flag=True, section="Plan", help="Approve the plan that the thread waits with.")
@option("--query", "queries", multiple=True, metavar="TEXT", section="Plan",
        help="Approve it with these queries instead; may be given again.")  # fmt: skip
@option("--reject", metavar="REASON", section="Plan", help="Reject it.")
@option("--docs", multiple=True, metavar="PATH", section="Sources", help="Where a thread that asks is to look.")
@option("--url", "urls", multiple=True, metavar="URL", section="Sources", help="A page that it is to read.")
@option("--web", is_flag=True, section="Sources", help="Let it search the web.")
@option("--corpus", metavar="DIR", section="Sources", help="A corpus that it is to search.")
@_output_options
@setting_options()
def resume(thread_id: str, **flags: Any) -> int:
    """Take up THREAD where it was interrupted; nothing that was finished is done again.

    A thread that has finished prints its last report once more.
    """
    from ..graph.threads import afind_thread

    values, given = split_flags(flags)
    settings, environment = load(values)
    start = asyncio.run(afind_thread(thread_id, environment))
    if start.graph == "diligence":
        return _resume_diligence(thread_id, given, settings, environment)
    if start.graph == "chat":
        raise UsageError(f"thread {thread_id} is a conversation: citewell chat --thread {thread_id} goes on with it")
    if start.graph == "multistep":
        from .kg_ask import hand_over, run

        path = Path(start.metadata["kg"]) if "kg" in start.metadata else None
        asked = run(None, thread_id, settings, environment, path, quiet=given["quiet"])
        return hand_over(asked, given["format_"], quiet=given["quiet"])
    take_up = _taking_up(settings, environment)
    report = follow(take_up(thread_id, _decision(given)), take_up, thread_id=thread_id, quiet=given["quiet"])
    return deliver(report, format_=given["format_"], out=given["out"], quiet=given["quiet"])


def _resume_diligence(thread_id: str, given: dict[str, Any], settings: Settings, environment: Environment) -> int:
    from .diligence import hand_over, taking_up

    if given["out"]:
        raise UsageError(f"thread {thread_id} is a diligence run: its artifacts go where it was told to leave them")
    take_up = taking_up(settings, environment)
    result = follow(take_up(thread_id, _decision(given)), take_up, thread_id=thread_id, quiet=given["quiet"])
    return hand_over(result, environment, format_=given["format_"], quiet=given["quiet"])


def _taking_up(settings: Settings, environment: Environment) -> TakeUp[Report]:
    """Return what takes up research threads."""

    def taking_up(thread_id: str, decision: dict[str, Any] | None) -> Callable[[Progress], Report]:
        def take_up(progress: Progress) -> Report:
            from .. import resume as run

            return run(
                thread_id, decision=decision, settings=settings, environment=environment, on_event=progress.on_event
            )

        return take_up

    return taking_up


def _decision(given: dict[str, Any]) -> dict[str, Any] | None:
    """Return the reply to a waiting thread that the flags make, if any."""
    sources = {"docs": list(given["docs"]), "urls": list(given["urls"]), "web": given["web"]}
    sources |= {"corpus": given["corpus"] or ""}
    chosen = [given["approve"], bool(given["queries"]), given["reject"] is not None, any(sources.values())]
    if sum(chosen) > 1:
        raise UsageError("give one of --approve, --query, --reject and sources")
    if any(sources.values()):
        return sources
    if given["queries"]:
        return {"action": "edit", "queries": list(given["queries"])}
    if given["reject"] is not None:
        return {"action": "reject", "reason": given["reject"]}
    return {"action": "approve"} if given["approve"] else None


def _without_model(question: str, given: dict[str, Any]) -> str:
    """Return the command that asks the same of the embedded engine."""
    words = ["citewell", "research", question]
    for flag, values in (("--docs", given["docs"]), ("--url", given["urls"])):
        words += [word for value in values for word in (flag, str(value))]
    words += ["--web"] if given["web"] else []
    words += ["--corpus", str(given["corpus"])] if given["corpus"] else []
    words += ["--thread", given["thread_id"]] if given["thread_id"] else []
    return shlex.join([*words, "--engine", "embedded"])


def _text(argument: str) -> str:
    """Return an argument as valid text: bytes that are none in the terminal's encoding come as lone surrogates."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
