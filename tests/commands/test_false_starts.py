"""A question that cannot be begun ends in one line, and leaves neither a thread nor files behind."""

from __future__ import annotations

import json
from pathlib import Path

import citewell
import pytest
from citewell.cli import cli
from citewell.errors import UsageError
from click.testing import CliRunner, Result

NO_FILE = "the folder holds no file that can be read: hidden files and empty folders do not count"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("empty", "hidden", "unreadable", "good"):
        (tmp_path / name).mkdir()
    (tmp_path / "empty" / "inner").mkdir()
    (tmp_path / "hidden" / ".git").mkdir()
    for name in ("a.bin", "b.bin"):
        (tmp_path / "unreadable" / name).write_bytes(b"\0\1\2" + name.encode())
    (tmp_path / "good" / "a.txt").write_text("The quay of Orrin is 420 metres long.", encoding="utf-8")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def told(result: Result) -> str:
    """The one line of a command that was refused."""
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.splitlines()[-1]


def threads() -> list[str]:
    return [info["thread_id"] for info in json.loads(call("threads", "--json").stdout)]


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        ("empty", f"citewell: empty: {NO_FILE}"),
        ("hidden", f"citewell: hidden: {NO_FILE}"),
        ("unreadable", "citewell: no file could be read: a.bin (binary: not text); b.bin (binary: not text)"),
    ],
)
def test_sources_without_a_readable_file_are_named_in_one_line(folder, why):
    assert told(call("research", "How long is the quay?", "--docs", folder)) == why
    assert threads() == []


def test_a_program_gets_the_report_of_unreadable_files_as_data():
    result = call("research", "How long is the quay?", "--docs", "unreadable", "--format", "json", "--out", "out")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["status"] == "failed"
    assert sorted(path.name for path in Path("out").iterdir()) == ["report.html", "report.json", "report.md"]


def test_many_unreadable_files_are_counted():
    for number in range(20):
        Path(f"unreadable/{number:02}.bin").write_bytes(bytes([0, 1, number]))
    assert told(call("research", "why?", "--docs", "unreadable")).endswith("04.bin (binary: not text); and 17 more")


def test_the_python_interface_refuses_an_empty_folder_too():
    with pytest.raises(UsageError, match="holds no file"):
        citewell.research("How long is the quay?", docs=["empty"])


@pytest.mark.parametrize("folder", ["empty", "unreadable"])
def test_a_dataroom_without_a_readable_file_leaves_nothing(folder):
    line = told(call("diligence", folder, "How long is the quay?", "--out", "out"))
    assert line.startswith(f"citewell: {folder}: ")
    assert not Path("out").exists()
    assert threads() == []


@pytest.mark.parametrize(("flags", "why"), [((), "set TAVILY_API_KEY or SEARXNG_URL"), (("--offline",), "offline")])
def test_the_web_alone_needs_somebody_who_searches_it(flags, why):
    assert why in told(call("research", "How long is the quay?", "--web", *flags))
    assert threads() == []


def test_a_web_that_nobody_searches_is_told_once_beside_other_sources():
    result = call("research", "How long is the quay of Orrin?", "--docs", "good", "--web")
    assert result.exit_code == 0
    assert "420 metres" in result.stdout
    assert result.stderr.count("no web search is configured: set TAVILY_API_KEY or SEARXNG_URL") == 1


@pytest.mark.parametrize("folder", ["nowhere", "good"])
def test_a_corpus_that_is_none_is_told_with_the_command_that_makes_it(folder):
    line = told(call("research", "How long is the quay?", "--corpus", folder))
    assert line == f"citewell: {folder}: no such corpus; make it with `citewell index PATH --corpus {folder}`"
    assert threads() == []


def test_an_unknown_thread_needs_sources():
    assert "no thread 'nobody'" in told(call("research", "And then?", "--thread", "nobody"))
    assert threads() == []


def test_a_thread_that_was_answered_stays_when_a_later_question_fails():
    assert call("research", "How long is the quay?", "--docs", "good", "--thread", "t").exit_code == 0
    call("research", "How long is the quay?", "--docs", "unreadable", "--thread", "t")
    assert threads() == ["t"]
    assert call("research", "How long is the quay?", "--docs", "good", "--thread", "t").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("research", "How long is the quay?", "--docs", ""),
        ("batch", "questions.jsonl", "--docs", ""),
        ("chat", "--docs", ""),
        ("mcp", "--docs", ""),
        ("index", "", "--corpus", "kept"),
        ("kg", "build", ""),
    ],
    ids=" ".join,
)
def test_an_empty_path_is_not_the_working_directory(tmp_path, words):
    (tmp_path / "questions.jsonl").write_text('"How long is the quay?"\n', encoding="utf-8")
    result = call(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "citewell: a path is empty: name a file or folder; `.` is this one\n"


def test_an_empty_path_fails_a_run_of_the_graph_and_a_call_of_the_library(tmp_path):
    graph = citewell.build_research_graph().compile()
    report = graph.invoke({"question": "How long is the quay?", "docs": [""]})["report"]
    assert (report.status, report.failed_with) == ("failed", 2)
    assert report.answer.risks_and_limits == ("a path is empty: name a file or folder; `.` is this one",)
    with pytest.raises(UsageError, match="a path is empty"):
        citewell.research("How long is the quay?", docs="")


@pytest.mark.parametrize("form", ["md", "json"])
def test_why_a_run_failed_over_its_input_stands_on_stderr_too(form):
    words = ("research", "How long is the quay?", "--docs", "good", "--embeddings", "foo", "--quiet", "--format", form)
    result = call(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("citewell: embeddings = 'foo': use `minilm`")
    assert result.stderr.count("\n") == 1


def test_a_question_that_is_a_number_is_asked_as_it_reads():
    graph = citewell.build_research_graph().compile()
    assert graph.invoke({"question": 1984, "docs": ["good"]})["report"].question == "1984"
