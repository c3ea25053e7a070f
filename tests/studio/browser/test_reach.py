"""The app on a phone, in the dark, by keyboard alone, behind its token, and within its bytes."""

from __future__ import annotations

import httpx
import pytest
from citewell.studio.examples.sample import QUESTION

TOKEN = "a-token-of-this-test"
CONTRAST = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = (rgb) => [.2126, .7152, .0722].reduce((sum, part, i) => sum + part * linear(rgb[i] / 255), 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest(":disabled, .skip")) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) poor.push([node.className, node.textContent.slice(0, 40), ratio.toFixed(2)]);
  }
  return poor;
}"""
FOCUSED = """() => {
  const at = document.activeElement;
  return at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText;
}"""
WIDE = "() => document.documentElement.scrollWidth > innerWidth ? document.documentElement.scrollWidth : 0"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_reads_on_a_phone_in_light_and_dark(open_page, scheme):
    visit = open_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = visit.page
    visit.status("Ready")

    def check() -> None:
        assert page.evaluate(WIDE) == 0
        assert page.evaluate(CONTRAST) == []

    for part in ("Files and folders on the server", "Files from this computer", "Web pages", "Limits and engine"):
        page.get_by_text(part, exact=True).click()
    check()
    page.reload()
    visit.status("Ready")
    visit.ask(QUESTION, plan=True)
    page.get_by_role("button", name="Go on").wait_for()
    check()
    page.get_by_role("button", name="Go on").click()
    visit.answer("420 metres")
    page.locator(".cite").first.click()
    check()
    top = page.locator(".passage.on").bounding_box()["y"]
    assert -5 <= top < 740
    page.locator(".passage.on").get_by_role("button", name="Open the source here").click()
    check()
    page.get_by_role("button", name="Close", exact=True).click()
    for view in ("Threads", "Episodes", "Compare"):
        visit.go(view)
        check()
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(21, 24, 27)") == (scheme == "dark")


def test_the_colours_can_be_chosen_and_are_kept(visit):
    page = visit.page
    page.get_by_role("button", name="Colours").click()
    page.get_by_role("button", name="Colours: light").click()
    page.get_by_role("button", name="Colours: dark").wait_for()
    page.reload()
    visit.status("Ready")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)"


def test_the_whole_path_is_walked_by_keyboard(visit, folder):
    page, press = visit.page, visit.page.keyboard.press

    def tab_to(name: str, most: int = 60) -> None:
        for _ in range(most):
            press("Tab")
            at = page.evaluate(FOCUSED)
            if str(at).strip().startswith(name):
                return
        raise AssertionError(f"{name} is out of reach")

    tab_to("Skip to the content", 1)
    press("Enter")
    tab_to("Question", 2)
    page.keyboard.type(QUESTION)
    tab_to("Files and folders on the server")
    press("Enter")
    tab_to("Path", 2)
    page.keyboard.type(str(folder))
    press("Enter")
    tab_to("Show me the plan first")
    press("Space")
    tab_to("Ask")
    press("Enter")
    page.get_by_role("button", name="Go on").wait_for()
    tab_to("Go on", 3)
    press("Enter")
    visit.answer("420 metres")
    tab_to("Passage 1")
    press("Enter")
    tab_to("Open the source here")
    press("Enter")
    page.get_by_role("dialog").wait_for()
    press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    press("Escape")
    assert page.evaluate("document.activeElement.className") == "cite"
    tab_to("Ask on, over the same sources")


def test_a_new_view_is_announced_by_its_heading(visit):
    page = visit.page
    for view, heading in (("Threads", "Threads"), ("Compare", "Compare two runs"), ("Ask", "Ask your sources")):
        visit.go(view)
        assert page.evaluate("document.activeElement.innerText") == heading
        assert page.get_by_role("link", name=view, exact=True).get_attribute("aria-current") == "page"


def test_the_token_is_entered_in_a_form(open_page, server):
    visit = open_page(path="/app/")
    page = visit.page
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("alert").get_by_text("not the token").wait_for()
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Enter").click()
    visit.status("Ready")
    assert "token" not in page.url
    assert page.evaluate("document.cookie") == ""


def test_every_route_of_the_server_asks_for_the_token(server):
    with httpx.Client(base_url=server.url, trust_env=False) as client:
        for path in ("/assistants/search", "/threads", "/threads/search", "/runs/wait", "/mcp", "/a2a/x"):
            assert client.post(path, json={}).status_code == 401
        for path in ("/app/", "/app/api/threads", "/app/file?id=x", "/docs", "/openapi.json", "/info"):
            assert client.get(path).status_code == 401
        named = client.post("/assistants/search", json={}, headers={"authorization": f"Bearer {TOKEN}"})
        assert {"research", "chat", "diligence"} <= {one["graph_id"] for one in named.json()}


def test_the_first_view_transfers_few_bytes(chromium, server):
    context = chromium.new_context()
    context.request.get(f"{server.url}/app/?token={TOKEN}")
    page = context.new_page()
    sizes: list[float] = []
    watching = context.new_cdp_session(page)
    watching.send("Network.enable")
    watching.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{server.url}/app/")
    page.locator("#status", has_text="Ready").wait_for()
    context.close()
    assert len(sizes) > 10
    assert sum(sizes) < 300_000


def test_the_server_gone_away_is_said_in_a_sentence(open_page):
    visit = open_page()
    visit.status("Ready")
    visit.page.route("**/app/api/threads*", lambda route: route.abort())
    visit.page.get_by_role("link", name="Threads").click()
    alert = visit.page.get_by_role("alert")
    alert.get_by_text("The server does not answer").wait_for()
    assert alert.inner_text().strip().endswith("The server does not answer. Is `citewell serve` still running?")
