"""One real `langgraph dev` for all tests of this folder, with the shipped configuration and no key (case B43)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from servers.langgraph_process import Running, langgraph_server

CONFIG = Path(__file__).parents[2] / "langgraph.json"


@pytest.fixture(scope="session")
def config() -> dict[str, Any]:
    """The shipped `langgraph.json`."""
    return dict(json.loads(CONFIG.read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A running server; its log must stay clean to the end."""
    with langgraph_server(tmp_path_factory.mktemp("server")) as running:
        yield running
    log = running.log.read_text()
    assert "BlockingError" not in log
    assert "checkpointer is provided by the platform" not in log
    assert "Traceback" not in log


@pytest.fixture
async def client(server: Running) -> AsyncIterator[LangGraphClient]:
    """An SDK client of the server."""
    async with get_client(url=server.url) as opened:
        yield opened


@pytest.fixture
async def thread(client: LangGraphClient) -> str:
    """The id of a new thread."""
    return str((await client.threads.create())["thread_id"])
