"""What the LangGraph server serves beside its own routes: the web app at `/app`, tools at `/mcp`; and who may ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from .mcp_endpoint import McpEndpoint, mcp_routes, served_desk
from .plain_paths import PlainPaths
from .web import api, downloads, pages
from .web.guard import OwnPagesOnly, TokenGuard

mcp = McpEndpoint(served_desk)


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """End with the server what `/mcp` started."""
    yield
    await mcp.close()


app = Starlette(
    routes=[
        *mcp_routes(mcp),
        Route("/app", pages.to_app),
        Route("/app/", pages.index),
        Route("/app/static/{name}", pages.static),
        Route("/app/api/start", api.start),
        Route("/app/api/threads", api.threads),
        Route("/app/api/thread", api.thread),
        Route("/app/api/report", api.report),
        Route("/app/api/compare", api.compare),
        Route("/app/api/source", api.source),
        Route("/app/api/episodes", api.episodes),
        Route("/app/api/folder", api.folder),
        Route("/app/api/upload", api.upload, methods=["PUT", "DELETE"]),
        Route("/app/report/{format}", downloads.report),
        Route("/app/artifact", downloads.artifact),
        Route("/app/file", downloads.source_file),
    ],
    # Of every request to the server, not only of those to the app.
    middleware=[Middleware(PlainPaths), Middleware(OwnPagesOnly), Middleware(TokenGuard)],
    lifespan=lifespan,
)
