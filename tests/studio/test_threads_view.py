"""What the app reads back: threads of the command line, every turn, a source at its quote, files, comparisons."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from citewell.graph.run import aresearch, aresume
from citewell.settings import Environment, Settings
from citewell.studio.app import app

pytestmark = pytest.mark.slow
QUESTION = "How long is the quay of the harbour of Orrin?"
ODD_ID = "a/../b ?&#%41"
SCRIPT = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threads")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "harbour.md").write_text("# Harbour of Orrin\n\nThe quay of the harbour of Orrin is 420 metres long.\n")
    (docs / "ferry.html").write_text(
        f"<title>{SCRIPT.replace('<', '&lt;')}</title><p>The ferry Marit carries 32 cars and 240 passengers.</p>"
    )
    return folder


@pytest.fixture(scope="module")
def home(place):
    """A home with a thread of two questions, one with an odd id, and one whose plan waits."""
    import asyncio

    environment = Environment(home=place / "home")
    embedded = Settings(engine="embedded", trace=False)
    docs = [place / "docs"]

    async def ask() -> None:
        given: dict[str, Any] = {"docs": docs, "environment": environment}
        await aresearch(QUESTION, thread_id="quay", settings=embedded, **given)
        await aresearch("How many cars does the ferry Marit carry?", thread_id="quay", settings=embedded, **given)
        await aresearch(QUESTION, thread_id=ODD_ID, settings=embedded, **given)
        waiting = Settings(engine="embedded", approve_plan=True, trace=False)
        with pytest.raises(Exception, match="plan"):
            await aresearch(QUESTION, thread_id="waits", settings=waiting, **given)

    asyncio.run(ask())
    return environment.home


@pytest.fixture
async def page(home, place, monkeypatch):
    monkeypatch.setenv("CITEWELL_HOME", str(home))
    monkeypatch.setenv("CITEWELL_ROOTS", str(place / "docs"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


async def got(page, path: str, **params: str) -> Any:
    answer = await page.get(f"/app/api/{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_list_shows_threads_of_the_command_line_too(page):
    found = await got(page, "threads")
    assert {each["thread_id"]: (each["status"], each["turns"], each["here"]) for each in found} == {
        "quay": ("answered", 2, False),
        ODD_ID: ("answered", 1, False),
        "waits": ("interrupted", 0, False),
    }


async def test_a_thread_shows_its_questions_and_sources(page, place):
    found = await got(page, "thread", id="quay")
    assert [turn["question"] for turn in found["turns"]] == ["How many cars does the ferry Marit carry?", QUESTION]
    assert found["sources"] == {"docs": [str(place / "docs")]}
    assert (found["unfinished"], found["waiting"]) == (False, None)


async def test_a_waiting_plan_is_shown(page):
    found = await got(page, "thread", id="waits")
    assert found["unfinished"]
    assert found["waiting"]["plan"]["queries"]
    assert found["turns"] == []


async def test_every_turn_has_its_own_report(page):
    found = await got(page, "thread", id="quay")
    words = []
    for turn in found["turns"]:
        report = await got(page, "report", id="quay", run=turn["run_id"])
        words.append(" ".join(claim["text"] for claim in report["summary"]))
    assert "32 cars" in words[0]
    assert "420 metres" in words[1]


async def test_a_claim_leads_to_its_passage_and_the_passage_to_the_quote_in_the_source(page):
    found = await got(page, "thread", id="quay")
    report = await got(page, "report", id="quay", run=found["turns"][1]["run_id"])
    claim = next(each for each in report["summary"] if "420 metres" in each["text"])
    ref = next(each for each in report["references"] if each["number"] == claim["numbers"][0])
    assert "".join(piece["text"] for piece in ref["segments"] if claim["id"] in piece["claims"]) in ref["quotes"]
    source = await got(page, "source", id="quay", run=report["run_id"], chunk=ref["chunk_id"])
    assert (source["uri"], source["changed"], source["file"]) == ("harbour.md", False, True)
    assert "420 metres" in "".join(piece["text"] for piece in source["pieces"] if piece["marked"])
    assert "".join(piece["text"] for piece in source["pieces"]).startswith("Harbour of Orrin")


async def test_ids_with_odd_characters_reach_their_own_thread_only(page):
    assert (await got(page, "thread", id=ODD_ID))["thread_id"] == ODD_ID
    for other in ("a", "b", "a/../b", "quay/", "../quay", "QUAY", "%", "quay' OR '1'='1"):
        answer = await page.get("/app/api/thread", params={"id": other})
        assert (answer.status_code, answer.json()) == (404, {"error": "no such thread"})


async def test_a_report_leaves_in_every_format(page):
    for kind, begins in (("md", f"# {QUESTION}"), ("json", "{"), ("html", "<!doctype html>")):
        answer = await page.get(f"/app/report/{kind}", params={"id": ODD_ID, "save": "1"})
        assert answer.status_code == 200
        assert answer.text.startswith(begins)
        assert "420 metres" in answer.text
        assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''How%20long")
        assert answer.headers["content-security-policy"].startswith("sandbox")
        assert "allow-same-origin" not in answer.headers["content-security-policy"]
    assert json.loads((await page.get("/app/report/json", params={"id": ODD_ID})).text)["schema"] == "citewell.report/1"
    assert (await page.get("/app/report/exe", params={"id": ODD_ID})).status_code == 404


async def test_a_source_is_handed_out_as_a_file_and_nothing_else_is(page, place, monkeypatch):
    answer = await page.get("/app/file", params={"id": ODD_ID, "uri": "harbour.md"})
    assert answer.content == (place / "docs" / "harbour.md").read_bytes()
    assert answer.headers["content-disposition"].startswith("attachment")
    for uri in ("../home/episodes.sqlite", "/etc/passwd", "nothing.md"):
        assert (await page.get("/app/file", params={"id": ODD_ID, "uri": uri})).status_code == 404
    monkeypatch.setenv("CITEWELL_ROOTS", str(place / "elsewhere"))
    assert (await page.get("/app/file", params={"id": ODD_ID, "uri": "harbour.md"})).status_code == 404


async def test_two_runs_are_compared(page):
    found = await got(page, "thread", id="quay")
    later, earlier = (turn["run_id"] for turn in found["turns"])
    same = await got(page, "compare", id="quay", run=earlier, other=ODD_ID)
    assert same["different"] is False
    other = await got(page, "compare", id="quay", run=earlier, other="quay", other_run=later)
    assert any("420 metres" in claim["text"] for claim in other["gone"])
    assert any("32 cars" in claim["text"] for claim in other["new"])
    assert other["other"]["question"]["before"] == QUESTION


async def test_episodes_are_listed_newest_first(page):
    found = await got(page, "episodes")
    assert found[0]["question"] == QUESTION
    assert all(episode["useful_sources"] for episode in found)


async def test_titles_and_names_travel_as_text(page):
    report = await got(page, "report", id="quay")
    assert SCRIPT in {ref["title"] for ref in report["references"]}
    answer = await page.get("/app/api/report", params={"id": "quay"})
    assert answer.headers["content-type"] == "application/json"
    page_of_it = (await page.get("/app/report/html", params={"id": "quay"})).text
    assert SCRIPT not in page_of_it
    assert "&lt;img src=x onerror=alert(1)&gt;" in page_of_it


async def test_a_source_that_changed_since_shows_the_passage_as_it_was_read(page, home, place):
    docs = place / "changing"
    docs.mkdir()
    note = docs / "note.md"
    note.write_text("The mast of the Orrin light is 31 metres high.")
    environment, embedded = Environment(home=home), Settings(engine="embedded", trace=False)
    given: dict[str, Any] = {"docs": [docs], "environment": environment, "settings": embedded}
    first = await aresearch("How high is the mast of the Orrin light?", thread_id="mast", **given)
    note.write_text("Nothing is known about masts. The Orrin light was painted white in 1990.")
    await aresearch("Which colour has the Orrin light?", thread_id="colour", **given)
    source = await got(page, "source", id="mast", chunk=first.evidence[0].chunk_id)
    assert source["changed"]
    assert "31 metres" in "".join(piece["text"] for piece in source["pieces"])


async def test_a_thread_that_was_resumed_elsewhere_is_shown_with_its_answer(page, home):
    await aresume("waits", decision={"action": "approve"}, environment=Environment(home=home))
    found = await got(page, "thread", id="waits")
    assert (found["unfinished"], found["waiting"], found["turns"][0]["status"]) == (False, None, "answered")


async def test_a_home_without_threads_has_none(page, tmp_path, monkeypatch):
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path))
    assert await got(page, "threads") == []
    assert await got(page, "episodes") == []
    assert (await page.get("/app/api/thread", params={"id": "quay"})).status_code == 404
    assert list(tmp_path.iterdir()) == []
