"""A dataroom run leaves checked artifacts, the same bytes twice, and nothing in the dataroom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from citewell.commands.diligence import diligence as command
from citewell.commands.evaluate import evaluate
from citewell.commands.feedback import feedback
from citewell.commands.research import resume
from citewell.errors import UsageError
from citewell.graph.diligence import DiligenceResult, adiligence, aresume_diligence, build_diligence_graph
from citewell.graph.following import PlanPending
from citewell.graph.threads import alist_threads
from citewell.nodes.artifact_writer import ArtifactWriter
from citewell.reports.artifacts import LEFT_BEHIND, earlier_run_in
from citewell.reports.traces.recording import trace_path
from citewell.reports.traces.view import read_trace
from citewell.settings import Environment, Settings
from citewell.state.harness import load_harness, parse_harness
from click.testing import CliRunner

pytestmark = pytest.mark.slow
OFFLINE = Settings(engine="embedded", offline=True)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A small dataroom with other words than the sample one."""
    files = {
        "books/members_by_day.csv": "day,paying_members\n2024-06-30,4100\n2024-12-31,4720\n",
        "books/clubs.csv": "club_id,club,owner_id\nA1,Northgate,H1\nA2,Southgate,H1\nA3,Quayside,\n",
        "books/fees.csv": "club_id,fees_eur\nA1,310000\nA2,290000\nA3,400000\n",
        "books/owners.csv": "owner_id,owner\nH1,Gatehouse Holding\nH2,Pier Holding\n",
        "audits.json": json.dumps(
            [
                {"audit": "Water safety audit", "status": "in progress", "due": "2025-05-01"},
                {"audit": "Fire safety audit", "status": "report issued", "due": "2024-11-02"},
            ]
        ),
        "flyer.md": "# Flyer\n\nThe Water safety audit is complete. We had 5,100 paying members at 31 December 2024.\n",
    }
    for name, text in files.items():
        path = tmp_path / "room" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "room"


async def run(room: Path, question: str, home: Path, out: Path | None = None) -> DiligenceResult:
    return await adiligence(
        room, question, out=out, settings=OFFLINE, environment=Environment(home=home), thread_id="d-1"
    )


def said(result: DiligenceResult) -> str:
    return "\n".join(claim.text for claim in result.report.answer.claims)


def limits(result: DiligenceResult) -> tuple[str, ...]:
    return result.report.answer.risks_and_limits


async def test_an_export_outranks_a_flyer_and_both_are_shown(room, tmp_path):
    result = await run(room, "How many paying members were there at 31 December 2024?", tmp_path / "home")
    assert "4720" in said(result)
    assert "5,100" not in said(result)
    (conflict,) = result.report.answer.conflicts
    assert (conflict.preferred, [value.uri for value in conflict.values]) == (
        "4720",
        ["books/members_by_day.csv", "flyer.md"],
    )
    assert result.passed


async def test_a_status_is_stated_exactly(room, tmp_path):
    result = await run(room, "Is the Water safety audit complete?", tmp_path / "home")
    assert "The Water safety audit is complete" not in said(result)
    assert any("in progress" in conflict.preferred for conflict in result.report.answer.conflicts)


async def test_an_owner_is_found_behind_its_clubs(room, tmp_path):
    result = await run(room, "Which owner is the largest by fees, and what share does it have?", tmp_path / "home")
    assert "310,000 + 290,000 = 600,000" in said(result)
    assert "600,000 / 1,000,000 = 60.0%" in said(result)


async def test_nothing_is_computed_over_a_part_of_an_export(room, tmp_path, monkeypatch):
    monkeypatch.setattr("citewell.retrievers.parsers.delimited.MAX_CELLS", 4)
    result = await run(room, "Which owner is the largest by fees, and what share does it have?", tmp_path / "home")
    assert "600,000 / 1,000,000" not in said(result)
    assert any(line.startswith("Nothing is computed over books/fees.csv") for line in limits(result))


