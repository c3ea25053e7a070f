"""A real server with a token, a chat model, pages, web search and a kept corpus: nothing of it blocks its loop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from citewell import Corpus
from citewell.studio.examples.sample import DOCS, QUESTION
from langgraph_sdk import get_client
from servers.chat_server import ChatServer
from servers.langgraph_process import Running, langgraph_server
from servers.scripted_model import honest
from servers.search_server import LocalPage, SearchServer

pytestmark = [pytest.mark.server, pytest.mark.slow]
TOKEN = "a-token-of-this-test"
BEARER = {"authorization": f"Bearer {TOKEN}"}
FERRY = "How many cars does the ferry Marit carry?"
PAGE = LocalPage("/marit", "The ferry Marit", "The ferry Marit carries 32 cars. The ferry Marit was built in 2009.")
ROUTES = (
    ("GET", "/info"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/metrics"),
    ("GET", "/app/api/threads"),
    ("GET", "/.well-known/agent-card.json"),
    ("POST", "/assistants/search"),
    ("POST", "/threads"),
    ("POST", "/threads/search"),
    ("POST", "/runs/wait"),
    ("POST", "/runs/stream"),
    ("POST", "/store/items/search"),
    ("POST", "/mcp"),
    ("POST", "/mcp/"),
    ("POST", "/a2a/research"),
    ("GET", "/no-such-route"),
)


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with ChatServer(honest, models=("gpt-4o-mini",)) as server:
        yield server


@pytest.fixture(scope="module")
def web() -> Iterator[SearchServer]:
    with SearchServer([PAGE]) as server:
        yield server


@pytest.fixture(scope="module")
def guarded(tmp_path_factory, model, web) -> Iterator[Running]:
    extra = {
        "CITEWELL_TOKEN": TOKEN,
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "none",
        "TAVILY_API_KEY": web.key,
        "TAVILY_BASE_URL": web.url,
        "CITEWELL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
    }
    with langgraph_server(tmp_path_factory.mktemp("guarded"), **extra) as running:
        yield running
    log = running.log.read_text()
    assert "BlockingError" not in log
    assert "Traceback" not in log
    assert TOKEN not in log


@pytest.fixture
async def asked(guarded):
    async with get_client(url=guarded.url, headers=BEARER, api_key=None) as client:

        async def ask(given: dict[str, Any], graph: str = "research", **more: Any) -> Any:
            return await client.runs.wait(None, graph, input=given, **more)

        yield ask


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_asks_for_the_token(guarded, method, path):
    with httpx.Client(base_url=guarded.url, trust_env=False, timeout=30) as client:
        assert client.request(method, path, json={}).status_code == 401
        assert client.request(method, path, json={}, headers={"authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/ok").status_code == 200


def test_a_page_of_another_site_is_refused_even_with_the_token(guarded):
    with httpx.Client(base_url=guarded.url, trust_env=False, headers=BEARER) as client:
        foreign = {"origin": "https://evil.test"}
        assert client.post("/threads/search", json={}, headers=foreign).status_code == 403
        assert client.post("/mcp", json={}, headers=foreign).status_code == 403
        studio = {"origin": "https://smith.langchain.com"}
        assert client.post("/threads/search", json={}, headers=studio).status_code == 200


async def test_a_chat_model_answers_on_the_server(asked, model):
    before = len(model.calls)
    result = await asked({"question": QUESTION, "docs": DOCS})
    assert result["report"]["engine"] == "chat"
    assert "420 metres" in result["answer"]
    assert len(model.calls) > before


async def test_pages_are_read_on_the_server(asked, web):
    result = await asked({"question": FERRY, "urls": [f"{web.url}/marit"]}, context={"engine": "embedded"})
    assert "32 cars" in result["answer"]


async def test_the_web_is_searched_on_the_server(asked, web):
    result = await asked({"question": FERRY, "web": True}, context={"engine": "embedded"})
    assert web.searches
    assert result["report"]["status"] in ("answered", "partial", "insufficient_evidence")


async def test_a_kept_corpus_is_searched_on_the_server(asked, tmp_path):
    with Corpus.open(tmp_path / "kept") as corpus:
        corpus.add_path(*map(Path, DOCS))
    result = await asked({"question": QUESTION, "corpus": str(tmp_path / "kept")}, context={"engine": "embedded"})
    assert "420 metres" in result["answer"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("remember: the storage engine changes to a B-tree", "mem_0001"),
        ("What do you remember about the storage engine?", "B-tree"),
        ("What is 22 * 6.5?", "143"),
        (f"research {QUESTION}", "420 metres"),
    ],
)
async def test_a_conversation_remembers_computes_and_researches_on_the_server(asked, said, expected):
    context = {"engine": "embedded", "docs": DOCS}
    result = await asked({"messages": [{"role": "user", "content": said}]}, "chat", context=context)
    assert expected in str(result["messages"][-1]["content"]) + str(result["rounds"])


async def test_a_plan_inside_the_diligence_graph_waits_and_goes_on(guarded):
    room = str(Path(__file__).parents[2] / "studio" / "dataroom")
    context = {"engine": "embedded", "approve_plan": True}
    given = {"question": "How much cash was there at 31 March 2025?", "dataroom": room}
    async with get_client(url=guarded.url, headers=BEARER, api_key=None) as client:
        thread = (await client.threads.create())["thread_id"]
        places = set()
        async for part in client.runs.stream(
            thread, "diligence", input=given, context=context, stream_mode=["updates"], stream_subgraphs=True
        ):
            assert part.event != "error", part.data
            places.add(part.event)
        assert any(place.startswith("updates|research:") for place in places)
        state: Any = await client.threads.get_state(thread)
        assert state["tasks"][0]["interrupts"][0]["value"]["plan"]["queries"]
        result: Any = await client.runs.wait(
            thread, "diligence", command={"resume": {"action": "approve"}}, context=context
        )
    assert result["report"]["status"] in ("answered", "partial")
