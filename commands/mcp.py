"""`citewell mcp`: research, search, check_support and memory for a desktop client, over stdio."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from ..settings import Environment, Settings
from .arguments import existing
from .exit_codes import Interrupted
from .options import SectionCommand, load, option, setting_options, split_flags

if TYPE_CHECKING:
    from ..state.records import Report
    from ..tools.mcp_server import Desk, Sources


@click.command(cls=SectionCommand, short_help="Serve tools to a desktop client (MCP over stdio).")
@option("--docs", multiple=True, metavar="PATH", section="Sources", help="A file or folder that questions are about.")
@option("--url", "urls", multiple=True, metavar="URL", section="Sources", help="A page that questions are about.")
@option("--web", is_flag=True, section="Sources", help="Questions search the web too.")
@option("--corpus", metavar="DIR", section="Sources", help="A kept corpus that questions are about.")
@option("--root", "roots", multiple=True, metavar="DIR", section="Sources",
        help="Folder in which a client may name files; the working directory by default.")  # fmt: skip
@option("--user", default="default", show_default=True, metavar="NAME", section="Memory",
        help="Whose memories are used.")  # fmt: skip
@setting_options()
def mcp(**flags: Any) -> None:
    """Speak the Model Context Protocol on stdin and stdout until the client closes them.

    The client starts this command by itself; its configuration names it.  A call that names no source uses the ones
    given here.  Nothing but the protocol goes to stdout.
    """
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("the MCP server is not installed: pip install 'citewell[mcp]'")
    values, given = split_flags(flags)
    settings, environment = load(values)
    existing((*given["docs"], *filter(None, (given["corpus"],)), *given["roots"]))
    environment = environment.model_copy(
        update={"roots": roots_of(environment, given["roots"], (*given["docs"], given["corpus"] or ""))}
    )
    from ..tools.mcp_server import Sources, build_mcp_server

    sources = Sources(given["docs"], given["urls"], given["web"], given["corpus"] or "")
    server = build_mcp_server(desk(settings, environment, sources, user=given["user"]))
    try:
        asyncio.run(server.run_stdio_async())
    except KeyboardInterrupt:
        raise Interrupted from None


def roots_of(environment: Environment, roots: Iterable[str], sources: Iterable[str]) -> str:
    """Return what a client may name: roots given, else `CITEWELL_ROOTS`, else the working directory; and the sources.

    A client that starts its servers in `/` gives away no more than the sources.
    """
    chosen = [*roots] or [part for part in environment.roots.split(os.pathsep) if part]
    if not chosen and Path.cwd() != Path(Path.cwd().anchor):
        chosen = [str(Path.cwd())]
    chosen += [str(Path(source).expanduser()) for source in sources if source]
    return os.pathsep.join(chosen or [str(environment.home / "uploads")])


def desk(settings: Settings, environment: Environment, sources: Sources, *, user: str) -> Desk:
    """Return what the tools stand on in this process."""
    from ..graph.chat_wiring import MemoryShelf
    from ..graph.wiring import default_services
    from ..state.scope import ToolScope
    from ..tools.mcp_server import Desk

    # Nobody is there to be asked.
    settings = settings.model_copy(update={"approve_plan": False, "ask_sources": False})
    services = default_services(settings, environment)
    shelf = MemoryShelf(settings, environment)

    async def research(
        question: str, sources: Sources, thread: str | None, on_event: Callable[[dict[str, Any]], None]
    ) -> Report:
        from ..graph.run import aresearch

        return await aresearch(
            question,
            user=user,
            docs=sources.docs,
            urls=sources.urls,
            web=sources.web,
            corpus=sources.corpus or None,
            thread_id=thread,
            services=services,
            on_event=on_event,
        )

    return Desk(
        settings=settings,
        environment=environment,
        shelf=services.shelf,
        research=research,
        memory_for=lambda: shelf.memory_for(ToolScope(user=user)),
        sources=sources,
    )
