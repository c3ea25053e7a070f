"""`citewell research --ask-sources`: a question without sources waits, is answered on the terminal or by `resume`."""

from __future__ import annotations

import re

import pytest
from citewell.cli import cli
from citewell.studio.examples.sample import DOCS, QUESTION
from click.testing import CliRunner

pytestmark = pytest.mark.slow


def run(*arguments: str, **options: str):
    return CliRunner().invoke(cli, [*arguments], **options)


def test_nobody_there_is_told_how_to_answer_and_resume_does():
    waiting = run("research", QUESTION, "--ask-sources", "--max-repairs", "1")
    assert waiting.exit_code == 2
    said = waiting.stderr.splitlines()[-1]
    assert "waits to be told where to look" in said
    thread = re.findall(r"citewell resume (\S+)$", said)[0]
    still = run("resume", thread, "--quiet")
    assert (still.exit_code, "where to look" in still.stderr) == (2, True)
    wrong = run("resume", thread, "--docs", "/no/such/folder", "--quiet")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    done = run("resume", thread, "--docs", DOCS[0], "--quiet")
    assert done.exit_code in (0, 3)
    assert "420 metres" in done.stdout


def test_a_person_at_a_terminal_is_asked_until_the_answer_can_be_used(monkeypatch):
    monkeypatch.setattr("citewell.commands.pauses._person_is_there", lambda: True)
    done = run("research", QUESTION, "--ask-sources", input=f"/no/such/folder\n{DOCS[0]}\n")
    assert done.exit_code in (0, 3)
    assert "Where is this to be looked up?" in done.stderr
    assert "/no/such/folder: no such file or folder" in done.stderr
    assert "420 metres" in done.stdout


def test_a_person_who_names_nothing_ends_the_run(monkeypatch):
    monkeypatch.setattr("citewell.commands.pauses._person_is_there", lambda: True)
    done = run("research", QUESTION, "--ask-sources", input="\n")
    assert done.exit_code == 3
    assert "no source was named" in done.stdout
