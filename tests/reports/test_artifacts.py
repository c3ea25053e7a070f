"""Artifacts follow from the report alone, hold every claim with its files, and keep the contract they publish."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.reports.artifacts import artifact_texts, run_manifest, write_artifacts
from citewell.reports.contract import SHAPES, cited_path, schema_of, validate_output_contract
from citewell.state.harness import load_harness
from citewell.state.records import (
    Answer,
    Claim,
    Conflict,
    ConflictValue,
    Evidence,
    OpenQuestion,
    Report,
    Section,
    Source,
    chunk_id_of,
)

ARR, DECK, NOTE, LEGAL = "finance/arr.csv", "board/deck.md", "customers/note.md", "legal/matters.csv"


def evidence(uri: str, text: str) -> Evidence:
    return Evidence(chunk_id=chunk_id_of(uri, 0), uri=uri, text=text, start=0, end=len(text))


def claim(number: int, text: str, *uris: str) -> Claim:
    return Claim(
        claim_id=f"C-{number:03d}",
        text=text,
        citations=tuple(chunk_id_of(uri, 0) for uri in uris),
        support="supported",
        score=1.0,
    )


def report(question: str = "What was ARR at 31 March 2025?") -> Report:
    values = (
        ConflictValue(value="17640000", chunk_id=chunk_id_of(ARR, 0), uri=ARR, tier="structured", dated="2025-03-31"),
        ConflictValue(value="$18.9 million", chunk_id=chunk_id_of(DECK, 0), uri=DECK, dated="2025-04-15"),
    )
    answer = Answer(
        title="ARR",
        executive_summary=(claim(1, "as_of_date: 2025-03-31; arr_usd: 17640000", ARR),),
        sections=(
            Section(
                heading="Customers",
                claims=(
                    claim(2, "NRR of 112% was estimated and Finance has not validated it.", NOTE),
                    claim(3, "Corvane Group has 4380000 / 17640000 = 24.8% of ARR.", ARR),
                    claim(4, "Polder Sensors claims EUR 1400000 for patent infringement.", LEGAL),
                ),
            ),
        ),
        conflicts=(
            Conflict(
                subject="ARR",
                attribute="total",
                period="2025-03-31",
                values=values,
                preferred="17640000",
                reason="a structured export outranks a narrative",
            ),
        ),
        open_questions=(OpenQuestion(question="What is churn?", reason="no source states it"),),
    )
    return Report(
        run_id="r1",
        created_at=datetime(2025, 4, 30, tzinfo=UTC),
        question=question,
        status="partial",
        stop_reason="no_gaps",
        engine="embedded",
        answer=answer,
        evidence=tuple(evidence(uri, "text") for uri in (ARR, DECK, NOTE, LEGAL)),
        sources=tuple(Source(uri=uri, kind="file") for uri in (ARR, DECK, NOTE, LEGAL)),
    )


@pytest.fixture
def room(tmp_path: Path) -> Path:
    for uri in (ARR, DECK, NOTE, LEGAL):
        (tmp_path / "room" / uri).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "room" / uri).write_text("text", encoding="utf-8")
    return tmp_path / "room"


def test_artifacts_keep_their_own_contract(room, tmp_path):
    out = tmp_path / "out"
    write_artifacts(artifact_texts(report(), load_harness()), out)
    assert validate_output_contract(out, room) == {
        "passed": True,
        "issues": [],
        "required_files": list(load_harness().tool_policy.required_artifacts),
    }


def test_the_same_findings_give_the_same_bytes():
    assert artifact_texts(report(), load_harness()) == artifact_texts(report(), load_harness())


def test_the_register_names_contradiction_concentration_estimate_hole_and_legal_matter():
    risks = json.loads(artifact_texts(report(), load_harness())["risk_register.json"])
    titles = {risk["title"].split(":")[0].split(" about")[0]: risk["severity"] for risk in risks}
    assert titles == {
        "Sources disagree": "high",
        "Concentration": "high",
        "Legal": "high",
        "Unvalidated": "medium",
        "Could not be established": "medium",
    }
    assert [risk["id"] for risk in risks] == [f"R-{number:03d}" for number in range(1, 6)]
    assert all(risk["evidence"] for risk in risks)


def test_the_table_joins_sources_and_the_audit_tells_kinds_apart():
    texts = artifact_texts(report(), load_harness())
    rows = list(csv.DictReader(io.StringIO(texts["evidence_table.csv"])))
    assert [row["sources"] for row in rows] == [ARR, NOTE, ARR, LEGAL]
    assert [each["claim_type"] for each in json.loads(texts["claim_audit_input.json"])] == [
        "fact",
        "estimate",
        "inference",
        "fact",
    ]


def test_a_contradiction_keeps_both_values_and_the_preferred_one():
    (entry,) = json.loads(artifact_texts(report(), load_harness())["contradictions.json"])
    assert [value["source"] for value in entry["values"]] == [ARR, DECK]
    assert entry["preferred"] == "17640000"


def test_a_memo_stands_inline_when_it_is_asked_for():
    short = artifact_texts(report(), load_harness())["summary_answer.md"]
    long = artifact_texts(report("Write an IC memo on ARR"), load_harness())["summary_answer.md"]
    assert "## Risks" not in short
    assert "## Risks" in long
    assert "investment_memo.md" not in long


def test_the_manifest_names_no_time():
    harness = load_harness()
    texts = artifact_texts(report(), harness)
    manifest = run_manifest(report(), harness, [{"path": ARR, "sha256": "0" * 64}], texts)
    assert manifest["harness"]["sha256"] == harness.sha256
    assert set(manifest["artifacts"]) == set(texts)
    assert not {"run_id", "created_at"} & set(manifest)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_published_schema_is_the_one_that_is_checked(name):
    path = Path(__file__).parents[2] / "reports" / "schemas" / name.replace(".json", ".schema.json")
    assert json.loads(path.read_text(encoding="utf-8")) == schema_of(name)


def test_every_broken_shape_is_named_with_its_place(room, tmp_path):
    out = tmp_path / "out"
    write_artifacts(artifact_texts(report(), load_harness()), out)
    (out / "summary_answer.md").write_text(" \n", encoding="utf-8")
    (out / "investment_memo.md").unlink()
    (out / "risk_register.json").write_text(
        json.dumps(
            [{"id": "R", "title": "t", "severity": "bad", "rationale": "r", "evidence": [], "open_questions": []}]
        )
    )
    (out / "citations.json").write_text('[{"claim_id": "C", "claim": "c", "sources": ["nowhere.csv", "../out/x"]}]')
    (out / "evidence_table.csv").write_text("claim,sources\n", encoding="utf-8")
    result = validate_output_contract(out, room)
    found = {(issue["file"], issue.get("risk_index"), issue.get("citation_index")) for issue in result["issues"]}
    assert not result["passed"]
    assert found == {
        ("summary_answer.md", None, None),
        ("investment_memo.md", None, None),
        ("risk_register.json", 0, None),
        ("citations.json", None, 0),
        ("evidence_table.csv", None, None),
    }
    assert any("nowhere.csv" in issue["issue"] for issue in result["issues"])


def test_a_list_where_an_object_is_and_broken_json_are_issues(tmp_path):
    out = tmp_path / "out"
    write_artifacts(artifact_texts(report(), load_harness()), out)
    (out / "risk_register.json").write_text("{}", encoding="utf-8")
    (out / "citations.json").write_text("[", encoding="utf-8")
    issues = validate_output_contract(out)["issues"]
    assert [issue["issue"].split(":")[0] for issue in issues] == ["expected a list, found dict", "not JSON"]


def test_a_citation_may_start_with_data_and_never_leaves_the_room(room):
    assert cited_path(f"data/{ARR}", room) == room / ARR
    assert cited_path(f"{ARR}#row=3", room) == room / ARR
    sibling = room.parent / "room2"
    sibling.mkdir()
    (sibling / "x.md").write_text("x", encoding="utf-8")
    (room / "link.md").symlink_to(sibling / "x.md")
    for outside in ("../room2/x.md", str(sibling / "x.md"), "link.md", "", "finance"):
        assert cited_path(outside, room) is None


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        write_artifacts({"a.md": "a"}, tmp_path / "file" / "out")
