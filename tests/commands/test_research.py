"""`citewell research` and `resume` with the engine replaced: what is asked of it, and what is done with its report."""

from __future__ import annotations

import json
from pathlib import Path

import citewell
import pytest
from citewell.cli import cli
from citewell.errors import ProviderError
from citewell.graph.following import PlanPending
from citewell.graph.threads import ThreadStart
from citewell.settings import Environment
from click.testing import CliRunner
from report_builder import sample_report

EVENTS = [
    {"v": 1, "type": "thread", "thread_id": "t-7", "run_id": "r"},
    {"v": 1, "type": "progress", "stage": "read", "done": 2, "total": 2},
    {"v": 1, "type": "source", "uri": "bad.pdf", "status": "failed", "reason": "damaged"},
    {"v": 1, "type": "plan", "queries": ["a", "b"]},
    {"v": 1, "type": "query", "query": "a", "iteration": 1},
    {"v": 1, "type": "hits", "query": "a", "iteration": 1,
     "hits": [{"chunk_id": "x:0", "uri": "a.txt", "page": 3, "score": 1.0, "preview": "One\x1b[31m\ntwo"}]},
    {"v": 1, "type": "fact", "fact_id": "F-1", "statement": "x", "iteration": 1},
    {"v": 1, "type": "something new", "field": 1},
    {"v": 1, "type": "stop", "stop_reason": "no_gaps"},
]  # fmt: skip


class Engine:
    """Stands in for `citewell.research` and `citewell.resume`: sends events, remembers calls, gives a report."""

    def __init__(self, report=None, error=None):
        self.report, self.error, self.calls = report or sample_report(status="answered"), error, []

    def __call__(self, subject, *, on_event, **options):
        self.calls.append({"subject": subject, **options})
        for event in EVENTS:
            on_event(event)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return self.report


async def found(thread_id: str, environment: Environment) -> ThreadStart:
    """Stands in for the look at the checkpoints: every thread is one of research."""
    return ThreadStart(graph="research")


@pytest.fixture
def engine(monkeypatch, tmp_path):
    stand_in = Engine()
    monkeypatch.setattr(citewell, "research", stand_in, raising=False)
    monkeypatch.setattr(citewell, "resume", stand_in, raising=False)
    monkeypatch.setattr("citewell.graph.threads.afind_thread", found)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    return stand_in


def ask(*arguments, **options):
    return CliRunner().invoke(cli, ["research", "why?", "--docs", "docs", *arguments], **options)


def test_the_answer_is_on_stdout_and_progress_on_stderr(engine):
    result = ask()
    assert result.exit_code == 0
    assert result.stdout.startswith("# Fuel cost and fleet")
    assert result.stderr.splitlines() == [
        "thread t-7",
        "reading files: 2 of 2",
        "failed: bad.pdf: damaged",
        "plan: 2 queries",
        "round 1: searching",
        "first hits:",
        "  a.txt, page 3: One[31m two",
        "stopped: no gaps (1 facts)",
    ]


def test_quiet_says_nothing_beside_the_answer(engine):
    assert ask("--quiet", "--out", "out").stderr == ""


def test_every_source_and_setting_reaches_the_engine(engine):
    ask(
        *("--url", "https://a.test", "--url", "https://b.test", "--web", "--corpus", "kept", "--thread", "t-7"),
        *("--engine", "embedded", "--max-repairs", "0", "--allow-domains", "a.test", "--offline", "--fusion", "rrf"),
        *("--node-models", "planner=openai:x", "--max-cost-usd", "0.5"),
    )
    call = engine.calls[0]
    assert (call["docs"], call["urls"], call["web"]) == (("docs",), ("https://a.test", "https://b.test"), True)
    assert (call["corpus"], call["thread_id"]) == ("kept", "t-7")
    assert call["settings"].model_dump(include={"engine", "max_repairs", "allow_domains", "offline", "fusion"}) == {
        "engine": "embedded",
        "max_repairs": 0,
        "allow_domains": ("a.test",),
        "offline": True,
        "fusion": "rrf",
    }
    assert (call["settings"].node_models, call["settings"].max_cost_usd) == ({"planner": "openai:x"}, 0.5)


