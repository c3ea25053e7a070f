"""`citewell serve` and a real Chromium; each test has a context of its own, and no error or foreign request passes."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from citewell.studio.examples.sample import DOCS
from servers.langgraph_process import Running, langgraph_server
from servers.loopback import Asked, LoopbackServer, Reply

CHROMIUM = shutil.which("chromium")
TOKEN = "a-token-of-this-test"
WAIT_MS = 90_000
# The title of a page of another site.
TITLE = "<img src=x onerror=\"document.body.dataset.hacked='1'\"> The mast"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here."""
    missing = pytest.mark.skip(reason="needs Debian's chromium (apt-get install chromium)")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for mark in ("browser", "server", "slow"):
                item.add_marker(mark)
            if CHROMIUM is None:
                item.add_marker(missing)


@dataclass
class Site:
    """A site on loopback with one page about a mast; it answers at once unless `opened` is cleared."""

    server: LoopbackServer
    opened: threading.Event

    @property
    def page(self) -> str:
        """Address of the page."""
        return f"{self.server.url}/mast.html"


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve the page."""
    opened = threading.Event()
    opened.set()
    escaped = TITLE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = f"<title>{escaped}</title><h1>{escaped}</h1><p>The mast of the Orrin light is 31 metres high.</p>"

    def answer(asked: Asked) -> Reply:
        if asked.path != "/mast.html":
            return Reply(404)
        opened.wait()
        return Reply(body=text.encode(), headers={"content-type": "text/html"})

    with LoopbackServer(answer) as server:
        yield Site(server, opened)
        opened.set()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the server with documents, one of them named like markup."""
    docs = tmp_path_factory.mktemp("served") / "docs"
    shutil.copytree(DOCS[0], docs)
    (docs / "<b onclick=x>light.md").write_text("The lantern of the Orrin light burns 400 watts.", encoding="utf-8")
    return docs


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Running]:
    """`citewell serve` with a token, confined to the folder."""
    command = (str(Path(sys.executable).with_name("citewell")), "serve", "--root", str(folder.parent))
    more = {"CITEWELL_TOKEN": TOKEN, "CITEWELL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
    with langgraph_server(tmp_path_factory.mktemp("serve"), *command, **more) as running:
        yield running
    log = running.log.read_text()
    assert "BlockingError" not in log
    assert "Task exception was never retrieved" not in log


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for the tests of a file; while it is open, its loop runs and no other test's may."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Visit:
    """What a test does with the page."""

    page: Any
    url: str
    folder: Path

    def ask(self, question: str, *, docs: str | None = None, urls: str = "", plan: bool = False) -> None:
        """Fill the form and ask."""
        page = self.page
        page.get_by_role("textbox", name="Question", exact=True).fill(question)
        if docs is None and not urls:
            docs = str(self.folder)
        if docs:
            page.get_by_text("Files and folders on the server").click()
            page.get_by_label("Path").fill(docs)
            page.get_by_label("Path").press("Enter")
        if urls:
            page.get_by_text("Web pages", exact=True).click()
            page.get_by_label("Addresses, one a line").fill(urls)
        if plan:
            page.get_by_label("Show me the plan first").check()
        page.get_by_role("button", name="Ask", exact=True).first.click()

    def answer(self, words: str) -> Any:
        """Wait for the answer to hold some words."""
        found = self.page.locator("#answer").get_by_text(words).first
        found.wait_for()
        return found

    def go(self, view: str) -> None:
        """Go to a view by its link."""
        self.page.get_by_role("navigation", name="Views").get_by_role("link", name=view).click()
        self.page.locator(f"#view-{view.lower()}").wait_for()

    def status(self, words: str) -> None:
        """Wait until the line under the header says something."""
        self.page.locator("#status", has_text=words).wait_for()


@pytest.fixture
def open_page(server: Running, chromium: Any, folder: Path) -> Iterator[Any]:
    """Open the app in a new context with the given options of playwright; afterwards nothing may have gone wrong."""
    contexts, problems, elsewhere = [], [], []

    def open_(*, path: str = f"/app/?token={TOKEN}", **options: Any) -> Visit:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
        own = (server.url, "blob:", "data:")
        page.on("request", lambda asked: None if asked.url.startswith(own) else elsewhere.append(asked.url))
        page.goto(server.url + path)
        return Visit(page, server.url, folder)

    yield open_
    for context in contexts:
        context.close()
    expected = ("status of 400", "status of 401", "status of 404", "status of 413", "ERR_FAILED")
    assert [text for text in problems if not any(each in text for each in expected)] == []
    assert elsewhere == []


@pytest.fixture
def visit(open_page: Any) -> Visit:
    """The app on a desktop, ready for a question."""
    opened: Visit = open_page()
    opened.status("Ready")
    return opened