async def test_a_memo_on_any_company_answers_what_it_names_and_registers_what_went_wrong(tmp_path):
    room = tmp_path / "shipyard"
    room.mkdir()
    (room / "letter.md").write_text(
        "# Letter of the yard, 3 March 2025\n\n## Year\n\nRevenue for 2024 was EUR 61.2 million.\n"
        "Net debt was EUR 9.4 million at 31 December 2024.\n\n## Apprentices\n\nIt trained 48 apprentices in 2024."
        "\n\n## Corrections\n\nCorrection to the letter of August: the yard had open orders worth EUR 71 million, not "
        "EUR 77 million.\n\nThe carbon report promised for January 2025 has not been delivered.\n"
    )
    (room / "docks.csv").write_text("dock,budget_eur_m,spent_eur_m\nNorth dock,12.0,13.5\nSouth dock,8.0,7.1\n")
    out = tmp_path / "out"
    await run(room, "Write a memo on the yard: revenue, debt and apprentices.", tmp_path / "home", out)
    memo = (out / "investment_memo.md").read_text()
    for figure in ("EUR 61.2 million", "EUR 9.4 million", "48 apprentices"):
        assert figure in memo
    titles = [risk["title"] for risk in json.loads((out / "risk_register.json").read_text())]
    assert "Over budget: North dock" in titles
    assert not any("South dock" in title or title.startswith("Could not be established") for title in titles)
    assert any(title.startswith("Not delivered: The carbon report") for title in titles)
    assert any(title.startswith("Corrected figure") for title in titles)
    (shown,) = json.loads((out / "contradictions.json").read_text())
    assert [value["value"] for value in shown["values"]] == ["EUR 71 million", "EUR 77 million"]


async def test_a_run_replaces_an_earlier_run_and_nothing_else(room, tmp_path):
    question, out = "What is the status of the Fire safety audit?", tmp_path / "out"
    first = await run(room, question, tmp_path / "home", out)
    assert earlier_run_in(out)
    again = await adiligence(room, question, out=out, settings=OFFLINE, environment=Environment(home=tmp_path / "home"))
    assert again.artifacts == first.artifacts
    (out / "investment_memo.md").write_text("my own words")
    with pytest.raises(UsageError, match=r"investment_memo\.md: was changed since"):
        await adiligence(room, question, out=out, settings=OFFLINE, environment=Environment(home=tmp_path / "home"))
    assert (out / "investment_memo.md").read_text() == "my own words"
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.md").write_text("a letter")
    with pytest.raises(UsageError, match=r"holds letter\.md and no run_manifest\.json"):
        await adiligence(room, question, out=mine, settings=OFFLINE, environment=Environment(home=tmp_path / "home"))


async def test_a_missing_dataroom_is_named(tmp_path, clean_environment):
    graph = build_diligence_graph().compile()
    with pytest.raises(UsageError, match="`dataroom` is missing"):
        await graph.ainvoke({"question": "How many members are there?", "docs": [str(tmp_path)]})


async def test_two_runs_leave_the_same_bytes_and_the_room_as_it_was(room, tmp_path):
    before = {path: path.read_bytes() for path in room.rglob("*") if path.is_file()}
    question = "How many paying members were there at 31 December 2024?"
    first = await run(room, question, tmp_path / "home1", tmp_path / "out1")
    await run(room, question, tmp_path / "home2", tmp_path / "out2")
    left = {path.name: path.read_bytes() for path in (tmp_path / "out1").iterdir()}
    assert left == {path.name: path.read_bytes() for path in (tmp_path / "out2").iterdir()}
    assert set(left) == set(LEFT_BEHIND)
    assert {path.name for path in first.artifacts} == set(LEFT_BEHIND)
    assert {path: path.read_bytes() for path in room.rglob("*") if path.is_file()} == before


async def test_the_trace_names_policy_staging_checks_and_artifacts(room, tmp_path):
    await run(room, "Is the Water safety audit complete?", tmp_path / "home", tmp_path / "out")
    spans = read_trace(trace_path(tmp_path / "home", "d-1"))
    names = {span["name"] for span in spans}
    assert {"agent.diligence", "custom.harness", "custom.stage_workspace", "guardrail.validator"} <= names
    assert {"custom.check_evidence_coverage", "custom.validate_output_contract", "retriever.corpus"} <= names
    assert "custom.artifact:risk_register.json" in names
    assert all(span["resource"]["attributes"]["harness.version"] == load_harness().version for span in spans)


async def test_what_cannot_be_run_is_one_line(room, tmp_path):
    with pytest.raises(UsageError, match="inside the dataroom"):
        await run(room, "What?", tmp_path / "home", room / "out")
    with pytest.raises(UsageError, match="not a folder"):
        await run(tmp_path / "nowhere", "What?", tmp_path / "home")
    with pytest.raises(UsageError, match="question is empty"):
        await run(room, " ", tmp_path / "home")
    edited = load_harness().model_dump()
    edited["eval_metadata"]["promoted_sha256"] = "0" * 64
    with pytest.raises(UsageError, match="edited after its promotion"):
        await adiligence(room, "What?", harness=parse_harness(edited), settings=OFFLINE)