def test_a_flag_beats_the_environment_and_an_absent_one_does_not(engine):
    ask("--max-facts", "7", env={"CITEWELL_MAX_FACTS": "9", "CITEWELL_MAX_REPAIRS": "1"})
    settings = engine.calls[0]["settings"]
    assert (settings.max_facts, settings.max_repairs) == (7, 1)


@pytest.mark.parametrize("source", [("--url", "https://a.test"), ("--web",), ("--corpus", "kept"), ("--thread", "t-7")])
def test_each_kind_of_source_is_enough(engine, source):
    assert CliRunner().invoke(cli, ["research", "why?", *source]).exit_code == 0


def test_json_is_the_report_and_html_a_page(engine):
    assert json.loads(ask("--format", "json").stdout)["schema"] == "citewell.report/1"
    assert ask("--format", "html").stdout.startswith("<!doctype html>")


def test_out_writes_three_files_and_says_where(engine):
    result = ask("--out", "out")
    assert sorted(path.name for path in Path("out").iterdir()) == ["report.html", "report.json", "report.md"]
    assert "wrote out/report.md, out/report.json, out/report.html" in result.stderr
    assert Path("out/report.md").read_text() == result.stdout


def test_an_answer_is_printed_even_where_its_files_can_no_longer_be_written(engine, monkeypatch):
    def meanwhile(*arguments, **options):
        Path("out").write_text("a file")
        return engine(*arguments, **options)

    monkeypatch.setattr(citewell, "research", meanwhile, raising=False)
    result = ask("--out", "out/sub")
    assert result.exit_code == 2
    assert result.stdout.startswith("# Fuel cost")
    assert result.stderr.splitlines()[-1].startswith("citewell: ")


@pytest.mark.parametrize(("status", "code"), [("partial", 3), ("insufficient_evidence", 3), ("failed", 4)])
def test_the_status_is_the_exit_code(engine, status, code):
    engine.report = sample_report(status=status)
    assert ask().exit_code == code


def test_a_provider_failure_is_exit_code_4(engine):
    engine.error = ProviderError("openai", "no such model", setting="CITEWELL_MODEL")
    result = ask()
    assert result.exit_code == 4
    assert result.stderr.splitlines()[-1] == "citewell: openai: no such model (check CITEWELL_MODEL)"


def test_an_interrupt_names_the_command_that_resumes(engine):
    engine.error = KeyboardInterrupt()
    result = ask()
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == "citewell: interrupted; go on with: citewell resume t-7"


def test_an_interrupt_is_told_when_quiet_too(engine):
    engine.error = KeyboardInterrupt()
    assert ask("--quiet").stderr == "citewell: interrupted; go on with: citewell resume t-7\n"


def test_a_plan_that_waits_with_nobody_there_names_what_to_do(engine):
    engine.error = PlanPending("t-7", {"plan": {"goal": "g", "queries": ["a"]}})
    result = ask("--approve-plan")
    assert result.exit_code == 2
    assert "citewell resume t-7" in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        ("a\n", {"action": "approve"}),
        ("e\none; two\n", {"action": "edit", "queries": ["one", "two"]}),
        ("r\ntoo wide\n", {"action": "reject", "reason": "too wide"}),
    ],
)
def test_a_person_at_a_terminal_is_asked_about_the_plan(engine, monkeypatch, typed, decision):
    monkeypatch.setattr("citewell.commands.pauses._person_is_there", lambda: True)
    engine.error = PlanPending("t-7", {"plan": {"goal": "the goal", "queries": ["a", "b"]}})
    result = ask("--approve-plan", input=typed)
    assert result.exit_code == 0
    assert "Plan: the goal" in result.stderr
    assert (engine.calls[1]["subject"], engine.calls[1]["decision"]) == ("t-7", decision)


@pytest.mark.parametrize(
    ("flags", "decision"),
    [
        ((), None),
        (("--approve",), {"action": "approve"}),
        (("--query", "a", "--query", "b"), {"action": "edit", "queries": ["a", "b"]}),
        (("--reject", "no"), {"action": "reject", "reason": "no"}),
    ],
)
def test_resume_hands_over_the_decision(engine, flags, decision):
    result = CliRunner().invoke(cli, ["resume", "t-7", *flags])
    assert result.exit_code == 0
    assert (engine.calls[0]["subject"], engine.calls[0]["decision"]) == ("t-7", decision)
