"""Who may talk to the server: holders of the token where one is set, and no page of another site in either case."""

from __future__ import annotations

import hmac
import os
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .pages import sign_in_page

COOKIE = "citewell_token"
OPEN_PATHS = frozenset({"/ok"})
SIGN_IN = "/app/sign-in"
# What the sign-in page itself loads, before anybody has a cookie.
OPEN_FILES = frozenset({"/app/static/app.css"})
STUDIO = "https://smith.langchain.com"
MAX_FORM_BYTES = 4_000


class OwnPagesOnly:
    """Refuses what the page of another site asks through the reader's browser.

    Browsers name the asking page in `Origin`: it must be this server or LangGraph Studio.  Where no token guards a
    server on loopback, its `Host` must be a name of this machine, or another site's name could be pointed at it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 403."""
        problem = _foreign(scope) if scope["type"] in ("http", "websocket") else ""
        if problem:
            return await _refuse(JSONResponse({"error": problem}, status_code=403), scope, receive, send)
        return await self.app(scope, receive, send)


class TokenGuard:
    """Asks every request for `CITEWELL_TOKEN` where it is set: as a bearer, as `x-api-key`, or in the page's cookie.

    The sign-in form, or `/app/?token=…`, trades the token for a cookie that scripts cannot read, that other sites
    cannot send and that does not hold the token itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 401."""
        token = os.environ.get("CITEWELL_TOKEN", "")
        if scope["type"] not in ("http", "websocket") or not token or scope["path"] in OPEN_PATHS | OPEN_FILES:
            return await self.app(scope, receive, send)
        request = Request({**scope, "type": "http"}, receive)
        if _is_preflight(scope, request):
            # A browser asks without credentials what it may send; the server's CORS rules answer.
            return await self.app(scope, receive, send)
        if scope["path"] == SIGN_IN and scope.get("method") == "POST":
            offered = await _form_token(request)
            return await _entered(offered, token, scope)(scope, receive, send)
        if scope["path"] == "/app/" and "token" in request.query_params:
            return await _entered(request.query_params["token"], token, scope)(scope, receive, send)
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if any(_same(one, token) for one in (bearer, request.headers.get("x-api-key", ""))):
            return await self.app(scope, receive, send)
        if _same(request.cookies.get(COOKIE, ""), _cookie_of(token)):
            return await self.app(scope, receive, send)
        answer: Response = JSONResponse({"error": "a token is needed: open /app/ and enter it"}, status_code=401)
        if scope["path"] in ("/app", "/app/"):
            answer = sign_in_page("", status=401)
        return await _refuse(answer, scope, receive, send)


def _entered(offered: str, token: str, scope: Scope) -> Response:
    if not _same(offered, token):
        return sign_in_page("That is not the token of this server.", status=401)
    answer = RedirectResponse("/app/", status_code=303)
    secure = scope.get("scheme") == "https"
    answer.set_cookie(COOKIE, _cookie_of(token), httponly=True, samesite="strict", secure=secure)
    return answer


async def _form_token(request: Request) -> str:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_FORM_BYTES:
            return ""
    return parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]


def _cookie_of(token: str) -> str:
    return hmac.new(token.encode(), b"citewell cookie", sha256).hexdigest()


def _same(offered: str, expected: str) -> bool:
    return hmac.compare_digest(offered.encode("utf-8", "surrogatepass"), expected.encode())


def _is_preflight(scope: Scope, request: Request) -> bool:
    return scope.get("method") == "OPTIONS" and "access-control-request-method" in request.headers


def _foreign(scope: Scope) -> str:
    """Say why a request is another site's, or return an empty string."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in (b"host", b"origin")}
    host, origin = headers.get(b"host", ""), headers.get(b"origin", "")
    server = (scope.get("server") or ("", None))[0]
    if _is_loopback(server) and not os.environ.get("CITEWELL_TOKEN") and not _is_loopback(_name_of(host)):
        return f"{host!r} is no name of this machine: open 127.0.0.1, or set CITEWELL_TOKEN"
    if origin and origin != STUDIO and urlsplit(origin).netloc != host:
        return f"a page of {origin!r} may not use this server"
    return ""


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


async def _refuse(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        return await send({"type": "websocket.close", "code": 1008})
    return await answer(scope, receive, send)
