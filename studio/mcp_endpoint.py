"""`/mcp` of the server: the tools of `citewell mcp` over HTTP; research runs on the server's own queue.

It stands before the LangGraph server's endpoint of that name, which hands a model the whole report as a Python literal.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import CitewellError, UsageError
from ..settings import Environment, load_settings
from ..state.records import Report

if TYPE_CHECKING:
    from ..tools.mcp_server import Desk, Sources

GRAPH = "research"


@dataclass
class McpEndpoint:
    """The endpoint as an ASGI app.  The protocol's package is loaded with the first request, not with the server.

    Every request stands by itself: no session is kept, so any worker may answer.  A client that takes event streams
    gets progress while it waits; one that takes JSON alone gets the answer alone.
    """

    make_desk: Callable[[], Desk]
    _apps: dict[bool, ASGIApp] = field(default_factory=dict)
    _keeper: asyncio.Task[None] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        async with self._lock:
            if not self._apps:
                await self._start()
        streams = "text/event-stream" in Request(scope).headers.get("accept", "")
        await self._apps[streams]({**scope, "path": "/mcp", "root_path": ""}, receive, send)

    async def close(self) -> None:
        """End what the first request started."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    async def _start(self) -> None:
        from mcp.server.transport_security import TransportSecuritySettings

        from ..tools.mcp_server import build_mcp_server

        # Who may ask is decided before a request comes here.
        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        desk = await asyncio.to_thread(self.make_desk)
        servers = {streams: build_mcp_server(desk) for streams in (True, False)}
        apps: dict[bool, ASGIApp] = {
            streams: server.streamable_http_app(
                json_response=not streams, stateless_http=True, transport_security=guarded
            )
            for streams, server in servers.items()
        }
        ready = asyncio.Event()

        async def keep() -> None:
            # A manager must end in the task that began it, which a request's task cannot promise.
            async with servers[True].session_manager.run(), servers[False].session_manager.run():
                ready.set()
                await asyncio.Event().wait()

        self._keeper = asyncio.create_task(keep())
        await ready.wait()
        self._apps = apps


def mcp_routes(endpoint: McpEndpoint) -> list[Route]:
    """Return the addresses of the endpoint; none where the package is missing, so that the server's own one answers."""
    if importlib.util.find_spec("mcp") is None:
        return []
    return [Route(path, endpoint) for path in ("/mcp", "/mcp/")]


def served_desk() -> Desk:
    """Return what the tools stand on in a LangGraph server."""
    from ..graph.chat_wiring import MemoryShelf
    from ..retrievers.corpora import CorpusShelf
    from ..state.scope import ToolScope
    from ..tools.mcp_server import Desk

    settings, environment = load_settings(), Environment.read()
    memory = MemoryShelf(settings, environment)
    return Desk(
        settings=settings,
        environment=environment,
        shelf=CorpusShelf(environment),
        research=run_on_server,
        memory_for=lambda: memory.memory_for(ToolScope()),
    )


async def run_on_server(
    question: str, sources: Sources, thread: str | None, on_event: Callable[[dict[str, Any]], None]
) -> Report:
    """Run the research graph as a run of this server, so that its queue bounds it and Studio shows it.

    Raises: UsageError where there is no such thread, or where the run failed before it had a report.
    """
    from langgraph_sdk import get_client

    given: dict[str, Any] = {"question": question}
    if sources:
        given |= {"docs": list(sources.docs), "urls": list(sources.urls), "web": sources.web, "corpus": sources.corpus}
    client = get_client(url=None, api_key=None, headers=_credentials())
    thread_id = await _existing(client, thread) if thread else (await client.threads.create())["thread_id"]
    stream = client.runs.stream(
        thread_id,
        GRAPH,
        input=given,
        # Nobody is there to be asked.
        context={"approve_plan": False, "ask_sources": False},
        stream_mode=["custom"],
        on_disconnect="cancel",
    )
    async for part in stream:
        if part.event == "error":
            raise CitewellError(f"the run failed: {_reason(part.data)}")
        if part.event == "custom" and isinstance(part.data, dict):
            on_event(part.data)
    values = (await client.threads.get_state(thread_id))["values"]
    if not isinstance(values, dict) or not values.get("report"):
        raise CitewellError("the run left no report")
    return Report.model_validate(values["report"])


async def _existing(client: Any, thread: str) -> str:
    import httpx

    try:
        # Anything but an id would reach another address of the server.
        return str((await client.threads.get(str(UUID(thread))))["thread_id"])
    except (httpx.HTTPStatusError, ValueError) as error:
        raise UsageError(f"no thread {thread!r} on this server") from error


def _credentials() -> dict[str, str]:
    token = os.environ.get("CITEWELL_TOKEN", "")
    return {"authorization": f"Bearer {token}"} if token else {}


def _reason(data: Any) -> str:
    return str(data.get("message") or data.get("error") or data) if isinstance(data, dict) else str(data)
