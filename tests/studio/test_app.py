"""The app's files under a strict policy, within their size, with no way for stored text to become markup."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from citewell.studio.app import app
from citewell.studio.web.pages import FILES

STATIC = Path(__file__).parents[2] / "studio" / "static"
FIRST_VIEW_BYTES = 300_000


@pytest.fixture
async def page():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


async def test_the_page_and_its_files_come_under_a_strict_policy(page):
    assert (await page.get("/app")).headers["location"] == "/app/"
    for path in ("/app/", *(f"/app/static/{name}" for name in FILES)):
        answer = await page.get(path)
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_the_first_view_stays_within_its_bytes(page):
    """Everything that the page asks for at first, headers counted; nothing is compressed."""
    html = (await page.get("/app/")).text
    asked = {
        "/app/",
        "/app/api/start",
        *(f"/app/{path}" for path in re.findall(r'(?:href|src)="(static/[^"]+)"', html)),
    }
    assert len(asked) > 10
    total = 0
    for path in asked:
        answer = await page.get(path)
        assert answer.status_code == 200
        total += len(answer.content) + len(str(answer.headers))
    assert total < FIRST_VIEW_BYTES


async def test_a_file_that_is_known_is_not_sent_again(page):
    first = await page.get("/app/static/app.js")
    again = await page.get("/app/static/app.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.js", "..%2fapp.py", "%2e%2e%2f%2e%2e%2fpyproject.toml", "__init__.py"])
async def test_no_other_file_is_served(page, name):
    assert (await page.get(f"/app/static/{name}")).status_code == 404


def test_every_module_is_loaded_ahead_so_that_none_waits_for_another():
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    loaded = set(re.findall(r'rel="modulepreload" href="static/([a-z]+\.js)"', html)) | {"app.js"}
    assert loaded == {path.name for path in STATIC.glob("*.js")}


def test_nothing_is_loaded_from_elsewhere():
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(src|href)=\"https?://|@import|url\(|from \"https?:", text), path.name


def test_no_text_of_a_run_enters_the_page_as_markup():
    for path in STATIC.glob("*.js"):
        script = path.read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|srcdoc|new Function|setHTML|DOMParser",
            script,
        ), path.name
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\son\w+=|<script(?! type=\"module\" src)|\sstyle=", html)


def test_every_field_has_a_label_and_every_id_is_one():
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    labelled = set(re.findall(r'<label for="([^"]+)"', html))
    for tag in re.findall(r"<(?:input|textarea|select)[^>]*>", html):
        kind = re.search(r'type="(checkbox|radio)"', tag)
        assert kind or re.search(r'id="([^"]+)"', tag).group(1) in labelled, tag
