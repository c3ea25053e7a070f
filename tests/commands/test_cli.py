"""The command line as one whole: help, ways to end, and that nothing leaves as a traceback."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys

import citewell
import click
import pytest
from citewell.cli import COMMANDS, cli
from citewell.commands.exit_codes import Interrupted, code_and_message, exit_code_of
from citewell.errors import FetchFailed, ProviderError, UsageError
from click.testing import CliRunner
from report_builder import sample_report, source


def run(*arguments, **options):
    return CliRunner().invoke(cli, list(arguments), **options)


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "citewell.cli", *arguments], capture_output=True, text=True, timeout=60, **options
    )


def test_help_names_every_command_and_loads_none():
    code = """
import sys
sys.argv = ["citewell", "--help"]
from citewell.cli import main
try:
    main()
finally:
    print(sorted(sys.modules))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0
    assert all(f"\n  {name} " in result.stdout for name in COMMANDS)
    loaded = result.stdout.splitlines()[-1]
    assert not [name for name in ("pydantic", "numpy", "langgraph", "chromadb", "rich") if f"'{name}'" in loaded]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_of_the_table_loads_and_has_help(name):
    result = run(name, "--help")
    assert result.exit_code == 0, result.output
    assert "Usage: " in result.output


def test_the_version_is_printed():
    result = run("--version")
    assert (result.exit_code, result.stdout.split()[0]) == (0, "citewell")


def test_no_command_shows_help_and_counts_as_bad_usage():
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("research",),
        ("research", ""),
        ("research", "   ", "--docs", "."),
        ("research", "why?"),
        ("research", "why?", "--docs", "nowhere"),
        ("research", "why?", "--docs", ".", "--nonsense"),
        ("research", "why?", "--docs", ".", "--engine", "magic"),
        ("research", "why?", "--docs", ".", "--max-iterations", "0"),
        ("research", "why?", "--docs", ".", "--max-iterations", "many"),
        ("research", "why?", "--docs", ".", "--recursion-limit", "3"),
        ("research", "why?", "--docs", ".", "--recursion-limit", "true"),
        ("research", "why?", "--docs", ".", "--recursion-limit", "100000000"),
        ("research", "why?", "--docs", ".", "--node-models", "planner"),
        ("research", "why?", "--docs", ".", "--format", "pdf"),
        ("research", "why?", "--docs", ".", "--fixed-time", "noon"),
        ("resume", "t", "--approve", "--reject", "no"),
        ("index", "nowhere", "--corpus", "c"),
        ("index", "--corpus", "c"),
        ("search", "why", "--corpus", "nowhere"),
        ("search", "why", "--corpus", "."),
        ("search", "why", "--corpus", ".", "--k", "0"),
        ("verify", "nowhere.json"),
        ("diff", "nowhere.json", "nowhere.json"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stderr.startswith("citewell: ")


def test_a_bad_settings_file_is_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "citewell.toml").write_text("[citewell]\nmax_repairs = 99\n")
    result = run("research", "why?", "--docs", ".")
    assert result.exit_code == 2
    assert "max_repairs (citewell.toml)" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (UsageError("no source"), 2, "no source"),
        (FetchFailed("https://x.test", "timeout"), 2, "timeout"),
        (ProviderError("openai", "refused", setting="OPENAI_API_KEY"), 4, "check OPENAI_API_KEY"),
        (Interrupted("citewell", "resume", "t 1"), 130, "go on with: citewell resume 't 1'"),
        (click.Abort(), 130, "interrupted"),
        (OSError(errno.ENOSPC, "No space left on device", "a.db"), 2, "a.db: No space left on device; free some room"),
        (PermissionError(errno.EROFS, "Read-only file system", "h"), 2, "CITEWELL_HOME"),
        (sqlite3.OperationalError("database or disk is full"), 2, "disk is full"),
        (ExceptionGroup("several", [ProviderError("tavily", "down")]), 4, "tavily: down"),
        (KeyError("x"), 2, "unexpected KeyError: 'x' (CITEWELL_DEBUG=1"),
    ],
)
def test_each_error_has_its_code_and_its_words(error, code, told):
    found, message = code_and_message(error)
    assert found == code
    assert told in message


def test_a_status_has_its_exit_code():
    failed = {"status": "failed", "answer": sample_report().answer}
    unread = (source("a.pdf", status="failed", reason="damaged"),)
    assert exit_code_of(sample_report(status="answered")) == 0
    assert exit_code_of(sample_report(status="partial")) == 3
    assert exit_code_of(sample_report(status="insufficient_evidence")) == 3
    assert exit_code_of(sample_report(**failed)) == 4
    assert exit_code_of(sample_report(**failed, sources=unread)) == 2
    assert exit_code_of(sample_report(**failed, sources=(), hosts_contacted=())) == 2
    assert exit_code_of(sample_report(**failed, sources=unread, failed_with=4)) == 4


def test_an_unexpected_error_is_one_line_and_its_details_are_a_variable_away(monkeypatch, tmp_path):
    def broken(*_, **__):
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr(citewell, "research", broken, raising=False)
    plain = run("research", "why?", "--docs", str(tmp_path), env={"CITEWELL_DEBUG": ""})
    detailed = run("research", "why?", "--docs", str(tmp_path), env={"CITEWELL_DEBUG": "1"})
    assert (plain.exit_code, detailed.exit_code) == (2, 2)
    assert plain.stderr == "citewell: unexpected RuntimeError: first second (CITEWELL_DEBUG=1 shows the details)\n"
    assert "Traceback" in detailed.stderr


def test_a_question_in_bytes_that_are_no_text_does_not_crash(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        citewell, "research", lambda question, **_: asked.append(question) or sample_report(), raising=False
    )
    run("research", "caf\udce9?", "--docs", str(tmp_path), "--format", "json")
    assert asked == ["caf\ufffd?"]


@pytest.mark.slow
def test_a_terminal_without_unicode_does_not_crash_a_command(tmp_path):
    (tmp_path / "report.json").write_text(sample_report(question="東京?").model_dump_json())
    other = sample_report(question="大阪?")
    (tmp_path / "other.json").write_text(other.model_dump_json())
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = command("diff", "report.json", "other.json", cwd=tmp_path, env=environment)
    assert result.returncode == 1
    assert "question" in result.stdout
    assert result.stderr == ""


def test_an_interrupt_while_it_loads_is_no_traceback(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", "from citewell.cli import main; main()"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (130, "")
