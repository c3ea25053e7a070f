"""Whoever cannot write where a command is to write hears so before it begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from citewell.cli import cli
from click.testing import CliRunner, Result

FOLDERS = (
    ("research", "why?", "--docs", "docs", "--out"),
    ("resume", "t-1", "--out"),
    ("diligence", "docs", "why?", "--out"),
    ("batch", "questions.jsonl", "--docs", "docs", "--out"),
)
FILES = (
    ("kg", "export", "--out"),
    ("kg", "ask", "why?", "--out"),
    ("trace", "export", "--out"),
    ("memory", "export"),
    ("check-evidence", "--claims-json", "claims.json", "--dataset-root", "docs", "--output"),
    ("validate-output", "--outputs", "docs", "--output"),
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The harbour of Orrin has a quay.", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text('{"question": "why?"}\n', encoding="utf-8")
    (tmp_path / "claims.json").write_text("[]", encoding="utf-8")
    (tmp_path / "taken").write_text("a file", encoding="utf-8")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def refused(result: Result, *words: str) -> None:
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert all(word in line for word in words), line


@pytest.mark.parametrize("command", FOLDERS, ids=lambda command: command[0])
@pytest.mark.parametrize("target", ["taken", "taken/below", "/proc/nowhere"])
def test_a_folder_that_cannot_be_written_is_refused_first(command, target, clean_environment):
    refused(call(*command, target), target)
    assert list(clean_environment.iterdir()) == []


@pytest.mark.parametrize("command", FILES, ids="-".join)
@pytest.mark.parametrize("target", ["docs", "taken/page.html", "/proc/nowhere/page.html"])
def test_a_file_that_cannot_be_written_is_refused_first(command, target, clean_environment):
    refused(call(*command, target), target)
    assert list(clean_environment.iterdir()) == []


def test_folders_above_a_target_are_made():
    assert call("memory", "export", "new/and deeper/memories.jsonl").exit_code == 0
    assert Path("new/and deeper/memories.jsonl").is_file()
