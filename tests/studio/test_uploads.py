"""Uploads: confined to their set, named safely, bounded in size, refused with a sentence that says why."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest
from citewell.studio.app import app
from citewell.studio.web import uploads as module


@pytest.fixture
async def page(tmp_path, monkeypatch):
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


async def put(page, name: str, data: bytes = b"The quay is 420 metres long.", set_id: str = "") -> httpx.Response:
    return await page.put("/app/api/upload", params={"name": name, "set": set_id}, content=data)


async def test_a_file_is_kept_in_a_set_and_can_be_removed(page, tmp_path):
    first = (await put(page, "harbour.txt")).json()
    second = (await put(page, "ferry.md", set_id=first["set"])).json()
    assert [file["name"] for file in second["files"]] == ["ferry.md", "harbour.txt"]
    assert Path(second["path"]).is_relative_to(tmp_path / "home" / "uploads")
    assert (Path(second["path"]) / "harbour.txt").read_text() == "The quay is 420 metres long."
    left = await page.delete("/app/api/upload", params={"set": first["set"], "name": "harbour.txt"})
    assert [file["name"] for file in left.json()["files"]] == ["ferry.md"]


async def test_a_name_that_is_taken_gets_a_number(page):
    first = (await put(page, "a.txt", b"one")).json()
    again = (await put(page, "a.txt", b"two", first["set"])).json()
    assert [file["name"] for file in again["files"]] == ["a-2.txt", "a.txt"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("..\\..\\boot.csv", "boot.csv"),
        ("/abs/olute.md", "olute.md"),
        (".hidden.txt", "hidden.txt"),
        ("..", "upload"),
        ("con.txt", "upload-con.txt"),
        ("a\u202egpj.txt", "a gpj.txt"),
        ("<img src=x onerror=alert(1)>.txt", "img src=x onerror=alert(1).txt"),
        ("li\nne.txt", "li ne.txt"),
        ("Été 2024.txt", "Été 2024.txt"),
        ("x" * 400 + ".txt", "x" * 243 + ".txt"),
    ],
)
async def test_a_name_is_made_safe(page, given, kept):
    found = (await put(page, given)).json()
    assert [file["name"] for file in found["files"]] == [kept]
    assert os.listdir(found["path"]) == [kept]


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("empty.txt", b"", "empty.txt: the file is empty"),
        (
            "photo.txt",
            b"\x89PNG\r\n\x1a\n" + b"\0" * 64,
            "photo.txt: cannot be read as a document (binary: a PNG picture)",
        ),
        ("tool.pdf", b"\x7fELF" + b"\0" * 64, "tool.pdf: cannot be read as a document (binary: a program)"),
    ],
)
async def test_what_is_no_document_is_refused_and_leaves_nothing(page, tmp_path, name, data, why):
    answer = await put(page, name, data)
    assert (answer.status_code, answer.json()["error"]) == (400, why)
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file()]


async def test_sizes_and_numbers_are_bounded(page, monkeypatch):
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 1_000_000)
    monkeypatch.setattr("citewell.studio.web.api.MAX_FILE_BYTES", 1_000_000)
    large = await put(page, "large.txt", b"x" * 1_000_001)
    assert (large.status_code, "larger than 1 MB" in large.json()["error"]) == (413, True)
    monkeypatch.setattr(module, "MAX_SET_FILES", 1)
    kept = (await put(page, "a.txt")).json()
    more = await put(page, "b.txt", set_id=kept["set"])
    assert (more.status_code, "at most 1 files" in more.json()["error"]) == (413, True)
    monkeypatch.setattr(module, "MAX_SET_FILES", 9)
    monkeypatch.setattr(module, "MAX_SET_BYTES", 40)
    assert (await put(page, "b.txt", set_id=kept["set"])).status_code == 413
    monkeypatch.setattr(module, "MAX_HOME_BYTES", 40)
    assert (await put(page, "b.txt")).status_code == 507


@pytest.mark.parametrize("set_id", ["..", "../../x", "a" * 32 + "/..", "A" * 32, "short"])
async def test_no_other_folder_passes_for_a_set(page, tmp_path, set_id):
    assert (await put(page, "a.txt", set_id=set_id)).status_code == 404
    assert (await page.delete("/app/api/upload", params={"set": set_id, "name": "a.txt"})).status_code == 404
    assert not (tmp_path / "home").exists()


async def test_only_a_file_of_the_set_is_removed(page, tmp_path):
    kept = (await put(page, "a.txt")).json()
    (tmp_path / "home" / "secret.txt").write_text("secret")
    for name in ("../../secret.txt", "..", ".", "b.txt"):
        answer = await page.delete("/app/api/upload", params={"set": kept["set"], "name": name})
        assert answer.status_code == 404
    assert (tmp_path / "home" / "secret.txt").exists()
