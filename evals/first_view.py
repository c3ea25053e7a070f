"""The web app's first view in Chromium: bytes over the wire, and how soon a question can be typed and asked.

python -m citewell.evals.first_view --times 9
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .serving import cpu_s_of, serving

# The line under the header says so once the form is drawn and wired.
NOTICE_READY = """
new MutationObserver((_, watching) => {
  if (!document.getElementById("status")?.textContent.startsWith("Ready")) return;
  watching.disconnect();
  window.usableAt = performance.now();
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


@dataclass(frozen=True)
class FirstView:
    """One visit with an empty cache.

    Attributes:
        transferred: Bytes of all answers, headers counted.
        usable_ms: From the start of the navigation until the form is wired, by the clock.
        page_cpu_ms: Processor time that the page's own thread took.
        server_cpu_ms: Processor time that the server took.
    """

    requests: int
    transferred: int
    usable_ms: float
    page_cpu_ms: float
    server_cpu_ms: float


def visit(browser: Any, url: str, pid: int) -> FirstView:
    """Open the app in a new context and wait until it is usable."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.add_init_script(NOTICE_READY)
        sizes: list[float] = []
        watching = context.new_cdp_session(page)
        watching.send("Network.enable")
        watching.send("Performance.enable", {"timeDomain": "threadTicks"})
        served_s = cpu_s_of(pid)
        watching.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(f"{url}/app/")
        page.locator("#status", has_text="Ready").wait_for()
        page.wait_for_load_state("networkidle")
        metrics = {each["name"]: each["value"] for each in watching.send("Performance.getMetrics")["metrics"]}
        return FirstView(
            requests=len(sizes),
            transferred=int(sum(sizes)),
            usable_ms=float(page.evaluate("usableAt")),
            page_cpu_ms=1_000 * float(metrics["TaskDuration"]),
            server_cpu_ms=1_000 * (cpu_s_of(pid) - served_s),
        )
    finally:
        context.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m citewell.evals.first_view", description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("--times", type=int, default=9, help="Visits, each with an empty cache.")
    given = parser.parse_args(arguments)
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is missing: apt-get install chromium", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        visits = [visit(browser, served.url, served.pid) for _ in range(given.times)]
        browser.close()
    times = [each.usable_ms for each in visits]
    print(f"requests {visits[0].requests}, transferred {max(each.transferred for each in visits):,} bytes")
    print(
        f"usable after {statistics.median(times):.0f} ms (median of {len(times)};"
        f" {min(times):.0f} to {max(times):.0f}), load {os.getloadavg()[0]:.1f}"
    )
    page, server = ([getattr(each, f"{who}_cpu_ms") for each in visits] for who in ("page", "server"))
    print(f"processor time: page {statistics.median(page):.0f} ms, server {statistics.median(server):.0f} ms (medians)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
