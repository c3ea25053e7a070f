"""The web app at `/app`, mounted into the LangGraph server: its addresses, and who may use them."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from .web import api, downloads, pages
from .web.guard import OwnPagesOnly, TokenGuard

app = Starlette(
    routes=[
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
    middleware=[Middleware(OwnPagesOnly), Middleware(TokenGuard)],
)
