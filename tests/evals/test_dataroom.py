"""The gate reads required, prohibited, expected and open as a reviewer means them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from citewell.errors import UsageError
from citewell.evals.dataroom import Case, ExpectedConflict, Observation, as_table, judge_report, read_cases, says
from citewell.state.records import Answer, Claim, Conflict, ConflictValue, Evidence, OpenQuestion, Report, chunk_id_of


def report(text: str, uri: str = "a.csv", **answer) -> Report:
    key = chunk_id_of(uri, 0)
    claim = Claim(claim_id="C-001", text=text, citations=(key,), support="supported", score=1.0)
    return Report(
        run_id="r",
        created_at=datetime(2025, 1, 1, tzinfo=UTC),
        question="q",
        status="answered",
        stop_reason="no_gaps",
        engine="embedded",
        answer=Answer(executive_summary=(claim,), **answer),
        evidence=(Evidence(chunk_id=key, uri=uri, text=text, start=0, end=len(text)),),
    )


def seen(text: str, *, sources: tuple[str, ...] = ()) -> Observation:
    return Observation(what=text, any_of=(text,), sources=sources)


@pytest.mark.parametrize(
    ("text", "wording", "holds"),
    [
        ("ARR was $17.64 million.", "17640000", True),
        ("arr_usd: 17640000", "17640000", True),
        ("ARR was 17,650,000.", "17640000", False),
        ("No Type II  report has been issued", "no type ii report has been issued", True),
    ],
)
def test_a_number_is_met_by_value_and_words_by_words(text, wording, holds):
    assert says(text, [wording]) is holds


def test_required_needs_the_right_file_and_prohibited_looks_at_claims_only():
    case = Case(id="a", question="q", required=(seen("17", sources=("a.csv",)),), prohibited=(seen("18"),))
    values = tuple(
        ConflictValue(value=value, chunk_id="c", uri=uri) for value, uri in (("17", "a.csv"), ("18", "b.md"))
    )
    conflict = Conflict(subject="x", attribute="y", values=values, preferred="17")
    assert judge_report(case, report("x is 17", conflicts=(conflict,))).passed
    assert judge_report(case, report("x is 17", uri="b.md")).failures == ("required: 17",)
    assert judge_report(case, report("x is 17, not 18")).failures == ("prohibited: 18",)


def test_an_expected_conflict_needs_all_values_and_the_preferred_one():
    case = Case(id="a", question="q", conflicts=(ExpectedConflict(values=("17", "18"), preferred="17"),))
    values = tuple(ConflictValue(value=value, chunk_id="c", uri="a") for value in ("17", "18"))
    right = Conflict(subject="x", attribute="y", values=values, preferred="17")
    wrong = right.model_copy(update={"preferred": "18"})
    assert judge_report(case, report("x", conflicts=(right,))).passed
    assert not judge_report(case, report("x", conflicts=(wrong,))).passed
    assert not judge_report(case, report("x")).passed


def test_an_open_question_must_be_listed():
    case = Case(id="a", question="q", open=True)
    assert judge_report(case, report("x", open_questions=(OpenQuestion(question="q"),))).passed
    assert "open:" in as_table([judge_report(case, report("x"))])


def test_a_damaged_file_of_questions_is_one_line(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"questions": [{"id": "a"}]}), encoding="utf-8")
    with pytest.raises(UsageError, match=r"q\.json"):
        read_cases(path)
    assert len(read_cases()) >= 8