async def test_a_run_stopped_half_way_is_taken_up_under_the_policy_it_began_with(room, tmp_path, monkeypatch):
    environment, question = Environment(home=tmp_path / "home"), "Is the Water safety audit complete?"
    policy = parse_harness(load_harness().model_dump() | {"system_prompt": "Look closely."})

    class Killed(BaseException):
        """The process ends here."""

    def killed(*_: object) -> None:
        raise Killed

    begun = adiligence(
        room,
        question,
        out=tmp_path / "out",
        harness=policy,
        settings=OFFLINE,
        environment=environment,
        thread_id="d-1",
    )
    with monkeypatch.context() as patch:
        patch.setattr(ArtifactWriter, "write", killed)
        with pytest.raises(Killed):
            await begun
    assert [(info.graph, info.status, info.question) for info in await alist_threads(environment)] == [
        ("diligence", "interrupted", question)
    ]
    result = await aresume_diligence("d-1", settings=OFFLINE, environment=environment)
    assert result.passed
    assert json.loads((tmp_path / "out" / "run_manifest.json").read_text())["harness"]["sha256"] == policy.sha256
    assert (await alist_threads(environment))[0].status == result.report.status
    again = await aresume_diligence("d-1", settings=OFFLINE, environment=environment)
    assert again == result


async def test_a_thread_of_another_graph_is_not_taken_up(tmp_path):
    with pytest.raises(UsageError, match="no thread 'd-9'"):
        await aresume_diligence("d-9", environment=Environment(home=tmp_path))


def test_a_person_may_change_the_plan_of_a_dataroom_run(room, tmp_path, clean_environment):
    out = tmp_path / "out"
    flags = ["--engine", "embedded", "--offline", "--quiet"]
    question = "How many paying members were there at 31 December 2024?"
    asked = CliRunner().invoke(
        command, [str(room), question, "--out", str(out), "--approve-plan", *flags], standalone_mode=False
    )
    assert isinstance(asked.exception, PlanPending)
    thread = asked.exception.thread_id
    taken_up = CliRunner().invoke(resume, [thread, "--approve", *flags], standalone_mode=False)
    assert taken_up.exception is None
    assert taken_up.output == (out / "summary_answer.md").read_text(encoding="utf-8")
    assert "4720" in taken_up.output


def test_feedback_on_a_run_becomes_a_gate(room, tmp_path, clean_environment):
    question = "How many paying members were there at 31 December 2024?"
    options = ["--out", str(tmp_path / "out"), "--engine", "embedded", "--offline", "--quiet"]
    asked = CliRunner().invoke(command, [str(room), question, *options], standalone_mode=False)
    assert "4720" in asked.output
    (kept,) = (clean_environment / "runs").glob("*.json")
    told = ["add", kept.stem, "--require", "4720", "--forbid", "5,100 paying members"]
    CliRunner().invoke(feedback, told, standalone_mode=False)
    gate = ["run", "--dataroom", str(room), "--engine", "embedded", "--offline", "--json"]
    passed = CliRunner().invoke(evaluate, gate, standalone_mode=False)
    assert passed.return_value == 0
    CliRunner().invoke(feedback, ["add", kept.stem, "--require", "nine thousand"], standalone_mode=False)
    failed = CliRunner().invoke(evaluate, gate, standalone_mode=False)
    assert failed.return_value == 1
    assert "required: nine thousand" in failed.output


async def test_a_count_that_a_narrative_states_is_not_read_out_of_two_columns(tmp_path):
    room = tmp_path / "harbour"
    room.mkdir()
    (room / "moves.csv").write_text(
        "month,quay,fishing_income_eur,new_boats\n2025-01,North,5100,3\n2025-02,North,5300,4\n2025-02,South,900,1\n"
    )
    (room / "report.md").write_text(
        "# Harbour report\n\nAt year end the harbour was home to 212 fishing boats and 40 yachts.\n\n"
        "The plan for 2026 expects 250 fishing boats.\n"
    )
    result = await run(room, "How many fishing boats are there?", tmp_path / "home")
    assert "212 fishing boats" in said(result).splitlines()[0]
    assert "new boats" not in said(result)
