"""Take the pictures of the documentation from the running app: `python -m citewell.studio.make_pictures`.

Needs Debian's chromium and playwright.  Starts `citewell serve` in a folder of its own and asks the sample dataroom.
"""

from __future__ import annotations

import argparse
import base64
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

PICTURES = Path(__file__).with_name("pictures")
DATAROOM = Path(__file__).with_name("dataroom")
QUESTION = "What was ARR at 31 March 2025, and is the SOC 2 Type II audit complete?"
FOLLOW_UP = "How much cash was there at 31 March 2025?"
WAIT_MS = 180_000
QUALITY = 82
# What the folder that is served is called, and shown as.
SERVED = "analyst"


def main() -> int:
    """Write every picture anew and say how large it is."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is missing: apt-get install chromium", file=sys.stderr)
        return 2
    PICTURES.mkdir(exist_ok=True)
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        desktop = browser.new_context(
            viewport={"width": 1200, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        walk(opened(desktop, url))
        phone = browser.new_context(
            viewport={"width": 360, "height": 740}, color_scheme="dark", device_scale_factor=2, reduced_motion="reduce"
        )
        small(opened(phone, url))
        browser.close()
    return 0


@contextmanager
def serving() -> Iterator[str]:
    """Run `citewell serve` over a copy of the dataroom, so that the pictures show short paths."""
    with tempfile.TemporaryDirectory() as made, socket.socket() as free:
        folder = Path(made) / SERVED
        shutil.copytree(DATAROOM, folder / "dataroom")
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        env = {**os.environ, "CITEWELL_HOME": str(Path(made) / "home"), "CITEWELL_ROOTS": ""}
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CITEWELL_TOKEN"):
            env.pop(name, None)
        command = [sys.executable, "-m", "citewell.cli", "serve", "--port", str(port), "--root", str(folder)]
        process = subprocess.Popen(  # noqa: S603
            command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        url = f"http://127.0.0.1:{port}"
        try:
            while process.poll() is None:
                try:
                    httpx.get(f"{url}/ok", timeout=2, trust_env=False).raise_for_status()
                    break
                except httpx.HTTPError:
                    time.sleep(0.2)
            yield url
        finally:
            process.terminate()
            process.wait(timeout=30)


def opened(context: Any, url: str) -> Any:
    """Open the app."""
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{url}/app/")
    page.locator("#status", has_text="Ready").wait_for()
    return page


def walk(page: Any) -> None:
    """Ask, approve, watch, read, open, ask on, compare."""
    page.get_by_role("textbox", name="Question", exact=True).fill(QUESTION)
    page.get_by_text("Files and folders on the server").click()
    page.get_by_role("button", name=f"/{SERVED}/", exact=False).first.click()
    page.get_by_role("button", name="Add dataroom").click()
    page.get_by_label("Show me the plan first").check()
    take(page, "ask", full=True)
    page.get_by_role("button", name="Ask", exact=True).first.click()
    page.get_by_role("button", name="Go on").wait_for()
    take(page, "plan")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("list", name="Facts", exact=True).locator("li").nth(3).wait_for()
    take(page, "run")
    page.locator("#answer").get_by_text("17640000").first.wait_for()
    page.locator(".claims li", has_text="17640000").get_by_role("button").first.click()
    page.wait_for_timeout(800)
    take(page, "answer")
    page.locator(".passage.on").get_by_role("button", name="Open the source here").click()
    page.get_by_role("dialog").locator("mark").first.wait_for()
    take(page, "source")
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_label("Ask on, over the same sources").fill(FOLLOW_UP)
    page.get_by_label("Ask on, over the same sources").press("Control+Enter")
    page.get_by_role("navigation", name="Questions of this thread").wait_for()
    page.locator("#answer").get_by_text("5.12 million").first.wait_for()
    page.get_by_role("group", name="Download the report").get_by_role("link", name="Compare").click()
    page.locator("#status", has_text="wo").wait_for()
    page.get_by_role("group", name="Before").get_by_label("Question").select_option(index=1)
    page.locator("#view-compare").get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Gone").wait_for()
    page.evaluate("() => scrollTo(0, 0)")
    take(page, "compare")


def small(page: Any) -> None:
    """Read the same answer on a phone in the dark."""
    page.get_by_role("link", name="Threads").click()
    page.get_by_role("list", name="Threads, the last used first").get_by_role("link").first.click()
    page.locator(".cite").first.wait_for()
    page.locator("#answer").scroll_into_view_if_needed()
    page.locator("#answer").evaluate("answer => answer.scrollIntoView()")
    take(page, "phone")


def take(page: Any, name: str, *, full: bool = False) -> None:
    """Write one picture as WebP, which playwright itself does not."""
    given: dict[str, Any] = {"format": "webp", "quality": QUALITY}
    if full:
        page.evaluate("() => scrollTo(0, 0)")
        size = page.evaluate("() => ({width: innerWidth, height: document.documentElement.scrollHeight})")
        given |= {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "scale": 1, **size}}
    session = page.context.new_cdp_session(page)
    data = base64.b64decode(session.send("Page.captureScreenshot", given)["data"])
    session.detach()
    (PICTURES / f"{name}.webp").write_bytes(data)
    print(f"{name}.webp {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m citewell.studio.make_pictures", description=__doc__).parse_args()
    sys.exit(main())
