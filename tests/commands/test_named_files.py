"""An error about a file names it once, says why, and is one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from citewell.cli import cli
from click.testing import CliRunner

NAME = "that-file"
COMMANDS = (
    ("check-evidence", "--claims-json", NAME, "--dataset-root", "docs"),
    ("validate-output", "--outputs", NAME),
    ("validate-output", "--outputs", "docs", "--dataset-root", NAME),
    ("verify", NAME),
    ("diff", NAME, NAME + "-2"),
    ("batch", NAME, "--docs", "docs"),
    ("batch", "questions.jsonl", "--docs", NAME),
    ("research", "why?", "--docs", NAME),
    ("diligence", NAME, "why?", "--out", "out"),
    ("diligence", "docs", "why?", "--out", "out", "--harness", NAME),
    ("harness", "validate", NAME),
    ("harness", "diff", NAME, NAME + "-2"),
    ("eval", "run", "--questions", NAME),
    ("eval", "run", "--harness", NAME),
    ("kg", "show", "Orrin", "--graph", NAME),
    ("kg", "build", NAME),
    ("memory", "import", NAME),
    ("index", NAME, "--corpus", "kept"),
    ("doctor", "--corpus", NAME),
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The quay of Orrin is 420 metres long.", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text('{"question": "why?"}\n', encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_missing_file_is_named_once(command):
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.count(NAME) == 1, line
    assert "Errno" not in line


READ_AS_THEY_ARE = {"research", "index", "kg", "doctor"}


@pytest.mark.parametrize(
    "command",
    [each for each in COMMANDS if each[0] not in READ_AS_THEY_ARE and each[1] != "questions.jsonl"],
    ids=" ".join,
)
def test_a_file_of_another_kind_is_named_once(command):
    Path(NAME).write_bytes(b"\xff\xfe\x00 not what it should be")
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 2
    lines = [line for line in result.stderr.splitlines() if NAME in line]
    assert lines
    assert all(line.count(NAME) == 1 and "Errno" not in line for line in lines), lines
