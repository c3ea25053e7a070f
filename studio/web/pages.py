"""The files of the app, read once, and the form that asks for the token."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from .replies import HEADERS

MEDIA_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def _read() -> dict[str, tuple[bytes, str, str]]:
    """Every file by name: bytes, media type, tag."""
    found = {}
    for item in files("citewell.studio").joinpath("static").iterdir():
        suffix = item.name[item.name.rfind(".") :]
        if suffix in MEDIA_TYPES:
            body = item.read_bytes()
            found[item.name] = (body, MEDIA_TYPES[suffix], f'"{sha256(body).hexdigest()[:20]}"')
    return found


# Read at import: the server's loop must not touch the disk.
FILES = _read()


async def to_app(_: Request) -> Response:
    """Lead to the app's own folder, to which its addresses are relative."""
    return RedirectResponse("/app/")


async def index(request: Request) -> Response:
    """Return the page."""
    return _send(request, "index.html")


async def static(request: Request) -> Response:
    """Return a script, a style or a picture of the page."""
    return _send(request, request.path_params["name"])


def _send(request: Request, name: str) -> Response:
    if name not in FILES:
        return PlainTextResponse("no such file", status_code=404, headers=HEADERS)
    body, media_type, tag = FILES[name]
    headers = {**HEADERS, "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def sign_in_page(problem: str, *, status: int) -> Response:
    """Return the form for the token, with what was wrong with the last one."""
    told = f'<p class="error" role="alert">{escape(problem)}</p>' if problem else ""
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>citewell: sign in</title>'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/app/static/app.css"></head>'
        '<body><main class="sign-in"><h1>citewell</h1>'
        "<p>This server asks for its token: the value of <code>CITEWELL_TOKEN</code> where it was started.</p>"
        f'{told}<form method="post" action="/app/sign-in"><label for="token">Token</label>'
        '<input id="token" name="token" type="password" required autofocus autocomplete="current-password">'
        '<button class="primary">Enter</button></form></main></body></html>',
        status_code=status,
        headers=HEADERS,
    )
