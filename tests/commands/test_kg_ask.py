"""`citewell kg ask` and the drawing over the sample updates, as the README tells it."""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from citewell.cli import cli
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGED = "How have Halden Energy's research priorities changed since 2016?"


def run(*arguments):
    return CliRunner().invoke(cli, list(arguments))


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The graph of the sample updates."""
    path = tmp_path_factory.mktemp("built") / "kg.sqlite"
    assert run("kg", "build", str(ROOT / "studio" / "updates"), "--graph", str(path), "--quiet").exit_code == 0
    return path


@pytest.fixture(autouse=True)
def home(built, clean_environment: Path) -> Path:
    clean_environment.mkdir(parents=True, exist_ok=True)
    shutil.copy(built, clean_environment / "kg.sqlite")
    return clean_environment


def readme_command(start: str) -> list[str]:
    (line,) = [line for line in README.splitlines() if line.startswith(f"$ citewell {start}")]
    return shlex.split(line.removeprefix("$ citewell "), comments=True)


def test_the_readme_question_is_answered_with_quotes_dates_and_what_was_superseded():
    command = readme_command("kg ask")
    assert CHANGED in command
    result = run(*command)
    assert result.exit_code == 0, result.stderr
    text = result.stdout
    shown = README.split("$ citewell kg ask", 1)[1].split("```text\n", 1)[1].split("```", 1)[0]
    lines = [line for line in shown.splitlines() if line.strip() and line.strip() != "…"]
    assert len(lines) > 8
    assert [line for line in lines if line not in text.splitlines()] == []
    assert "2018-09-press-release.md" in text
    assert "→ trend_analysis" in result.stderr


def test_a_sentence_cites_the_quotes_that_say_it_and_a_change_is_told_in_its_own_year():
    report = json.loads(run("kg", "ask", CHANGED, "--json").stdout)
    quotes = {fact["fact_id"]: " ".join(fact["quote"].split()) for fact in report["facts"]}
    assert {claim["text"] for claim in report["claims"]} == set(quotes.values())
    assert all(quotes[each] == claim["text"] for claim in report["claims"] for each in claim["fact_ids"])
    assert ["shifted" in claim["text"] for claim in report["claims"] if claim["period"] == "2024"] == [True, False]


def test_as_json_every_call_stands_with_its_result():
    report = json.loads(run("kg", "ask", CHANGED, "--json", "--quiet").stdout)
    assert report["schema"] == "citewell.multistep/1"
    (call,) = report["calls"]
    assert call["tool"] == "trend_analysis"
    assert call["result"]["facts"]
    assert {claim["support"] for claim in report["claims"]} == {"supported"}


def test_a_page_is_written_beside_the_answer(tmp_path):
    out = tmp_path / "new" / "page.html"
    result = run("kg", "ask", "How did Halden Energy's revenue develop over the years?", "--out", str(out), "--quiet")
    assert result.exit_code == 0
    assert "| 2023 | 27.5 m |" in result.stdout
    assert '<svg class="chart"' in out.read_text(encoding="utf-8")


def test_what_is_not_known_ends_with_three():
    result = run("kg", "ask", "Who was CFO of Halden Energy in 2010?", "--quiet")
    assert result.exit_code == 3
    assert "nothing known of Halden Energy for HOLDS_ROLE in this window" in result.stdout


def test_another_role_than_the_one_asked_for_is_no_answer():
    result = run("kg", "ask", "Who is the CFO of Halden Energy?", "--quiet")
    assert result.exit_code == 3
    assert "Jonas Vik" not in result.stdout


def test_the_threads_list_it_and_resume_shows_it_again():
    asked = run("kg", "ask", CHANGED, "--thread", "steps", "--quiet")
    (listed,) = [one for one in json.loads(run("threads", "--json").stdout) if one["thread_id"] == "steps"]
    assert (listed["graph"], listed["status"], listed["question"]) == ("multistep", "answered", CHANGED)
    assert run("resume", "steps").stdout == asked.stdout


@pytest.mark.slow
def test_a_killed_question_is_taken_up_and_calls_no_tool_again():
    code = (
        "import os, signal, sys\nfrom citewell.state.journal import CallJournal\nwritten = CallJournal._write\n"
        "async def deadly(journal, key, made):\n    await written(journal, key, made)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "CallJournal._write = deadly\nfrom citewell.cli import main\n"
        f"sys.argv = ['citewell', 'kg', 'ask', {CHANGED!r}, '--thread', 'killed']\nmain()\n"
    )
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    resumed = run("resume", "killed")
    assert resumed.exit_code == 0
    assert resumed.stdout == run("kg", "ask", CHANGED, "--quiet").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["kg", "ask", " "], "the question is empty"),
        (["kg", "ask", "Who?", "--graph", "missing.sqlite"], "no graph yet"),
        (["kg", "export", "--format", "html", "--entity", "Zenith"], "the graph knows no 'Zenith'"),
        (["kg", "export", "--entity", "Halden Energy"], "--entity goes with --format html"),
    ],
)
def test_bad_input_ends_with_two_and_one_line(arguments, told, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["citewell", *arguments])
    from citewell.cli import main

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


def test_the_drawing_is_one_page_about_one_entity(tmp_path):
    out = tmp_path / "halden.html"
    assert run("kg", "export", "--format", "html", "--entity", "halden energy", "--out", str(out)).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "<title>Halden Energy</title>" in page
    assert "grid batteries" in page
    assert run("kg", "export", "--format", "html").stdout == page
