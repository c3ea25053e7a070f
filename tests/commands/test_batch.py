"""The lines of a batch: for people and for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from citewell.cli import cli
from click.testing import CliRunner


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The quay of Orrin is 420 metres long.", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text('"How long is the quay of Orrin?"\n', encoding="utf-8")


def test_the_summary_of_a_line_shows_numbers_and_its_citations_hold_the_ids():
    result = CliRunner().invoke(cli, ["batch", "questions.jsonl", "--docs", "docs", "--out", "out"])
    assert result.exit_code == 0
    (line,) = map(json.loads, Path("out/results.jsonl").read_text(encoding="utf-8").splitlines())
    assert line["summary"] == "The quay of Orrin is 420 metres long. [1]"
    assert line["summary"] in Path("out/reports/line-1.md").read_text(encoding="utf-8")
    (cited,) = re.findall(r"\(cite: (\S+)\)", line["summary_text"])
    assert cited == line["citations"][0]
    assert "(cite:" not in result.output
