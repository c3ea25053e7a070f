"""Addresses that mean what they look like: no part of a path may smuggle in another one."""

from __future__ import annotations

import re

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

# An encoded slash, backslash or NUL, or a step to another folder, encoded or not.
_SMUGGLED = re.compile(rb"%(?:2f|5c|00)|(?:^|/)(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)


class PlainPaths:
    """Answers 404 where a path is not plain, so that a thread's id cannot name the address of something else.

    The server decodes `%2F` before it looks for a route: an id `X/state` would read the state of X.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 404."""
        if scope["type"] == "http" and _SMUGGLED.search(scope.get("raw_path") or scope["path"].encode()):
            return await JSONResponse({"error": "no such address"}, status_code=404)(scope, receive, send)
        return await self.app(scope, receive, send)
