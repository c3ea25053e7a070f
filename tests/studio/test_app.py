"""The page's own routes: its files under a strict policy, its renderers, its token."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from citewell.studio.app import app
from report_builder import sample_report

STATIC = Path(__file__).parents[2] / "studio" / "static"


@pytest.fixture
async def page():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


async def test_the_page_and_its_files_come_under_a_strict_policy(page):
    total = 0
    for name in ("", "app.js", "app.css"):
        answer = await page.get(f"/app/{name}")
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"https?://", answer.text)
        total += len(answer.content)
    assert total < 300_000
    assert (await page.get("/app")).headers["location"] == "/app/"


def test_no_text_of_a_run_enters_the_page_as_markup():
    script = (STATIC / "app.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|srcdoc", script)
    assert not re.search(r"\son\w+=|<script(?! type=\"module\" src)|style=", (STATIC / "index.html").read_text())


async def test_a_report_is_rendered_in_a_sandbox_with_its_text_escaped(page):
    report = sample_report(question="<script>alert(1)</script>")
    answer = await page.post("/app/render/html", data={"report": report.model_dump_json(by_alias=True)})
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert "allow-same-origin" not in answer.headers["content-security-policy"]
    assert "<script>alert(1)" not in answer.text
    markdown = await page.post("/app/render/md", data={"report": report.model_dump_json(by_alias=True)})
    assert markdown.headers["content-type"].startswith("text/markdown")


@pytest.mark.parametrize("body", [b"", b"report=", b"report=%7B%7D", b"other=1", b"\xff\xfe"])
async def test_what_is_no_report_is_refused(page, body):
    assert (await page.post("/app/render/html", content=body)).status_code == 400


async def test_a_report_that_is_too_large_is_refused(page, monkeypatch):
    monkeypatch.setattr("citewell.studio.app.MAX_REPORT_BYTES", 100)
    assert (await page.post("/app/render/md", content=b"report=" + b"x" * 200)).status_code == 413


async def test_a_token_is_asked_of_every_request_where_it_is_set(page, monkeypatch):
    monkeypatch.setenv("CITEWELL_TOKEN", "s3cret")
    assert (await page.get("/app/")).status_code == 401
    assert (await page.get("/app/app.js")).status_code == 401
    assert (await page.get("/app/", headers={"authorization": "Bearer wrong"})).status_code == 401
    assert (await page.get("/app/?token=wrong")).status_code == 401
    assert (await page.get("/app/", headers={"authorization": "Bearer s3cret"})).status_code == 200
    assert (await page.get("/app/", headers={"x-api-key": "s3cret"})).status_code == 200
    entered = await page.get("/app/?token=s3cret")
    assert (entered.status_code, entered.headers["location"]) == (303, "/app/")
    assert {"httponly", "samesite=strict"} <= set(entered.headers["set-cookie"].lower().split("; "))
    assert (await page.get("/app/")).status_code == 200
