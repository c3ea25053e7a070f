"""The answer with its passages beside it, a source at the quote, threads, episodes, comparisons, downloads."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from citewell.studio.examples.sample import QUESTION

TOKEN = "a-token-of-this-test"
FERRY = "How many cars does the ferry Marit carry?"
MAST = "How high is the mast of the Orrin light?"


@pytest.fixture
def answered(visit):
    visit.ask(QUESTION)
    visit.answer("420 metres")
    return visit


def test_a_citation_leads_to_its_passage_and_back(answered):
    page = answered.page
    sentence = page.locator(".claims li", has_text="420 metres").first
    sentence.get_by_role("button", name="Passage").first.click()
    card = page.locator(".passage.on")
    assert card.evaluate("card => card === document.activeElement")
    assert "harbour.md" in card.inner_text()
    assert any("420 metres" in text for text in card.locator("mark.on").all_inner_texts())
    assert card.bounding_box()["x"] > sentence.bounding_box()["x"] + 300
    page.keyboard.press("Escape")
    assert sentence.get_by_role("button", name="Passage").first.evaluate("cite => cite === document.activeElement")


def test_a_source_opens_at_the_quote(answered):
    page = answered.page
    page.locator(".claims li", has_text="420 metres").first.get_by_role("button", name="Passage").first.click()
    page.locator(".passage.on").get_by_role("button", name="Open the source here").click()
    dialog = page.get_by_role("dialog", name="harbour.md")
    quoted = dialog.locator("mark", has_text="420 metres").first
    quoted.wait_for()
    assert quoted.evaluate(
        "mark => { const box = mark.getBoundingClientRect(), text = mark.parentElement.getBoundingClientRect();"
        " return box.top >= text.top && box.bottom <= text.bottom; }"
    )
    assert "104,000 tonnes" in dialog.inner_text()
    with page.expect_download() as waiting:
        dialog.get_by_role("link", name="Download the file").click()
    assert waiting.value.suggested_filename == "harbour.md"
    page.keyboard.press("Escape")
    assert dialog.is_hidden()


def test_every_format_is_downloaded(answered, tmp_path):
    page = answered.page
    for name, ending in (("Markdown", "md"), ("JSON", "json"), ("HTML", "html")):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name, exact=True).click()
        assert waiting.value.suggested_filename.endswith(f".{ending}")
        waiting.value.save_as(tmp_path / name)
        assert "420 metres" in (tmp_path / name).read_text(encoding="utf-8")
    assert json.loads((tmp_path / "JSON").read_text(encoding="utf-8"))["schema"] == "citewell.report/1"


def test_the_report_opens_as_a_page_of_its_own(answered):
    with answered.page.context.expect_page() as waiting:
        answered.page.get_by_role("link", name="Open as a page").click()
    opened = waiting.value
    opened.get_by_text("420 metres").first.wait_for()
    assert opened.evaluate("origin") == "null"


def test_threads_are_listed_by_the_server_and_found_by_words(answered, open_page):
    address = answered.page.url
    other = open_page()
    other.go("Threads")
    threads = other.page.get_by_role("list", name="Threads, the last used first")
    threads.locator("li", has_text=QUESTION).first.wait_for()
    other.page.get_by_label("Find").fill("no such words anywhere")
    other.status("No thread has these words")
    other.page.get_by_label("Find").fill("quay of the harbour")
    link = threads.get_by_role("link", name=QUESTION).first
    link.click()
    other.answer("420 metres")
    assert other.page.url == address


def test_an_episode_is_asked_again(answered):
    page = answered.page
    answered.go("Episodes")
    line = page.get_by_role("list", name="Episodes, newest first").locator("li", has_text=QUESTION).first
    line.get_by_text("Useful sources").click()
    assert "harbour.md" in line.inner_text()
    page.get_by_role("button", name=f"Ask again: {QUESTION}").first.click()
    page.locator("#view-ask").wait_for()
    assert page.get_by_role("textbox", name="Question", exact=True).input_value() == QUESTION


def test_two_runs_are_compared(answered):
    page = answered.page
    page.get_by_label("Ask on, over the same sources").fill(FERRY)
    page.get_by_role("button", name="Ask", exact=True).last.click()
    answered.answer("32 cars")
    page.get_by_role("group", name="Download the report").get_by_role("link", name="Compare").click()
    before = page.get_by_role("group", name="Before")
    answered.status("Choose two runs")
    before.get_by_label("Thread").select_option(index=0)
    before.get_by_label("Question").locator("option", has_text=QUESTION).first.wait_for(state="attached")
    before.get_by_label("Question").select_option(index=1)
    page.locator("#view-compare").get_by_role("button", name="Compare").click()
    shown = page.get_by_role("region", name="Differences")
    shown.get_by_role("heading", name="Gone").wait_for()
    assert any("420 metres" in text for text in shown.locator("del").all_inner_texts())
    assert any("32 cars" in text for text in shown.locator("ins").all_inner_texts())
    page.get_by_role("group", name="After").get_by_label("Question").select_option(index=1)
    page.locator("#view-compare").get_by_role("button", name="Compare").click()
    shown.get_by_text("No difference").wait_for()


def test_a_review_leaves_its_artifacts(visit, folder):
    page = visit.page
    page.get_by_label("Review one dataroom").check()
    visit.ask(QUESTION, docs=str(folder))
    visit.answer("420 metres")
    assert f"Review of {folder}" in page.locator("#thread-meta").inner_text()
    artifacts = page.get_by_role("group", name="Artifacts of the review")
    assert artifacts.get_by_role("link").count() >= 9
    with page.expect_download() as waiting:
        artifacts.get_by_role("link", name="investment_memo.md").click()
    assert "420 metres" in Path(waiting.value.path()).read_text(encoding="utf-8")
    page.locator(".cite").first.click()
    page.locator(".passage.on").get_by_role("button", name="Open the source here").click()
    page.get_by_role("dialog").locator("mark").first.wait_for()


def test_a_thread_of_another_graph_is_shown_as_it_was_said(visit, server):
    token = {"x-api-key": TOKEN}
    with httpx.Client(base_url=server.url, trust_env=False, headers=token, timeout=90) as client:
        thread = client.post("/threads", json={}).json()["thread_id"]
        asked = {"assistant_id": "chat", "input": {"messages": [{"role": "user", "content": "What is 22 * 6.5?"}]}}
        assert client.post(f"/threads/{thread}/runs/wait", json=asked).status_code == 200
    visit.page.goto(f"{server.url}/app/#/thread/{thread}")
    said = visit.page.get_by_role("list", name="Conversation").locator("li")
    said.first.wait_for()
    assert ["What is 22 * 6.5?" in said.nth(0).inner_text(), "143" in said.nth(1).inner_text()] == [True, True]


def test_a_page_title_and_a_file_name_cannot_run_script(visit, site, folder):
    page = visit.page
    visit.ask(f"{MAST} <script>document.body.dataset.hacked=1</script>", docs=str(folder), urls=site.page)
    visit.answer("31 metres")
    page.get_by_text("What was done").click()
    page.locator("#answer").get_by_text("Sources (").click()
    assert page.get_by_text("<img src=x onerror=").locator("visible=true").count()
    assert page.get_by_text("<b onclick=x>light.md").locator("visible=true").count()
    page.locator(".cite").first.click()
    page.locator(".passage.on").get_by_role("button", name="Open the source here").click()
    page.get_by_role("button", name="Close", exact=True).click()
    for view in ("Threads", "Compare"):
        visit.go(view)
        page.locator(f"#view-{view.lower()}").get_by_text("<script>").first.wait_for(state="attached")
    assert page.locator("main img, main script, main b[onclick]").count() == 0
    assert page.evaluate("document.body.dataset.hacked") is None
