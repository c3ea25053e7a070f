"""A question is asked over chosen sources and watched; its plan is approved; it is stopped and resumed."""

from __future__ import annotations

from pathlib import Path

from citewell.studio.examples.sample import QUESTION

MAST = "How high is the mast of the Orrin light?"


def test_a_question_is_asked_watched_and_answered(visit):
    page = visit.page
    visit.ask(QUESTION)
    page.locator("#h-thread", has_text=QUESTION).wait_for()
    stages = page.get_by_role("list", name="Stages")
    stages.wait_for()
    visit.answer("420 metres")
    visit.status("Answered")
    assert stages.locator("li.done").count() == 7
    page.get_by_text("What was done").click()
    assert page.get_by_role("list", name="Plan", exact=True).locator("li").count() >= 1
    queries = page.get_by_role("list", name="Queries", exact=True)
    assert queries.locator("> li").count() >= 3
    queries.locator("summary").first.click()
    assert queries.locator("li li", has_text="harbour.md").first.is_visible()
    assert "420 metres" in page.get_by_role("list", name="Facts", exact=True).inner_text()
    assert "harbour.md" in page.get_by_role("list", name="Sources", exact=True).inner_text()
    for meter in ("Rounds", "Facts", "Model calls", "Tokens", "Seconds"):
        assert page.get_by_role("meter", name=meter).is_visible()
    assert float(page.get_by_role("meter", name="Facts").get_attribute("max")) == 50


def test_the_run_is_shown_while_it_lasts_and_after_a_reload(visit, site):
    site.opened.clear()
    page = visit.page
    visit.ask(MAST, urls=site.page)
    page.get_by_role("button", name="Stop").wait_for()
    assert page.get_by_role("list", name="Stages").locator("[aria-current=step]").inner_text() == "Read"
    page.reload()
    page.get_by_role("button", name="Stop").wait_for()
    site.opened.set()
    visit.answer("31 metres")


def test_a_folder_is_chosen_by_browsing(visit, folder):
    page = visit.page
    page.get_by_text("Files and folders on the server").click()
    page.get_by_role("group", name="Folders of the server").get_by_text(str(folder.parent)).first.click()
    page.get_by_role("button", name="docs/", exact=True).click()
    page.get_by_role("button", name="Add harbour.md").click()
    page.get_by_role("button", name="Add ferry.md").click()
    chosen = page.get_by_role("list", name="Chosen sources")
    assert chosen.locator("li").count() == 2
    page.get_by_role("button", name=f"Remove {folder}/ferry.md").click()
    page.get_by_role("textbox", name="Question", exact=True).fill(QUESTION)
    page.get_by_role("textbox", name="Question", exact=True).press("Control+Enter")
    visit.answer("420 metres")
    assert str(folder / "harbour.md") in page.locator("#thread-meta").inner_text()


def test_what_is_missing_is_said_before_anything_runs(visit):
    page = visit.page
    page.get_by_role("textbox", name="Question", exact=True).fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).first.click()
    page.get_by_role("alert").get_by_text("Choose at least one source").wait_for()
    page.get_by_text("Web pages", exact=True).click()
    page.get_by_label("Addresses, one a line").fill("ftp://127.0.0.1/x")
    page.get_by_role("button", name="Ask", exact=True).first.click()
    page.get_by_role("alert").get_by_text("not an address").wait_for()
    assert "thread" not in page.url
    assert page.get_by_role("button", name="Stop").is_hidden()


def test_a_path_outside_the_roots_ends_in_a_sentence(visit):
    visit.ask(QUESTION, docs="/etc/hosts")
    visit.answer("failed before it could answer")
    assert "outside the folders that may be read here" in visit.page.locator("#answer").inner_text()


def test_files_are_uploaded_refused_and_asked(visit, tmp_path):
    note, picture = tmp_path / "mast.md", tmp_path / "photo.png"
    note.write_text("The mast of the Orrin light is 31 metres high.", encoding="utf-8")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 64)
    page = visit.page
    page.get_by_text("Files from this computer").click()
    page.get_by_label("Files", exact=True).set_input_files([note, picture])
    page.get_by_text("Refused: photo.png: cannot be read as a document (binary: a PNG picture)").wait_for()
    uploads = page.get_by_role("list", name="Uploaded files")
    uploads.get_by_role("button", name="Remove mast.md").wait_for()
    page.get_by_role("button", name="Dismiss the message about photo.png").click()
    assert uploads.locator("li").count() == 1
    visit.ask(MAST, docs="")
    visit.answer("31 metres")
    assert page.get_by_role("region", name="Passage 1: mast.md").is_visible()


def test_a_plan_is_edited_and_gone_on_with(visit):
    page = visit.page
    visit.ask(QUESTION, plan=True)
    queries = page.get_by_label("Queries, one a line")
    queries.wait_for()
    assert queries.evaluate("box => box === document.activeElement")
    queries.fill("\n")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("alert").get_by_text("Keep at least one query").wait_for()
    queries.fill("quay length in metres")
    page.get_by_role("button", name="Go on").click()
    visit.answer("420 metres")
    page.get_by_text("What was done").click()
    shown = page.get_by_role("list", name="Queries", exact=True).locator("> li")
    assert (shown.count(), "quay length in metres" in shown.first.inner_text()) == (1, True)


def test_a_waiting_plan_is_found_again_and_rejected_with_a_reason(visit):
    page = visit.page
    visit.ask("Which harbour has the longest quay of them all?", plan=True)
    page.get_by_role("button", name="Reject").wait_for()
    visit.go("Threads")
    page.get_by_role("link", name="Which harbour has the longest quay of them all?").click()
    page.get_by_label("Reason, for a rejection").fill("wrong harbour")
    page.get_by_role("button", name="Reject").click()
    visit.status("cancelled")
    assert page.locator("#plan").is_hidden()
    page.locator("#answer").get_by_text("wrong harbour").first.wait_for()


def test_a_run_is_stopped_and_resumed(visit, site):
    site.opened.clear()
    page = visit.page
    visit.ask(MAST, urls=site.page)
    while not site.server.in_flight:
        page.wait_for_timeout(50)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Stopped", exact=True).wait_for()
    visit.go("Threads")
    line = page.get_by_role("list", name="Threads, the last used first").locator("li", has_text=MAST).first
    assert "interrupted" in line.inner_text()
    site.opened.set()
    line.get_by_role("link").click()
    page.get_by_role("button", name="Resume").click()
    visit.answer("31 metres")


def test_a_run_that_is_stopped_in_the_queue_can_be_asked_again(visit, site):
    site.opened.clear()
    page = visit.page
    visit.ask(MAST, urls=site.page)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Stopped").wait_for()
    site.opened.set()
    page.get_by_role("button", name="Ask again").click()
    assert page.get_by_label("Addresses, one a line").input_value() == site.page
    page.get_by_role("button", name="Ask", exact=True).first.click()
    visit.answer("31 metres")


def test_the_next_question_goes_to_the_same_sources(visit):
    page = visit.page
    visit.ask(QUESTION)
    visit.answer("420 metres")
    page.get_by_label("Ask on, over the same sources").fill("How many cars does the ferry Marit carry?")
    page.get_by_label("Ask on, over the same sources").press("Control+Enter")
    visit.answer("32 cars")
    turns = page.get_by_role("navigation", name="Questions of this thread").get_by_role("link")
    assert turns.count() == 2
    turns.first.click()
    visit.answer("420 metres")
    assert Path(page.url).name != ""
