"""The HTML report in a real browser: citations open their passage, hostile text stays text, it fits phone and print."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from citewell.reports.html import render_html
from report_builder import ANNUAL, FUEL, claim, hostile_report, sample_answer, sample_report

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK, PHONE = {"width": 1200, "height": 800}, {"width": 375, "height": 700}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium (apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")), executable_path=CHROMIUM, headless=True, args=FLAGS
        )
        yield context
        context.close()


@pytest.fixture
def opened(browser, tmp_path) -> Iterator[Any]:
    """Opens a report; fails the test where the page complains or asks for anything but itself."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url) if "://" in request.url and not
            request.url.startswith("file:") else None)  # fmt: skip

    def open_(report: Any, viewport: dict[str, int] = DESK, **media: str) -> Any:
        path = Path(tmp_path) / "report.html"
        path.write_text(render_html(report), encoding="utf-8")
        page.set_viewport_size(viewport)
        page.emulate_media(**media)
        page.goto(path.as_uri())
        return page

    yield open_
    page.close()
    assert complaints == []


def test_hovering_a_citation_shows_the_passage_and_leaving_hides_it(opened):
    page = opened(sample_report())
    page.locator("a.cite").first.hover()
    page.locator("#card").wait_for(state="visible")
    card = page.locator("#card").inner_text()
    assert "filings/brackwater_2024.pdf" in card
    assert "page 12" in card
    assert "0.93" in card
    assert page.locator("#card mark.on").all_inner_texts() == [FUEL.quotes[0].text]
    page.locator("#card").hover()
    page.wait_for_timeout(400)
    assert page.locator("#card").is_visible()
    page.mouse.move(5, 5)
    page.locator("#card").wait_for(state="hidden")


def test_a_click_pins_the_card_and_a_click_elsewhere_closes_it(opened):
    page = opened(sample_report())
    page.locator("a.cite").nth(1).click()
    page.mouse.move(5, 5)
    page.wait_for_timeout(500)
    assert page.locator("#card").is_visible()
    assert "exports/fleet.csv" in page.locator("#card").inner_text()
    page.locator("h1").click()
    assert page.locator("#card").is_hidden()


def test_the_keyboard_reaches_opens_and_leaves_a_citation(opened):
    page = opened(sample_report())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    page.locator("#card").wait_for(state="visible")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "card"
    page.keyboard.press("Escape")
    assert page.locator("#card").is_hidden()
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#ref-1"


def test_a_tap_on_a_phone_opens_a_sheet_that_fits_and_nothing_scrolls_sideways(opened):
    page = opened(sample_report(), PHONE)
    page.locator("a.cite").first.click()
    box = page.locator("#card").bounding_box()
    assert (box["x"], box["width"]) == (0, PHONE["width"])
    assert box["y"] + box["height"] <= PHONE["height"] + 1
    page.locator("#card-close").click()
    assert page.locator("#card").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_card_stays_on_the_screen(opened):
    page = opened(sample_report())
    for number in range(page.locator("a.cite").count()):
        cite = page.locator("a.cite").nth(number)
        cite.click()
        box = page.locator("#card").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= DESK["width"]
        page.keyboard.press("Escape")


def test_long_words_and_long_passages_do_not_widen_the_page(opened):
    told = claim(1, "W" * 900, ANNUAL, "Fuel cost rose")
    answer = sample_answer().model_copy(update={"title": "T" * 500, "executive_summary": (told,)})
    evidence = sample_report().evidence
    long = evidence[0].model_copy(update={"text": evidence[0].text + "x" * 5000, "uri": "u" * 300 + ".pdf"})
    page = opened(sample_report(answer=answer, evidence=(long, *evidence[1:])), PHONE)
    page.locator("a.cite").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_hostile_text_runs_nothing(opened):
    page = opened(hostile_report())
    page.locator("a.cite").first.click()
    page.wait_for_timeout(100)
    assert page.evaluate("typeof window.hit") == "undefined"
    assert page.locator("img").count() == 0
    assert "<script>window.hit=1</script>" in page.locator("h1").inner_text()


def test_dark_and_light_are_both_readable(opened):
    for scheme in ("light", "dark"):
        page = opened(sample_report(), color_scheme=scheme)
        ink, paper = page.evaluate(
            "(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; })()"
        )
        assert contrast(ink, paper) > 7


def test_print_shows_quotes_and_no_card(opened):
    page = opened(sample_report(), media="print")
    assert page.locator("#card").is_hidden()
    assert page.locator("blockquote").first.is_visible()
    assert page.locator(".references .source").first.is_visible()


def test_a_link_to_a_claim_under_a_closed_fold_opens_it(opened):
    page = opened(sample_report())
    page.evaluate("location.hash = '#why-C-004'")
    page.locator("#why-C-004").wait_for(state="visible")
    assert page.locator("#why-C-004").is_visible()


def contrast(first: str, second: str) -> float:
    """The contrast of two `rgb(…)` colours as WCAG 2 defines it, from 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(part) / 255 for part in colour[4:-1].split(",")]
        linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
