"""`citewell memory` and `citewell chat` from the command line, with no key."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from citewell.cli import cli, main
from click.testing import CliRunner, Result


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=text, catch_exceptions=False, standalone_mode=False)


def rows(*arguments: str) -> list[dict[str, object]]:
    return json.loads(run("memory", *arguments, "--json").stdout)


def test_adding_listing_searching_and_forgetting(clean_environment: Path):
    run("memory", "add", "Ann's office is in Kelm.", "--user", "ann", "--category", "fact")
    assert (
        "superseded, in place of mem_0001" in run("memory", "add", "Ann's office is in Varga.", "--user", "ann").stdout
    )
    assert [row["memory_id"] for row in rows("list", "--user", "ann")] == ["mem_0001", "mem_0002"]
    assert [row["memory_id"] for row in rows("list", "--user", "ann", "--current")] == ["mem_0002"]
    [hit] = rows("search", "office", "--user", "ann")
    assert hit["text"] == "Ann's office is in Varga."
    assert {"score_fused", "score_dense", "score_sparse"} <= set(hit)
    assert rows("list", "--user", "an") == []
    assert run("memory", "forget", "mem_0001", "--user", "ann").stdout == "forgot 1\n"
    assert run("memory", "forget", "--all", "--yes", "--user", "ann").stdout == "forgot 1\n"
    assert (clean_environment / "memory" / "records.sqlite").exists()


def test_an_export_is_imported_for_another_user(tmp_path):
    run("memory", "add", "Pump D has 61 bar.", "--user", "ann")
    run("memory", "export", str(tmp_path / "out.jsonl"), "--user", "ann")
    assert (
        run("memory", "import", str(tmp_path / "out.jsonl"), "--user", "bob").stdout == "imported 1, known already 0\n"
    )
    lines = run("memory", "export", "--user", "bob").stdout
    assert run("memory", "import", "-", "--user", "bob", text=lines).stdout == "imported 0, known already 1\n"


@pytest.mark.parametrize(
    "arguments",
    [("forget", "mem_0009"), ("forget",), ("update", "mem_0001"), ("add", " "), ("import", "missing.jsonl")],
)
def test_bad_input_ends_with_two_and_one_line(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["memory", *arguments])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("citewell: ")
    assert told.count("\n") == 1


def test_a_damaged_memory_folder_is_named(clean_environment: Path, capsys):
    (clean_environment / "memory").mkdir(parents=True)
    (clean_environment / "memory" / "records.sqlite").write_bytes(b"nothing" * 999)
    with pytest.raises(SystemExit) as ended:
        cli.main(["memory", "list"])
    assert ended.value.code == 2
    assert "records.sqlite" in capsys.readouterr().err


def test_a_piped_conversation_remembers_in_the_next_one(clean_environment: Path):
    first = run(
        "chat", "--user", "ann", text="Remember: my site is Kelm.\n2+2*3\n/memory\n/nope\n/help\n/clear\n/quit\nx\n"
    )
    assert "Noted [mem_0001]: my site is Kelm.\n2+2*3 = 8\nmem_0001  [fact] my site is Kelm.\n" in first.stdout
    assert "/nope: no such command" in first.stderr
    assert run("chat", "Which site is mine?", "--user", "ann", "--quiet").stdout == "my site is Kelm. [mem_0001]\n"
    assert "Kelm" not in run("chat", "Which site is mine?", "--user", "bob", "--quiet").stdout
    with sqlite3.connect(clean_environment / "checkpoints.sqlite") as database:
        assert database.execute("SELECT count(DISTINCT thread_id) FROM checkpoints").fetchone()[0] == 3
    database.close()


def test_a_persona_of_ones_own_is_shown_and_a_wrong_one_refused(tmp_path, capsys):
    persona = tmp_path / "persona.json"
    persona.write_text(json.dumps({"name": "Bo", "role": "a terse clerk", "traits": ["brief"]}))
    assert run("chat", "--persona", str(persona), text="/persona\n").stdout.startswith("You are Bo, a terse clerk.")
    persona.write_text(json.dumps({"name": "Bo"}))
    with pytest.raises(SystemExit) as ended:
        cli.main(["chat", "hello", "--persona", str(persona)])
    assert ended.value.code == 2
    assert "is no persona (role" in capsys.readouterr().err


def test_a_model_that_cannot_be_reached_ends_with_four(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert CliRunner().invoke(cli, ["chat", "hello"], standalone_mode=False).return_value == 4


def test_a_conversation_is_listed_with_what_was_said_last_and_not_resumed_as_research(capsys, monkeypatch):
    said = CliRunner().invoke(cli, ["chat", "2+2*3", "--thread", "sums", "--quiet"])
    assert said.exit_code == 0, said.output
    (listed,) = json.loads(CliRunner().invoke(cli, ["threads", "--json"]).stdout)
    assert (listed["graph"], listed["status"], listed["question"], listed["turns"]) == ("chat", "answered", "2+2*3", 1)
    monkeypatch.setattr("sys.argv", ["citewell", "resume", "sums"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "citewell chat --thread sums" in capsys.readouterr().err


def test_a_question_about_files_is_researched_in_a_turn(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "opening.md").write_text("The greenhouse of Kelm opens on 11 October 2024.")
    said = run("chat", "When will the greenhouse open?", "--user", "ann", "--docs", str(tmp_path / "notes"))
    assert "11 October 2024. [1]" in said.stdout
