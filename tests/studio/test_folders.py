"""The folder browser shows what lies in the roots and nothing else."""

from __future__ import annotations

import os

import httpx
import pytest
from citewell.studio.app import app


@pytest.fixture
async def page(tmp_path, monkeypatch):
    for name in ("open/2024", "closed", "home"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "open" / "notes.md").write_text("notes")
    (tmp_path / "open" / ".hidden").write_text("hidden")
    (tmp_path / "closed" / "secret.md").write_text("secret")
    (tmp_path / "open" / "door").symlink_to(tmp_path / "closed")
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CITEWELL_ROOTS", os.pathsep.join((str(tmp_path / "open"), str(tmp_path / "open" / "2024"))))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


async def test_the_roots_are_where_browsing_begins(page, tmp_path):
    assert (await page.get("/app/api/start")).json()["roots"] == [str(tmp_path / "open")]


async def test_a_folder_shows_folders_first_and_hides_what_leads_outside(page, tmp_path):
    found = (await page.get("/app/api/folder", params={"path": str(tmp_path / "open")})).json()
    assert [(entry["name"], entry["folder"]) for entry in found["entries"]] == [("2024", True), ("notes.md", False)]
    assert found["above"] == ""
    inner = (await page.get("/app/api/folder", params={"path": str(tmp_path / "open" / "2024")})).json()
    assert inner["above"] == str(tmp_path / "open")


@pytest.mark.parametrize("path", ["closed", "open/../closed", "open/door", "..", "home"])
async def test_a_folder_outside_is_refused(page, tmp_path, path):
    answer = await page.get("/app/api/folder", params={"path": str(tmp_path / path)})
    assert (answer.status_code, "outside the folders" in answer.json()["error"]) == (400, True)
    assert "secret.md" not in answer.text


async def test_what_is_no_folder_is_said(page, tmp_path):
    for path in ("open/notes.md", "open/nowhere"):
        answer = await page.get("/app/api/folder", params={"path": str(tmp_path / path)})
        assert (answer.status_code, "cannot be listed" in answer.json()["error"]) == (404, True)
    assert (await page.get("/app/api/folder")).json() == {"error": "path is missing"}
