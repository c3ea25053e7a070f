"""`citewell verify`, `diff`, `doctor`, `threads` and `episodes`: checks and lists."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import citewell
import pytest
from citewell.cli import cli
from citewell.commands import doctor
from citewell.graph.threads import ThreadInfo
from citewell.state.episodes import EpisodeStore
from citewell.state.records import Episode
from click.testing import CliRunner
from report_builder import TEXTS, sample_report


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    return tmp_path


def run(*arguments, **options):
    return CliRunner().invoke(cli, list(arguments), **options)


def saved(name="report.json", **changes):
    Path(name).write_text(sample_report(**changes).model_dump_json())
    return name


@pytest.fixture
def answered(folder):
    """A report that a real run made over a folder."""
    (folder / "docs").mkdir()
    (folder / "docs" / "a.txt").write_text("The tidal barrier opens at noon. It closes at dusk.")
    (folder / "docs" / "b.csv").write_text("Year,Ships\n2023,13\n2024,15\n")
    result = run(
        *("research", "When does the tidal barrier open?", "--docs", "docs", "--engine", "embedded"),
        *("--out", "out", "--quiet"),
    )
    assert result.exit_code == 0, result.output
    return Path("out/report.json")


def test_a_fresh_report_holds_with_and_without_its_sources(answered):
    plain, against = run("verify", str(answered)), run("verify", str(answered), "--docs", "docs")
    assert (plain.exit_code, against.exit_code) == (0, 0), plain.output + against.output
    assert plain.stdout.startswith("all holds (")
    assert "--docs PATH" in plain.stderr
    assert "2 sources" in against.stdout


def test_an_edited_claim_is_judged_again_and_falls(answered):
    report = json.loads(answered.read_text())
    report["answer"]["executive_summary"][0]["text"] = "The tidal barrier closes at noon."
    answered.write_text(json.dumps(report))
    result = run("verify", str(answered))
    assert result.exit_code == 1
    assert "verdict: C-001: was supported" in result.stdout


def test_a_source_that_changed_is_drift(answered):
    Path("docs/a.txt").write_text("The tidal barrier opens at ten.")
    result = run("verify", str(answered), "--docs", "docs", "--json")
    assert result.exit_code == 1
    assert {found["kind"] for found in json.loads(result.stdout)["findings"]} == {"source", "evidence"}


def test_a_source_that_is_gone_is_drift(answered):
    Path("docs/a.txt").unlink()
    result = run("verify", str(answered), "--docs", "docs")
    assert result.exit_code == 1
    assert "a.txt: is not among the named files" in result.stdout


def test_a_file_given_alone_is_known_by_its_bytes(answered):
    Path("elsewhere").mkdir()
    for name in ("a.txt", "b.csv"):
        Path("docs", name).rename(Path("elsewhere", f"renamed-{name}"))
    assert run("verify", str(answered), "--docs", "elsewhere").exit_code == 0


def test_damage_is_found_without_a_judge():
    report = json.loads(sample_report().model_dump_json())
    report["answer"]["executive_summary"][0]["quotes"][0]["start"] = 0
    Path("report.json").write_text(json.dumps(report))
    result = run("verify", "report.json", "--no-judge")
    assert result.exit_code == 1
    assert "quote: C-001" in result.stdout


@pytest.mark.parametrize("text", ["", "{}", "[1]", "no json", '{"schema": "other/1"}'])
def test_a_file_that_is_no_report_is_one_line_and_exit_code_2(text):
    Path("x.json").write_text(text)
    result = run("verify", "x.json")
    assert result.exit_code == 2
    assert "is no citewell report" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_diff_is_0_for_equal_and_1_for_different_reports():
    same, other = saved(run_id="x"), saved("other.json", status="answered")
    assert run("diff", same, same).stdout == "no difference\n"
    different = run("diff", same, other)
    assert (different.exit_code, run("diff", same, same).exit_code) == (1, 0)
    assert different.stdout.splitlines() == ["status", "  - partial", "  + answered"]


def test_diff_says_once_what_kind_of_change_follows():
    shorter = sample_report().answer.model_copy(update={"sections": ()})
    lines = run("diff", saved(), saved("other.json", answer=shorter)).stdout.splitlines()
    assert lines.count("gone") == 1
    assert sum(line.startswith("  - C-") for line in lines[lines.index("gone") :]) == 2


def test_diff_as_json_names_each_kind():
    result = json.loads(run("diff", saved(), saved("other.json", answer=sample_report().answer.model_copy(
        update={"sections": ()})), "--json").stdout)  # fmt: skip
    assert [claim["claim_id"] for claim in result["gone"]] == ["C-004", "C-003"]
    assert result["different"] is True


def test_doctor_shows_no_key_and_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://ann:pass-secret-2@127.0.0.1:9/v1")
    monkeypatch.setenv("CITEWELL_POSTGRES_URL", "postgresql://u:pass-secret-3@127.0.0.1:9/x")
    monkeypatch.setenv("CITEWELL_CHROMA_URL", "http://127.0.0.1:9")
    result = run("doctor")
    assert result.exit_code == 1
    assert "secret" not in result.output
    assert "key set" in result.stdout
    assert "!!  chroma" in result.stdout
    assert "→ start `chroma run`" in result.stdout
    assert "→ set TAVILY_API_KEY or SEARXNG_URL" in result.stdout


def test_doctor_as_json_is_sound_with_nothing_configured():
    result = run("doctor", "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["ok"]) == (0, True)
    assert {check["state"] for check in found["checks"]} <= {"ok", "off"}
    assert next(check for check in found["checks"] if check["name"] == "embeddings")["state"] == "ok"


def test_doctor_names_a_bad_setting_and_goes_on(folder):
    (folder / "citewell.toml").write_text("[citewell]\nmax_repairs = 99\n")
    result = run("doctor")
    assert result.exit_code == 1
    assert "max_repairs" in result.stdout
    assert "ok  embeddings" in result.stdout


def test_doctor_finds_a_home_that_cannot_be_written(folder, monkeypatch):
    (folder / "file").write_text("")
    monkeypatch.setenv("CITEWELL_HOME", str(folder / "file" / "home"))
    assert "!!  home" in run("doctor").stdout


def test_doctor_asks_no_server_offline(monkeypatch):
    monkeypatch.setenv("CITEWELL_CHROMA_URL", "http://chroma.test:8000")
    monkeypatch.setenv("CITEWELL_OFFLINE", "1")
    assert "offline refuses it" in run("doctor").stdout


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://u:p@x.test:8443/v1?k=1", "x.test:8443"),
        ("x.test", "x.test"),
        (None, ""),
        ("http://x.test:port", "an address that cannot be read"),
    ],
)
def test_an_address_is_shown_without_user_password_and_path(url, host):
    assert doctor._host(url) == host


def test_threads_are_listed_and_as_json(monkeypatch):
    info = ThreadInfo(thread_id="t-1", question="why?", status="answered", updated_at="2025-01-02T03:04:05", turns=1)
    monkeypatch.setattr(citewell, "list_threads", lambda environment: [info], raising=False)
    assert run("threads").stdout == "t-1  answered  2025-01-02 03:04  why?\n"
    assert json.loads(run("threads", "--json").stdout) == [info.model_dump(mode="json")]


def test_no_threads_and_no_episodes_are_an_empty_list():
    for name in ("threads", "episodes"):
        told = run(name)
        assert (told.exit_code, told.stdout) == (0, "")
        assert json.loads(run(name, "--json").stdout) == []


def test_episodes_are_listed_by_user(folder):
    store = EpisodeStore(folder / "home" / "episodes.sqlite")
    made = datetime(2025, 1, 2, tzinfo=UTC)
    store.add(Episode(episode_id="e1", created_at=made, question="why?", queries=("a",), useful_sources=("x.txt",)))
    store.add(Episode(episode_id="e2", created_at=made, question="hers?", user="ann"))
    assert "why?" in run("episodes").stdout
    assert "hers?" not in run("episodes").stdout
    assert [x["episode_id"] for x in json.loads(run("episodes", "--user", "ann", "--json").stdout)] == ["e2"]


def test_the_sample_texts_are_what_the_sample_report_quotes():
    assert all(item.text == TEXTS[item.uri] for item in sample_report().evidence)
