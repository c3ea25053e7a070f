"""Addresses of the server mean what they look like."""

from __future__ import annotations

import httpx
import pytest
from citewell.studio.plain_paths import PlainPaths
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route


async def said(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"state of {request.path_params['thread']}")


app = Starlette(routes=[Route("/threads/{thread}/state", said)], middleware=[Middleware(PlainPaths)])


@pytest.fixture
async def server():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


def raw(path: str) -> httpx.URL:
    """An address whose path nobody tidies."""
    return httpx.URL("http://127.0.0.1").copy_with(raw_path=path.encode())


@pytest.mark.parametrize("thread", ["t", "t%20x", "t.x", "..x", "%C3%A4", "t%3Fx", "t%25"])
async def test_an_id_with_odd_letters_is_an_id(server, thread):
    assert (await server.get(raw(f"/threads/{thread}/state"))).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/threads/t%2Fstate",
        "/threads/t%2fx/state",
        "/threads/x%5Ct/state",
        "/threads/t%00/state",
        "/threads/%2e%2E/t/state",
        "/threads/x/%2E/t/state",
        "/threads/t/state/%2e%2e",
    ],
)
async def test_a_path_that_smuggles_another_one_is_no_address(server, path):
    answer = await server.get(raw(path))
    assert (answer.status_code, answer.json()) == (404, {"error": "no such address"})
