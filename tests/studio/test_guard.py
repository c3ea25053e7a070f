"""Who may use the server: holders of the token, and no page of another site."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from citewell.studio.app import app
from citewell.studio.web.guard import STUDIO

TOKEN = "s3cret"


@pytest.fixture
async def page():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:2024") as client:
        yield client


@pytest.fixture
def guarded(monkeypatch):
    monkeypatch.setenv("CITEWELL_TOKEN", TOKEN)


async def test_without_a_token_everybody_on_this_machine_comes_in(page):
    assert (await page.get("/app/")).status_code == 200


async def test_a_token_is_asked_of_every_request_where_it_is_set(page, guarded):
    for path in ("/app/api/start", "/app/static/app.js", "/app/report/md?id=x", "/threads/search"):
        answer = await page.get(path)
        assert answer.status_code == 401
        assert "token" in answer.json()["error"]
    asked = await page.get("/app/")
    assert (asked.status_code, 'name="token"' in asked.text) == (401, True)
    assert (await page.get("/app/static/app.css")).status_code == 200
    for headers in ({"authorization": "Bearer wrong"}, {"x-api-key": ""}, {"cookie": f"citewell_token={TOKEN}"}):
        assert (await page.get("/app/", headers=headers)).status_code == 401
    for headers in ({"authorization": f"Bearer {TOKEN}"}, {"x-api-key": TOKEN}):
        assert (await page.get("/app/", headers=headers)).status_code == 200


@pytest.mark.parametrize("way", ["form", "address"])
async def test_the_token_is_traded_for_a_cookie_that_does_not_hold_it(page, guarded, way):
    if way == "form":
        wrong = await page.post("/app/sign-in", data={"token": "wrong"})
        entered = await page.post("/app/sign-in", data={"token": TOKEN})
    else:
        wrong = await page.get("/app/?token=wrong")
        entered = await page.get(f"/app/?token={TOKEN}")
    assert (wrong.status_code, "That is not the token" in wrong.text) == (401, True)
    assert (entered.status_code, entered.headers["location"]) == (303, "/app/")
    cookie = entered.headers["set-cookie"]
    assert {"httponly", "samesite=strict"} <= set(cookie.lower().split("; "))
    assert TOKEN not in cookie
    assert (await page.get("/app/api/start")).status_code == 200


async def test_a_form_of_any_size_is_not_read_to_its_end(page, guarded):
    assert (await page.post("/app/sign-in", content=b"token=" + b"x" * 1_000_000)).status_code == 401


@pytest.mark.parametrize("origin", ["https://evil.test", "http://127.0.0.1:9999", "null"])
async def test_the_page_of_another_site_is_refused(page, origin):
    answer = await page.put("/app/api/upload?name=a.txt", content=b"text", headers={"origin": origin})
    assert (answer.status_code, origin in answer.json()["error"]) == (403, True)


async def test_our_own_page_and_studio_are_let_through(page):
    for origin in ("http://127.0.0.1:2024", STUDIO):
        assert (await page.get("/app/", headers={"origin": origin})).status_code == 200
    configured = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text(encoding="utf-8"))
    assert configured["http"]["cors"]["allow_origins"] == [STUDIO]


async def test_a_preflight_of_studio_needs_no_token(page, guarded):
    headers = {"origin": STUDIO, "access-control-request-method": "POST"}
    assert (await page.options("/app/", headers=headers)).status_code != 401


@pytest.mark.parametrize("host", ["evil.test", "evil.test:2024", "127.0.0.1.evil.test", "[::1", ""])
async def test_a_foreign_name_pointed_at_this_machine_is_refused(page, host):
    assert (await page.get("/app/", headers={"host": host})).status_code == 403


@pytest.mark.parametrize("host", ["localhost:2024", "127.0.0.1", "[::1]:2024"])
async def test_the_names_of_this_machine_are_taken(page, host):
    assert (await page.get("/app/", headers={"host": host})).status_code == 200


async def test_behind_a_token_any_name_will_do(page, guarded):
    answer = await page.get("/app/", headers={"host": "citewell.example", "x-api-key": TOKEN})
    assert answer.status_code == 200
