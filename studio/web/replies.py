"""How the app answers: JSON and errors in one sentence, under headers that let a page load nothing from elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...errors import CitewellError

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
QUIET = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-cache"}
# With no referrer at all a browser would send our own forms from the origin "null".
HEADERS = {
    **QUIET,
    "referrer-policy": "same-origin",
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
}
Endpoint = Callable[[Request], Awaitable[Response]]
Found = TypeVar("Found")


class Refused(CitewellError):
    """A request that is refused, with the status that says why."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def json_reply(content: Any, status: int = 200) -> JSONResponse:
    """Return JSON that no browser takes for a page."""
    return JSONResponse(content, status_code=status, headers=HEADERS)


def answers(endpoint: Endpoint) -> Endpoint:
    """Turn the errors of an endpoint into `{"error": …}`: what is wrong, in one line."""

    @wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as error:
            return json_reply({"error": str(error)}, error.status)
        except CitewellError as error:
            return json_reply({"error": str(error)}, 400)

    return answered


def asked(request: Request, name: str) -> str:
    """Return a parameter of the address.  Raises: Refused where it is missing."""
    value = request.query_params.get(name, "")
    if not value:
        raise Refused(f"{name} is missing")
    return value


async def aside(work: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
    """Run a coroutine that opens files in a thread with a loop of its own, so that the server's loop never waits."""
    return await asyncio.to_thread(lambda: asyncio.run(work()))
