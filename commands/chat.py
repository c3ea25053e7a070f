"""`citewell chat`: a conversation in the terminal that remembers, computes, searches and researches."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from ..errors import UsageError
from ..settings import Environment, Settings
from .arguments import existing
from .exit_codes import ANSWERED, PROVIDER_FAILED, Interrupted
from .options import SectionCommand, load, option, setting_options, split_flags
from .output import note, visible


@click.command(cls=SectionCommand, short_help="Talk to an assistant that remembers.")
@click.argument("message", required=False)
@option(
    "--user",
    default="default",
    show_default=True,
    metavar="NAME",
    section="Conversation",
    help="Whose memories are used.",
)
@option("--namespace", metavar="NAME", section="Conversation", help="Keep to this part of the user's memories.")
@option("--thread", "thread_id", metavar="ID", section="Conversation", help="Go on with a thread; a new one otherwise.")
@option(
    "--persona",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    section="Conversation",
    help="JSON: name, role, traits, goals, forbidden_phrases.",
)
@option("--docs", multiple=True, metavar="PATH", section="Sources", help="A file or folder that may be researched.")
@option("--url", "urls", multiple=True, metavar="URL", section="Sources", help="A web page that may be researched.")
@option("--web", is_flag=True, section="Sources", help="Research may search the web too.")
@option("--corpus", metavar="DIR", section="Sources", help="A corpus that may be researched.")
@option("--quiet", is_flag=True, section="Conversation", help="Show no tool calls.")
@setting_options("engine", "model", "embeddings", "offline", "max_seconds")
def chat(message: str | None, **flags: Any) -> int:  # fmt: skip
    """Talk in the terminal, or give one MESSAGE and get one reply.

    With no key, rules read what is asked: `remember: …`, `forget …`, questions about what is remembered, arithmetic,
    `search …` (the sources given, else the web) and `research …`.  With a model, it chooses among the same tools.
    Piped input is read line by line.
    """
    values, given = split_flags(flags)
    settings, environment = load(values)
    persona = _persona(given["persona"])
    existing(given["docs"])
    context = {
        "user": given["user"],
        "namespace": given["namespace"],
        "persona": persona,
        "docs": list(given["docs"]),
        "urls": list(given["urls"]),
        "corpus": given["corpus"],
        "web": given["web"],
    }
    thread_id = given["thread_id"] or f"chat-{uuid4().hex[:8]}"
    session = _Session(settings, environment, context, thread_id, quiet=given["quiet"])
    try:
        return asyncio.run(session.run(message))
    except KeyboardInterrupt:
        raise Interrupted from None


def _persona(file: Path | None) -> dict[str, Any] | None:
    if file is None:
        return None
    from pydantic import ValidationError

    from ..reasoners.persona import Persona

    try:
        return Persona.model_validate_json(file.read_bytes()).model_dump(mode="json")
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "file"
        raise UsageError(f"{file}: is no persona ({where}: {first['msg']})") from error


class _Session:
    """One sitting: a graph, a thread, and who sits before the terminal."""

    def __init__(
        self, settings: Settings, environment: Environment, context: dict[str, Any], thread_id: str, *, quiet: bool
    ) -> None:
        self._settings, self._environment = settings, environment
        self._context, self._thread_id, self._quiet = context, thread_id, quiet
        self._failed = False

    async def run(self, message: str | None) -> int:
        from ..graph.chat import build_chat_graph
        from ..graph.chat_wiring import default_chat_services
        from ..state.savers import open_saver

        self._services = default_chat_services(self._settings, self._environment)
        async with open_saver(self._environment) as saver:
            self._graph = build_chat_graph(self._services).compile(checkpointer=saver)
            await self._take_up()
            if message is not None:
                await self._say(message)
            elif sys.stdin.isatty():
                await self._sit()
            else:
                for line in sys.stdin:
                    if line.strip() and not await self._take(line.rstrip("\n")):
                        break
        return PROVIDER_FAILED if self._failed else ANSWERED

    async def _take_up(self) -> None:
        """Finish a turn that was cut off; no completed call of it is made again."""
        cut_off = await self._graph.aget_state(self._config)
        if cut_off.tasks:  # `next` leaves out a step whose results are saved but not yet taken over
            note("taking up the turn that was cut off")
            await self._say(None)

    async def _sit(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import FileHistory
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.patch_stdout import patch_stdout

        keys = KeyBindings()

        @keys.add("escape", "enter")
        def _(event: Any) -> None:
            event.current_buffer.insert_text("\n")

        self._environment.home.mkdir(parents=True, exist_ok=True)
        prompt: PromptSession[str] = PromptSession(
            history=FileHistory(str(self._environment.home / "chat_history")),
            completer=WordCompleter(list(_COMMANDS), sentence=True),
            key_bindings=keys,
        )
        note(f"thread {self._thread_id} · /help shows the commands · Alt+Enter starts a new line · Ctrl+D leaves")
        while True:
            try:
                with patch_stdout():
                    line = await prompt.prompt_async("› ")
            except (EOFError, KeyboardInterrupt):
                break
            if line.strip() and not await self._take(line):
                break
        note(f"citewell chat --thread {self._thread_id} goes on here")

    async def _take(self, line: str) -> bool:
        """Do what a line says; returns whether the sitting goes on."""
        if not line.startswith("/"):
            await self._say(line)
            return True
        name, _, argument = line.strip().partition(" ")
        if name in ("/quit", "/exit"):
            return False
        if name in _COMMANDS:
            await _COMMANDS[name][0](self, argument.strip())
        else:
            note(f"{name}: no such command; /help shows them")
        return True

    @property
    def _config(self) -> Any:
        from ..graph.threads import GRAPH_MARK

        return {
            "configurable": {"thread_id": self._thread_id},
            "recursion_limit": 120,
            "metadata": {GRAPH_MARK: "chat"},
        }

    async def _say(self, message: str | None) -> None:
        """Answer a message, or go on with the turn that the thread was left in."""
        from langchain_core.messages import HumanMessage

        from ..state.chat import ChatContext, ChatInput

        printed = ""
        result: dict[str, Any] = {}
        turn: ChatInput | None = None if message is None else {"messages": [HumanMessage(message)]}
        pieces: Any = self._graph.astream(
            turn,
            self._config,
            context=ChatContext(**self._context),
            stream_mode=["custom", "values"],
            durability="sync",
        )
        async for mode, piece in pieces:
            if mode == "values":
                result = piece
            elif piece.get("type") == "answer":
                click.echo(visible(piece["text"]), nl=False)
                printed += piece["text"]
            elif not self._quiet:
                if printed and piece.get("type") == "tool_call":
                    click.echo()
                    printed = ""
                _show_event(piece)
        reply = result["messages"][-1].text
        # What was streamed is the reply, unless the persona's rules or the end of the rounds changed it.
        if " ".join(printed.split()) != " ".join(reply.split()):
            click.echo(("\n" if printed else "") + visible(reply), nl=False)
        click.echo()
        self._failed = bool(result.get("failure"))

    async def _help(self, _: str) -> None:
        for name, (_do, told) in _COMMANDS.items():
            click.echo(f"{name:9} {told}")

    async def _memory(self, argument: str) -> None:
        memory = self._services.memory_for(_scope(self._context))
        if argument:
            for hit in await asyncio.to_thread(memory.search, argument, 5):
                click.echo(visible(f"{hit.memory_id}  [{hit.category}] {hit.text}"))
            return
        items = await asyncio.to_thread(memory.list)
        for item in items:
            closed = f"  ({item.superseded})" if item.superseded else ""
            click.echo(visible(f"{item.memory_id}  [{item.category}] {item.text}{closed}"))
        if not items:
            note("nothing is remembered yet")

    async def _tools(self, _: str) -> None:
        for schema in self._services.tools.schemas():
            click.echo(f"{schema['function']['name']:14} {schema['function']['description']}")

    async def _clear(self, _: str) -> None:
        from langchain_core.messages import RemoveMessage
        from langgraph.graph.message import REMOVE_ALL_MESSAGES

        await self._graph.aupdate_state(
            self._config, {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]}, as_node="reply"
        )
        note("the conversation is cleared; memories stay")

    async def _show_persona(self, _: str) -> None:
        from ..reasoners.persona import Persona, compile_persona

        given = self._context["persona"]
        click.echo(compile_persona(Persona.model_validate(given) if given else self._services.persona), nl=False)


_COMMANDS: dict[str, tuple[Any, str]] = {
    "/memory": (_Session._memory, "list what is remembered; with words, search it"),
    "/tools": (_Session._tools, "list the tools"),
    "/persona": (_Session._show_persona, "show who speaks, as the engine is told"),
    "/clear": (_Session._clear, "clear this conversation; memories stay"),
    "/help": (_Session._help, "show this"),
    "/quit": (None, "leave; the thread can be taken up again"),
}


def _scope(context: dict[str, Any]) -> Any:
    from ..state.scope import ToolScope

    return ToolScope(user=context["user"], namespace=context["namespace"])


def _show_event(piece: dict[str, Any]) -> None:
    kind = piece.get("type")
    if kind == "tool_call":
        note(f"→ {piece['name']} {_short(piece['arguments'])}")
    elif kind == "tool_result":
        note(f"← {'error: ' if piece['error'] else ''}{_short(piece['content'])}")
    elif kind == "fallback":
        note(f"! {piece.get('step')}: {piece.get('reason')}")


def _short(text: str, limit: int = 160) -> str:
    try:
        text = json.dumps(json.loads(text), ensure_ascii=False)
    except (json.JSONDecodeError, RecursionError):
        text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
