"""A claim passes when the file it cites says so, not when the file merely exists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from citewell.commands.evidence_checks import check_evidence, validate_output
from citewell.errors import UsageError
from citewell.state.records import Verdict
from citewell.tools.evidence_checks import best_passages, check_evidence_coverage, diligence_tools, read_claims
from click.testing import CliRunner

ROOM = Path(__file__).parents[2] / "studio" / "dataroom"


def by_substring(claim: str, passages: list[str]) -> Verdict:
    """Stand in for the rules: a claim holds where a passage has it word for word."""
    holds = any(claim.rstrip(".") in passage for passage in passages)
    return Verdict(support="supported" if holds else "unsupported", score=float(holds))


def claim(text: str, *citations: str, kind: str = "fact") -> dict:
    return {"claim": text, "claim_type": kind, "citations": list(citations)}


def check(*claims: dict) -> dict:
    return check_evidence_coverage(claims, ROOM, judge=by_substring)


def test_a_file_that_exists_and_says_something_else_does_not_support_the_claim():
    said = claim("SOC 2 Type II audit complete", "sales/security_sheet.md")
    elsewhere = claim("SOC 2 Type II audit complete", "compliance/auditor_letter.pdf")
    result = check(said, elsewhere)
    assert [each["claim_index"] for each in result["supported_claims"]] == [0]
    assert [each["claim_index"] for each in result["unsupported_claims"]] == [1]
    assert not result["passed"]


def test_a_leading_data_is_accepted():
    assert check(claim("Total revenue", "data/finance/income_statement.csv"))["passed"]


@pytest.mark.parametrize("citation", ["finance/nothing.csv", "../README.md", "/etc/hostname"])
def test_a_citation_outside_the_room_is_missing(citation):
    result = check(claim("Total revenue", citation))
    assert [each["issue"] for each in result["missing_citations"]] == ["cited file does not exist in the dataroom"]
    assert not result["passed"]


def test_a_claim_without_citation_is_missing_one():
    result = check(claim("Revenue was high."))
    assert (result["missing_citations"][0]["issue"], result["passed"]) == ("claim has no citation", False)


def test_a_computed_claim_is_checked_by_its_formula():
    good = claim(
        "Overdue over 90 days in the ledger: 640,000 + 820,000 + 440,000 = 1,900,000.",
        "finance/receivables_aging.csv",
        kind="inference",
    )
    bad = claim(
        "Overdue over 90 days: 640,000 + 820,000 = 1,500,000.", "finance/receivables_aging.csv", kind="inference"
    )
    result = check(good, bad)
    assert [each["claim_index"] for each in result["supported_claims"]] == [0]
    assert "arithmetic" in result["unsupported_claims"][0]["reasons"][0]


def test_caveats_name_estimates_and_narratives():
    result = check(claim("NRR was about 112%", "customers/retention_note.md"))
    caveats = [each["caveat"] for each in result["recommended_caveats"]]
    assert any("not validated" in caveat for caveat in caveats)
    assert any("narratives alone" in caveat for caveat in caveats)


def test_an_open_question_passes_when_its_files_were_searched():
    entry = claim("Churn is stated nowhere.", "finance/arr_by_month.csv", kind="open_question")
    assert check(entry)["passed"]


def test_the_best_passages_of_a_long_file_are_those_with_the_rare_words():
    texts = [f"Crate {number} is in a bay." for number in range(300)] + ["The spare key hangs in locker 58."]
    assert best_passages("The spare key is in locker 58", texts)[0] == texts[-1]


def test_the_shape_of_the_claims_is_checked(tmp_path):
    with pytest.raises(UsageError, match="claim 0"):
        check({"claim": "", "citations": []})
    (tmp_path / "claims.json").write_text('{"claims": 3}', encoding="utf-8")
    with pytest.raises(UsageError, match="expected a list"):
        read_claims(tmp_path / "claims.json")


def test_the_commands_exit_with_1_and_print_json(tmp_path):
    claims = tmp_path / "claims.json"
    claims.write_text(json.dumps([claim("Nobody says this.", "finance/nothing.csv")]), encoding="utf-8")
    command = ["--claims-json", str(claims), "--dataset-root", str(ROOM), "--output", str(tmp_path / "coverage.json")]
    run = CliRunner().invoke(check_evidence, command, standalone_mode=False)
    assert (run.return_value, json.loads(run.output)["passed"]) == (1, False)
    assert json.loads((tmp_path / "coverage.json").read_text(encoding="utf-8")) == json.loads(run.output)
    run = CliRunner().invoke(validate_output, ["--outputs", str(tmp_path)], standalone_mode=False)
    assert run.return_value == 1
    assert {issue["issue"] for issue in json.loads(run.output)["issues"]} == {"required file is missing"}


def test_the_tools_have_schemas_and_keep_their_folders(tmp_path):
    coverage, contract = diligence_tools(ROOM, tmp_path)
    assert (coverage.name, contract.name) == ("check_evidence_coverage", "validate_output_contract")
    assert list(coverage.args) == ["claims"]
    assert contract.args == {}
    assert contract.invoke({})["passed"] is False
