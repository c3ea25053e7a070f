"""`citewell serve` and its page in a real browser: ask, watch, approve, read, download, come back."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import httpx
import pytest
from citewell.studio.examples.sample import DOCS, QUESTION
from servers.langgraph_process import langgraph_server

CHROMIUM = Path("/usr/bin/chromium")
TOKEN = "a-token-of-this-test"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.server,
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs /usr/bin/chromium"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    command = (str(Path(sys.executable).with_name("citewell")), "serve")
    with langgraph_server(tmp_path_factory.mktemp("serve"), *command, CITEWELL_TOKEN=TOKEN) as running:
        yield running
    assert "BlockingError" not in running.log.read_text()


@pytest.fixture
async def page(server):
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 390, "height": 800})
        page.set_default_timeout(60_000)
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        elsewhere: list[str] = []
        page.on("request", lambda asked: elsewhere.append(asked.url) if not _own(asked.url, server.url) else None)
        await page.goto(f"{server.url}/app/?token={TOKEN}")
        yield page
        await browser.close()
    assert problems == []
    assert elsewhere == []


def _own(url: str, server: str) -> bool:
    return url.startswith((server, "blob:", "data:"))


async def fill(page, question: str = QUESTION) -> None:
    await page.get_by_label("Question").fill(question)
    await page.get_by_label("Files and folders").fill("\n".join(DOCS))


def test_every_route_of_the_server_asks_for_the_token(server):
    with httpx.Client(base_url=server.url, trust_env=False) as client:
        assert client.post("/assistants/search", json={}).status_code == 401
        assert client.post("/threads", json={}).status_code == 401
        assert client.get("/app/").status_code == 401
        named = client.post("/assistants/search", json={}, headers={"authorization": f"Bearer {TOKEN}"})
        assert {"research", "chat", "diligence"} <= {one["graph_id"] for one in named.json()}


async def test_a_question_is_asked_watched_read_and_downloaded(page, tmp_path):
    await fill(page)
    await page.get_by_label("Question").press("Control+Enter")
    report = page.frame_locator("#report")
    await report.get_by_text("420 metres").locator("visible=true").first.wait_for()
    assert await page.locator("#events li[data-type=plan]").count() == 1
    assert await page.locator("#events li[data-type=hits]").count() >= 1
    assert await page.locator("#events li[data-type=fact]").count() >= 1
    for name in ("Markdown", "JSON", "HTML"):
        async with page.expect_download() as waiting:
            await page.get_by_role("button", name=name, exact=True).click()
        download = await waiting.value
        await download.save_as(tmp_path / name)
        assert "420 metres" in (tmp_path / name).read_text(encoding="utf-8")
    assert json.loads((tmp_path / "JSON").read_text(encoding="utf-8"))["schema"] == "citewell.report/1"
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.reload()
    await page.locator("#threads button").first.click()
    await page.frame_locator("#report").get_by_text("420 metres").locator("visible=true").first.wait_for()


async def test_a_plan_is_shown_edited_and_gone_on_with(page):
    await fill(page)
    await page.get_by_label("Show me the plan first").check()
    await page.get_by_role("button", name="Ask", exact=True).click()
    await page.get_by_label("Queries, one a line").fill("quay length in metres")
    await page.get_by_role("button", name="Go on").click()
    await page.frame_locator("#report").get_by_text("420 metres").locator("visible=true").first.wait_for()
    assert await page.locator("#events li[data-type=query]").all_text_contents() == [
        "Query, round 1: quay length in metres"
    ]


async def test_a_plan_is_rejected_and_markup_in_a_question_stays_text(page):
    await fill(page, f"{QUESTION} <img src=x onerror=alert(1)>")
    await page.get_by_label("Show me the plan first").check()
    await page.get_by_role("button", name="Ask", exact=True).click()
    await page.get_by_label("Reason, for a rejection").fill("not now")
    await page.get_by_role("button", name="Reject").click()
    await page.locator("#status", has_text="cancelled").wait_for()
    assert await page.locator("#plan").is_hidden()
    await page.locator("#threads button", has_text="<img src=x").wait_for()
    assert await page.locator("img").count() == 0
