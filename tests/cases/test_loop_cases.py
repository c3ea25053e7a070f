"""No answer, disagreeing sources, odd queries and limits: a run ends as data, never in a traceback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import citewell
import pytest
from citewell.cli import cli
from citewell.errors import UsageError
from citewell.state.records import Report
from click.testing import CliRunner, Result

CASES = Path(__file__).parents[1] / "data" / "cases"
ZORBLATT = "What was Zorblatt GmbH's turnover in 2031?"


def ask(question: str, *names: str, **options: Any) -> Report:
    return citewell.research(question, docs=[CASES / name for name in names], engine="embedded", **options)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["research", *arguments, "--engine", "embedded", "--quiet"])


def said(report: Report) -> str:
    return " ".join(claim.text for claim in report.answer.claims)


def test_b05_empty_files_are_skipped_and_no_source_is_bad_usage():
    result = run(
        "anything?", "--docs", str(CASES / "B04" / "empty.txt"), "--docs", str(CASES / "B04" / "blank.md"),
        "--format", "json",
    )  # fmt: skip
    report = Report.model_validate_json(result.stdout)
    assert (result.exit_code, report.status, report.answer.citations) == (3, "insufficient_evidence", ())
    assert {source.status for source in report.sources} == {"skipped"}
    bare = run("anything?")
    assert bare.exit_code == 2
    assert len(bare.stderr.strip().splitlines()) == 1


def test_b15_a_term_in_half_of_a_tiny_corpus_still_counts():
    for names in (("B15",), ("B15/a.txt",)):
        report = ask("When does the tidal barrier open?", *names)
        assert "noon" in report.answer.executive_summary[0].text
        best = report.evidence[0]
        assert best.uri == "a.txt"
        assert best.score_sparse is not None
        assert best.score_sparse > 0


def test_b23_both_figures_are_shown_with_dates_and_the_correction_is_preferred():
    report = ask("How much water does Varga dam hold?", "B23")
    assert "41 million" in said(report)
    assert "37 million" in said(report)
    assert "39" not in said(report)
    (conflict,) = report.answer.conflicts
    assert [value.dated for value in conflict.values] == ["2021-03-12", "2024-05-09"]
    assert conflict.preferred.startswith("37")
    assert "correct" in conflict.reason
    assert set(report.answer.sources) == {"2021-press.txt", "2024-survey.txt"}


def test_b24_nothing_to_find_is_said_and_no_query_is_asked_twice():
    report = ask(ZORBLATT, "B15")
    assert (report.status, report.answer.claims, report.answer.citations) == ("insufficient_evidence", (), ())
    queries = [query.casefold() for step in report.steps for query in step.queries]
    assert len(queries) == len(set(queries))
    assert report.ledger.iterations < 4


def test_b25_many_parts_and_many_rounds_end_with_a_reason():
    parts = " and ".join(f"what is the charge for berth {number}" for number in range(1, 13))
    report = ask(f"When does the tidal barrier open, {parts}?", "B15", max_iterations=50)
    assert report.status in {"answered", "partial"}
    assert report.stop_reason in {"no_gaps", "diminishing_returns", "max_iterations", "max_facts"}
    assert "noon" in said(report)


@pytest.mark.parametrize("limit", [3, 0, True, 100_000_000])
def test_b25_a_bad_limit_is_refused(limit):
    with pytest.raises(UsageError, match="recursion_limit"):
        ask("When does the tidal barrier open?", "B15", recursion_limit=limit)
    assert run("When?", "--docs", str(CASES / "B15"), "--recursion-limit", str(limit)).exit_code == 2


@pytest.mark.parametrize("question", ["???", "the of and", "What's the users' ' policy?", "`rm -rf`"])
def test_b29_a_query_without_words_finds_nothing_and_breaks_nothing(question):
    report = ask(question, "B15")
    assert (report.status, report.answer.claims) == ("insufficient_evidence", ())


def test_b29_a_very_long_question_is_asked_whole():
    report = ask((CASES / "B29.txt").read_text(), "B15")
    assert report.status == "insufficient_evidence"


def test_b18_more_hits_than_passages_give_what_there_is(tmp_path):
    (tmp_path / "one.txt").write_text("The tidal barrier opens at noon.")
    report = citewell.research(
        "When does the barrier open?", docs=[tmp_path / "one.txt"], engine="embedded", per_query_k=50
    )
    assert len(report.evidence) == 1


def test_b41_a_thread_cites_only_the_source_of_its_question():
    fee, debt = ("What is the yearly fee?", "B03.txt"), ("What was net debt at year end?", "B08.pdf")
    for thread, turns in (("t1", (fee, debt)), ("t2", (debt, fee))):
        for question, source in turns:
            report = ask(question, source, thread_id=thread)
            assert report.answer.sources == (source,)
            assert {passage.uri for passage in report.evidence} == {source}
            assert report.ledger.iterations == len(report.steps) <= 2
    threads = {info.thread_id: info.turns for info in citewell.list_threads()}
    assert threads == {"t1": 2, "t2": 2}


def test_b42_every_title_makes_one_new_file_inside_the_folder(tmp_path):
    from citewell.reports.files import write_report

    report = ask("When does the tidal barrier open?", "B15/a.txt")
    out = tmp_path / "out"
    written = []
    for title in (CASES / "B42-titles.txt").read_text().splitlines():
        written += write_report(report.model_copy(update={"run_id": f"r{len(written)}"}), out, stem=title)
    assert len(written) == len(set(written))
    for path in written:
        assert path.resolve().parent == out.resolve()
        assert len(path.name.encode()) <= 255
        assert not path.name.startswith(".")
        assert path.stem.strip()
        assert path.is_file()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out"]


def test_the_same_question_gives_the_same_bytes(monkeypatch, tmp_path):
    reports = []
    for home in ("one", "two"):
        monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / home))
        reports.append(ask("How much water does Varga dam hold?", "B23", fixed_time="2026-01-05T12:00:00Z"))
    assert reports[0].model_dump_json() == reports[1].model_dump_json()
