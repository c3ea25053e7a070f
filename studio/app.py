"""The page at `/app`, mounted into the LangGraph server: three files, two renderers, an optional token."""

from __future__ import annotations

import asyncio
import hmac
import os
from collections.abc import Awaitable, Callable
from importlib.resources import files
from urllib.parse import parse_qs

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ..reports.html import render_html
from ..reports.markdown import render_markdown
from ..state.records import Report

MAX_REPORT_BYTES = 20_000_000
COOKIE = "citewell_token"
OPEN_PATHS = {"/ok"}
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def _page(name: str, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    body = files(__package__).joinpath("static", name).read_bytes()

    async def send(_: Request) -> Response:
        return Response(body, media_type=media_type, headers=_HEADERS)

    return send


async def _to_page(_: Request) -> Response:
    return RedirectResponse("/app/")


async def render(request: Request) -> Response:
    """Return the report of the form field `report` as a page (`html`) or as Markdown (`md`)."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_REPORT_BYTES:
            return PlainTextResponse("the report is too large", status_code=413)
    try:
        fields = parse_qs(body.decode("utf-8"), strict_parsing=True, max_num_fields=1)
        report = Report.model_validate_json(fields["report"][0])
    except (ValidationError, ValueError, KeyError):
        return PlainTextResponse("this is no report", status_code=400)
    headers = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
    if request.path_params["format"] == "md":
        text = await asyncio.to_thread(render_markdown, report)
        return PlainTextResponse(text, headers=headers, media_type="text/markdown")
    page = await asyncio.to_thread(render_html, report)
    # Opened by itself, this page has an origin of its own too: what it holds came from outside.
    headers["content-security-policy"] = "sandbox allow-scripts allow-popups"
    return Response(page, media_type="text/html", headers=headers)


class TokenGuard:
    """Asks every request for `CITEWELL_TOKEN` where it is set: as a bearer, as `x-api-key`, or in the page's cookie.

    `/app/?token=…` puts the token into a cookie that scripts cannot read and other sites cannot send.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 401."""
        token = os.environ.get("CITEWELL_TOKEN", "")
        if scope["type"] not in ("http", "websocket") or not token or scope["path"] in OPEN_PATHS:
            return await self.app(scope, receive, send)
        request = Request({**scope, "type": "http"})
        if scope["path"] == "/app/" and _same(request.query_params.get("token", ""), token):
            answer: Response = RedirectResponse("/app/", status_code=303)
            answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
            return await answer(scope, receive, send)
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        offered = (bearer, request.headers.get("x-api-key", ""), request.cookies.get(COOKIE, ""))
        if any(_same(one, token) for one in offered):
            return await self.app(scope, receive, send)
        answer = PlainTextResponse("a token is needed: open /app/?token=…", status_code=401)
        return await answer(scope, receive, send)


def _same(offered: str, token: str) -> bool:
    return hmac.compare_digest(offered.encode(), token.encode())


app = Starlette(
    routes=[
        Route("/app", _to_page),
        Route("/app/", _page("index.html", "text/html")),
        Route("/app/app.js", _page("app.js", "text/javascript")),
        Route("/app/app.css", _page("app.css", "text/css")),
        Route("/app/render/{format}", render, methods=["POST"]),
    ],
    middleware=[Middleware(TokenGuard)],
)
